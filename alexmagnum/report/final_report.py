"""Compose the final report: the whole story of a game that is over, for everybody."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.draw.base_map import count_scores
from alexmagnum.draw.scene import assign_liveries
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation.names import power_name
from alexmagnum.position import PICKS, Phase, Unit
from alexmagnum.report import context
from alexmagnum.report import document as doc
from alexmagnum.report.phase_report import PhaseSections, group_orders
from alexmagnum.report.words import Mention, format_end, phase_name, year_name
from alexmagnum.units import names_of

CODE = "final"
"""The name of the final report, where others have the name of their phase."""

BRIEF = ("end", "standings", "centre-years", "holders", "nobility-years", "units")
"""The sections that a mail repeats; the others are in the files that go with it."""

CHECK_PROGRAM = files("alexmagnum.report").joinpath("templates/check_seals.txt").read_text("utf-8")
"""A program with which anybody can check the seals in the final report as JSON."""


def compose_final_report(story: context.GameStory, sentences: Sentences) -> doc.PhaseReport:
    """Return the final report of a game, for everybody."""
    board = story.position.board
    writer = _FinalSections(story, sentences)
    return doc.PhaseReport(
        title=board.name(sentences.lang),
        game=story.game,
        phase=sentences.format("final-title"),
        code=CODE,
        version=1,
        lang=sentences.lang,
        recipient=None,
        facts=tuple(writer.facts()),
        sections=tuple(section for section in writer.list_all() if section is not None),
        curves=context.plot_centre_counts(story.centre_counts, story.position, sentences),
        liveries=assign_liveries(board),
    )


def format_holding(holding: context.Holding, power: str, sentences: Sentences) -> str:
    """Return in words how long a power owned a centre; ``power`` is its name."""
    code = "final-held" if holding.until else "final-holds"
    return sentences.format(code, power=power, since=holding.since, until=holding.until)


def _figure_cells(figures: Iterable[int]) -> Iterator[doc.Cell]:
    return (doc.Cell(str(figure), figure) for figure in figures)


class _FinalSections:
    """Writes the sections of the story of a game."""

    def __init__(self, story: context.GameStory, sentences: Sentences) -> None:
        self.story = story
        self.position = story.position
        self.board = story.position.board
        self.sentences = sentences
        self.say = sentences.format

    def list_all(self) -> Iterator[doc.Section | None]:
        """Yield the sections in the order of reading; one with nothing to say is None."""
        yield self._end()
        yield self._standings()
        yield self._centre_years()
        yield self._nobility_years()
        yield self._holders()
        yield from self._units()
        yield from self._orders()
        if self.story.last is not None:
            of_last_phase = PhaseSections(self.story.last, self.sentences)
            yield of_last_phase.players()
            yield of_last_phase.house_rules()
        yield from self._seals()

    def facts(self) -> Iterator[doc.Fact]:
        yield doc.Fact("recipient", self.say("fact-recipient"), self.say("for-everybody"), None)
        if phases := [self._phase(view.content.position.phase) for view in self.story.phases]:
            text = self.say("final-from-to", first=phases[0], last=phases[-1])
            yield doc.Fact("played", self.say("final-played"), text, None)

    def _phase(self, phase: Phase) -> str:
        return phase_name(phase, self.board, self.sentences)

    def _power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    # -- the end and the powers ------------------------------------------------------------------

    def _end(self) -> doc.Section:
        """Return how the game ended, why, and which phase was never resolved."""
        story = self.story
        lines = [format_end(story.end, self.position, self.sentences)]
        if story.end.reason:
            lines.append(self.say("final-reason", reason=story.end.reason))
        if story.stopped:
            lines.append(self.say("final-stopped", phase=self._phase(self.position.phase)))
        lines += [part.strip() for text in story.words for part in text.split("\n\n")]
        return doc.Section("end", self.say("section-end"), doc.Prose(tuple(lines)))

    def _standings(self) -> doc.Section:
        position, board, gone = self.position, self.board, context.list_eliminations(self.story)
        nobility = ("nobility",) if board.rules.nobility else ()
        columns = doc.name_columns(self.sentences, "power", "centres", "units", *nobility, "state")
        rows = [
            (
                doc.Cell(self._power(power), power),
                *_figure_cells(figure for figure in figures if figure is not None),
                self._state_cell(power, gone),
            )
            for power, *figures in count_scores(position)
        ]
        mentions = tuple(map(Mention, board.powers))
        table = doc.Table(columns, tuple(rows))
        return doc.Section("standings", self.say("section-standings"), table, mentions=mentions)

    def _state_cell(self, power: str, gone: Mapping[str, int]) -> doc.Cell:
        if power in (end := self.story.end).winners:
            state = "shares" if end.kind == "draw" or len(end.winners) > 1 else "wins"
            return doc.Cell(self.say(f"final-{state}"), state)
        if power in gone:
            return doc.Cell(self.say("final-out", year=gone[power]), "eliminated")
        if self.position.phase.season != PICKS and self.position.in_revolt(power):
            return doc.Cell(self.say("state-revolt"), "revolt")
        return doc.Cell("", "playing")

    # -- year by year ----------------------------------------------------------------------------

    def _centre_years(self) -> doc.Section | None:
        rows = [
            (self._year(count.after) if count.after else self.say("chart-start"), count.centres)
            for count in self.story.centre_counts
            if context.is_year_end(count, self.board.rules.picks)
        ]
        return self._year_table("centre-years", rows) if len(rows) > 1 else None

    def _nobility_years(self) -> doc.Section | None:
        years = context.count_nobility(self.story)
        rows = [(self._year(position.phase), points) for position, points in years]
        return self._year_table("nobility-years", rows) if rows else None

    def _year(self, phase: Phase) -> str:
        return year_name(phase, self.board, self.sentences)

    def _year_table(self, key: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> doc.Section:
        powers = tuple(self.board.powers)
        columns = (
            doc.Column("year", self.say("final-year")),
            *(
                doc.Column(p, p if len(p) <= 3 else self._power(p)[:3], number=True)  # a short name
                for p in powers
            ),
        )
        cells = tuple(
            (doc.Cell(label, label), *_figure_cells(figures.get(power, 0) for power in powers))
            for label, figures in rows
        )
        return doc.Section(key, self.say(f"final-{key}"), doc.Table(columns, cells))

    def _holders(self) -> doc.Section | None:
        held = context.list_holdings(self.board, self.story.outcomes)
        rows = []
        for centre, holdings in held.items():
            name = f"{centre} {self.board.provinces[centre].name(self.sentences.lang)}"
            texts = (format_holding(h, self._power(h.power), self.sentences) for h in holdings)
            value = [
                {"power": h.power, "from": h.since, "until": h.until or None} for h in holdings
            ]
            rows.append((doc.Cell(name, centre), doc.Cell(", ".join(texts), value)))
        columns = (
            *doc.name_columns(self.sentences, "centre"),
            doc.Column("owners", self.say("final-owners")),
        )
        mentions = tuple(Mention(places=(centre,)) for centre in held)
        table, note = doc.Table(columns, tuple(rows)), self.say("final-holders-note")
        title = self.say("final-holders")
        return doc.Section("holders", title, table, note, mentions=mentions) if rows else None

    # -- units -----------------------------------------------------------------------------------

    def _units(self) -> Iterator[doc.Section | None]:
        """Yield how many units each power built, removed and lost, then which, phase by phase."""
        changes = [
            (outcome.position.phase, context.find_unit_changes(outcome)._asdict())
            for outcome in self.story.outcomes
        ]
        columns = (
            *doc.name_columns(self.sentences, "power"),
            *(
                doc.Column(what, self.say(f"final-{what}"), number=True)
                for what in context.UnitChanges._fields
            ),
        )
        rows = tuple(
            (
                doc.Cell(self._power(power), power),
                *_figure_cells(
                    sum(unit.power == power for _, change in changes for unit in change[what])
                    for what in context.UnitChanges._fields
                ),
            )
            for power in self.board.powers
        )
        yield doc.Section("units", self.say("final-units"), doc.Table(columns, rows))
        lines = []
        for phase, change in changes:
            parts = [
                self.say(f"final-{what}-units", units=_name_units(units))
                for what, units in change.items()
                if any(unit.power in self.board.powers for unit in units)
            ]
            if parts:
                lines.append(f"{self._phase(phase)}: {'; '.join(parts)}")
        if lines:
            title = self.say("final-unit-history")
            yield doc.Section("unit-history", title, doc.Items(tuple(lines)), folded=True)

    # -- orders and seals ------------------------------------------------------------------------

    def _orders(self) -> Iterator[doc.Section]:
        if self.story.phases:
            note = self.say("final-orders-note")
            yield doc.Section("orders", self.say("final-orders"), doc.Prose((note,)))
        for view, outcome in zip(self.story.phases, self.story.outcomes, strict=True):
            groups = tuple(group_orders(outcome, self.sentences, view.content.bots))
            if any(group.lines for group in groups):
                phase = outcome.position.phase
                body = doc.Orders(groups, self.say("units-now"))
                yield doc.Section(f"orders-{phase}", self._phase(phase), body, folded=True)

    def _seals(self) -> Iterator[doc.Section]:
        """Yield the seals of all orders, and how anybody can check them."""
        rows = tuple(
            (
                *(
                    doc.Cell(text, text)
                    for text in (str(phase), seal.power, seal.digest, seal.salt)
                ),
                doc.Cell("; ".join(seal.orders), list(seal.orders)),
            )
            for view in self.story.phases
            for phase in (view.content.position.phase,)
            for seal in view.content.seals
        )
        if not rows:
            return
        columns = doc.name_columns(self.sentences, "phase", "power", "digest", "salt", "orders")
        title, note = self.say("final-seals"), self.say("final-seals-note")
        yield doc.Section("seals", title, doc.Table(columns, rows), note, folded=True)
        note = self.say("final-check-note", digest=self.story.closing_seal)
        yield doc.Section(
            "check", self.say("final-check"), doc.Code(CHECK_PROGRAM), note, folded=True
        )


def _name_units(units: Iterable[Unit]) -> str:
    """Return units with their powers, garrisons left out: ``A MEN (TOL), F EGE (SEL)``."""
    named = names_of(unit for unit in units if unit.power != INDEPENDENT)
    return ", ".join(f"{name} ({unit.power})" for unit, name in named.items())
