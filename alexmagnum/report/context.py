"""The facts of a phase or a whole game for its reports, and what each reader may see of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from alexmagnum import position as positions
from alexmagnum.board.model import Board
from alexmagnum.campaign import centres_change, next_position, owners_after
from alexmagnum.draw.scene import assign_liveries
from alexmagnum.errors import GameError
from alexmagnum.game import people
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import SOME_BOT, Change, GameEnd, Player, Press, Processed, Receipt, Seal
from alexmagnum.game.settings import select_house_rules
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome, PhaseOutcome, Picks, Reason
from alexmagnum.notation import write_order
from alexmagnum.notation.names import power_name
from alexmagnum.position import AUTUMN, PICKS, Phase, Position, Unit, list_fallen, parse_phase
from alexmagnum.report.document import Curve, Curves, Moment
from alexmagnum.report.results import publishes_awards_alone
from alexmagnum.report.words import phase_name, year_name


class CentreCount(NamedTuple):
    """The number of centres by power after a phase that may change it.

    Such a phase is a period of picks, or an autumn with its retreats.  ``after`` is None for the
    beginning of the game.
    """

    after: Phase | None
    centres: Mapping[str, int]


def count_centres(after: Phase | None, board: Board, owners: Mapping[str, str]) -> CentreCount:
    """Count the centres of each power by their owners."""
    owned = [owners.get(centre) for centre in board.centres]
    return CentreCount(after, {power: owned.count(power) for power in board.powers})


def plot_centre_counts(
    counts: Sequence[CentreCount], position: Position, sentences: Sentences
) -> Curves | None:
    """Return the curves of a report's chart; None if there are fewer than two moments."""
    board = position.board
    counted = [count.after for count in counts if count.after is not None]
    moments = [_moment(phase, counted[0].year, board, sentences) for phase in counted]
    if moments and len(counted) < len(counts):
        # The beginning of the game is one step before the first phase.
        step = 1 / board.rules.picks if counted[0].season == PICKS else 1.0
        moments.insert(0, Moment(moments[0].time - step, sentences.format("chart-start")))
    if len(moments) < 2:
        return None
    values = {p: tuple(count.centres.get(p, 0) for count in counts) for p in board.powers}
    curves = list_curves(board, sentences, values)
    return Curves(tuple(moments), curves, board.rules.victory_centres)


def list_curves(
    board: Board, sentences: Sentences, values: Mapping[str, Sequence[int]]
) -> tuple[Curve, ...]:
    """Return a curve for each power, in its colour; ``values``: by power, its height over time."""
    liveries = assign_liveries(board)
    return tuple(
        Curve(
            power, power_name(board, power, sentences), liveries[power].color, tuple(values[power])
        )
        for power in board.powers
    )


def _moment(phase: Phase, first: int, board: Board, sentences: Sentences) -> Moment:
    """Return the moment after a phase; that after the last picks is the end of their year."""
    years, picks = abs(phase.year - first), board.rules.picks
    if phase.season != PICKS:
        return Moment(years + 1.0, year_name(phase, board, sentences), str(phase.year))
    year = str(phase.year) if phase.period == picks else ""
    return Moment(years + phase.period / picks, phase_name(phase, board, sentences), year)


# All that the game knows of a phase, gathered inside one reading of the game file, so that another
# command working at the same time cannot leave a mixture.


GM = "gm"
"""The recipient who stands for the game master."""

_TO_PRINT = (people.HELD, people.PUBLISHED, people.RELAYED)  # the press in a report


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """All that the game knows of one phase, secrets included.

    Attributes:
        position: the position before the phase.
        outcome: None until the phase is processed.
        changes: the differences from the version before.
        before: the game master's words above the results.
        after: the game master's words below the results.
        gm_notes: notes that only the game master reads.
        following: the position that is open next; None if the game is over.
        deadline: the deadline of the following phase, or of this one before it is processed
            (ISO, UTC; "" for none).
        house_rules: the settings by name.
        setting_changes: the settings that changed during the phase, with the old and the new value.
        lists_house_rules: people read the house rules here; elsewhere, where they find them.
        site: the address of the game's pages; "" if it is not known.
        names_hidden: nobody but the game master sees who the players are.
        bots: the names of the bots that gave the orders of a processed phase, by power.
        receipts: the last receipt of each power for the phase.
        pending: the orders waiting for the open phase, by power.
        ahead: the orders kept for later phases, by power and kind of phase.
        passed: the names of the phases that were skipped after this one.
        centre_counts: the centres of the powers from the beginning of the game to this phase.
        press: what players wrote to each other during the phase.
        nameless: how players read texts that name somebody whose name is hidden.
    """

    game: str
    position: Position
    outcome: Outcome | None = None
    version: int = 1
    changes: tuple[Change, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    gm_notes: tuple[str, ...] = ()
    following: Position | None = None
    deadline: str = ""
    timezone: str = "Europe/Rome"
    paused: bool = False
    house_rules: Mapping[str, str] = field(default_factory=dict)
    setting_changes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lists_house_rules: bool = False
    site: str = ""
    players: tuple[Player, ...] = ()
    addresses_public: bool = False
    names_hidden: bool = False
    bots: Mapping[str, str] = field(default_factory=dict)
    receipts: Mapping[str, Receipt] = field(default_factory=dict)
    pending: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ahead: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    seals: tuple[Seal, ...] = ()
    passed: tuple[str, ...] = ()
    centre_counts: tuple[CentreCount, ...] = ()
    press: tuple[Press, ...] = ()
    nameless: Mapping[str, str] = field(default_factory=dict)


def gather_past_phase(desk: Desk, phase: str, version: int | None = None) -> PhaseContext:
    """Gather what the game knows of a processed phase; waiting orders are left out."""
    with desk.reading():
        done = desk.processed(phase, version)
        texts = desk.texts(done.phase)
        press = people.read_press(desk, done.phase, _TO_PRINT)
        receipts = desk.receipts(done.phase, version)
        following = None
        if done.next:
            following = desk.position_before(done.next) if version is None else _played_on(done)
        return PhaseContext(
            **_gather_common(desk, done.outcome.position, resolved=True),
            outcome=done.outcome,
            version=done.version,
            changes=desk.differences(done.phase, version),
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            following=following,
            deadline=next((r.deadline for r in desk.phases() if r.name == done.next), ""),
            paused=desk.paused and done.next == str(desk.phase),
            setting_changes=desk.setting_changes(done.phase),
            addresses_public=desk.settings["addresses"] == "public",
            bots=_find_bots(receipts),
            receipts=receipts,
            seals=done.seals,
            passed=done.passed,
            centre_counts=tuple(_count_after_phases(desk, done.outcome.position, done.outcome)),
            press=press,
            nameless=people.leave_names_out(desk, (*texts["before"], *texts["after"]), press),
        )


def gather_open_phase(
    desk: Desk, opened_for: str | None = None, *, reason: str = ""
) -> PhaseContext:
    """Gather what may be known of the open phase.

    ``opened_for`` opens the waiting orders of a power, or all of them for the game master.  The
    journal records that, so it happens before the rest is read.
    """
    only = None if opened_for == GM else opened_for
    opened = desk.pending(only, reason=reason) if opened_for else {}
    ahead = desk.ahead(only, reason=reason) if opened_for else {}
    with desk.reading():
        texts = desk.texts(str(desk.phase))
        powers = desk.board.powers if opened_for == GM else filter(None, (opened_for,))
        receipts = {power: desk.receipt(power) for power in powers}
        return PhaseContext(
            **_gather_common(desk, desk.position, resolved=False),
            before=texts["before"],
            after=texts["after"],
            gm_notes=_notes(desk),
            deadline=desk.deadline,
            paused=desk.paused,
            addresses_public=desk.settings["addresses"] == "public",
            receipts={power: receipt for power, receipt in receipts.items() if receipt},
            pending={power: opened.get(power, ()) for power in receipts},
            ahead={power: ahead.get(power, {}) for power in receipts},
            centre_counts=tuple(_count_after_phases(desk, desk.position)),
            press=people.read_press(desk, str(desk.phase), _TO_PRINT),
        )


def gather_preview(desk: Desk, done: Processed) -> PhaseContext:
    """Gather the report of the open phase as it would be if it were processed now."""
    with desk.reading():
        return PhaseContext(
            **_gather_common(desk, done.outcome.position, resolved=True),
            outcome=done.outcome,
            following=_played_on(done),
            setting_changes=desk.setting_changes(done.phase),
            bots=_find_bots(desk.open_receipts()),
            seals=done.seals,
            passed=done.passed,
            centre_counts=tuple(_count_after_phases(desk, done.outcome.position, done.outcome)),
        )


def _gather_common(desk: Desk, position: Position, *, resolved: bool) -> dict[str, Any]:
    """Gather the facts of all phases; the first one of the game lists the house rules, before it is
    resolved if the players get mail about it."""
    resolved_phases = desk.line()
    is_first = not resolved_phases or str(position.phase) == resolved_phases[0].name
    return {
        "game": desk.name,
        "position": position,
        "timezone": desk.settings["timezone"],
        "house_rules": select_house_rules(desk.settings),
        "lists_house_rules": is_first and not (resolved and desk.settings["mail_address"]),
        "site": desk.settings["site_address"],
        "players": desk.players,
        "names_hidden": people.hides_names(desk),
    }


def _find_bots(receipts: Mapping[str, Receipt]) -> dict[str, str]:
    return {power: receipt.bot for power, receipt in receipts.items() if receipt.bot}


def _notes(desk: Desk) -> tuple[str, ...]:
    return tuple(f"{player.name}: {player.note}" for player in desk.players if player.note)


def _played_on(done: Processed) -> Position | None:
    position = next_position(done.outcome)
    while position is not None and str(position.phase) != done.next:
        position = next_position(adjudicate(position, {}))
    return position


def _count_after_phases(
    desk: Desk, until: Position, outcome: Outcome | None = None
) -> Iterator[CentreCount]:
    """Yield the centres at the beginning of the game, after every phase in which they may have
    changed, and after the outcome of the last."""
    board, names = until.board, [record.name for record in desk.phases()]
    before = names[: names.index(str(until.phase))] if str(until.phase) in names else []
    yield count_centres(
        None, board, desk.position_before(before[0]).owners if before else until.owners
    )
    phases = [parse_phase(name, board.rules.picks) for name in (*before, str(until.phase))]
    for phase, following in pairwise(phases):
        if phase.season == PICKS or (phase.season == AUTUMN and following.season != AUTUMN):
            owners = desk.position_before(str(following)).owners
            yield count_centres(replace(phase, retreats=False), board, owners)
    if outcome is not None and (outcome.picks is not None or centres_change(outcome)):
        yield count_centres(replace(until.phase, retreats=False), board, owners_after(outcome))


# The filter that every report goes through: it decides what each reader may see of a phase.
#
# A :class:`PhaseContext` holds everything about a phase, secrets included. A :class:`View` holds
# what one reader may see of it, and reports are written from views alone. The filter lists what
# passes: a field that it does not list is empty in every view.


Secret = TypeVar("Secret")

OPEN = (
    "game",
    "position",
    "version",
    "following",
    "deadline",
    "timezone",
    "paused",
    "house_rules",
    "setting_changes",
    "lists_house_rules",
    "site",
    "passed",
    "centre_counts",
)
"""The fields that everybody may see at any time."""

NOT_AWARDED = "pick-not-awarded"
"""The reason of a valid pick that got nothing, if only the awards are published (R30)."""


@dataclass(frozen=True, slots=True)
class View:
    """The parts of a phase that ``recipient`` may see: a power, :data:`GM`, None for everybody."""

    recipient: str | None
    content: PhaseContext


def filter_context(context: PhaseContext, recipient: str | None, *, opened: bool = False) -> View:
    """Return what a recipient may see of a phase.

    Before a phase is processed, nobody sees another player's orders; the game master sees them
    only if they have ``opened`` them.  Orders for later phases stay closed in the same way.  After
    processing, all resolved orders are public, or the awards alone if the switch
    ``publish_picks`` says so (R30).  Lines that could not be read stay between their writer and
    the game master.

    Raises:
        KeyError: the recipient is not a power of the map.
    """
    if recipient is not None and recipient != GM:
        context.position.board.powers[recipient]
    outcome = context.outcome and disclose_outcome(context.outcome, recipient)
    names_hidden = context.names_hidden and recipient != GM
    content = PhaseContext(
        **{name: getattr(context, name) for name in OPEN},
        outcome=outcome,
        changes=_changes(context, recipient),
        before=_public_text(context.before, context, recipient),
        after=_public_text(context.after, context, recipient),
        gm_notes=context.gm_notes if recipient == GM else (),
        players=_players(context, recipient),
        bots=dict.fromkeys(context.bots, SOME_BOT) if names_hidden else context.bots,
        receipts=_receipts(context, recipient, opened),
        pending=_visible_to(context.pending, recipient, opened),
        ahead=_visible_to(context.ahead, recipient, opened),
        seals=tuple(_seal(seal, outcome, recipient) for seal in context.seals if outcome),
        press=tuple(_press(context, recipient)),
    )
    return View(recipient, content)


def disclose_context(context: PhaseContext) -> View:
    """Return what everybody may see of a phase once a game is over and its game master opens it.

    Picks that were not published, the salts of all seals and what players wrote to each other are
    added to what everybody sees.  What stays closed: press to the game master alone, who sent
    anonymous press, the game master's notes, the lines of mails, addresses, hidden names.
    """
    full = filter_context(context, GM).content
    pieces = (
        replace(
            piece,
            sender="" if piece.manner == people.ANONYMOUS else piece.sender,
            text=context.nameless.get(piece.text, piece.text),
        )
        for piece in context.press
        if {*piece.readers} != {people.MASTER} and context.outcome is not None
    )
    content = replace(
        filter_context(context, None).content,
        outcome=full.outcome,
        changes=full.changes,
        seals=full.seals,
        press=tuple(pieces),
    )
    return View(None, content)


def _visible_to(
    by_power: Mapping[str, Secret], recipient: str | None, gm_too: bool
) -> Mapping[str, Secret]:
    """Return what belongs to the recipient; the game master sees everything if ``gm_too``."""
    if recipient == GM:
        return by_power if gm_too else {}
    return {power: secret for power, secret in by_power.items() if power == recipient}


def _receipts(context: PhaseContext, recipient: str | None, opened: bool) -> Mapping[str, Receipt]:
    """Return the receipts the recipient may see: players their own without a former player's, the
    game master all of a processed phase without the lines for later phases."""
    visible = _visible_to(context.receipts, recipient, opened or context.outcome is not None)
    if recipient != GM:
        return {power: receipt.shown for power, receipt in visible.items()}
    if opened:
        return visible
    return {
        power: replace(receipt, lines=tuple(line for line in receipt.lines if not line.ahead))
        for power, receipt in visible.items()
    }


def _public_text(
    texts: tuple[str, ...], context: PhaseContext, recipient: str | None
) -> tuple[str, ...]:
    """Return texts of the game master, which are public only when the phase is processed."""
    if recipient == GM:
        return texts
    shown = texts if context.outcome is not None else ()
    return tuple(context.nameless.get(text, text) for text in shown)


def _press(context: PhaseContext, recipient: str | None) -> Iterator[Press]:
    """Yield press for a recipient; its sender and the game master see who sent anonymous press."""
    for piece in context.press:
        if _may_read(piece, context, recipient):
            wrote = _has_written(piece, context, recipient)
            knows_sender = piece.manner != people.ANONYMOUS or recipient == GM or wrote
            text = piece.text
            if recipient != GM and not wrote:
                text = context.nameless.get(text, text)
            yield replace(piece, sender=piece.sender if knows_sender else "", text=text)


def _may_read(piece: Press, context: PhaseContext, recipient: str | None) -> bool:
    """Return whether the recipient may read a piece of press: the game master at once, its sender
    and, unless it was relayed to them, its readers with the results."""
    if recipient == GM:
        return True
    if context.outcome is None:
        return False
    to_reader = piece.state != people.RELAYED and not {people.ALL, recipient}.isdisjoint(
        piece.readers
    )
    return to_reader or _has_written(piece, context, recipient)


def _has_written(piece: Press, context: PhaseContext, recipient: str | None) -> bool:
    since = (player.since for player in context.players if player.power == recipient)
    return piece.sender == recipient and piece.written >= next(since, "")


def _players(context: PhaseContext, recipient: str | None) -> tuple[Player, ...]:
    if context.names_hidden and recipient != GM:
        return tuple(Player(p.power, "", bot=SOME_BOT) for p in context.players if p.bot)
    return tuple(_player(player, context, recipient) for player in context.players)


def _player(player: Player, context: PhaseContext, recipient: str | None) -> Player:
    """Return a player as a reader may see them: all for the game master, addresses by a setting."""
    if recipient == GM:
        return player
    if not context.addresses_public:
        player = replace(player, address="", other_addresses=())
    return Player(
        player.power,
        player.name,
        player.address,
        other_addresses=player.other_addresses,
        bot=player.bot,
        stand_in=player.stand_in,
    )


def disclose_outcome(outcome: Outcome, recipient: str | None) -> Outcome:
    """Return the outcome or, if picks are not published, the awards and the reader's own (R30)."""
    if recipient == GM or not publishes_awards_alone(outcome):
        return outcome
    own = [
        (entry, Reason(NOT_AWARDED) if reason.powers else reason)  # names no other power
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
        if entry.power == recipient
    ]
    picks = outcome.picks
    return PhaseOutcome(
        outcome.position,
        tuple(entry for entry, _ in own),
        tuple(reason for _, reason in own),
        outcome.units,
        nobility=outcome.nobility,
        picks=picks and Picks(picks.awards, (), tuple(p for p in picks.void if p == recipient)),
    )


def _changes(context: PhaseContext, recipient: str | None) -> tuple[Change, ...]:
    if context.outcome is None:
        return ()
    hidden = publishes_awards_alone(context.outcome) and recipient != GM
    phase = str(context.position.phase)
    return tuple(
        change
        for change in context.changes
        if change.phase == phase and not (hidden and change.what != "owner")
    )


def _seal(seal: Seal, outcome: Outcome | None, recipient: str | None) -> Seal:
    """Return a seal, without salt and orders if they would reveal more than the results do: an
    order with few possible values can be found from a digest and its salt."""
    if outcome is None or recipient in (GM, seal.power):
        return seal
    public = {write_order(e.order) for e in outcome.results if e.power == seal.power}
    return seal if public.issuperset(seal.orders) else replace(seal, salt="", orders=())


# All that the final report tells of a game that is over, gathered from the desk.


@dataclass(frozen=True, slots=True)
class GameStory:
    """The whole game as everybody may know it once it is over.

    Attributes:
        end: how the game ended.
        position: the position at the end.
        stopped: the phase that was open when the game master ended the game, "" if none was.
        phases: what everybody may see of each phase that was resolved, oldest first.
        last: all that everybody may see of the last phase processed; None if there is none.
        closing_seal: the digest of the game file at its end.
        words: the game master's words for the phase that was open at the end.
    """

    game: str
    end: GameEnd
    position: Position
    stopped: str
    phases: tuple[View, ...]
    last: View | None
    closing_seal: str
    words: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as everybody may know them."""
        return self.last.content.players if self.last else ()

    @property
    def centre_counts(self) -> tuple[CentreCount, ...]:
        """The centres of the powers over the years."""
        return self.last.content.centre_counts if self.last else ()

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes of the phases, as everybody may see them."""
        for view in self.phases:
            assert view.content.outcome is not None, "every phase of the story was resolved"
            yield view.content.outcome


def gather_story(desk: Desk) -> GameStory:
    """Gather the story of a game that is over.

    Raises:
        GameError: ``game-goes-on``.
    """
    with desk.reading():
        if (end := desk.status().end) is None:
            raise GameError("game-goes-on")
        records = desk.phases()
        processed = [record.name for record in records if record.state == "processed"]
        last = gather_past_phase(desk, processed[-1]) if processed else None
        views = []
        for done in (desk.processed(record.name) for record in records):
            context = PhaseContext(
                desk.name, done.outcome.position, outcome=done.outcome, seals=done.seals
            )
            views.append(filter_context(context, None))
        stopped = str(desk.position.phase) if end.is_declared else ""
        texts = [text for each in desk.texts(stopped).values() for text in each] if stopped else []
        nameless = people.leave_names_out(desk, texts, ())
        return GameStory(
            game=desk.name,
            end=end,
            position=desk.position,
            stopped=stopped,
            words=tuple(nameless.get(text, text) for text in texts),
            phases=tuple(views),
            last=filter_context(last, None) if last else None,
            closing_seal=desk.closing_seal,
        )


# -- what the phases add up to --------------------------------------------------------------------


class UnitChanges(NamedTuple):
    """The units that one phase gave or took: ``built`` or placed, ``removed`` in a winter, and
    ``lost`` (destroyed, or without a retreat)."""

    built: tuple[Unit, ...]
    removed: tuple[Unit, ...]
    lost: tuple[Unit, ...]


def find_unit_changes(outcome: Outcome) -> UnitChanges:
    """Return the units that a phase gave or took."""
    if (position := outcome.position).phase.season in (positions.WINTER, positions.DEPLOYMENT):
        before, after = set(position.units), set(outcome.units)
        return UnitChanges(tuple(sorted(after - before)), tuple(sorted(before - after)), ())
    stranded: list[Unit] = []
    if not any(dislodged.retreats for dislodged in outcome.dislodged):
        stranded = [dislodged.unit for dislodged in outcome.dislodged]
    return UnitChanges((), (), (*outcome.destroyed, *outcome.disbanded, *stranded))


@dataclass(frozen=True, slots=True)
class Holding:
    """A stretch of years in which a power owned a centre; ``until`` is 0 if it still does."""

    power: str
    since: int
    until: int = 0


def list_holdings(board: Board, outcomes: Iterable[Outcome]) -> dict[str, tuple[Holding, ...]]:
    """Return who owned each centre one after the other; centres that nobody ever had are left out.

    The first year of a centre that a power had from the beginning is the first of the game.
    """
    spans: dict[str, list[Holding]] = {}
    for outcome in outcomes:
        year = outcome.position.phase.year
        for owners in (outcome.position.owners, owners_after(outcome)):
            for centre, owner in owners.items():
                if not (held := spans.setdefault(centre, [])) or held[-1].power != owner:
                    held[-1:] = [replace(last, until=year) for last in held[-1:]]
                    held.append(Holding(owner, year))
    return {centre: tuple(spans[centre]) for centre in board.centres if centre in spans}


def count_nobility(story: GameStory) -> list[tuple[Position, dict[str, int]]]:
    """Return the nobility of every power after the last phase of each year."""
    years: dict[int, tuple[Position, dict[str, int]]] = {}
    for outcome in story.outcomes:
        if outcome.nobility:
            position = outcome.position
            years[position.phase.year] = (position, dict(outcome.nobility))
    return list(years.values())


def list_eliminations(story: GameStory) -> dict[str, int]:
    """Return the year in which each eliminated power lost its last centre and unit."""
    gone: dict[str, int] = {}
    before = [o.position for o in story.outcomes if o.position.phase.season != PICKS]
    for position in (*before, story.position):
        for power in list_fallen(position) if position.phase.season != PICKS else ():
            gone.setdefault(power, position.phase.year)
    return gone


def is_year_end(count: CentreCount, picks: int) -> bool:
    """Return whether centres were counted at the end of a year, or at the beginning of the game."""
    after = count.after
    return after is None or after.season == AUTUMN or after.period == picks
