"""No mail tells its reader a secret of others: the sample game by mail, in several worlds.

What a player gets must be the same, byte for byte, whatever others have written: before a phase is
resolved, in every respect; afterwards, in all that does not become public.  So nothing of it is in
any part of a mail, in no form: text, page, picture, sheet, calendar, field or draft.
"""

import hashlib
import re
import shutil
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from icalendar import Calendar

from alexmagnum.draw.scene import render_png
from alexmagnum.game.create import export_game
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player, Surroundings
from alexmagnum.game.mail_store import find_or_make_code
from alexmagnum.game.orders import read_inputs
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail import answers
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.position import Position
from alexmagnum.report.formats import FORMATS
from alexmagnum.report.materials import Materials, compose_report
from alexmagnum.workflow.publish import update_letters, write_reports, write_sheets
from tests.each import cells
from tests.mail import parallel_games, smtp_server
from tests.mail.parallel_games import EVE, GAME, Clockwork, Round, Written, begin, script
from tests.sample_game import resolve_turn
from tests.sizes import is_proof, sampled
from tools.demo import Person, Story, Turn, read_story

STORY = read_story()
POWERS = tuple(person.power for person in STORY.players)
PHASES = tuple(turn.phase for turn in STORY.turns)
BEGINNING = PHASES[: PHASES.index("322-spring") + 1]
READ = PHASES if is_proof() else (PHASES[0], BEGINNING[-1])
"""The phases that are played by mail, and whose letters are all read."""

WORLDS = {
    world: tuple(
        p for p, worlds in zip(POWERS, combinations("abcd", 2), strict=True) if world in worlds
    )
    for world in "abcd"
}
"""Who writes something else in which world."""

PRIVATE = ("323-1", "322-spring", "322-autumn", "321-winter") if is_proof() else ("323-1",)
"""Phases that are resolved in another world too."""

DRAWN = ("323-2", "322-autumn")  # phases that are played once more with maps and order sheets


@dataclass(frozen=True)
class Played:
    """A phase of the real world: the game as it was before, and what came of it."""

    start: Path
    turn: Turn
    position: Position
    mails: Sequence[Written]
    round: Round


@dataclass
class Game:
    """The sample game in the real world, played as far as it is asked for."""

    folder: Path
    _late: list[Written] = field(default_factory=list)
    _played: dict[str, Played] = field(default_factory=dict)

    def phase(self, name: str) -> Played:
        for turn in STORY.turns[len(self._played) : PHASES.index(name) + 1]:
            self._played[turn.phase] = self._play(turn)
        return self._played[name]

    def all(self) -> list[Played]:
        return [self.phase(name) for name in READ]

    def _play(self, turn: Turn) -> Played:
        real, start = self.folder / "real", self.folder / turn.phase
        if not real.exists():
            begin(STORY, real)
        shutil.copytree(real, start)
        with Desk.open(start) as desk:
            position = desk.position
        if turn.phase not in READ:
            resolve_turn(real, turn)
            return Played(start, turn, position, (), Round(real, turn))
        mails = script(turn, [mail for mail in self._late if mail.at < turn.processed], POWERS)
        self._late = [mail for mail in self._late if mail not in mails] + parallel_games.late_mails(
            turn
        )
        played = Round(real, turn)
        played.play(mails)
        return Played(start, turn, position, mails, played)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(tmp_path_factory.mktemp("worlds"))


def _play_elsewhere(
    real: Played,
    folder: Path,
    some: Collection[str],
    orders: Callable[..., str] = parallel_games.other_orders,
    *,
    resolve: bool = False,
    **settings: str,
) -> Round:
    """Play the same phase in the world in which some powers write something else."""
    retell = parallel_games.make_retelling(some, POWERS, orders)
    mails = [
        retell(mail, receipt, real.position)
        for mail, receipt in zip(real.mails, real.round.receipts, strict=True)
    ]
    return _played(real, folder / "other", mails, resolve=resolve, **settings)


def _played(
    real: Played, folder: Path, mails: Sequence[Written], *, resolve: bool = False, **settings: str
) -> Round:
    shutil.copytree(real.start, folder)
    with Desk.open(folder) as desk:
        for name, value in settings.items():
            desk.set(name, value)
    played = Round(folder, real.turn)
    played.play(mails, resolve=resolve)
    shutil.rmtree(folder)
    return played


def _find_differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the letters that two worlds do not have in common."""
    names = {**one, **other}
    return sorted(n for n in names if _plain(one.get(n, b"")) != _plain(other.get(n, b"")))


_BY_CHANCE = re.compile(rb"(?m)^Message-ID: <[0-9a-f]{32}(?=@)|=_[0-9]_[0-9a-f]{32}")


def _plain(data: bytes) -> bytes:
    """Return a letter without its Message-ID, a number by chance, and boundaries made of it."""
    return _BY_CHANCE.sub(b"", data)


# -- before a phase is resolved --------------------------------------------------------------------


def _looked_at() -> list[Any]:
    """Return each phase with the worlds in which it is played: all for the first two, one later;
    ``make test`` has one world for the first spring."""
    found = []
    for number, phase in enumerate(PHASES):
        for world in WORLDS if number < 2 else "abcd"[number % 4]:
            marks = () if phase == BEGINNING[-1] else pytest.mark.proof
            found.append(pytest.param(phase, world, marks=marks))
    return found


def test_for_any_two_there_is_a_world_in_which_one_writes_the_same_and_the_other_does_not() -> None:
    for one, other in permutations(POWERS, 2):
        assert any(one not in some and other in some for some in WORLDS.values())


@pytest.mark.parametrize(("phase", "world"), _looked_at())
def test_what_waits_is_told_to_nobody_else(
    phase: str, world: str, game: Game, tmp_path: Path
) -> None:
    """Whatever others order, ask, vote, and write to each other."""
    real, some = game.phase(phase), WORLDS[world]
    other = _play_elsewhere(real, tmp_path, some)
    wrote = {mail.power for mail in real.mails if mail.orders and not mail.sender}

    for power in POWERS:
        differing = _find_differing(real.round.before[power], other.before[power])
        if power not in some:
            assert differing == [], power
        elif power in wrote:
            assert differing, f"{power} wrote the same"


@pytest.mark.proof
@pytest.mark.parametrize("phase", DRAWN)
def test_nor_is_it_in_maps_and_order_sheets(
    phase: str, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The maps are compared as they are before they become pictures: nothing hides in a dot."""
    monkeypatch.setattr("alexmagnum.draw.render_png", lambda picture, *_: _digest(picture))
    real, observers = game.phase(phase), ("TOL", "SEL")
    some = [power for power in POWERS if power not in observers]
    asked = [mail for mail in map(_for_map, real.mails) if mail.orders or mail.power in observers]
    real = replace(real, mails=asked, round=_played(real, tmp_path / "one", asked, pictures="yes"))
    other = _play_elsewhere(real, tmp_path, some, pictures="yes")

    for power in observers:
        before = real.round.before[power]
        files = " ".join(str(part.get_filename()) for part in _parts(before))
        assert all(name in files for name in ("map-", "orders-", "deadline-"))
        assert _find_differing(before, other.before[power]) == []


def _digest(picture: str) -> bytes:
    return hashlib.sha256(picture.encode()).digest()


def _for_map(mail: Written) -> Written:
    """Return a mail that asks only for the map."""
    return mail if mail.orders else replace(mail, text="MAPPA")


def test_a_leak_would_be_seen(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a status name a province of somebody's pending order."""

    def leaking(self: answers.Answer, command: object) -> Iterator[str]:
        waiting = read_inputs(self.game, self.game.head().id)
        yield from (f"Scegliete: {each.orders}" for each in waiting.values())

    monkeypatch.setitem(answers._WRITERS, "status", leaking)
    real = game.phase("323-1")
    asked = [mail for mail in real.mails if not mail.sender]
    one = _played(real, tmp_path / "one", asked)
    real = replace(real, mails=asked, round=one)
    other = _play_elsewhere(real, tmp_path, WORLDS["a"])

    assert all(_find_differing(one.before[power], other.before[power]) for power in POWERS)


# -- afterwards ------------------------------------------------------------------------------------


@sampled
@pytest.mark.parametrize("phase", PRIVATE)
def test_afterwards_the_orders_are_public_and_nothing_else(
    phase: str, game: Game, tmp_path: Path
) -> None:
    """Keep secret the players' own wording, unread lines, advance orders, votes and letters."""
    real = game.phase(phase)
    some = WORLDS["abcd"[PHASES.index(phase) % 4]]
    other = _play_elsewhere(real, tmp_path, some, parallel_games.same_orders, resolve=True)

    for power in set(POWERS) - {*some}:
        assert any("report" in name for name in real.round.after[power])
        assert _find_differing(real.round.after[power], other.after[power]) == []


@pytest.mark.proof
@pytest.mark.parametrize(("publish", "told"), [("own", False), ("all", True)])
def test_picks_that_nobody_got_are_public_only_where_the_table_says_so(
    publish: str, told: bool, tmp_path: Path
) -> None:
    """AUT and LIS both pick Sardis; in the other world both pick Ephesus."""
    first, second = STORY.turns[:2]
    letters: list[dict[str, dict[str, bytes]]] = []
    for world in ("one", "other"):
        folder = tmp_path / world
        begin(STORY, folder, **{"rules.publish_picks": publish})
        mails = script(first, (), POWERS)
        if world == "other":
            mails = [_picking(mail, "Scelgo Efeso") for mail in mails]
        rounds = [Round(folder, first), Round(folder, second)]
        rounds[0].play(mails)
        rounds[1].play(script(second, (), POWERS))
        seals = [r.digest for r in rounds[0].receipts if r and r.power in ("AUT", "LIS")]
        found = {power: {**rounds[0].after[power], **rounds[1].before[power]} for power in POWERS}
        letters.append({power: _blank(found[power], seals) for power in POWERS})

    assert {
        power: bool(_find_differing(letters[0][power], letters[1][power])) for power in POWERS
    } == {p: told or p in ("AUT", "LIS") for p in POWERS}


def _picking(mail: Written, text: str) -> Written:
    rivals = mail.power in ("AUT", "LIS") and mail.orders and not mail.sender
    return Written(mail.at, mail.power, text, mail.phase) if rivals else mail


def _blank(letters: Mapping[str, bytes], seals: Sequence[str]) -> dict[str, bytes]:
    """Return what letters say without some seals, which are public: without their salt they tell
    nothing; and without the digests of their own words, which contain the seals."""
    pattern = re.compile(rf"{'|'.join(seals)}|(?m:^X-Draft-Made: .*)")
    return {
        name: pattern.sub("----", _readable_text(data)).encode() for name, data in letters.items()
    }


# -- what is in no mail at all ---------------------------------------------------------------------


def _parts(letters: Mapping[str, bytes]) -> list[EmailMessage]:
    return [part for data in letters.values() for part in smtp_server.parse_mail(data).walk()]


def _readable_text(data: bytes) -> str:
    """Return everything in a mail that can be read: its fields and its parts, decoded."""
    texts = []
    for part in smtp_server.parse_mail(data).walk():
        texts += [f"{name}: {value}" for name, value in part.items()]
        payload = part.get_payload(decode=True)
        texts.append(payload.decode("utf-8", "replace") if isinstance(payload, bytes) else "")
    return "\n".join(texts)


class Seen(NamedTuple):
    """A letter of the sample game, as a draft or as sent: its reader, its file and all it says."""

    power: str
    name: str
    mail: EmailMessage
    text: str


def _letters(game: Game) -> list[Seen]:
    """Return every letter of the sample game."""
    return [
        Seen(power, f"{real.turn.phase}/{name}", smtp_server.parse_mail(data), _readable_text(data))
        for real in game.all()
        for some in (real.round.before, real.round.sent, real.round.after)
        for power, named in some.items()
        for name, data in named.items()
    ]


@sampled
def test_no_letter_has_anything_of_another_reader(game: Game) -> None:
    letters = _letters(game)
    _check_kinds(letters)
    _check_addresses(letters)
    _check_codes(letters, game.all()[-1].round.folder)
    _check_fields(letters)
    _check_notes(letters)
    _check_calendars(letters)


def _check_kinds(letters: Sequence[Seen]) -> None:
    """Every kind of letter is among those looked at."""
    kinds = {letter.name.rpartition("/")[2].split("-")[1] for letter in letters}
    later = {"welcome", "reminder", "late", "waiting", "press"} if is_proof() else set()
    assert kinds == {"phase", "report", "receipt", "deadline", "note"} | later
    assert {letter.name.split("/")[1] for letter in letters} == {"drafts", "outbox"}


def _check_addresses(letters: Sequence[Seen]) -> None:
    people = {person.power: {person.address} for person in STORY.players}
    for turn in STORY.turns:
        if turn.newcomer:
            people[turn.newcomer.power].add(turn.newcomer.address)
    for power, name, _, text in letters:
        others = {a for p, known in people.items() if p != power for a in known}
        found = re.findall(r"[\w.+-]+@[\w.-]+", text)
        assert not others & {address.casefold() for address in found}, (power, name)


def _check_codes(letters: Sequence[Seen], folder: Path) -> None:
    with Desk.open(folder) as desk:
        rows = desk.file.rows("SELECT power, code FROM codes")
    codes = {row["code"]: row["power"] for row in rows}
    pattern = re.compile("|".join(codes))

    assert len(codes) >= (len(POWERS) - 1) * len(READ)  # a newcomer has new ones
    for power, name, _, text in letters:
        assert {codes[code] for code in pattern.findall(text)} <= {power}, (power, name)


FIELDS = cells("""
From|To|Subject|Reply-To|Date|Message-ID|In-Reply-To|References|Auto-Submitted
X-Auto-Response-Suppress|Content-Language|MIME-Version|Content-Type|Content-Transfer-Encoding
X-Unsent|X-Alexmagnum
""")
OF_DRAFTS = ["X-Draft-Made", "X-Draft-Files"]  # fields that do not leave


def _check_fields(letters: Sequence[Seen]) -> None:
    """Every letter goes to one registered address and has no copies."""
    known = {person.address for person in STORY.players}
    known |= {turn.newcomer.address for turn in STORY.turns if turn.newcomer}
    for _, name, mail, _ in letters:
        assert [a.addr_spec in known for a in mail["To"].addresses] == [True], name
        assert [a.addr_spec for a in mail["From"].addresses] == [GAME], name
        assert {*mail.keys()} <= {*FIELDS, *(OF_DRAFTS if "/drafts/" in name else ())}, name
        assert mail["X-Alexmagnum"] == GAME, name


def _check_notes(letters: Sequence[Seen]) -> None:
    """Who writes in another's name gets no letter, though the mail brings the code; the player
    hears of it once a phase, and nothing of what the mail says."""
    notes = {letter.name: letter.mail for letter in letters if "-note-" in letter.name}

    assert len(notes) >= len(POWERS) * len(READ)
    for mail in notes.values():
        assert EVE in read_text(mail)
        assert not [word for word in ("MEN", "Tiro") if word in mail.as_string()]


CALENDAR = cells("UID|SEQUENCE|DTSTAMP|DTSTART|SUMMARY|DESCRIPTION|TRANSP|ORGANIZER")


def _check_calendars(letters: Sequence[Seen]) -> None:
    """They hold the deadline and no more."""
    parts = [part for letter in letters for part in letter.mail.walk()]
    calendars = [part for part in parts if part.get_content_type() == "text/calendar"]
    assert calendars
    for part in calendars:
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        (event,) = Calendar.from_ical(data.decode()).walk("VEVENT")
        assert set(event) == set(CALENDAR)
        assert event["ORGANIZER"] == f"mailto:{GAME}"


# -- anonymous games -------------------------------------------------------------------------------

ANONYMOUS = BEGINNING if is_proof() else PHASES[:1]  # the phases that are played with hidden names

NEWCOMER = Person("LIS", "Zeno Zanasi", "zeno@example.com", "it", datetime(1, 1, 1, tzinfo=UTC))
"""Somebody who takes over a power at the beginning of an anonymous game."""


def _play_anonymous(story: Story, folder: Path) -> dict[str, dict[str, bytes]]:
    """Play the sample game with hidden names, second addresses, one power that changes hands and
    somebody on the standby list; return every letter and page by its reader."""
    begin(story, folder, names="hidden", addresses="public")
    clock = Clockwork(story.begun + timedelta(minutes=1))
    with Desk.open(folder, Surroundings(clock.now, clock.chance)) as desk:
        for person in story.players:
            desk.set_player(person.power, other_addresses=(f"other.{person.address}",))
        desk.replace_player(Player(NEWCOMER.power, NEWCOMER.name, NEWCOMER.address, NEWCOMER.lang))
    seen: dict[str, dict[str, bytes]] = {power: {} for power in POWERS}
    for turn in story.turns[: len(ANONYMOUS)]:
        played = Round(folder, turn)
        played.play([mail for mail in script(turn, (), POWERS) if mail.orders or not mail.sender])
        for some in (played.before, played.sent, played.after):
            for power, named in some.items():
                seen[power] |= {f"{turn.phase}/{name}": data for name, data in named.items()}
        for name, data in _pages(folder, turn.phase).items():
            for power in POWERS if name.startswith("public") else [name.partition(".")[0]]:
                seen[power][f"{turn.phase}/{name}"] = data
    return seen


def _pages(folder: Path, phase: str) -> dict[str, bytes]:
    """Return the reports, as they lie in the folder and on demand, and the order sheets."""
    found: dict[str, bytes] = {}
    with Desk.open(folder) as desk:
        materials = Materials(desk)
        files = [*sorted(write_reports(materials, phase).iterdir()), *write_sheets(materials)]
        for reader, form in product((None, *POWERS), FORMATS):
            said = compose_report(desk, phase, load_sentences("it"), reader, form)
            found[f"{reader or 'public'}.{form}.{FORMATS[form]}"] = str(said).encode()
    return found | {path.name: path.read_bytes() for path in files}


def _readable(name: str, data: bytes) -> str:
    return _readable_text(data) if name.endswith(".eml") else data.decode()


def _names(story: Story) -> dict[str, set[str]]:
    """Return the first names, whole names and addresses that identify each player; a surname alone
    may be a word: ``manca`` is one in Italian."""
    found: dict[str, set[str]] = {power: set() for power in POWERS}
    newcomers = [turn.newcomer for turn in story.turns if turn.newcomer]
    for person in (*story.players, *newcomers, NEWCOMER):
        first = person.name.split()[0]
        found[person.power] |= {first, person.name, person.address, f"other.{person.address}"}
    return found


@sampled
def test_in_an_anonymous_game_nobody_reads_who_the_others_are(tmp_path: Path) -> None:
    seen, names = _play_anonymous(STORY, tmp_path / "game"), _names(STORY)
    kinds = {name.rpartition(".")[2] for named in seen.values() for name in named}
    begin(STORY, tmp_path / "open")
    with Desk.open(tmp_path / "open") as desk:
        (first, *_) = update_letters(desk, opening=True).drafted
        assert "Bruno" in _readable_text(Outbox(desk).message(first).as_bytes())  # it is not hidden
    assert kinds >= {"eml", "txt", "html", "md", "json"}
    for power, named in seen.items():
        others = {one for p, known in names.items() if p != power for one in known} | {EVE}
        pattern = re.compile(rf"\b({'|'.join(map(re.escape, others))})\b", re.IGNORECASE)
        for name, data in named.items():
            assert not pattern.findall(_readable(name, data)), (power, name)


@pytest.mark.proof
def test_in_an_anonymous_game_letters_are_the_same_whoever_the_others_are(tmp_path: Path) -> None:
    """Byte for byte, so that no name hides in a form that nobody thought of."""
    observers = ("TOL", "SEL")
    people = tuple(
        person
        if person.power in observers
        else replace(person, name=f"Nemo Nessuno{n}", address=f"nemo{n}@example.com")
        for n, person in enumerate(STORY.players)
    )
    turns = tuple(replace(turn, newcomer=None) for turn in STORY.turns)
    one = _play_anonymous(replace(STORY, turns=turns), tmp_path / "one")
    other = _play_anonymous(replace(STORY, players=people, turns=turns), tmp_path / "other")

    for power in observers:
        assert _find_differing(one[power], other[power]) == []


@pytest.mark.usefixtures("real_pictures")
def test_pictures_hold_dots_and_no_words() -> None:
    """Find no time, path, or name of a program or person in the file of a picture."""
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>A MEN</title></svg>'
    data = render_png(picture)
    kinds, at = [], 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kinds.append(data[at + 4 : at + 8].decode())
        at += length + 12
    assert set(kinds) <= {"IHDR", "PLTE", "tRNS", "IDAT", "IEND"}


def test_no_password_is_in_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look after mail was sent with it, after it was refused, and in an export."""
    with (
        smtp_server.run_smtp_server(
            authenticator=smtp_server.check_login, auth_require_tls=False, auth_required=True
        ) as post,
        smtp_server.desk_with_address(
            tmp_path / "game", post.settings_of(smtp_server.USER)
        ) as desk,
    ):
        for secret in (smtp_server.PASSWORD, smtp_server.PASSWORD * 2):
            monkeypatch.setenv("ALEXMAGNUM_SMTP_PASSWORD", secret)
            smtp_server.draft_letter(desk, key=secret[-3:] + str(len(secret)))
            states = [delivery.state for delivery in send(Outbox(desk))]
            assert states == (["sent"] if secret == smtp_server.PASSWORD else ["draft"])
        export_game(desk.file, tmp_path / "export.json")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]

    assert len(files) > 2
    assert not [path for path in files if smtp_server.PASSWORD.encode() in path.read_bytes()]


def test_a_code_is_told_to_its_player_alone(tmp_path: Path) -> None:
    """Look in the game master's texts too, so that nobody passes a code on by mistake."""
    from click.testing import CliRunner

    from alexmagnum.cli import app

    with smtp_server.desk_with_address(tmp_path / "game") as desk:
        smtp_server.draft_letter(desk)
        code = find_or_make_code(desk, "Austria", str(desk.phase))
    for command in ("status", "outbox list", "inbox list --all", "history", "status --people"):
        said = CliRunner().invoke(app, ["--game", str(tmp_path / "game"), *command.split()])
        assert said.exit_code == 0, said.output
        assert code not in said.output
