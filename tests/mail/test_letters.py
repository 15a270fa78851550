"""Who gets which letter, in which language, when, and what is in none of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar, Event

from alexmagnum import load_board
from alexmagnum.cases.files import read_turn, resolve_turn
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player
from alexmagnum.game.mail_store import DRAFT, DROPPED, SENT, LetterKey, Mailing, Occasion
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.mail.composition import Letter, read_text
from alexmagnum.mail.drafts import DraftedLetters, update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.notation import read_order, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Order
from alexmagnum.report.context import View, gather_past_phase
from alexmagnum.report.formats import format_report
from alexmagnum.report.materials import Enclosed
from tests.commands import ROOT
from tests.game.desks import NOON, Clock
from tests.mail.mail_desk import composing_outbox
from tests.mail.smtp_server import desk_with_address, draft_letter
from tests.sizes import one_in

SPRING = "1901-spring"
SECRETS = {"Austria": "A BUD H", "England": "F LON - ENG", "France": "A PAR - BUR"}


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with desk_with_address(tmp_path / "perdicca", now=clock) as desk:
        desk.set_deadline(NOON.replace(day=22))
        yield desk


@pytest.fixture
def box(desk: Desk) -> Outbox:
    return composing_outbox(desk, _enclosed)


def _tell_everybody(desk: Desk) -> None:
    """Send every player a letter about the open phase."""
    outbox = Outbox(desk)
    for player in desk.players:
        key = LetterKey(Occasion.WARNING, player.power, phase=str(desk.phase))
        number = outbox.draft(key, Letter("Hello", "Hello\n"))
        with desk.file.writing("test"):
            outbox.set_state(number, SENT, sent=desk.stamp())


def _enclosed(view: View, sentences: Sentences, power: str) -> Enclosed:
    return Enclosed(b"PNG of " + power.encode(), f"<p>{power} {sentences.lang}</p>")


def _process(desk: Desk) -> DraftedLetters:
    desk.process(str(desk.phase), allow_missing=True)
    return _report(desk)


def _report(desk: Desk) -> DraftedLetters:
    return update_drafts(composing_outbox(desk, _enclosed))


def _to(box: Outbox, power: str, kind: str = "report") -> Mailing:
    return next(m for m in reversed(box.list_letters()) if (m.power, m.kind) == (power, kind))


def _text(box: Outbox, power: str, kind: str = "report") -> str:
    return read_text(box.message(_to(box, power, kind).id))


def _files(box: Outbox, power: str, kind: str = "report") -> dict[str, bytes]:
    return {
        str(part.get_filename()): part.get_payload(decode=True)  # type: ignore[misc]
        for part in box.message(_to(box, power, kind).id).iter_attachments()
    }


# -- reports ---------------------------------------------------------------------------------------


def test_everybody_with_an_address_gets_the_report(desk: Desk, box: Outbox) -> None:
    """An address that no mail takes is none, and keeps nobody else's report back."""
    desk.replace_player(Player("Germany", "Nobody's address is known"))
    with desk.file.writing("test"):  # a game that is older than the check
        desk.file.update("players", 1, address="anna@straße.example")
    made = _process(desk)
    assert [box.find(number).power for number in made.drafted] == ["England", "France"]
    assert sorted(made.unaddressed) == ["Austria", "Germany"]


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Outbox]]:
    """Process a phase and draft its reports; the tests only read them."""
    with desk_with_address(tmp_path_factory.mktemp("reported") / "perdicca", now=Clock()) as desk:
        desk.set_deadline(NOON.replace(day=22))
        desk.submit("Austria", "A BUD - secret lair\nA VIE H")
        _process(desk)
        yield desk, composing_outbox(desk, _enclosed)


_SAID_AT_THE_TOP = r"(For|Next phase|Deadline): |IN SHORT|WHAT TO SEND|  (You|From you)"
"""The lines of a report that a letter has in its own words, at the top."""


def test_the_report_is_made_once_and_says_everything_in_the_player_s_language(
    reported: tuple[Desk, Outbox],
) -> None:
    """Its subject names the phase reported, and the code of the open one."""
    desk, box = reported
    assert _report(desk).drafted == []
    assert update_drafts(box).drafted == []  # the report tells it
    hellos = {"Austria": "Ciao Anna Neri", "England": "Hello Bruno", "France": "Ciao Zoë Blanc"}
    for power, hello in hellos.items():
        assert _text(box, power).startswith(f"{hello},\n")
    report = format_report(gather_past_phase(desk, SPRING), "England", "text", load_sentences("en"))
    said = _text(box, "England") + _files(box, "England")["appendix-1901-spring.txt"].decode()
    left = [line for line in report.split("\n") if line not in said]
    assert [line for line in left if not re.match(_SAID_AT_THE_TOP, line)] == []
    assert "[ANK, CON, SMY]" not in _text(box, "England")
    subject = str(box.message(_to(box, "England").id)["Subject"])
    code = desk.file.row("SELECT code FROM codes WHERE power = 'England' AND phase = '1901-autumn'")
    assert code is not None
    assert subject == f"[AM-perdicca] Report, Spring 1901, movement (England-{code['code']})"


def test_a_letter_names_no_other_address_and_no_line_of_another_that_could_not_be_read(
    reported: tuple[Desk, Outbox],
) -> None:
    _, box = reported
    assert "secret lair" in _text(box, "Austria")
    for power, mine in (("Austria", "anna@"), ("England", "bruno@"), ("France", "zoe@")):
        whole = box.message(_to(box, power).id).as_string()
        assert not [a for a in ("anna@", "bruno@", "zoe@") if a in whole and a != mine]
        assert power == "Austria" or "secret lair" not in whole


def test_map_sheet_and_deadline_go_with_it(reported: tuple[Desk, Outbox]) -> None:
    desk, box = reported
    files = _files(box, "Austria")
    names = ("map-1901-spring.png", "orders-1901-autumn-Austria.html", "deadline-1901-autumn.ics")
    assert tuple(files) == (*names, "appendix-1901-spring.txt")
    assert files[names[1]] == b"<p>Austria it</p>"
    event = _event(_files(box, "England")["deadline-1901-autumn.ics"])
    assert event["DTSTART"].dt.isoformat().startswith(desk.deadline.removesuffix("Z"))
    assert event["SUMMARY"] == "[AM-perdicca]: orders for Autumn 1901, movement"
    assert event["ORGANIZER"] == "mailto:game@example.net"


def test_who_owes_nothing_gets_neither_sheet_nor_deadline(desk: Desk, box: Outbox) -> None:
    desk.submit("Austria", "A VIE - TYR")
    desk.submit("Italy", "A VEN - TYR")
    _process(desk)
    desk.submit("England", "F LON - NTH")
    assert desk.phase is not None
    desk.file.db.execute("UPDATE phases SET deadline = ''")
    _report(desk)
    assert list(_files(box, "Austria"))[:1] == ["map-1901-spring.png"]


def _event(data: bytes) -> Any:
    """Return the only entry of a calendar."""
    (event,) = Calendar.from_ical(data.decode()).walk("VEVENT")
    assert isinstance(event, Event)
    return event


def _told_deadline(desk: Desk, power: str = "England") -> bytes:
    """Return the calendar with which a player is told the deadline in force."""
    box = Outbox(desk)
    update_drafts(box)
    return _files(box, power, "deadline")["deadline-1901-spring.ics"]


@pytest.mark.proof
def test_an_entry_keeps_its_name_until_a_clock_that_stops_takes_it_out(
    desk: Desk, tmp_path: Path, clock: Clock
) -> None:
    """A deadline put off raises the entry's number, so that calendars overwrite it; those of two
    powers, or of two games called Perdicca at one provider, are not taken for each other."""
    _tell_everybody(desk)
    entries = []
    for day in (23, 24):
        clock.pass_by(hours=1)
        desk.set_deadline(NOON.replace(day=day))
        entries.append(_event(_told_deadline(desk)))
    name = entries[0]["UID"]
    assert name == entries[1]["UID"] != _event(_told_deadline(desk, "France"))["UID"]
    assert int(entries[0]["SEQUENCE"]) < int(entries[1]["SEQUENCE"])
    with desk_with_address(tmp_path / "other" / "perdicca", now=clock) as other:
        _tell_everybody(other)
        other.set_deadline(NOON.replace(day=23))
        assert _event(_told_deadline(other))["UID"] != name
    desk.pause()
    data = _told_deadline(desk)
    assert b"METHOD:CANCEL" in data
    assert (_event(data)["UID"], _event(data)["STATUS"]) == (name, "CANCELLED")


@pytest.mark.proof
def test_who_takes_over_gets_a_welcome_and_no_report_of_what_was_before(
    desk: Desk, box: Outbox
) -> None:
    _process(desk)
    list(send(box))
    desk.replace_player(Player("France", "Carla", "carla@example.org", "en"))
    assert [box.find(number).kind for number in update_drafts(box).drafted] == ["welcome"]


@pytest.mark.proof
def test_own_words_added_later_come_into_the_drafts(desk: Desk, box: Outbox) -> None:
    _process(desk)
    desk.add_text(SPRING, "before", "Fog over Trieste.")
    assert len(update_drafts(box).renewed) == 3
    assert "Fog over Trieste." in _text(box, "England")


# -- taken back, put back, corrected ---------------------------------------------------------------


def _states(box: Outbox, kind: str = "report") -> list[str]:
    return [mailing.state for mailing in box.list_letters() if mailing.kind == kind]


@pytest.mark.proof
def test_an_undo_drops_the_reports_that_have_not_gone(desk: Desk, box: Outbox) -> None:
    """They are not sent even if nobody looked."""
    _process(desk)
    list(send(box, [1]))
    desk.undo()
    assert list(send(box)) == []
    assert _states(box) == [SENT, DROPPED, DROPPED]


@pytest.mark.proof
def test_a_redo_brings_back_what_nobody_dropped_as_it_was_edited(desk: Desk, box: Outbox) -> None:
    _process(desk)
    path = box.path(_to(box, "England"))
    edited = path.read_text(encoding="utf-8").replace("Hello Bruno", "My dear Bruno")
    path.write_text(edited, encoding="utf-8", newline="\n")
    box.drop(1)
    desk.undo()
    update_drafts(box)
    desk.redo()
    assert update_drafts(box).back == 2
    assert _states(box) == [DROPPED, DRAFT, DRAFT]
    assert _text(box, "England").startswith("My dear Bruno")


@pytest.mark.proof
def test_processed_anew_there_are_new_reports_with_the_same_code(desk: Desk, box: Outbox) -> None:
    _process(desk)
    before = str(box.message(_to(box, "England").id)["Reply-To"])
    desk.undo()
    desk.submit("Austria", "A BUD - SER")
    assert len(_process(desk).drafted) == 3
    assert "A BUD - SER" in _text(box, "England")
    assert str(box.message(_to(box, "England").id)["Reply-To"]) == before


@pytest.mark.proof
def test_a_correction_gives_a_report_of_its_own_and_drops_that_of_before(
    desk: Desk, box: Outbox
) -> None:
    desk.submit("Austria", "A BUD - RUM")
    _process(desk)
    list(send(box, [_to(box, "England").id]))
    desk.amend(SPRING, "Austria", "A BUD - SER")
    subjects = {box.find(n).power: str(box.message(n)["Subject"]) for n in _report(desk).drafted}
    assert _states(box) == [DROPPED, SENT, DROPPED, DRAFT, DRAFT, DRAFT]
    assert list(subjects) == ["Austria", "England", "France"]
    assert subjects["England"].startswith("[AM-perdicca] Corrected report 2, Spring 1901")
    # It is a correction only to who has the report.
    assert "A BUD - RUM" in _text(box, "England")
    assert "A BUD - RUM" not in _text(box, "France")


def _undo_secret_phase(desk: Desk) -> None:
    """Process a mail that should not count, and take the phase back before anybody read of it."""
    desk.submit("Austria", "A BUD - RUM\nA VIE - TRI\nF TRI - ALB")
    _process(desk)
    desk.undo()
    desk.submit("Austria", "A BUD - SER")


@pytest.mark.proof
def test_what_was_taken_back_in_time_is_told_to_nobody(desk: Desk, box: Outbox) -> None:
    """The orders of a mail that does not count stay between its writer and the game master."""
    _undo_secret_phase(desk)
    _process(desk)
    for power in ("Austria", "England", "France"):
        said = box.message(_to(box, power).id).as_string() + _text(box, power)
        assert "A BUD - RUM" not in said
        assert "Corrected" not in said
        assert "ersion" not in _text(box, power)


@pytest.mark.proof
def test_a_correction_is_told_against_the_version_that_went_out(desk: Desk, box: Outbox) -> None:
    desk.submit("Austria", "A BUD - GAL")
    _process(desk)
    list(send(box))
    desk.undo()
    _undo_secret_phase(desk)
    _process(desk)
    text = _text(box, "England")
    assert "A BUD - RUM" not in text
    assert "CHANGED SINCE VERSION 1" in text
    assert "A BUD - GAL" in text
    assert "Corrected report 2," in str(box.message(_to(box, "England").id)["Subject"])


@pytest.mark.proof
def test_an_answer_about_a_phase_taken_back_stays_dropped_when_it_opens_anew(
    desk: Desk, box: Outbox, clock: Clock
) -> None:
    """Its orders count again only after a redo; a correction leaves it as it is."""
    _process(desk)
    draft_letter(desk, "England", key="answer:1")
    clock.pass_by(hours=1)
    desk.amend(SPRING, "Austria", "A BUD - SER")
    update_drafts(box)
    assert _states(box, "note") == [DRAFT]
    desk.undo()
    update_drafts(box)
    desk.redo()
    update_drafts(box)
    assert _states(box, "note") == [DRAFT]
    desk.undo()
    _process(desk)
    update_drafts(box)
    assert _states(box, "note") == [DROPPED]


# -- the open phase, and deadlines -----------------------------------------------------------------


def test_the_first_phase_is_announced_once(desk: Desk, box: Outbox) -> None:
    made = [update_drafts(box, opening=True) for _ in range(2)]
    assert [len(one.drafted) for one in made] == [3, 0]
    assert "A BUD" in _text(box, "Austria", "phase")


def test_what_waits_is_in_no_letter(desk: Desk, box: Outbox) -> None:
    for power, order in SECRETS.items():
        desk.submit(power, order)
    update_drafts(box, opening=True)
    update_drafts(box)
    update_drafts(box, day="2026-11-20")
    listed = [(one, box.message(one.id).as_string()) for one in box.list_letters()]
    others = "".join(text for one, text in listed if one.kind != "reminder")
    assert not [order for order in SECRETS.values() if order in others]
    for power, order in SECRETS.items():
        assert {one.power for one, text in listed if order in text} <= {power}


def test_a_new_deadline_is_told_once_after_the_first_letter(desk: Desk, box: Outbox) -> None:
    """That letter has the deadline in it; a later one takes the place of one that has not gone."""
    assert update_drafts(box).drafted == []
    _tell_everybody(desk)
    assert [len(update_drafts(box).drafted) for _ in range(2)] == [3, 0]
    assert "22\nnovembre 2026, ore 13:00" in _text(box, "Austria", "deadline")
    desk.set_deadline(NOON.replace(day=24))
    update_drafts(box)
    assert _states(box, "deadline") == [DROPPED] * 3 + [DRAFT] * 3


@pytest.mark.parametrize(("act", "said"), [("pause", "clock is stopped"), ("none", "no deadline")])
def test_a_clock_that_stops_is_told(desk: Desk, box: Outbox, act: str, said: str) -> None:
    _tell_everybody(desk)
    desk.pause() if act == "pause" else desk.set_deadline(None)
    update_drafts(box)
    assert said in _text(box, "England", "deadline")


# -- reminders -------------------------------------------------------------------------------------


def test_a_reminder_names_what_is_missing_and_is_dropped_when_it_comes(
    desk: Desk, box: Outbox
) -> None:
    desk.submit("England", "F LON H\nA LVP H")
    update_drafts(box, day="2026-11-20")
    assert "you still have to send: F EDI." in _text(box, "England", "reminder")
    desk.submit("England", "F LON H\nA LVP H\nF EDI H")
    update_drafts(box)
    assert _states(box, "reminder") == [DRAFT, DROPPED, DRAFT]
    made = update_drafts(box, day="2026-11-21")
    assert [box.find(number).power for number in made.drafted] == ["Austria", "France"]


@pytest.mark.proof
def test_one_reminder_goes_a_day_and_none_for_a_phase_that_is_over(desk: Desk, box: Outbox) -> None:
    made = [update_drafts(box, day=day) for day in ("2026-11-20", "2026-11-20", "2026-11-21")]
    assert [len(one.drafted) for one in made] == [3, 0, 3]
    assert _states(box, "reminder") == [DROPPED] * 3 + [DRAFT] * 3
    desk.process(SPRING, allow_missing=True)
    assert list(send(box)) == []


# -- the first letter to a player, and the orders that are written out in it ----------------------


def _read_examples(game: Desk, player: Player, text: str) -> list[Order]:
    """Return the orders that our own reader reads in the quotation marks of a letter."""
    told = " ".join(text.partition("=====")[0].split())
    quoted = re.findall(r"[“«]([^”»]*)[”»]", told)
    assert len(quoted) == 3, told
    return [read_order(each, game.position, player.power) for each in quoted]


@pytest.mark.parametrize("map_id", one_in(2, ["standard", "alexmagnum"]))
def test_the_first_letter_has_all_that_a_player_needs(tmp_path: Path, map_id: str) -> None:
    """In both languages: the power, orders of its own units that are possible, help, a human, and
    the game master's words."""
    turn = None if map_id == "standard" else resolve_turn(read_turn(ROOT / "orders/turn.yaml"))
    new = NewGame(
        map_id,
        players=[
            Player(power, f"P{n}", f"p{n}@example.org", LANGUAGES[n % 2])
            for n, power in enumerate(load_board(map_id).powers)
        ],
        start=turn.position if turn else None,
        settings={"mail_address": "game@example.net"},
        welcome="Call me on 0123.\n\nAnna",
    )
    with Desk.create(tmp_path / "game", new) as desk:
        box = composing_outbox(desk, _enclosed)
        update_drafts(box, opening=True)
        for player in desk.players:
            text = _text(box, player.power, "phase")
            own = {write_order(order)[2:5] for order in _read_examples(desk, player, text)}
            mine = {unit.province for unit in desk.position.units if unit.power == player.power}
            assert len(own) == 3
            assert own <= mine
            assert "\n\nCall me on 0123.\n\nAnna\n\n" in text
            assert power_name(desk.board, player.power, load_sentences(player.lang)) in text
            for word in {"it": ("AIUTO", "REGOLE", "arbitro"), "en": ("HELP", "RULES", "human")}[
                player.lang
            ]:
                assert word in text


@pytest.mark.proof
def test_later_letters_write_out_orders_only_for_a_new_kind_of_phase(
    desk: Desk, box: Outbox
) -> None:
    update_drafts(box, opening=True)
    first = _text(box, "Austria", "phase")
    _process(desk)
    second = _text(box, "Austria")
    assert "Armata Budapest tiene" in first
    assert "Armata Budapest tiene" not in second
    assert "AIUTO" not in second


def test_words_that_name_somebody_are_refused_where_names_are_hidden(tmp_path: Path) -> None:
    new = NewGame(
        "standard",
        players=[Player("Austria", "Anna Neri", "anna@example.org")],
        settings={"names": "hidden"},
        welcome="Ask Anna Neri.",
    )
    with pytest.raises(GameError, match="names-are-hidden"):
        Desk.create(tmp_path / "game", new)
    assert not (tmp_path / "game" / "game.db").exists()
