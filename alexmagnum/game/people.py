"""The people of a game: players, substitutes, standby list, anonymity, votes and press."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date
from itertools import pairwise, permutations

from alexmagnum.board.geography import Province
from alexmagnum.board.model import Power
from alexmagnum.errors import GameError
from alexmagnum.files import is_line
from alexmagnum.game import orders
from alexmagnum.game.file import GAMES, GameFile, is_game_folder, to_json
from alexmagnum.game.game import REAL_WORLD, Game, GameEnd, Note, Player, Press, Standby
from alexmagnum.game.mail_store import STANDBY_REASONS, WAITING, InboxStore
from alexmagnum.game.records import CHANGED, TAKEN_OVER, Entry, PhaseRow, VoteRow
from alexmagnum.game.settings import ANY_ADDRESS, DISORDER, lower_ascii, to_ascii_address
from alexmagnum.i18n.dates import check_absence
from alexmagnum.i18n.sentences import LANGUAGES, fold, load_words
from alexmagnum.notation.sections import EVERYTHING
from alexmagnum.notation.words import lexicon, tokens
from alexmagnum.position import Position

# The players: who plays which power, who took over, who is away.


def read_person(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the name in ``Anna <anna@example.org>, <a.neri@example.com>``, the first address, ""
    if there is none, and the others.

    Raises:
        GameError: ``person-unreadable``.
    """
    name, _, rest = text.partition("<")
    if not rest and (bare := [word.strip(",;") for word in text.split() if "@" in word]):
        name = " ".join(word for word in text.split() if "@" not in word)
        name, rest = name or bare[0].partition("@")[0], " ".join(bare)
    addresses = tuple(dict.fromkeys(filter(None, re.split(r"[<>,;\s]+", rest))))
    is_closed = text.count("<") == text.count(">") and ">" not in name
    if not name.strip() or not is_closed or "\n" in text or (rest and not addresses):
        raise GameError("person-unreadable", text=text)
    if len(addresses) > 1 and not all("@" in address for address in addresses):
        raise GameError("person-unreadable", text=text)
    return name.strip(), addresses[0] if addresses else "", addresses[1:]


_FIELDS = ("name", "address", "other_addresses", "lang", "note")  # of a player, that can be set


def read_people(game: Game) -> tuple[Player, ...]:
    """Return the people who play, without bots, in the map's order of powers."""
    return tuple(player for player in read_players(game) if not player.is_bot)


def read_players(game: Game, *, past: bool = False) -> tuple[Player, ...]:
    """Return who plays, or who played before, in the map's order of powers.

    A bot that stood in for a phase that is not open is left out.
    """
    rest = f"""JOIN powers ON powers.id = players.power
               WHERE until {"!=" if past else "="} '' ORDER BY powers.place, players.id"""
    phase = game.head().name
    return tuple(
        player
        if not player.bot or player.has_bot_in(phase)
        else replace(player, bot="", stand_in="")
        for player in game.file.select(Player, rest)
    )


def insert_player(file: GameFile, player: Player, at: str) -> None:
    """Store a player who begins to play now."""
    start, end = read_absence(player.absent_from, player.absent_until)
    row = asdict(player) | {
        "since": player.since or at,
        "until": "",
        "absent_from": start,
        "absent_until": end,
        "other_addresses": to_json(list(player.other_addresses)),
    }
    file.insert("players", **row)


def check_player(player: Player) -> None:
    """Refuse a name or address that would break a mail's header, an unknown language, and an
    absence that ends before it begins.
    """
    check_person(player.name, (player.address, *player.other_addresses), player.lang)
    _check_reachable(player.address)
    read_absence(player.absent_from, player.absent_until)


def check_person(name: str, addresses: Iterable[str], lang: str) -> None:
    """Refuse a name or address that would break a mail's header, and an unknown language.

    Raises:
        GameError: bad-player.
    """
    if not name.strip() or not is_line(name):
        raise GameError("bad-player", field="name", value=repr(name[:80]))
    for address in addresses:
        if address and not (is_line(address) and ANY_ADDRESS.fullmatch(address)):
            raise GameError("bad-player", field="address", value=repr(address[:80]))
    if lang not in ("", *LANGUAGES):
        raise GameError("bad-player", field="lang", value=lang)


def _check_reachable(address: str) -> None:
    """Refuse an address to which no letter can be sent."""
    if address and not to_ascii_address(address):
        raise GameError("bad-player", field="address", value=repr(address[:80]))


def set_player(game: Game, power: str, reason: str = "", **changes: object) -> Player:
    """Change fields of the player of a power (name, address, other_addresses, lang, note), and
    return the player; a vacant power gets one.

    Raises:
        GameError: bad-player, bot-plays.
    """
    power = game.power(power)
    for name, value in changes.items():
        if name not in _FIELDS:
            raise GameError("bad-player", field=name, value=str(value))
    with game.act("player-set", power, reason, CHANGED) as note:
        if (known := _find_player(game, power)) and known.is_bot:
            raise GameError("bot-plays", power=power, bot=known.bot)
        player = replace(known or Player(power, ""), **changes)  # type: ignore[arg-type]
        check_player(player)
        if known:
            stored = {n: to_json(v) if n == "other_addresses" else v for n, v in changes.items()}
            _update(game, power, **stored)
        else:
            insert_player(game.file, player, game.stamp())
            begun = any(not outcome.passed for outcome in game.line())
            note.detail["begins"] = "later" if begun else "first"
            if begun:
                note.players = TAKEN_OVER
        note.detail |= {name: value for name, value in changes.items() if name != "note"}
        return _require_player(game, power)


def replace_player(game: Game, newcomer: Player, reason: str = "") -> Player:
    """Let somebody else play a power from now on, and return the new player; who played it before
    is remembered.

    Who takes over leaves the standby list, and the mails that they wrote from it wait no longer.
    While the clock is behind nobody does: what a former player wrote is told by its time.
    """
    power = game.power(newcomer.power)
    if (jump := game.find_clock_jump()) is not None and jump.data["now"] < jump.data["last"]:
        raise GameError("clock-behind", **jump.data)
    player = replace(newcomer, power=power)
    check_player(player)
    with game.act("player-replace", power, reason, TAKEN_OVER) as note:
        before = _find_player(game, power)
        if before and (before.name, before.address) == (player.name, player.address):
            raise GameError("plays-already", name=player.name, power=power)
        _take_over(game, player)
        note.detail |= {"before": before.name if before else "", "name": player.name}
        for person in find_standby_at(game, list(map(lower_ascii, player.addresses))):
            remove_standby(game, person.id, reason, power=power)
            if words := [mail for of, mail in _find_words(game) if of == str(person.id)]:
                InboxStore(game.file).reject(game, words, "standby")
        return _require_player(game, power)


def set_absence(game: Game, power: str, start: str, end: str, reason: str = "") -> Player:
    """Store that a player is away from one day to another (ISO); "" and "" end an absence."""
    power = game.power(power)
    start, end = read_absence(start, end)
    with game.act("player-absent", power, reason) as note:
        _require_person(game, power)
        _update(game, power, absent_from=start, absent_until=end)
        note.detail |= {"from": start, "until": end}
        return _require_player(game, power)


def read_absence(start: str, end: str) -> tuple[str, str]:
    """Return the days of an absence as they are stored, ``2026-11-19``, or two empty texts; refuse
    what is neither."""
    try:
        if start or end:
            start, end = map(str, check_absence(date.fromisoformat(start), date.fromisoformat(end)))
        return start, end
    except ValueError:
        raise GameError("bad-absence", start=start, end=end) from None


def set_note(game: Game, power: str, text: str) -> Player:
    """Store the game master's note on a player; the journal does not have its words."""
    power = game.power(power)
    with game.act("player-note", power):
        _require_player(game, power)
        _update(game, power, note=text)
        return _require_player(game, power)


# -- bots ------------------------------------------------------------------------------------------


def enrol_bot(game: Game, power: str, bot: str, stand_in: str = "", reason: str = "") -> Player:
    """Let a bot play a power from now on, or stand in for its player; return the player.

    ``stand_in`` is that of :class:`alexmagnum.game.game.Player`.
    """
    check_bot(bot)
    power = game.power(power)
    with game.act("player-bot", power, reason, CHANGED) as note:
        orders.require_open_phase(game)
        known = _find_player(game, power)
        before = (known.name or known.bot) if known else ""
        note.detail |= {"bot": bot, "stand_in": stand_in, "before": before}
        if stand_in:
            _require_person(game, power)
            _update(game, power, bot=bot, stand_in=stand_in)
        elif known and known.is_bot:
            _update(game, power, bot=bot)
        else:
            _take_over(game, Player(power, "", bot=bot))
        return _require_player(game, power)


def check_bot(name: str) -> None:
    """Refuse a bot that there is not; :data:`DISORDER` orders nothing, and needs none."""
    if name == DISORDER:
        return
    from alexmagnum.bots import load_bot  # bots need the judge

    load_bot(name)


def withdraw_bot(game: Game, power: str, reason: str = "") -> Player:
    """End what a bot plays for a power, so that its person plays again; return the player.

    Where the bot is the player, that is whoever played the power last.

    Raises:
        GameError: no-bot.
    """
    power = game.power(power)
    if (player := _find_player(game, power)) is None or not player.bot:
        raise GameError("no-bot", power=power)
    if player.is_bot:
        return replace_player(game, find_person_before(game, power), reason)
    with game.act("player-back", power, reason) as note:
        end_stand_in(game, power, note, "bot")
    return _require_player(game, power)


def find_person_before(game: Game, power: str) -> Player:
    """Return the last person who played a power, as somebody who begins to play it now.

    Raises:
        GameError: nobody-before-bot.
    """
    people = [p for p in read_players(game, past=True) if p.power == power and not p.is_bot]
    if not people:
        raise GameError("nobody-before-bot", power=power)
    return replace(
        people[-1], since="", until="", absent_from="", absent_until="", bot="", stand_in=""
    )


def restore_stand_ins(game: Game) -> None:
    """Let the bots that stood in for players in a phase do so again, once it is open again."""
    head = game.head()
    for player in read_players(game):
        bot = orders.read_bot_name(game, orders.find_last_submission(game, head.id, player.power))
        if bot and not player.is_bot and not player.has_bot_in(head.name):
            _update(game, player.power, bot=bot, stand_in=head.name)


def end_stand_in(game: Game, power: str, note: Note, key: str = "back_from") -> None:
    """Let no bot stand in for the player of a power; note under a key which one did."""
    if (player := _find_player(game, power)) is not None and player.bot and player.stand_in:
        _update(game, power, bot="", stand_in="")
        note.players = CHANGED
        note.detail[key] = player.bot


def _find_player(game: Game, power: str) -> Player | None:
    return game.file.find(Player, "WHERE power = ? AND until = ''", power)


def _require_player(game: Game, power: str) -> Player:
    if (player := _find_player(game, power)) is None:
        raise GameError("no-player", power=power)
    return player


def _require_person(game: Game, power: str) -> None:
    if (player := _require_player(game, power)).is_bot:
        raise GameError("bot-plays", power=power, bot=player.bot)


def _update(game: Game, power: str, **changes: object) -> None:
    """Change columns of the player of a power."""
    key = game.file.count("SELECT id FROM players WHERE power = ? AND until = ''", power)
    game.file.update("players", key, **changes)


def _take_over(game: Game, player: Player) -> None:
    """Let a player begin to play a power, and end who plays it now.

    Their votes and codes are void in every phase, because an undo can open it again, and so are
    their orders for phases to come that an undo took back.  At the end all of this is sealed.
    """
    orders.require_open_phase(game)
    for table in ("votes", "codes"):  # codes of letters to the game master stay
        game.file.delete(table, "power = ? AND phase IN (SELECT name FROM phases)", player.power)
    game.known.codes.clear()
    begun = {game.head().name, *(row.name for row in game.line())}
    last_at_the_end = """JOIN submissions ON submissions.phase = phases.id
        GROUP BY phases.id ORDER BY MAX(submissions.id)"""  # so that it stays the last one
    for phase in game.file.select(PhaseRow, last_at_the_end):
        if phase.name not in begun and orders.find_last_submission(game, phase.id, player.power):
            orders.store_withdrawal(game, phase, player.power, game.stamp(), EVERYTHING)
    if _find_player(game, player.power):
        _update(game, player.power, until=game.stamp())
    insert_player(game.file, player, game.stamp())


# The standby list: people who are ready to take over a power.


def read_games_beside(game: Game) -> Sequence[tuple[Sequence[Player], Position]]:
    """Return the players and position of each other game in the folder, where none is open here."""
    if game.beside is None:
        game.beside, own = [], game.folder.resolve()
        for folder in own.parent.iterdir() if own.with_name(GAMES).exists() else ():
            with suppress(Exception):  # one that cannot be read is named elsewhere
                if folder.resolve() != own and is_game_folder(folder):
                    with Game(GameFile.open(folder), REAL_WORLD) as other:
                        game.beside.append((read_players(other), other.position))
    return game.beside


def read_standby(game: Game, *, past: bool = False) -> tuple[Standby, ...]:
    """Return who is on the list, or with ``past`` also who was, in the order in which they came."""
    return game.file.select(Standby, ("" if past else "WHERE until = '' ") + "ORDER BY id")


def list_free_standby(game: Game) -> tuple[Standby, ...]:
    """Return the people on the list who can be called: they do not play, and no mail of theirs,
    which may be a no, waits for the game master."""
    if not (listed := read_standby(game)):
        return ()
    playing = {lower_ascii(each) for player in read_players(game) for each in player.addresses}
    heard = {number for number, _ in _find_words(game)}
    return tuple(
        one
        for one in listed
        if playing.isdisjoint(map(lower_ascii, one.addresses)) and str(one.id) not in heard
    )


def _find_words(game: Game) -> list[tuple[str, int]]:
    """Return the mails that wait from people on the list, or answer their invitation: the number
    of the person, and that of the mail."""
    waiting = InboxStore(game.file).find_all(WAITING)
    reasons = ((why, one.id) for one in waiting for why in one.why if why.code in STANDBY_REASONS)
    return [(why.data.get("number", ""), mail) for why, mail in reasons]


def find_standby(game: Game, number: int) -> Standby:
    """Return somebody on the list by their number.

    Raises:
        GameError: ``no-standby``.
    """
    for person in read_standby(game):
        if person.id == number:
            return person
    raise GameError("no-standby", number=str(number))


def find_standby_at(game: Game, addresses: Collection[str]) -> tuple[Standby, ...]:
    """Return who is on the list with one of some addresses, given in lower case."""
    return tuple(
        person
        for person in read_standby(game)
        if any(lower_ascii(address) in addresses for address in person.addresses)
    )


def add_standby(game: Game, person: Standby, reason: str = "") -> Standby:
    """Put somebody on the list, and return them with their number.

    Raises:
        GameError: standby-no-address, standby-known.
    """
    check_person(person.name, person.addresses, person.lang)
    _check_reachable(person.address)
    if not person.address:
        raise GameError("standby-no-address", name=person.name)
    with game.act("standby-add", reason=reason) as note:
        if known := find_standby_at(game, list(map(lower_ascii, person.addresses))):
            raise GameError("standby-known", number=str(known[0].id), name=known[0].name)
        row = asdict(person) | {
            "id": None,
            "other_addresses": to_json(list(person.other_addresses)),
            "since": game.stamp(),
        }
        number = game.file.insert("standby", **row)
        note.detail |= {"standby": number, "name": person.name}
    return find_standby(game, number)


def remove_standby(game: Game, number: int, reason: str = "", *, power: str = "") -> Standby:
    """Take somebody off the list, because they play ``power`` now or want to no more."""
    with game.act("standby-remove", power, reason) as note:
        person = find_standby(game, number)
        game.file.update("standby", number, until=game.stamp(), power=power)
        note.detail |= {"standby": number, "name": person.name}
    return person


def seat_standby(game: Game, power: str, number: int, reason: str = "") -> Player:
    """Let somebody on the list play a power from now on, and return the player."""
    person = find_standby(game, number)
    newcomer = Player(
        power, person.name, person.address, lang=person.lang, other_addresses=person.other_addresses
    )
    return replace_player(game, newcomer, reason)


# Players who took over a power, bots included, and the phases that were over by then.
#
# The journal tells: its entries have an order even where two have the same instant.


def find_takeover(game: Game, power: str) -> int:
    """Return the entry of the journal by which the player of a power took it over, 0 for a player
    who has had it since the game began."""
    sql = "SELECT MAX(id) FROM journal WHERE power = ? AND players = ?"
    return game.file.count(sql, power, TAKEN_OVER)


def is_of_former_player(game: Game, power: str, received: str, number: int = 0) -> bool:
    """Tell whether a mail came before the player of a power took that over.

    ``number`` is that of a mail that was known for one of this power: the journal tells when.
    """
    took = game.file.find(Entry, "WHERE id = ?", find_takeover(game, power))
    sql = """SELECT MIN(id) FROM journal WHERE action IN ('mail', 'mail-wait')
             AND json_extract(detail, '$.message') = ?"""
    return took is not None and orders.came_before(took, game.file.count(sql, number), received)


def took_over_after(game: Game, power: str, phase: str) -> bool:
    """Return whether the player of a power took it over when a phase had been resolved already."""
    if not (takeover := find_takeover(game, power)):
        return False
    resolved = game.find_last_act("process", "redo", phase=phase)
    return resolved is not None and resolved.id < takeover


def find_last_change_of_players(game: Game) -> int:
    """Return the act by which a player's name or who orders for a power changed last, 0 if none."""
    return game.file.count("SELECT MAX(id) FROM journal WHERE players != ''")


def find_power_of_act(game: Game, act: int) -> str:
    """Return the power that an entry of the journal is about, "" for none."""
    row = game.file.find(Entry, "WHERE id = ?", act)
    return row.power if row else ""


# Anonymous games: whether players may know each other's names, and names found in a text.
#
# Reports leave the players out by themselves (:mod:`alexmagnum.report.context`); texts that people
# write are searched for names here.  A player named Will or Sara may write "I will" and "sarà":
# words that mean something else too stand in ``words/<language>.toml``.


_WORD = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+")

_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")

_SHORTEST = 3  # letters of a word that is a name wherever it stands: two mean too much else

_AROUND = 80  # letters before and after a word that tell whether it is a name

_INTRODUCED = re.compile(
    r"\b(?:i am|i.?m|name.?i?s|call(?:ed| me)|mrs?|sig(?:ra)?|sono|chiamo|chiama(?:te)?mi|nome è)"
    r"\W+$",
    re.IGNORECASE,
)
"""The end of what stands before a name, even if the name means something else too."""

_ENDS = re.compile(r"(?:\s+(?:[^\W\d_]|x+)|\s*[,/(]\s*\w+)?[\W_\d]*$|\s+(?:here|qui)\b|['’]s\b|:")
"""Match the text behind a signature: signs, a number, an initial, a town, "here", "'s"."""

_GOES_ON = re.compile(r"\s+(?!(?:of|from|da|di|della|dalla)\b)[^\W_]")
"""Match the text behind the first word of a sentence, if that is not where somebody is from."""

LEFT_OUT = "[…]"
"""The text that stands in place of a name that was written before names were hidden."""


def hides_names(game: Game) -> bool:
    """Return whether no player may know who the others are.

    At the end of the game names are revealed, unless the setting ``names_at_end`` says otherwise.
    """
    if (settings := game.settings)["names"] == "public":
        return False
    return settings["names_at_end"] == "hidden" or not game.head().is_over


def check_text_for_names(game: Game, text: str, *, own: Collection[str] = ()) -> None:
    """Refuse words of the game master for players that name a person, if names are hidden.

    The players of the powers ``own`` may be named.

    Raises:
        GameError: ``names-are-hidden``.
    """
    if found := find_hidden_names(game, text, own=own):
        raise GameError("names-are-hidden", names=", ".join(found))


def find_hidden_names(game: Game, text: str, *, own: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names and addresses of people in a text; none if names are public."""
    if not hides_names(game):
        return ()
    people: tuple[Player | Standby, ...] = (
        *(player for player in read_players(game) if player.power not in own),
        *read_players(game, past=True),
        *read_standby(game, past=True),
    )
    return find_names_of(game, people, text)


def find_names_of(game: Game, people: Iterable[Player | Standby], text: str) -> tuple[str, ...]:
    """Return the words of people's names, and their addresses, that stand in a text.

    Capital and small letters are the same.  A word that means something else too, in the language
    or on the map, counts beside another word of the same name, and where it can only be a name: see
    :func:`_is_meant_as_name`.
    """
    listed = load_words("alexmagnum.notation")["names"]
    places = {*_find_map_words(game)}
    titles = {*places, *listed["titles"]}
    unclear = {*titles, *listed["everyday"]}
    written, words = text.casefold(), list(_WORD.finditer(text))
    folded = [fold(word[0]) for word in words]
    found: list[str] = []
    for person in people:
        names = {fold(word) for word in _WORD.findall(person.name) if len(word) > 1}
        full = {name for name in names if len(name) >= _SHORTEST}
        known = {*full - unclear, *map("".join, permutations(full, 2))}
        pairs = (
            number
            for number, both in enumerate(pairwise(folded))
            if both[0] != both[1] and full.issuperset(both) and not titles.issuperset(both)
        )
        near = {place for number in pairs for place in (number, number + 1)}
        found += [
            word[0]
            for at, (name, word) in enumerate(zip(folded, words, strict=True))
            if name in known
            or (
                name in names
                and (at in near or _is_meant_as_name(text, word, name in titles, name in places))
            )
        ]
        found += [address for address in person.addresses if address.casefold() in written]
    return tuple(dict.fromkeys(found))


def _is_meant_as_name(text: str, word: re.Match[str], is_title: bool, is_place: bool) -> bool:
    """Tell whether a word that means something else too is a name where it stands.

    It is at the end of a line, alone or behind a sign; behind "I am", or a closing on its line or
    the one above (``Ciao Marco``); and with a capital letter, but for places, words that have one
    anyway within a sentence, and where one begins with it (``Will you come?``).
    """
    low = max(0, word.start() - _AROUND)
    before = text[max(low, text.rfind("\n", low, word.start()) + 1) : word.start()]
    after, *_ = text[word.end() : word.end() + _AROUND].split("\n", 1)
    led, is_last, is_capital = before.rstrip(" \t_*"), _ENDS.match(after), word[0][0].isupper()
    is_alone = not led or not (led[-1].isalnum() or led[-1] in "'’")
    if (is_alone and is_last and not _is_closing(word[0])) or _INTRODUCED.search(before):
        return True
    above = led or text[max(0, low - _AROUND) : word.start()]
    if (is_last or is_capital or after[:1] in ",!") and _is_closing(above.rstrip(",.! \n*_")):
        return True
    begins = not _WORD.search(led) or led[-1] in ".!?\u2026"
    is_sentence = begins and (_GOES_ON.match(after) or _is_closing(word[0]))
    is_seen = not is_title or begins or led[-1] in "(["
    return is_capital and is_seen and not (is_place or is_sentence)


def _is_closing(line: str) -> bool:
    """Tell whether a line ends with a closing or a greeting (``Kind regards``)."""
    last, known = tokens(line[-40:]), lexicon()
    return any(
        known.end_of(group, last, at) == len(last)
        for group in ("closings", "greetings")
        for at in range(len(last))
    )


def leave_names_out(game: Game, texts: Iterable[str], press: Iterable[Press]) -> Mapping[str, str]:
    """Return, by text, how players read what names somebody; nothing if names are public.

    Such texts were written before names were hidden.  In press only its writer's names are left
    out: to leave out those of others would tell who plays.
    """
    if not hides_names(game):
        return {}
    everybody = (*read_players(game, past=True), *read_players(game))
    found = {text: find_hidden_names(game, text) for text in texts}
    for piece in press:
        writers = [person for person in everybody if person.power == piece.sender]
        found[piece.text] = (*found.get(piece.text, ()), *find_names_of(game, writers, piece.text))
    return {text: _leave_out(text, names) for text, names in found.items() if names}


def leave_writer_out(game: Game, text: str, power: str, name: str, address: str) -> str:
    """Return a mail as the player of a power may read it who did not write it.

    The names and addresses of its writer and of all others are left out, if names are hidden;
    a line that had nothing else is empty.
    """
    if not hides_names(game):
        return text
    found = {
        *find_hidden_names(game, text, own=(power,)),
        *find_names_of(game, (Player("", name, address),), text),
        *_ADDRESS.findall(text),
    }
    lines = _leave_out(text, found).split("\n")
    return "\n".join(line if _WORD.search(line) or LEFT_OUT not in line else "" for line in lines)


def _leave_out(text: str, names: Collection[str]) -> str:
    """Return a text without some words, the longest first: an address may have a name in it."""
    for name in sorted(names, key=len, reverse=True):
        letters = re.IGNORECASE if "@" in name else re.NOFLAG
        text = re.sub(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])", LEFT_OUT, text, flags=letters)
    return text


def _find_map_words(game: Game) -> Iterator[str]:
    things: Iterable[Power | Province] = (*game.base.powers.values(), *game.base.provinces.values())
    for thing in things:
        for name in (thing.id, *map(thing.name, LANGUAGES)):
            yield from map(fold, _WORD.findall(name))


# Votes: what players ask for in a phase, which is to wait, to go on, or to end the game.


WAIT, READY, DRAW, CONCEDE = "wait", "ready", "draw", "concede"
VOTING = ("vote", "votes-fall")  # the acts

_REPLACED = {WAIT: (WAIT, READY), READY: (WAIT, READY), DRAW: (DRAW,), CONCEDE: (CONCEDE,)}
"""The votes that each kind of vote replaces."""


def cast_vote(game: Game, power: str, kind: str, targets: Iterable[str] = ()) -> None:
    """Store a vote in the open phase; the journal says that there was one, not which.

    ``targets`` are the powers that share a draw, or the powers that the game is conceded to.
    """
    power, named = game.power(power), [game.power(target) for target in targets]
    with game.act("vote", power):
        head = orders.require_open_phase(game)
        for other in _REPLACED[kind]:
            _remove(game, power, other)
        powers = to_json([power for power in game.base.powers if power in named])
        row = {"phase": head.name, "power": power, "vote": kind, "powers": powers}
        game.file.insert("votes", **row, at=game.stamp())


def withdraw_vote(game: Game, power: str, kind: str) -> None:
    """Withdraw a vote in the open phase."""
    power = game.power(power)
    with game.act("vote", power):
        _remove(game, power, kind)


def _remove(game: Game, power: str, kind: str) -> None:
    game.file.delete("votes", "phase = ? AND power = ? AND vote = ?", game.head().name, power, kind)


def have_votes_fallen(game: Game, power: str) -> bool:
    """Tell whether votes of a power in the open phase fell, and it has not voted again."""
    where = f"WHERE action IN {VOTING} AND power = ? AND phase = ? ORDER BY id DESC"
    last = game.file.find(Entry, where, power, game.head().name)
    if last is None or last.id < find_takeover(game, power):
        return False
    return last.action == "votes-fall"


def read_paces(game: Game, phase: str) -> Mapping[str, str]:
    """Return who asks to wait and who is ready, by power."""
    rows = game.file.select(VoteRow, "WHERE phase = ? ORDER BY vote", phase)
    return {row.power: row.vote for row in rows if row.vote in (WAIT, READY)}


# -- the end of the game ---------------------------------------------------------------------------


def list_voters(game: Game) -> tuple[str, ...]:
    """Return the powers that have a vote on the end of the game, in the map's order.

    A power has one while it gives orders (it is neither eliminated nor in revolt) and a person
    plays it; a bot agrees with whatever the people want, and so does a power in civil disorder.  In
    a game without any player every power that gives orders has one.
    """
    active = orders.find_active_powers(game.position)
    played = read_players(game)
    people = {one.power for one in played if not one.is_bot and one.bot != DISORDER}
    return tuple(power for power in active if power in people) if played else active


def count_votes(game: Game, phase: str) -> Mapping[str, int]:
    """Return how many of the voters are for each end of the game; who they are stays secret."""
    votes = _read_end_votes(game, phase)
    return dict(Counter(" ".join((vote.vote, *vote.powers)) for vote in votes))


def find_agreement(game: Game) -> GameEnd | None:
    """Return the end of the game that all voters of the open phase agree on, None if there is none.

    A draw is agreed on if every voter wants it among the same powers; a vote that names none means
    all voters.  A game is conceded if every voter but the power itself concedes to it.
    """
    head = game.head()
    if not (votes := () if head.is_over else _read_end_votes(game, head.name)):
        return None
    voters = list_voters(game)
    draws = [vote.powers or voters for vote in votes if vote.vote == DRAW]
    if len(draws) == len(voters) and len(set(draws)) == 1:
        return GameEnd(DRAW, draws[0])
    for power in game.base.powers:
        if _is_conceded_to(power, voters, votes):
            return GameEnd(CONCEDE, (power,))
    return None


def _is_conceded_to(power: str, voters: Sequence[str], votes: Sequence[VoteRow]) -> bool:
    """Tell whether every voter but a power concedes to that power."""
    conceding = {v.power for v in votes if v.vote == CONCEDE and v.powers == (power,)}
    others = set(voters) - {power}
    return bool(others) and others <= conceding


def _read_end_votes(game: Game, phase: str) -> tuple[VoteRow, ...]:
    rows = game.file.select(
        VoteRow, f"WHERE phase = ? AND vote IN {(DRAW, CONCEDE)} ORDER BY vote, powers", phase
    )
    voters = list_voters(game) if rows else ()
    return tuple(row for row in rows if row.power in voters)


# Press: messages that players send each other through the game.


HELD, RELAYED, PUBLISHED, DROPPED = "held", "relayed", "published", "dropped"
SIGNED, ANONYMOUS = "signed", "anonymous"
ALL, MASTER = "all", "gm"
"""Readers who are not a power: all players, and the game master."""


def store_press(
    game: Game,
    power: str,
    readers: Sequence[str],
    manner: str,
    text: str,
    state: str,
    message: int | None,
) -> Press:
    """Store what a power wrote in the open phase, in an open transaction, and return it."""
    number = game.file.insert(
        "press",
        phase=game.head().name,
        sender=power,
        readers=to_json(list(readers)),
        manner=manner,
        text=text,
        message=message,
        state=state,
        written=game.stamp(),
    )
    (press,) = game.file.select(Press, "WHERE id = ?", number)
    return press


def read_press(
    game: Game, phase: str | None = None, states: Collection[str] = ()
) -> tuple[Press, ...]:
    """Return what was written in a phase or in all, oldest first, in some states or in any."""
    pieces = game.file.select(Press, "WHERE (?1 IS NULL OR phase = ?1) ORDER BY id", phase)
    return tuple(piece for piece in pieces if not states or piece.state in states)


def read_last_press(game: Game, power: str) -> Iterator[str]:
    """Yield the texts of what a power wrote last, which its letters may have."""
    pieces = game.file.select(Press, "WHERE sender = ? ORDER BY id DESC LIMIT 40", power)
    return (piece.text for piece in pieces)


def count_written(game: Game, power: str) -> int:
    """Return the characters of all that a power wrote in the open phase."""
    sql = "SELECT SUM(length(text)) FROM press WHERE phase = ? AND sender = ?"
    return game.file.count(sql, game.head().name, power)


def publish_press(game: Game, phase: str) -> None:
    """Publish in the report of a phase what was held for it."""
    game.file.change(
        "UPDATE press SET state = ? WHERE phase = ? AND state = ?", PUBLISHED, phase, HELD
    )


def drop_press(game: Game, number: int, reason: str) -> Press:
    """Keep a message out of the report, and return it.

    Raises:
        GameError: no-press.
    """
    with game.act("press-drop", reason=reason) as note:
        found = [piece for piece in read_press(game, states=(HELD,)) if piece.id == number]
        if not found:
            raise GameError("no-press", number=str(number))
        note.power, note.phase = found[0].sender, found[0].phase
        note.detail["press"] = number
        game.file.update("press", number, state=DROPPED)
    return found[0]
