"""The report of a phase as a document: its sections, in words, in one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from functools import lru_cache
from urllib.parse import urljoin

from alexmagnum import campaign
from alexmagnum.board.map_file import known_maps, load_board
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.cases.schema import turn_text, unit_text
from alexmagnum.draw.scene import assign_liveries
from alexmagnum.errors import AlexMagnumError
from alexmagnum.game.deadlines import STOPPED
from alexmagnum.game.game import Change, Receipt, Understood
from alexmagnum.game.people import ALL, MASTER
from alexmagnum.game.phases import NOTHING_OPEN
from alexmagnum.game.settings import BY_MAIL, parse_slots
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.position import PICKS, WINTER, Position, parse_phase
from alexmagnum.report import document as doc
from alexmagnum.report import words
from alexmagnum.report.context import GM, View, plot_centre_counts
from alexmagnum.report.results import describe_outcome, format_order_lines
from alexmagnum.units import names_of
from alexmagnum.whatif.plans import add_end_line

REMARKABLE = ("doubtful", "impossible", "unreadable", "ambiguous", "replaced")
"""The verdicts on a line that its writer should know about."""

BLANK = dict.fromkeys(("by", "units", "strength", "against", "powers", "place", "room"), "")
"""Empty values for everything that a reason's sentence may mention."""


def compose_phase_report(view: View, sentences: Sentences) -> doc.PhaseReport:
    """Return the report of a phase for the reader of a view."""
    content = view.content
    board, phase = content.position.board, content.position.phase
    sections = PhaseSections(view, sentences)
    return doc.PhaseReport(
        title=board.name(sentences.lang),
        game=content.game,
        phase=words.phase_name(phase, board, sentences),
        code=str(phase),
        version=content.version,
        lang=sentences.lang,
        recipient=view.recipient,
        facts=tuple(sections.facts()),
        sections=tuple(section for section in sections.list_all() if section is not None),
        curves=plot_centre_counts(content.centre_counts, content.position, sentences),
        liveries=assign_liveries(board),
    )


class PhaseSections:
    """Writes the sections of a report for the reader of a view; one with nothing to say is None.

    Nothing here filters: a view holds what its reader may see, and no more.
    """

    def __init__(self, view: View, sentences: Sentences) -> None:
        self.recipient = view.recipient
        self.content = view.content
        self.outcome = view.content.outcome
        self.board = view.content.position.board
        self.sentences = sentences
        self.say = sentences.format

    def list_all(self) -> Iterator[doc.Section | None]:
        """Yield all sections in the order of reading: news first, for players their own."""
        outcome = self.outcome
        is_player = self.recipient in self.board.powers
        happened = (
            self._gains(outcome) if outcome else None,
            self._block("title-dislodged", "dislodged"),
            self._block("title-lost", "lost"),
            self._block("title-out", "eliminated"),
        )
        yield self._changes()
        yield self._block("title-end", "end")
        yield self._block("title-picks", "awards")
        if is_player and outcome:
            yield self._news(outcome)
        else:
            yield from happened
        yield self._due()
        yield self._changed_house_rules()
        yield self._pending_orders()
        yield self._orders_ahead()
        yield self._remarks()
        yield self._prose("commentary", self.content.before)
        yield self._orders(outcome) if outcome else None
        if is_player and outcome:
            yield from happened
        yield self._standings(outcome) if outcome else None
        yield self._holdings(outcome) if outcome else None
        yield self._skipped()
        yield self._prose("notes", self.content.after)
        yield self._press()
        yield self._prose("private", self.content.gm_notes)
        yield self._house_rules_or_pointer()
        yield self.players()
        yield self._seals()
        yield self._turn()

    def _section(
        self,
        key: str,
        body: doc.Body,
        note: str = "",
        mentions: Iterable[words.Mention] = (),
        *,
        folded: bool = False,
    ) -> doc.Section:
        title = self.say(f"section-{key}")
        return doc.Section(key, title, body, note, folded, mentions=tuple(mentions))

    def _items(self, key: str, lines: Iterable[str], note: str = "") -> doc.Section | None:
        items = tuple(lines)
        return self._section(key, doc.Items(items), note) if items else None

    def _prose(self, key: str, texts: Iterable[str]) -> doc.Section | None:
        """Return a section of paragraphs, which empty lines separate; None if there are none."""
        parts = (part.strip() for x in texts for part in x.replace("\r\n", "\n").split("\n\n"))
        filled = tuple(filter(None, parts))
        return self._section(key, doc.Prose(filled)) if filled else None

    def _power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    def _with_power(self, power: str, text: str) -> str:
        return f"{self._power(power)}: {text}" if self.recipient == GM else text

    # -- the head --------------------------------------------------------------------------------

    def facts(self) -> Iterator[doc.Fact]:
        """Yield the lines of the head."""
        content = self.content

        def fact(key: str, text: str, value: object) -> doc.Fact:
            return doc.Fact(key, self.say(f"fact-{key}"), text, value)

        if content.version > 1:
            text = self.say("version-number", number=content.version)
            yield fact("version", text, content.version)
        reader = self._power(self.recipient) if self.recipient else self.say("for-everybody")
        reader = self.say("for-gm") if self.recipient == GM else reader
        yield fact("recipient", reader, self.recipient)
        if self.outcome is None:
            yield fact("state", self.say("state-open"), "open")
        elif content.following is None:
            yield fact("next", self.say("no-next-phase"), None)
            return
        else:
            phase = content.following.phase
            yield fact("next", words.phase_name(phase, self.board, self.sentences), str(phase))
        yield fact("deadline", self._format_deadline(), content.deadline)

    def _format_deadline(self) -> str:
        clock = STOPPED if self.content.paused else self.content.deadline
        return words.format_clock(clock, self.content.timezone, self.sentences)

    # -- what happened ---------------------------------------------------------------------------

    def _changes(self) -> doc.Section | None:
        if (content := self.content).version < 2 or self.outcome is None:
            return None
        title = self.say("section-changes", number=content.version - 1)
        if not content.changes:
            return doc.Section("changes", title, doc.Prose((self.say("no-changes"),)))
        table = tabulate_changes(content.changes, self.board, self.sentences)
        return doc.Section(
            "changes", title, table, self.say("changes-note", number=content.version)
        )

    def _block(self, code: str, key: str) -> doc.Section | None:
        for block in describe_outcome(self.outcome, self.sentences) if self.outcome else ():
            if block.code == code:
                return self._section(key, doc.Items(block.lines), mentions=block.mentions)
        return None

    def _find_changed_owners(self, outcome: Outcome) -> dict[str, tuple[str, str]]:
        """Return the centres that changed hands, with their owners before and now."""
        before, now = outcome.position.owners, campaign.owners_after(outcome)
        owners = {c: (before.get(c, ""), now.get(c, "")) for c in self.board.centres}
        return {centre: pair for centre, pair in owners.items() if pair[0] != pair[1]}

    def _news(self, outcome: Outcome) -> doc.Section:
        """Return in a line what the reader won and lost."""
        said: dict[str, list[str]] = {"news-won": [], "news-lost": []}
        for centre, (before, now) in self._find_changed_owners(outcome).items():
            name = self.board.provinces[centre].name(self.sentences.lang)
            if self.recipient in (before, now):
                said["news-won" if now == self.recipient else "news-lost"].append(name)
        dislodged = [each.unit for each in outcome.dislodged]
        for code, units in (("news-dislodged", dislodged), ("news-destroyed", outcome.destroyed)):
            said[code] = [unit_text(unit) for unit in units if unit.power == self.recipient]
        parts = [self.say(code, what=", ".join(names)) for code, names in said.items() if names]
        return self._section("news", doc.Prose((" ".join(parts or [self.say("news-quiet")]),)))

    def _orders(self, outcome: Outcome) -> doc.Section | None:
        groups = sorted(
            group_orders(outcome, self.sentences, self.content.bots),
            key=lambda group: group.power != self.recipient,
        )
        units_now = self.say("units-now")
        return self._section("orders", doc.Orders(tuple(groups), units_now)) if groups else None

    def _gains(self, outcome: Outcome) -> doc.Section | None:
        """Return the centres that changed hands (R29, R30)."""
        gained = self._find_changed_owners(outcome)

        def owner_cell(owner: str) -> doc.Cell:
            return doc.Cell(self._power(owner) if owner else self.say("nobody"), owner)

        rows = tuple(
            (
                doc.Cell(
                    f"{centre} {self.board.provinces[centre].name(self.sentences.lang)}", centre
                ),
                owner_cell(before),
                owner_cell(now),
            )
            for centre, (before, now) in gained.items()
        )
        table = doc.Table(doc.name_columns(self.sentences, "centre", "before", "now"), rows)
        mentions = (words.Mention(places=(centre,)) for centre in gained)
        return self._section("gains", table, mentions=mentions) if gained else None

    def _standings(self, outcome: Outcome) -> doc.Section:
        waiting = self.say("units-retreating") if campaign.has_open_retreats(outcome) else ""
        mentions = (words.Mention(power, picture=words.AFTER) for power in self.board.powers)
        return self._section(
            "standings", tabulate_standings(outcome, self.sentences), waiting, mentions
        )

    def _holdings(self, outcome: Outcome) -> doc.Section | None:
        after, provinces, lang = (
            campaign.position_after(outcome),
            self.board.provinces,
            self.sentences.lang,
        )
        owned = {p: places for p in self.board.powers if (places := tuple(after.centres_of(p)))}
        lines = tuple(
            f"{self._power(power)}: {', '.join(f'{c} {provinces[c].name(lang)}' for c in centres)}"
            for power, centres in owned.items()
        )
        mentions = (words.Mention(power, places=centres) for power, centres in owned.items())
        return self._section("centres", doc.Items(lines), mentions=mentions) if lines else None

    def _skipped(self) -> doc.Section | None:
        """Return the phases after this one that were skipped because nothing was to be decided."""
        content, outcome = self.content, self.outcome
        phase = content.position.phase
        phases = [parse_phase(name, self.board.rules.picks) for name in content.passed]
        retreats = replace(phase, retreats=True)
        goes_on = content.following is not None and phase.kind == "movement"
        if goes_on and outcome is not None and not campaign.has_open_retreats(outcome):
            phases = phases if retreats in phases else [retreats, *phases]
        return self._items(
            "passed", (words.phase_name(p, self.board, self.sentences) for p in phases)
        )

    # -- what is due -----------------------------------------------------------------------------

    @property
    def _open_position(self) -> Position | None:
        return self.content.position if self.outcome is None else self.content.following

    def _due(self) -> doc.Section | None:
        """Return what each power must send next, the reader's own first, and the deadline."""
        position, say = self._open_position, self.say
        if position is None:
            return None
        auto = self.content.house_rules.get("single_retreat") == "auto"
        if not (owed := dict(words.describe_required_orders(position, self.sentences, auto=auto))):
            return None
        picture = "" if self.outcome is None else words.AFTER
        reader = self.recipient if self.recipient in position.board.powers else None
        bots = {p.power: p.bot for p in self.content.players if p.has_bot_in(str(position.phase))}
        lines, mentions = [], []
        for power in sorted(owed, key=lambda power: power != reader):
            line = f"{self._power(power)}: {owed[power]}"
            if power == reader:
                line = say("due-from-you", orders=owed[power])
            if power in bots:
                line = say(
                    "due-from-bot", due=line, bot=words.name_bot(bots[power], self.sentences)
                )
            lines.append(line)
            mentions.append(
                words.mention_required_orders(position, power)._replace(picture=picture)
            )
        if reader is not None and reader not in owed:
            lines.insert(0, say("due-none-from-you"))
            mentions.insert(0, words.Mention())
        if len(lines) < len(position.board.powers):
            lines.append(say("others-nothing"))
            mentions.append(words.Mention())
        return self._section("due", doc.Items(tuple(lines)), mentions=mentions)

    def _turn(self) -> doc.Section | None:
        """Return the position that needs orders as a turn file."""
        if (position := self._open_position) is None:
            return None
        text, note = format_turn_file(position, self.sentences), self.say("turn-note")
        if site := self.content.site:
            note += " " + self.say("turn-link", address=urljoin(site, "sandbox.html"))
        return self._section("turn", doc.Code(text), note, folded=True)

    # -- for one reader alone: their waiting orders and their mistakes ---------------------------

    def _join_orders(self, orders: Iterable[str]) -> str:
        return "; ".join(order_in(order, self.sentences.lang) for order in orders)

    def _pending_orders(self) -> doc.Section | None:
        """Return the waiting orders for the open phase and what is still missing."""
        content = self.content
        lines = [
            self._with_power(power, self._join_orders(orders))
            for power, orders in content.pending.items()
            if orders
        ]
        lines += [
            self._with_power(power, self._still_missing(receipt))
            for power, receipt in content.receipts.items()
            if receipt.missing and self.outcome is None
        ]
        return self._items("pending", lines)

    def _still_missing(self, receipt: Receipt) -> str:
        return self.say(
            "still-missing", things=words.describe_missing(receipt.missing, self.sentences)
        )

    def _orders_ahead(self) -> doc.Section | None:
        lines = [
            self._with_power(power, f"{self.say(f'ahead-{kind}')}: {self._join_orders(orders)}")
            for power, kinds in self.content.ahead.items()
            for kind, orders in kinds.items()
            if orders
        ]
        return self._items("ahead", lines, self.say("ahead-note"))

    def _remarks(self) -> doc.Section | None:
        """Return the lines of a mail that do not count as orders or were read with a guess."""
        listed = self.outcome.results if self.outcome else ()
        resolved = {(entry.power, write_order(entry.order)) for entry in listed}
        return self._items(
            "remarks",
            (
                self._with_power(power, format_remark(line, self.board, self.sentences))
                for power, receipt in self.content.receipts.items()
                for line in receipt.lines
                if line.verdict in REMARKABLE
                # the report lists these with the reason
                and not (line.verdict == "impossible" and (power, line.order) in resolved)
            ),
        )

    def _press(self) -> doc.Section | None:
        """Return the press that the reader may see, oldest first, each below its heading."""
        quotations = tuple(
            doc.Quotation(
                format_press_heading(piece.sender, piece.readers, self.board, self.sentences),
                tuple(filter(None, (part.strip() for part in piece.text.split("\n\n")))),
            )
            for piece in self.content.press
        )
        return self._section("press", doc.Quotations(quotations)) if quotations else None

    # -- house rules, players, seals -------------------------------------------------------------

    def house_rules(self) -> doc.Section | None:
        """Return the house rules of the game, whoever reads them."""
        lines = tuple(format_house_rules(self.content.house_rules, self.sentences))
        return self._section("house", doc.Items(lines), folded=True) if lines else None

    def _house_rules_or_pointer(self) -> doc.Section | None:
        """Return the house rules; people read them in the first report, then where they stand."""
        if (section := self.house_rules()) is None or self.content.lists_house_rules:
            return section
        by_mail = BY_MAIL[0] in self.content.house_rules
        site = self.content.site
        pointers = (
            [self.say("house-pointer-site", address=urljoin(site, "rules.html"))] if site else []
        )
        pointers.append(self.say("house-pointer-mail" if by_mail else "house-pointer"))
        return replace(section, pointer=" ".join(pointers), folded=False)

    def _changed_house_rules(self) -> doc.Section | None:
        """Return the house rules that changed during the phase: those in force now (a switch that
        was unset is none), then the old."""
        rules, changes = self.content.house_rules, self.content.setting_changes
        public = {n: c for n, c in changes.items() if n in rules or n.startswith(SWITCH)}
        if not public or self.content.lists_house_rules:
            return None
        old, new = (
            list(format_house_rules({n: v for n, v in settings.items() if v}, self.sentences))
            for settings in (
                {**rules, **{name: before for name, (before, _) in public.items()}},
                {**rules, **{name: after for name, (_, after) in public.items()}},
            )
        )
        lines = [self.say("house-now", rule=rule) for rule in new if rule not in old]
        lines += [self.say("house-no-longer", rule=rule) for rule in old if rule not in new]
        return self._items("house-changed", lines)

    def players(self) -> doc.Section | None:
        """Return who plays each power, with addresses if the game publishes them."""
        if not (players := self.content.players):
            return None
        has_addresses = any(player.address for player in players)
        keys = ("power", "name", "address") if has_addresses else ("power", "name")
        rows = tuple(
            (
                doc.Cell(self._power(player.power), player.power),
                doc.Cell(words.name_player(player, self.sentences)),
                *([doc.Cell(", ".join(player.addresses))] if has_addresses else []),
            )
            for player in players
        )
        return self._section("players", doc.Table(doc.name_columns(self.sentences, *keys), rows))

    def _seals(self) -> doc.Section | None:
        """Return all orders' seals, to compare with receipts (:mod:`alexmagnum.game.orders`)."""
        seals = self.content.seals
        columns = doc.name_columns(self.sentences, "power", "digest", "salt", "orders")
        rows = tuple(
            (
                doc.Cell(f"{self._power(seal.power)} ({seal.power})", seal.power),
                doc.Cell(seal.digest),
                doc.Cell(seal.salt),
                doc.Cell("; ".join(seal.orders), list(seal.orders)),
            )
            for seal in seals
        )
        note = self.say("seals-note", phase=self.content.position.phase)
        return (
            self._section("seals", doc.Table(columns, rows), note, folded=True) if seals else None
        )


def group_orders(
    outcome: Outcome, sentences: Sentences, bots: Mapping[str, str]
) -> Iterator[doc.OrderGroup]:
    """Yield the orders of each power, the independents last, without powers that have nothing to
    show, such as no retreats; ``bots`` gave those of their powers."""
    board, kind = outcome.position.board, outcome.position.phase.kind
    names = names_of(outcome.units)
    for power in (*board.powers, INDEPENDENT):
        lines = tuple(format_order_lines(outcome, power, sentences))
        idle = kind == PICKS or power == INDEPENDENT or (kind == "retreats" and not lines)
        after = () if idle else [u for u in outcome.units if u.power == power]
        if lines or after:
            units = tuple(names[unit] for unit in after)
            bot = bots.get(power, "")
            mark = (
                sentences.format("orders-of-bot", bot=words.name_bot(bot, sentences)) if bot else ""
            )
            yield doc.OrderGroup(
                power, power_name(board, power, sentences), lines, units, bot, mark
            )


# -- the standings after a phase -------------------------------------------------------------------


def tabulate_standings(outcome: Outcome, sentences: Sentences) -> doc.Table:
    """Return a table with a row for each power.

    It has the centres before and now, units, how many the centres keep, nobility, and the state if
    any power is eliminated or in revolt.  Builds and removals due are added when an autumn is
    over, unless the game is over too (R29, R32).
    """
    before, after = outcome.position, campaign.position_after(outcome)
    board, season = before.board, before.phase.season
    provinces, rules = board.provinces, board.rules
    closes_year = campaign.centres_change(outcome)
    shows_due = season == WINTER or (closes_year and campaign.ending(outcome) is None)
    out = () if season == PICKS else campaign.eliminated(outcome)
    adjustments = count_adjustments(after)
    waiting = [dislodged.unit for dislodged in outcome.dislodged if dislodged.retreats]

    rows = []
    for power in board.powers:
        due, due_cell = adjustments.get(power, 0), doc.Cell("–", 0)
        if due and power not in out:
            code = "builds-due" if due > 0 else "removals-due"
            code = code if closes_year else "builds-left"
            due_cell = doc.Cell(sentences.format(code, count=abs(due)), due)
        state = doc.Cell("", "playing")
        if power in out:
            state = doc.Cell(sentences.format("state-out"), "eliminated")
        elif after.in_revolt(power):
            state = doc.Cell(sentences.format("state-revolt"), "revolt")
        centres = after.centres_of(power)
        units = sum(unit.power == power for unit in (*outcome.units, *waiting))
        # A major city counts for more than one (R25).
        upkeep = sum(rules.major_city_upkeep if provinces[c].major else 1 for c in centres)
        points = outcome.nobility.get(power, rules.nobility)
        row = {
            "power": doc.Cell(power_name(board, power, sentences), power),
            "centres": _comparison_cell(len(before.centres_of(power)), len(centres)),
            "units": doc.Cell(str(units), units),
            "upkeep": doc.Cell(str(upkeep), upkeep),
            "nobility": _comparison_cell(before.nobility.get(power, rules.nobility), points),
            "due": due_cell,
            "state": state,
        }
        rows.append(row)
    shown = {
        "nobility": bool(outcome.nobility),
        "due": shows_due,
        "state": any(row["state"].text for row in rows),
    }
    columns = doc.name_columns(sentences, *(key for key in rows[0] if shown.get(key, True)))
    return doc.Table(columns, tuple(tuple(row[c.key] for c in columns) for row in rows))


def _comparison_cell(before: int, now: int) -> doc.Cell:
    """Return a figure with its change: ``6 (+1)``."""
    text = str(now) if now == before else f"{now} ({now - before:+d})"
    return doc.Cell(text, {"before": before, "now": now})


# -- what a corrected report changes in the version before it --------------------------------------


def tabulate_changes(changes: Iterable[Change], board: Board, sentences: Sentences) -> doc.Table:
    """Return a table of changes: their subjects, the values before and now."""
    columns = doc.name_columns(sentences, "subject", "before", "now")
    return doc.Table(columns, tuple(_row(change, board, sentences) for change in changes))


def _row(change: Change, board: Board, sentences: Sentences) -> tuple[doc.Cell, ...]:
    subject = sentences.format(
        f"change-{change.what}", subject=_format_name(change.subject, board, sentences)
    )
    return (
        doc.Cell(subject, {"what": change.what, "subject": change.subject}),
        doc.Cell(_format_change(change.what, change.before, board, sentences), change.before),
        doc.Cell(_format_change(change.what, change.after, board, sentences), change.after),
    )


def _format_change(what: str, text: str, board: Board, sentences: Sentences) -> str:
    if what == "dislodged":
        return _format_retreats(text, sentences)
    if not text:
        return sentences.format("nothing")
    if what == "result":
        return sentences.format(f"result-{text}")
    return _format_name(text, board, sentences)


def _format_retreats(text: str, sentences: Sentences) -> str:
    if not text:
        return sentences.format("stays-put")
    if text == NOTHING_OPEN:
        return sentences.format("no-way-out")
    return sentences.format("ways-out", retreats=text)


def _format_name(text: str, board: Board, sentences: Sentences) -> str:
    power, blank, order = text.partition(" ")
    if power in board.powers or power == INDEPENDENT:
        return power_name(board, power, sentences) + blank + order_in(order, sentences.lang)
    if text in board.provinces:
        return f"{text} {board.provinces[text].name(sentences.lang)}"
    return order_in(text, sentences.lang)


# -- mails and press -------------------------------------------------------------------------------


def format_remark(line: Understood, board: Board, sentences: Sentences, near: str = "") -> str:
    """Return a line of a mail with a remark on it; ``near`` are suggestions."""
    data = {name: _format_value(name, value, board, sentences) for name, value in line.data.items()}
    why = sentences.format(line.code, **{**BLANK, **data})
    return sentences.format("remark", text=" ".join(line.text.split()), why=why, near=near)


def _format_value(key: str, value: str, board: Board, sentences: Sentences) -> str:
    if key in ("power", "powers"):
        return ", ".join(power_name(board, power, sentences) for power in value.split(", "))
    if key == "place" and value in board.provinces:
        return board.provinces[value].name(sentences.lang)
    if key in ("orders", "choices", "meant"):
        return words.localize_suggestions(value, board, sentences.lang)
    if key in ("asked", "current"):
        with suppress(ValueError):
            return words.phase_name(value, board, sentences)
    return value


def format_press_heading(
    sender: str, readers: Sequence[str], board: Board, sentences: Sentences
) -> str:
    """Return a heading: ``Ptolemy to Seleucus, Lysimachus:``; an empty sender is anonymous."""
    name = power_name(board, sender, sentences) if sender else sentences.format("press-somebody")
    return sentences.format(
        "press-from", sender=name, readers=format_readers(readers, board, sentences)
    )


def format_readers(readers: Sequence[str], board: Board, sentences: Sentences) -> str:
    """Return the names of the readers of a message."""
    return ", ".join(
        sentences.format("press-to-" + reader)
        if reader in (ALL, MASTER)
        else power_name(board, reader, sentences)
        for reader in readers
    )


# -- house rules -----------------------------------------------------------------------------------

SWITCH = "rules."
"""The beginning of the settings that are switches of the rules."""


def format_house_rules(settings: Mapping[str, str], sentences: Sentences) -> Iterator[str]:
    """Yield the house rules that have a sentence, in words; weekly slots replace a phase's days."""
    slots = settings.get("slots", "")
    for name, value in settings.items():
        word, _, bot = value.partition(":")
        worded = f"house-{_code(name)}-{word}"
        if worded in sentences.templates:
            yield sentences.format(worded, bot=bot)
        elif name.startswith("days_") and not slots:
            yield sentences.format(f"house-{_code(name)}", value=value)
        elif name in ("grace", "misses"):
            yield from words.format_late_rules({name: value}, sentences)
        elif name.startswith(SWITCH):
            code = f"switch-{_code(name.removeprefix(SWITCH))}"
            worded = f"{code}-{value}"
            code = worded if worded in sentences.templates else code
            yield sentences.format(code, value=value)
    if slots:
        times = [
            sentences.format(f"house-slot-{slot.weekday}", time=f"{slot.at:%H:%M}")
            for slot in parse_slots(slots)
        ]
        yield sentences.format("house-slots", slots=", ".join(times))


def _code(name: str) -> str:
    return name.replace("_", "-")


# -- the turn file at the end of a report, for pasting into a file of its own ----------------------

OWN_MAP = "own-map"
"""Stands for a map that is not in the package while its turn file is written."""


def format_turn_file(position: Position, sentences: Sentences) -> str:
    """Return a position as the text of a turn file.

    It names the map if the package has that map.  Only the players know the file of another map,
    so a comment in place of the key asks for it.  The last line proves that the text is complete
    when somebody copies it out of a mail.
    """
    if is_packaged_map(board := position.board):
        return add_end_line(turn_text(position))
    _, _, rest = add_end_line(turn_text(position, map_name=OWN_MAP)).partition("\n")
    title = " ".join(board.name(sentences.lang).split())  # a comment is one line
    return "# " + sentences.format("turn-own-map", title=title) + f"\n{rest}"


@lru_cache(maxsize=8)
def is_packaged_map(board: Board) -> bool:
    """Return whether a board is a map of the package, under any switches of its rules.

    Its id is not enough: a map made from one of the package may have kept the id.
    """
    if board.id not in known_maps():
        return False
    try:
        packaged = load_board(board.id).with_rules(asdict(board.rules))
    except AlexMagnumError:
        return False
    return all(
        getattr(board, field.name) == getattr(packaged, field.name)
        for field in fields(board)
        if field.name != "geometry"
    )
