"""The letters of a game, each composed of the game as it stands, for one reader."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Protocol

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.cases.schema import unit_text
from alexmagnum.errors import NotationError
from alexmagnum.game import orders as game_orders
from alexmagnum.game import people
from alexmagnum.game.deadlines import find_clock_change, is_past_deadline, read_clock, read_welcome
from alexmagnum.game.game import Game, Player, Standby
from alexmagnum.game.late_orders import list_late_powers, waits_for_master
from alexmagnum.game.mail_store import LetterKey, Occasion, game_slug, subject_prefix, subject_tag
from alexmagnum.game.records import Entry
from alexmagnum.game.settings import DISORDER, WAIT
from alexmagnum.game.submissions import read_advance_orders
from alexmagnum.game.undo import find_lost_orders
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.mail import composition
from alexmagnum.mail.composition import RULE, Attachment, Letter, compose_page, find_addressee
from alexmagnum.notation import order_in, read_order, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Build, Convoy, Disband, Hold, Move, Order, Support
from alexmagnum.position import Position
from alexmagnum.report import words
from alexmagnum.report.context import PhaseContext, View, filter_context
from alexmagnum.report.document import Items, PhaseReport, Prose, Section, wrap_text
from alexmagnum.report.formats import render_report
from alexmagnum.report.materials import Enclosed, FinalFiles
from alexmagnum.report.phase_report import compose_phase_report


class LetterMaterials(Protocol):
    """The contexts, pictures and reports that letters show, each made when first asked for."""

    @property
    def open(self) -> PhaseContext: ...
    def find_context(self, phase: str) -> PhaseContext: ...
    def enclose(self, view: View, sentences: Sentences, power: str) -> Enclosed: ...
    def final(self, sentences: Sentences) -> FinalFiles: ...


def join_text(paragraphs: Sequence[str], report: str = "") -> str:
    """Return the text of a letter: its paragraphs, and a report below them."""
    said = "\n\n".join(wrap_text(paragraph) for paragraph in paragraphs) + "\n"
    return f"{said}\n{RULE}\n\n{report}" if report else said


class LetterWriter:
    """Writes letters to one player in their language, with what the open phase asks for."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player, self.head = game, player, game.head()
        self.sentences = composition.load_player_sentences(game, player)
        self.say = self.sentences.format

    def write(
        self,
        subject: str,
        said: Iterable[str],
        report: PhaseReport | None = None,
        *,
        title: str = "",
        about: str = "",
        picture: bytes = b"",
        caption: str = "",
        files: Mapping[str, Attachment] | None = None,
        foot: Sequence[str] = (),
        news: Collection[str] = (),
    ) -> Letter:
        """Return a letter as text and as a page: paragraphs, and a report with its picture below.

        The page has the paragraphs among the ``news`` in bold.
        The files are named in a paragraph, by the code of the sentence for each.
        """
        opening = [self.say("letter-hello", name=self.player.name), *said]
        if files:
            opening.append(self.say("letter-attached", files="; ".join(map(self.say, files))))
        opening += foot
        shown = composition.inline_picture(picture, caption) if picture else None
        title = title or (report.phase if report else subject)
        return Letter(
            subject=subject,
            about=about or (report.code if report else ""),
            text=join_text(opening, render_report(report, "text") if report else ""),
            html=compose_page(
                opening, self.sentences, title=title, season=report, picture=shown, news=news
            ),
            inline=(shown,) if shown else (),
            attachments=tuple(files.values()) if files else (),
            lang=self.sentences.lang,
        )

    # -- the open phase --------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        return words.phase_name(self.head.name, self.game.base, self.sentences)

    @property
    def deadline(self) -> str:
        """The deadline in words, or the words for a stopped clock or no deadline."""
        return words.format_clock(
            read_clock(self.game), self.game.settings["timezone"], self.sentences
        )

    def reason_of(self, act: Entry | None, code: str = "final-reason") -> Iterator[str]:
        """Return the paragraph with the reason that the game master gave for an act, if any.

        A reason that names somebody in an anonymous game stays in the journal.
        """
        if act and act.reason and not people.find_hidden_names(self.game, act.reason):
            yield self.say(code, reason=act.reason)

    def deadline_reason(self) -> Iterator[str]:
        """Return the paragraph with the reason of the last change of the deadline, if any."""
        return self.reason_of(find_clock_change(self.game), "letter-deadline-why")

    def demand(self) -> str:
        """Return what the player has to send, "" if nothing."""
        if self.head.is_over:
            return ""
        auto = self.game.settings["single_retreat"] == "auto"
        due = words.describe_required_orders(self.game.position, self.sentences, auto=auto)
        return dict(due).get(self.player.power, "")

    @cached_property
    def lacking(self) -> Sequence[str]:
        """The orders that the player still owes; all of them while a bot stands in."""
        power = self.player.power
        if self.head.is_over:
            return ()
        if self.player.has_bot_in(self.head.name):
            return game_orders.find_required_orders(self.game.position).get(power, ())
        return game_orders.find_lacking_orders(self.game).get(power, ())

    def opened(self) -> str:
        """Return what phase is open, and until when; "" if the game is over."""
        if self.head.is_over:
            return ""
        return self.say("letter-open", phase=self.phase, deadline=self.deadline)

    def due(self) -> str:
        """Return what the player has still to send; nobody whose orders are in is asked again."""
        if not (owed := self.demand()):
            return self.say("letter-due-nothing")
        if not self.lacking:
            return self.say("letter-due-complete")
        if len(self.lacking) < len(
            game_orders.find_required_orders(self.game.position)[self.player.power]
        ):
            things = words.describe_missing(self.lacking, self.sentences)
            return self.say("letter-missing", phase=self.phase, things=things)
        return self.say("letter-due", due=owed)

    def paragraphs(self, *, introduces: bool = False) -> Iterator[str]:
        """Return the paragraphs on what is open now, and how to answer.

        Orders of the player's units are written out in the first phase of each kind, and where the
        letter ``introduces`` the game to its reader.
        """
        if self.head.is_over:
            yield self.say("letter-report-over")
            return
        yield self.due()
        yield self.opened()
        yield from self.deadline_reason()
        if people.have_votes_fallen(self.game, self.player.power):
            yield self.say("letter-votes-fell")
        if self.player.has_bot_in(self.head.name):
            code = "letter-disorder" if self.player.bot == DISORDER else "letter-bot-stands-in"
            yield self.say(code, bot=self.player.bot)
        if self.lacking:
            yield self.how_to_answer()
            if introduces:
                yield self.say("letter-code-yours")
            known = {row.kind for row in self.game.line() if not row.passed}
            if introduces or self.head.kind not in known:
                position, power = self.game.position, self.player.power
                if examples := list_examples_of_orders(position, power, self.sentences):
                    yield self.say("letter-how-orders", orders="; ".join(examples))
            if self.head.kind == "picks":
                position = self.game.find_position(self.head.id)
                centre = game_orders.find_possible_pick(position, self.player.power)
                name = position.board.provinces[centre].name(self.sentences.lang) if centre else ""
                yield self.say("letter-how-picks", centre=name)

    def consequence(self) -> Iterator[str]:
        """Return what becomes of the player's power if no orders come, and when."""
        for late in list_late_powers(self.game):
            if late.power == self.player.power:
                what = words.describe_late_power(self.sentences, late.choice, late.miss, late.most)
                code = "letter-late-waits" if late.choice == WAIT else "letter-late-what"
                until = words.format_late_time(self.game, late, self.sentences)
                yield self.say(code, until=until, what=what)

    def how_to_answer(self) -> str:
        """Return the paragraph on how to answer, so that the code shows whose the orders are."""
        tag = subject_tag(self.game, self.player.power, str(self.head.name)).strip("()")
        return self.say("letter-how", tag=tag)

    # -- files -----------------------------------------------------------------------------------

    def collect_files(self, about: str, enclosed: Enclosed) -> dict[str, Attachment]:
        """Return the files of a letter about a phase, by the code of the sentence for each."""
        owed = self.demand()
        files: dict[str, Attachment] = {}
        if enclosed.map:
            files["letter-file-map"] = Attachment(f"map-{about}.png", "image/png", enclosed.map)
        if owed and enclosed.sheet:
            name = f"orders-{self.head.name}-{self.player.power}.html"
            files["letter-file-sheet"] = Attachment(name, "text/html", enclosed.sheet.encode())
        if owed and self.game.deadline:
            files |= self.calendar_file()
        return files

    def calendar_file(self) -> dict[str, Attachment]:
        """Return the deadline as an entry for the player's calendar, with an alarm.

        It replaces an earlier one of the phase, or takes it out of the calendar where no deadline
        runs; calendars tell by the time which of them is later.
        """
        from icalendar import Alarm, Calendar, Event  # most commands of a game write no letter

        game, phase, now = self.game, str(self.head.name), self.game.now()
        address = game.settings["mail_address"]
        whose = hashlib.sha256(f"{game.info.created} {self.player.power}".encode()).hexdigest()[:8]
        title = self.say("letter-calendar", game=subject_prefix(game), phase=self.phase)
        event, calendar = Event(), Calendar()
        event.add("uid", f"{game_slug(game)}-{phase}-{whose}@{address.partition('@')[2]}")
        event.add("organizer", f"mailto:{address}")
        event.add("sequence", int(now.timestamp()) // 60 % 2**31)
        event.add("dtstamp", now)
        event.add("summary", title, parameters={"LANGUAGE": self.sentences.lang})
        if game.deadline:
            event.add("dtstart", parse_iso(game.deadline))
            event.add("description", self.due())
            event.add("transp", "TRANSPARENT")
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", title)
            alarm.add("trigger", timedelta(hours=-12))
            event.add_component(alarm)
        else:
            event.add("status", "CANCELLED")
        calendar.add("prodid", "-//alexmagnum//deadlines//EN")
        calendar.add("version", "2.0")
        calendar.add("method", "PUBLISH" if game.deadline else "CANCEL")
        calendar.add_component(event)
        data = bytes(calendar.to_ical())
        code = "letter-file-calendar" if game.deadline else "letter-file-no-calendar"
        return {code: Attachment(f"deadline-{phase}.ics", "text/calendar", data)}


# Reports, and letters with what the open phase asks for: of their player's view alone.


_SUBJECTS = {
    Occasion.REPORT: "letter-report",
    Occasion.OPENING: "letter-phase",
    Occasion.RETRACTION: "letter-taken",
    Occasion.WELCOME: "letter-welcome",
}

_APPENDIX = ("seals", "turn")
"""The sections of a report for programs and for checks: a letter has them as a file."""


def compose_phase_letter(
    game: Game,
    key: LetterKey,
    player: Player,
    context: PhaseContext,
    materials: LetterMaterials,
    *,
    knows_end: bool,
) -> Letter:
    """Write a report as a letter, with the map; with sheet and deadline if orders are owed.

    ``knows_end``: the player was told that the game is over.
    """
    writer = LetterWriter(game, player)
    shown = filter_context(context, player.power)
    season = compose_phase_report(shown, writer.sentences)
    enclosed = materials.enclose(shown, writer.sentences, player.power)
    files = writer.collect_files(season.code, enclosed)
    if spare := tuple(section for section in season.sections if section.key in _APPENDIX):
        text = render_report(replace(season, sections=spare), "text").encode()
        name = f"appendix-{season.code}.txt"
        files["letter-file-appendix"] = Attachment(name, "text/plain", text)
    news, kept = _take_news(season, writer.say("letter-due-others"))
    season = replace(season, facts=(), sections=kept)
    again = key.occasion == Occasion.REPORT and season.version > 1
    said: list[str] = []
    if key.occasion == Occasion.REPORT:
        if again:
            said.append(
                writer.say("letter-report-is-again", phase=season.phase, version=season.version)
            )
        news = writer.say("letter-report-is", phase=season.phase, news=news)
        said.append(news)
    elif key.occasion == Occasion.WELCOME:
        said += _welcome(writer)
    elif key.occasion == Occasion.RETRACTION:
        said += _retraction(writer, key, season)
        if knows_end:
            said.append(writer.say("letter-reopened-is"))
    if again or key.occasion == Occasion.RETRACTION:
        said += _correction(writer)
    if introduces := key.occasion != Occasion.REPORT and context.lists_house_rules:
        said = [*_introduce(writer, key.occasion), *said]
    said += writer.paragraphs(introduces=introduces)
    if introduces:
        said.append(writer.say("letter-first-help"))
    subject = "letter-report-again" if again else _SUBJECTS[key.occasion]
    if key.occasion == Occasion.OPENING and not writer.lacking:
        subject = "letter-phase-complete"
    return writer.write(
        writer.say(subject, version=season.version),
        said,
        season,
        picture=enclosed.front or enclosed.map,  # the part of the map with the player's units
        caption=writer.say("page-front") if enclosed.front else "",
        files=files,
        news=(news, writer.due(), writer.opened()),
    )


def _take_news(season: PhaseReport, title: str) -> tuple[str, tuple[Section, ...]]:
    """Return what a report says of its reader, for the top of a letter, and the other sections:
    those for people, and of what is due what others owe, with a title, as the letter itself says
    what its reader owes."""
    news, kept = "", list[Section]()
    for section in season.sections:
        match section:
            case Section("news", body=Prose((text,))):
                news = text
            case Section("due", body=Items(items)):
                kept.append(replace(section, title=title, body=Items(items[1:]), mentions=()))
            case _ if section.key not in _APPENDIX:
                kept.append(section)
    return news, tuple(kept)


def _introduce(writer: LetterWriter, occasion: Occasion) -> Iterator[str]:
    """Return the game master's own words, and the paragraphs on the game and the player's power."""
    game, power = writer.game, writer.player.power
    welcome = read_welcome(game)
    if welcome and not people.find_hidden_names(game, welcome, own=(power,)):
        yield writer.say("letter-first-words")
        yield from welcome.split("\n\n")
    if occasion != Occasion.WELCOME:  # that says it in its own words
        name = power_name(game.base, power, writer.sentences)
        yield writer.say("letter-first-is", power=name, game=game.name)
    yield from _describe_power(power, game.position, writer.sentences)


def list_examples_of_orders(position: Position, power: str, sentences: Sentences) -> list[str]:
    """Return up to three orders that a power can give now, written out as a player may write them:
    of different units, and kinds in a movement, without other powers' units; none of picks, and
    none that waives or disbands.

    Our own reader reads each as the order that it is.
    """
    units = (*position.units, *(one.unit for one in position.dislodged))
    own = {position.name(unit) for unit in units if unit.power == power}
    is_movement, chosen = position.phase.kind == "movement", dict[object, str]()
    used = set[str]()
    for order in () if position.phase.kind == "picks" else legal_orders_of(position, power):
        place = getattr(order, "unit", "")[2:]
        kind = type(order) if is_movement else place
        is_new = kind not in chosen and place not in used and len(chosen) < 3
        if is_new and place and _is_of_own_units(order, own, position.board):
            text = _spell_out(order, position.board, sentences)
            with suppress(NotationError):
                if read_order(text, position, power) == order:
                    chosen[kind] = sentences.format("letter-order", order=text)
                    used.add(place)
    return [*chosen.values()]


def _is_of_own_units(order: Order, own: Collection[str], board: Board) -> bool:
    """Return whether an order names no other power's unit and needs no convoy."""
    mover = order.supported if isinstance(order, Support) else getattr(order, "unit", "")
    to = order.to if isinstance(order, (Move, Support)) else None
    is_far = to and mover[0] != "F" and not board.army_graph.has_edge(mover[2:], to)
    is_own = mover in own or isinstance(order, Build)
    return is_own and not is_far and not isinstance(order, (Convoy, Disband))


def _spell_out(order: Order, board: Board, sentences: Sentences) -> str:
    """Return an order with the names of the map and the words of a language."""

    def place(text: str) -> str:
        province = split_location(text)[0]
        return board.provinces[province].name(sentences.lang) + text.removeprefix(province)

    def unit(name: str) -> str:
        return sentences.format(f"letter-unit-{name[0].lower()}", place=place(name[2:]))

    match order:
        case Hold(one):
            return sentences.format("letter-order-hold", unit=unit(one))
        case Move(one, to, False):
            return f"{unit(one)} - {place(to)}"
        case Support(one, other, to):
            text = sentences.format("letter-order-support", unit=unit(one), other=unit(other))
            return f"{text} - {place(to)}" if to else text
        case _:
            return order_in(write_order(order), sentences.lang)


def _welcome(writer: LetterWriter) -> Iterator[str]:
    """Return the paragraphs on the power and on the orders in force, sent by whoever had it before.
    Reports of earlier phases are not repeated: only the position counts."""
    game, power, say = writer.game, writer.player.power, writer.say
    name = power_name(game.base, power, writer.sentences)
    yield say("letter-welcome-is", power=name, game=game.name)
    if (receipt := game_orders.read_receipt(game, writer.head, power)) and receipt.orders:
        code = "letter-welcome-bot" if receipt.bot else "letter-welcome-orders"
        past = [
            one for one in people.read_players(game, past=True) if one.power == power and one.name
        ]
        named = [one.name for one in past if one.since <= receipt.received < one.until]
        who = named[-1] if named and not people.hides_names(game) else say("letter-former-player")
        yield say(code, orders="; ".join(receipt.orders), bot=receipt.bot, who=who)
    elif writer.demand():
        yield say("letter-welcome-none")
    for kind, orders in read_advance_orders(game, power).get(power, {}).items():
        yield say("letter-welcome-ahead", later=say(f"ahead-{kind}"), orders="; ".join(orders))


def _retraction(writer: LetterWriter, key: LetterKey, season: PhaseReport) -> Iterator[str]:
    """Return the paragraphs that say which reports no longer count; the open phase was undone if it
    is among them, else a correction led to another phase."""
    game, say, names = writer.game, writer.say, writer.game.phases_of_outcomes()
    void = [names[outcome] for outcome in key.outcomes]
    phases = "; ".join(words.phase_name(name, game.base, writer.sentences) for name in void)
    if season.code not in void:
        yield say("letter-void-is", phase=season.phase, phases=phases)
        return
    yield say("letter-taken-is", phase=season.phase)
    yield say("letter-void-list", phases=phases)


def _correction(writer: LetterWriter) -> Iterator[str]:
    """Return the paragraphs on why something was corrected or undone, in the words of the game
    master, and on the player's orders that no longer fit."""
    game, say = writer.game, writer.say
    yield from writer.reason_of(game.find_last_act("amend", "amend-settings", "undo", "redo"))
    lost = [
        f"{misfit.order} ({say(misfit.code, **misfit.data)})"
        for misfit in find_lost_orders(game, writer.player.power)
    ]
    if lost:
        yield say("letter-lost-orders", orders="; ".join(lost))


# Letters about the end of the game: the final report, and that a game that had ended goes on.


def compose_ending(game: Game, player: Player, final: FinalFiles) -> Letter:
    writer, lang = LetterWriter(game, player), final.report.lang
    files: dict[str, Attachment] = {}
    if final.map:
        files["letter-file-map"] = Attachment("map-final.png", "image/png", final.map)
    for code, form, kind in (
        ("letter-file-final", "html", "text/html"),
        ("letter-file-final-data", "json", "application/json"),
    ):
        files[code] = Attachment(f"final-report.{lang}.{form}", kind, final.render(form).encode())
    said = [words.format_end(final.end, final.position, writer.sentences)]
    if final.end.reason:
        said.append(writer.say("final-reason", reason=final.end.reason))
    return writer.write(
        writer.say("letter-ending"),
        [*said, writer.say("letter-final-is")],
        final.brief(),
        about=composition.find_last_phase(game),
        picture=final.map,
        files=files,
        foot=[writer.say("letter-report-over")],
    )


def _compose_reopening(writer: LetterWriter) -> Letter:
    """Write that the game goes on, with the reason that the game master gave, if any."""
    said = [writer.say("letter-reopened-is"), *writer.reason_of(writer.game.find_last_act("undo"))]
    said += writer.paragraphs()
    return writer.write(writer.say("letter-reopened"), said, title=writer.phase)


# Short letters: changes of the deadline, and reminders of missing orders.


def _compose_deadline(writer: LetterWriter) -> Letter:
    if writer.game.paused:
        code = "letter-deadline-stopped"
    else:
        code = "letter-deadline-is" if writer.game.deadline else "letter-deadline-none"
    said = writer.say(code, phase=writer.phase, deadline=writer.deadline)
    return writer.write(
        writer.say("letter-deadline"),
        [said, *writer.deadline_reason(), writer.due()],
        files=writer.calendar_file(),
    )


def _compose_reminder(writer: LetterWriter) -> Letter:
    game, power = writer.game, writer.player.power
    missing = words.describe_missing(writer.lacking, writer.sentences)
    said = [writer.say("letter-missing", phase=writer.phase, things=missing)]
    is_late = is_past_deadline(game)
    if game.deadline:
        code = "letter-late-deadline" if is_late else "letter-missing-deadline"
        said.append(writer.say(code, deadline=writer.deadline))
        said += writer.consequence()
    if (row := game_orders.find_last_submission(game, int(writer.head.id), power)) and row.orders:
        said.append(writer.say("letter-in-force", orders="; ".join(row.orders)))
        said.append(writer.say(f"letter-answer-{game.settings['second_mail']}"))
    subject = writer.say("letter-late" if is_late else "letter-reminder")
    return writer.write(subject, [*said, writer.how_to_answer()])


def _compose_waiting(writer: LetterWriter) -> Letter:
    """Write that the game waits for others, which are named if the settings say so, or for the
    game master."""
    game, say, late = writer.game, writer.say, list_late_powers(writer.game)
    if waits_for_master(game):
        said = [
            say("letter-waiting-master", phase=writer.phase, deadline=writer.deadline),
            say("letter-waiting-nothing"),
        ]
        return writer.write(say("letter-waiting"), said)
    named = game.settings["late_notice"] == "named"
    powers = [power_name(game.base, one.power, writer.sentences) for one in late if named]
    time = words.format_late_time(game, late[0], writer.sentences)
    until = say("letter-waiting-open") if any(one.choice == WAIT for one in late) else time
    said = [
        say("letter-waiting-is" if named else "letter-waiting-unnamed", powers=", ".join(powers)),
        say("letter-waiting-until", phase=writer.phase, deadline=writer.deadline, until=until),
        say("letter-waiting-nothing"),
    ]
    return writer.write(say("letter-waiting"), said)


SHORT: Mapping[str, Callable[[LetterWriter], Letter]] = {
    Occasion.DEADLINE: _compose_deadline,
    Occasion.REMINDER: _compose_reminder,
    Occasion.LATE: _compose_reminder,
    Occasion.WAITING: _compose_waiting,
    Occasion.REOPENING: _compose_reopening,
}
"""How letters without a report or a picture are composed, by their occasion."""


# Letters that the game master writes: to players, and to the people on the standby list.
#
# The words are the game master's own, as they were written. Subject and frame are in the language
# of each reader.


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of a game master's letter: the players of some powers, people on standby."""

    powers: tuple[str, ...] = ()
    standby: tuple[int, ...] = ()


def compose_written_letter(
    game: Game, text: str, subject: str, readers: Readers, person: Player | Standby
) -> Letter:
    """Return the game master's letter to one of its readers, with the usual subject for ""."""
    sentences = composition.load_player_sentences(game, person)
    frame = _frame(game, readers, person, sentences)
    foot = "letter-gm-answer-standby" if isinstance(person, Standby) else "letter-gm-answer"
    return Letter(
        subject=subject or sentences.format("letter-from-gm"),
        text=join_text([sentences.format("letter-hello", name=person.name), frame])
        + f"\n{text.strip()}\n\n"
        + join_text([sentences.format(foot)]),
        lang=sentences.lang,
    )


def _frame(game: Game, readers: Readers, person: Player | Standby, sentences: Sentences) -> str:
    if isinstance(person, Standby):
        return sentences.format("letter-gm-standby", game=game.name)
    if len(readers.powers) == 1:
        return sentences.format("letter-gm-you")
    if {player.power for player in people.read_people(game)} <= set(readers.powers):
        return sentences.format("letter-gm-all")
    named = [power_name(game.base, p, sentences) for p in game.base.powers if p in readers.powers]
    return sentences.format("letter-gm-some", powers=", ".join(named))


def compose_invitation(game: Game, key: LetterKey, materials: LetterMaterials) -> Letter:
    """Invite somebody on the standby list to take over a power, with the position as everybody
    may see it."""
    power, person = people.find_power_of_act(game, key.act or 0), find_addressee(game, key)
    writer = LetterWriter(game, Player(power, person.name, lang=person.lang))
    view = filter_context(materials.open, None)
    name = power_name(game.base, power, writer.sentences)
    return writer.write(
        writer.say("letter-invitation", power=name),
        [
            writer.say("letter-invitation-is", power=name, game=game.name),
            *_describe_power(power, materials.open.position, writer.sentences),
            writer.opened(),
            writer.say("letter-invitation-answer"),
        ],
        compose_phase_report(view, writer.sentences),
        picture=materials.enclose(view, writer.sentences, "").map,
    )


def _describe_power(power: str, position: Position, sentences: Sentences) -> Iterator[str]:
    units = sorted(unit_text(unit) for unit in position.units if unit.power == power)
    centres = [centre for centre, owner in position.owners.items() if owner == power]
    names = [position.board.provinces[centre].name(sentences.lang) for centre in centres]
    if units or centres:
        yield sentences.format(
            "letter-invitation-has",
            units=", ".join(units) or "–",
            count=len(centres),
            centres=", ".join(names) or "–",
        )
