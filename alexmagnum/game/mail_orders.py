"""Orders in a mail: which count beside earlier ones, and sentences that were not taken."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from alexmagnum.board.model import Board
from alexmagnum.game.game import DOUBTFUL, PROSE, UNTAKEN, Understood
from alexmagnum.game.orders import Mail, find_missing_orders
from alexmagnum.judge.checking import GOOD, IMPOSSIBLE, Check, check_orders, list_reachable
from alexmagnum.judge.outcome import REPLACED, Reason
from alexmagnum.judge.proposals import describe_proposals, find_proposals
from alexmagnum.notation import Line, NotationSettings, Reading, read_orders, sections, write_order
from alexmagnum.notation.names import Mention, find_mention, split_sentences
from alexmagnum.notation.order_detection import BAR, may_go_on
from alexmagnum.notation.reader import BARE_UNIT_CODES, COMMENT, find_subject
from alexmagnum.notation.words import lexicon, words
from alexmagnum.orders import Build, Order
from alexmagnum.position import DEPLOYMENT, PICKS, WINTER, Dislodged, Phase, Position

# The orders that count after a later mail, earlier ones included.
#
# Orders for units are combined unit by unit, and the later one counts. Builds, removals and first
# units are combined as far as there is room; where there is none, the oldest give way.


def combine_orders(
    position: Position, power: str, before: Sequence[Order], sent: Sequence[Order]
) -> list[Order]:
    """Return the orders that count after a mail with some orders; ``before`` counted so far."""
    if position.phase.kind in (WINTER, DEPLOYMENT):
        return _fill_places(position, power, before, sent)
    # The later order for a unit counts, unless it is impossible and the earlier is not.
    earlier = {find_subject(order): order for order in before}
    void = _find_impossible(position, power, sent)
    if any(id(order) in void and find_subject(order) in earlier for order in sent):
        bad = _find_impossible(position, power, before)
        kept = {subject for subject, order in earlier.items() if id(order) not in bad}
        sent = [o for o in sent if id(o) not in void or find_subject(o) not in kept]
    subjects = {find_subject(order) for order in sent}
    return [*(order for order in before if find_subject(order) not in subjects), *sent]


def fill_gaps(
    position: Position, power: str, own: Sequence[Order], given: Sequence[Order]
) -> Sequence[Order]:
    """Return the orders of a person, with those that a bot has given for what they left open."""
    if not own:
        return given
    if position.phase.kind in ("movement", sections.RETREATS):
        gaps = find_missing_orders(position, {power: own}).get(power, ())
        given = [order for order in given if getattr(order, "unit", "") in gaps]
    return combine_orders(position, power, given, own)


def _fill_places(
    position: Position, power: str, before: Sequence[Order], sent: Sequence[Order]
) -> list[Order]:
    """Return the adjustments of a mail, and the earlier ones for which it leaves room.

    The oldest give way.  The same build sent again is one build.  In the deployment the later unit
    for a centre counts.
    """
    again = Counter(sent)
    kept: list[Order] = []
    for order in before:
        if again[order] > 0:
            again[order] -= 1
        else:
            kept.append(order)
    if position.phase.kind == DEPLOYMENT:
        void = _find_impossible(position, power, sent)
        placed = {_find_centre(order) for order in sent if id(order) not in void}
        kept = [order for order in kept if _find_centre(order) not in placed]
    surplus = _find_impossible(position, power, [*sent, *kept[::-1]])
    return [*(order for order in kept if id(order) not in surplus), *sent]


def _find_centre(order: Order) -> str:
    return order.unit[2:].partition("/")[0] if isinstance(order, Build) else ""


def _find_impossible(position: Position, power: str, orders: Sequence[Order]) -> set[int]:
    checks = check_orders(position, {power: orders})
    return {id(check.order) for check in checks if check.verdict == IMPOSSIBLE}


# Sentences of a mail that name a unit or a place and were not taken as orders.
#
# Such a sentence is quoted in the receipt with what to write instead, so that nothing a player
# meant is dropped in silence.


Numbered = tuple[int, Understood]
"""A line as understood, with its number in the mail."""

HEADING = "heading"
"""The code of a line that announces a section of the mail, or signs it: it is never quoted."""

KEPT = "kept"
"""The code of a line by which the orders of other units stay as they are: it is never told."""

_MOST_PROPOSALS = 50  # sentences of a mail for which orders are proposed; others are only quoted

_SENTENCE_ENDS = (".", "!", "?", "…", ":")


def quote_untaken(
    lines: Iterable[Numbered], board: Board, power: str, find_position: Callable[[str], Position]
) -> Iterator[Numbered]:
    """Return the lines of a mail; sentences that name something get the verdict ``untaken``.

    Lines of prose that follow each other are read as one text, since a sentence may be broken over
    several lines.  ``find_position`` returns the position for the kind of a later phase, or "".
    """
    quoted = 0
    for paragraph in _group_paragraphs(lines):
        number, first = paragraph[0]
        text = _join_lines(paragraph)
        is_prose = first.verdict == PROSE and first.code not in (HEADING, KEPT)
        if not (mentions := _list_mentions(text, board) if is_prose else []):
            for at, line in paragraph:
                yield at, line._replace(code="") if line.code == HEADING else line
            continue
        position = find_position(first.ahead)
        said = " ".join(mention.text for mention in mentions)
        if rest := text if len(said) < len(text) else "":
            yield number, first._replace(text=rest)
        for mention in mentions:
            quoted += 1
            code, data = "untaken-alone", {"orders": ""}
            if quoted <= _MOST_PROPOSALS:
                code, data = describe_proposals(position, power, mention)
            yield number, Understood(mention.text, "", UNTAKEN, code, data, first.ahead)


def names_something(text: str, board: Board) -> bool:
    """Return whether a sentence of a text names a unit or a place."""
    return bool(_list_mentions(text, board))


def _list_mentions(text: str, board: Board) -> list[Mention]:
    if text.lstrip().startswith(">"):
        return []  # quoted
    found = (find_mention(sentence, board) for sentence in split_sentences(text))
    return [mention for mention in found if mention and (mention.places or BAR not in text)]


def _join_lines(paragraph: Sequence[Numbered]) -> str:
    """Return the lines as one text; pieces of one line were parted at a comma or a full stop."""
    text = ""
    for (before, last), (number, line) in pairwise([(0, paragraph[0][1]), *paragraph]):
        if number == before and last.text in line.text:
            text = text.removesuffix(last.text) + line.text  # the whole sentence of its beginning
            continue
        is_comma = number == before and not last.text.endswith(_SENTENCE_ENDS)
        text += ("" if not text else ", " if is_comma else " ") + line.text
    return text


def _goes_on(text: str, below: str) -> bool:
    """Return whether a sentence may go on in the line below; lines that end are findings apart."""
    spelt = words(text)
    is_open = text.rstrip().endswith(",") or (spelt and lexicon().is_in("articles", spelt[-1]))
    return bool(is_open) or below[:1].islower() or may_go_on(text, below)


def _group_paragraphs(lines: Iterable[Numbered]) -> Iterator[Sequence[Numbered]]:
    """Return the lines in groups: lines of prose that follow each other, and each other line."""
    group: list[Numbered] = []
    for number, line in lines:
        last = group[-1] if group else None
        goes_on = (
            last is not None
            and number - last[0] <= 1
            and last[1].ahead == line.ahead
            and (number == last[0] or _goes_on(last[1].text, line.text))
        )
        goes_on = goes_on and {HEADING, KEPT}.isdisjoint((line.code, group[0][1].code))
        if group and not (goes_on and line.verdict == PROSE and group[0][1].verdict == PROSE):
            yield group
            group = []
        group.append((number, line))
    if group:
        yield group


# Reading a power's mail: every line as understood, and the orders that count from then on.


_IN_SENTENCE = frozenset({"in-sentence", "unknown-verb", "no-verb"})
"""The error codes of lines that may be sentences: orders are proposed for all that they name."""


def read_mail(
    position: Position,
    power: str,
    text: str,
    settings: Mapping[str, str],
    before: Sequence[Order] = (),
    fresh: str = "",
    *,
    writers: Sequence[str] = (),
) -> Mail:
    """Read a power's mail in a phase; ``before`` are the orders that counted so far.

    ``fresh``: the mail replaces what was sent before, whatever its text says.  ``writers`` are
    names of the person who wrote it, so that their signature is no order.
    """

    def suppose(kind: str) -> Position:
        return _suppose_phase(position, power, kind) if kind else position

    written = text.splitlines()
    text, start = sections.split_fresh_start(text, position.board)
    reader = _MailOrderReader(position, power, settings, tuple(writers))
    reader = replace(reader, kept=() if fresh or reader.replaces else tuple(before))
    comments = reader.explain_comments(text)
    parts = reader.keep_moves(list(sections.split_sections(text, position.phase, position.board)))
    here = [part for part in parts if part.target == sections.NOW]
    lines = reader.read_parts(here)
    fresh = fresh or _find_scope(start, lines)
    if fresh and reader.kept:  # then nothing is left that could stay
        reader = replace(reader, kept=())
        lines = reader.read_parts(here)
    sent = reader.select_counting(lines)
    orders = reader.merge(() if fresh else before, [order for _, order in sent])
    understood = [
        *reader.explain_lines(lines, sent, orders),
        *reader.explain_other_season([part for part in parts if part.target == sections.OTHER]),
    ]
    for kind in (sections.RETREATS, WINTER):
        section = [part for part in parts if part.target == kind]
        understood += reader.explain_advance_orders(section, kind)
    understood.sort(key=lambda pair: pair[0])
    understood = [*quote_untaken(understood, position.board, power, suppose), *comments]
    if start is not None and before and sent and not fresh:
        line = written[start.number - 1].strip()
        understood.append((start.number, Understood(line, "", UNTAKEN, "fresh-below", {})))
    remaining = {write_order(order) for order in orders}
    replaces = any(write_order(order) not in remaining for order in before)
    return Mail(tuple(line for _, line in understood), tuple(orders), replaces, fresh)


def _find_scope(start: sections.FreshStart | None, lines: Sequence[Line]) -> str:
    """Return how far a mail replaces what was sent before, "" if it adds to it.

    ``All orders`` means the orders below it: it counts above the first order alone, and only if
    there is one.  ``Annulla`` counts wherever it stands.
    """
    if start is None:
        return ""
    first = min((line.number for line in lines if line.order is not None), default=0)
    return start.scope if start.cancels or first >= start.number else ""


@dataclass(frozen=True, slots=True)
class _MailOrderReader:
    """Reads the lines of one power in a position, under some house rules."""

    position: Position
    power: str
    settings: Mapping[str, str]
    writers: tuple[str, ...] = ()
    kept: tuple[Order, ...] = ()

    @property
    def replaces(self) -> bool:
        """Tell whether a second mail replaces the orders of the first."""
        return self.settings["second_mail"] != "merge" and self.position.phase.kind != PICKS

    # -- reading lines ---------------------------------------------------------------------------

    def read_parts(self, parts: Sequence[sections.Part]) -> list[Line]:
        """Return the lines of some parts, numbered as in the mail."""
        if not parts:
            return []
        above = parts[0].number - 1
        texts = [""] * (parts[-1].number - above)
        for part in parts:
            texts[part.number - above - 1] = part.text
        reading = self._read("\n".join(texts))
        verbs = {part.number: part.verb for part in parts if part.verb}
        lines = [replace(line, number=line.number + above) for line in reading.lines]
        return [self._add_verb(line, verbs.get(line.number, "")) for line in lines]

    def _read(self, text: str) -> Reading:
        return read_orders(
            text,
            self.position,
            self.power,
            settings=NotationSettings("refuse" if self.settings["fuzzy"] == "refuse" else "accept"),
            writers=self.writers,
            kept=self.kept,
        )

    def _add_verb(self, line: Line, verb: str) -> Line:
        """Read a unit without a verb, below ``Costruzioni:``, as one to build."""
        is_bare = line.error is not None and line.error.code in BARE_UNIT_CODES
        if not verb or not (is_bare or (line.prose and line.text)):
            return line
        for one in self._read(f"{verb} {line.text}").lines:
            is_meant = one.order is not None and not self._begins_with_word(line.text, one)
            if is_meant or (one.error and (is_bare or one.error.code == "in-sentence")):
                return replace(one, number=line.number, text=line.text)
        return line

    def _begins_with_word(self, text: str, build: Line) -> bool:
        """Tell whether a build begins with a word, and not with an army: ``a Brest una flotta``."""
        behind = [notice.data["text"] for notice in build.notices if notice.code == "ignored"]
        named = (find_mention(said, self.position.board) for said in behind)
        is_place = text[:1] == "A" and any(mention and mention.kinds for mention in named)
        return is_place or (text[:1] == "a" and bool(behind))

    def explain_comments(self, text: str) -> Iterator[Numbered]:
        """Return the comments as what they are: prose, or orders of the power that do not count."""
        found = [COMMENT.search(line) for line in text.splitlines()]
        comments = [comment[0].strip() if comment else "" for comment in found]
        inside = "\n".join(comment.strip("/# ") for comment in comments).rstrip()
        for line in read_orders(inside, self.position, self.power).lines if inside else ():
            if line.order is not None and line.power == self.power:
                comment = comments[line.number - 1]
                yield line.number, Understood(comment, "", UNTAKEN, "in-comment", {})
            elif line.text:
                yield line.number, Understood(line.text, "", PROSE, "", {})

    def keep_moves(self, parts: Sequence[sections.Part]) -> Sequence[sections.Part]:
        """Return the lines of a mail, those for this phase that stand below a loose heading of
        retreats, in the middle of the moves.

        They are no retreats, or of units that have no other order in a mail with moves of others.
        """
        if not any(part.loose for part in parts):
            return parts
        lines = self.read_parts([part for part in parts if part.target == sections.NOW])
        moved = {find_subject(order) for _, order in self.select_counting(lines)}
        later = replace(self, position=_suppose_phase(self.position, self.power, sections.RETREATS))
        kept = []
        for part in parts:
            now, is_move = replace(part, target=sections.NOW), False
            if part.loose and part.target == sections.RETREATS and (moved or part.free):
                read = [line.order for line in later.read_parts([part]) if line.order is not None]
                units = set(map(find_subject, read))
                is_order = any(line.order is not None for line in self.read_parts([now]))
                is_move = is_order and moved.isdisjoint(units)
                moved |= units
            kept.append(now if is_move else part)
        return kept

    def select_counting(self, lines: Sequence[Line]) -> list[tuple[Line, Order]]:
        """Return the orders of a mail that count: the power's own, and one for each unit."""
        own = [
            (line, line.order)
            for line in lines
            if line.order is not None and line.power == self.power
        ]
        if self.settings["two_orders"] == "last":
            return [(line, order) for line, order in own if not line.replaced]
        if self.position.phase.kind in ("winter", "deployment"):
            return own  # the judge decides which of them count
        first: dict[str, tuple[Line, Order]] = {}
        for line, order in own:
            first.setdefault(find_subject(order), (line, order))
        return list(first.values())

    def merge(self, before: Sequence[Order], sent: Sequence[Order]) -> list[Order]:
        """Return the orders that count after a mail; a mail without orders changes nothing."""
        if not sent:
            return list(before)
        # The judge takes the first builds that are legal (R32), so the last ones come first here.
        kind = self.position.phase.kind
        step = -1 if kind == WINTER and self.settings["too_many_builds"] == "last" else 1
        if self.replaces:
            return list(sent)[::step]
        return combine_orders(self.position, self.power, before, sent[::step])

    # -- lines for this phase --------------------------------------------------------------------

    def explain_lines(
        self, lines: Sequence[Line], sent: Sequence[tuple[Line, Order]], orders: Sequence[Order]
    ) -> Iterator[Numbered]:
        """Return the lines for this phase as understood, without blank ones.

        ``sent`` are the lines whose orders count in this mail, ``orders`` all that count now: an
        impossible order that leaves a good earlier one in force is not among these.
        """
        in_force = {id(order) for order in orders}
        void = [order for _, order in sent if id(order) not in in_force]
        found = [
            *check_orders(self.position, {self.power: orders}),
            *check_orders(self.position, {self.power: void}),
        ]
        checks = {id(check.order): check for check in found}
        counting = {id(line) for line, _ in sent}
        for line in lines:
            if line.text:
                check = checks[id(line.order)] if id(line) in counting else None
                yield line.number, self._explain_line(line, check)
                yield from self._list_left_aside(line)

    def _list_left_aside(self, line: Line, ahead: str = "") -> Iterator[Numbered]:
        """Return what was left aside behind an order, if it names a unit or a place."""
        for notice in line.notices:
            rest = notice.data.get("text", "") if notice.code == "ignored" else ""
            if names_something(rest, self.position.board):
                yield line.number, Understood(rest, "", PROSE, "", {}, ahead)

    def _explain_line(self, line: Line, check: Check | None, ahead: str = "") -> Understood:
        """Return a line as understood; one without a check is an order that another replaces.

        ``ahead`` is the kind of phase that the line is for, "" for this one: an advance order is
        good, and checked when its phase has come.
        """
        if line.error is not None:
            suggestions = line.error.suggestions
            near = ", ".join(suggestions)
            if line.error.code in _IN_SENTENCE or self._is_verb(line.error.fragment):
                near = find_proposals(self.position, self.power, line.text, suggestions)
            data = {**line.error.data, "suggestions": near}
            return Understood(line.text, "", line.error.kind, line.error.code, data, ahead)
        if line.order is None:
            code = HEADING if line.signed else KEPT if line.rest else ""
            return Understood(line.text, "", PROSE, code, {}, ahead)
        text = write_order(line.order)
        if line.power != self.power:
            data = {"power": line.power or "?"}
            return Understood(line.text, text, IMPOSSIBLE, "second-hand", data, ahead)
        if ahead and self.settings["ahead"] == "no":
            return Understood(line.text, text, IMPOSSIBLE, "ahead-not-taken", {}, ahead)
        if ahead and not line.replaced:
            return Understood(line.text, text, GOOD, "", {}, ahead)
        if check is None and self.position.phase.kind == "picks":
            (alone,) = check_orders(self.position, {self.power: [line.order]})
            check = alone if alone.verdict == IMPOSSIBLE else None
        if check is None:
            data = {"unit": line.text}
            return Understood(line.text, text, REPLACED, "order-replaced", data, ahead)
        return self._explain_check(line, text, check)

    def _is_verb(self, text: str) -> bool:
        """Return whether a verb stands where a place is looked for: ``il generale va a MEN``."""
        return words(text) in lexicon().verbs[self.position.phase.kind]

    def _explain_check(self, line: Line, text: str, check: Check) -> Understood:
        """Return a line that counts, with the verdict of its check and of its notices."""
        reason = check.reason if check.verdict != GOOD else next(iter(check.warnings), None)
        why = list_reason_data(self.position, reason) if reason is not None else {}
        if check.verdict == IMPOSSIBLE and reason is not None:
            return Understood(line.text, text, IMPOSSIBLE, reason.code, why)
        for notice in line.notices:
            if notice.code not in ("superseded", "second-pick"):
                data = {name: str(value) for name, value in notice.data.items()}
                return Understood(line.text, text, DOUBTFUL, notice.code, data)
        if reason is not None:
            return Understood(line.text, text, DOUBTFUL, reason.code, why)
        return Understood(line.text, text, GOOD, "", {})

    # -- lines for another phase -----------------------------------------------------------------

    def explain_other_season(self, parts: Sequence[sections.Part]) -> Iterator[Numbered]:
        """Return orders for a season that it is not now: none counts, and each says so."""
        seasons = {part.number: part.season for part in parts}
        for line in self.read_parts([part for part in parts if not part.heading]):
            if not line.text:
                continue
            data = {"asked": seasons[line.number], "current": str(self.position.phase)}
            if line.prose and not names_something(line.text, self.position.board):
                yield line.number, Understood(line.text, "", PROSE, "", {})
            else:
                verdict = UNTAKEN if line.prose else IMPOSSIBLE
                yield line.number, Understood(line.text, "", verdict, "other-season", data)
        yield from _explain_headings(parts)

    def explain_advance_orders(
        self, parts: Sequence[sections.Part], kind: str
    ) -> Iterator[Numbered]:
        """Return orders for a phase to come, read as if it were now; later it shows if they fit."""
        later = replace(self, position=_suppose_phase(self.position, self.power, kind))
        for is_heading, group in groupby(parts, lambda part: part.heading):
            section = list(group)
            if is_heading:
                yield from _explain_headings(section, kind)
                continue
            for line in later.read_parts(section):
                if line.text:
                    yield line.number, later._explain_line(line, None, kind)
                    yield from later._list_left_aside(line, kind)


def _explain_headings(parts: Iterable[sections.Part], kind: str = "") -> Iterator[Numbered]:
    for part in parts:
        if part.heading:
            yield part.number, Understood(part.text.strip(), "", PROSE, HEADING, {}, kind)


def list_reason_data(position: Position, reason: Reason) -> dict[str, str]:
    """Return what the sentence of a reason may need, as texts."""
    units = [position.name(unit) for unit in reason.units]
    return {
        "by": next(iter(units), ""),
        "units": ", ".join(units),
        "strength": str(reason.strength),
        "against": str(reason.against),
        "powers": ", ".join(reason.powers),
        "place": reason.place,
        "room": str(reason.room),
    }


def _suppose_phase(position: Position, power: str, kind: str) -> Position:
    """Return a position in which orders for a later phase can be read.

    For winter a dislodged unit of the power stands where it stood, and nobody is there who drove
    it out.  For retreats every unit of the power is dislodged, with all its neighbours open.
    """
    phase = position.phase
    own = [unit for unit in position.units if unit.power == power]
    others = [unit for unit in position.units if unit.power != power]
    if kind == WINTER:
        back = [d.unit for d in position.dislodged if d.unit.power == power]
        left = {unit.province for unit in back}
        units = (*own, *back, *(unit for unit in others if unit.province not in left))
        return replace(position, phase=Phase(phase.year, WINTER), units=units, dislodged=())
    dislodged = tuple(Dislodged(unit, unit, list_reachable(position, unit)) for unit in own)
    return replace(
        position, phase=replace(phase, retreats=True), units=tuple(others), dislodged=dislodged
    )


# -- when the phase has come ----------------------------------------------------------------------


def select_fitting_orders(
    position: Position, power: str, texts: Iterable[str], settings: Mapping[str, str]
) -> Mail:
    """Return the advance orders that fit now that their phase has come; drop the others."""
    reader = _MailOrderReader(position, power, settings)
    found = [
        (line.text, line.order)
        for text in texts
        for line in reader.read_parts([sections.Part(1, text)])
        if line.order is not None and line.power == power
    ]
    # Two lines may give equal orders, so orders are compared by identity.
    checks = check_orders(position, {power: [order for _, order in found]})
    legal = {id(check.order) for check in checks if check.verdict == GOOD}
    fitting = [order for _, order in found if id(order) in legal]
    if position.phase.kind == "retreats":  # the last one for each unit
        fitting = list({find_subject(order): order for order in fitting}.values())
    chosen = {id(order) for order in fitting}
    lines = tuple(
        Understood(text, write_order(order), GOOD, "", {})
        for text, order in found
        if id(order) in chosen
    )
    return Mail(lines, tuple(fitting), replaces=False)
