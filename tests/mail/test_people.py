"""Players by mail: their addresses, who comes and goes, the standby list, and bots.

Also letters of the game master's own, and games in which nobody learns the others' names.
"""

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import people
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import RETURN, Player, Standby
from alexmagnum.game.mail_store import DRAFT, DROPPED, REJECTED, SENT, WAITING
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import mark_folder
from alexmagnum.game.undo import DRAW
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import draft_written_letters, update_drafts
from alexmagnum.mail.inbox import Inbox, format_why
from alexmagnum.mail.letters import Readers
from alexmagnum.report.context import GM, gather_open_phase, gather_past_phase
from alexmagnum.report.formats import FORMATS, format_report
from alexmagnum.report.materials import Materials, compose_report
from alexmagnum.site.site import write_site
from alexmagnum.workflow import publish
from alexmagnum.workflow.changes import change_setting, extend_deadline, invite_standby
from alexmagnum.workflow.publish import open_outbox, process_phase, send_letters, update_letters
from alexmagnum.workflow.situation import read_situation
from tests.commands import run_command
from tests.each import check_results
from tests.game.desks import NOON, Clock
from tests.mail.machine_replies import bounce
from tests.mail.mail_desk import ANNA, BRUNO, answers, fetch, mail, mail_desk, reply

EN = load_sentences("en")
SPRING, AUTUMN = "1901-spring", "1901-autumn"
PLAIN = {"pictures": "no"}
WORK = "a.neri@work.example.com"
CARLA, DARIO = "carla@example.net", "dario@example.net"


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with mail_desk(tmp_path / "game", settings=PLAIN, now=clock) as desk:
        yield desk


def _mails(desk: Desk, address: str, kind: str = "", *states: str) -> list[str]:
    """Return the texts of the letters to an address that may still go or went, each on one line."""
    box = open_outbox(desk)
    return [
        " ".join(read_text(box.message(letter.id)).split())
        for letter in box.list_letters(states or (DRAFT, SENT))
        if letter.address == address and kind in ("", letter.kind)
    ]


def _kinds(desk: Desk, address: str, *states: str) -> list[str]:
    """Return the kinds of the letters to an address that may still go or went."""
    listed = open_outbox(desk).list_letters(states or (DRAFT, SENT))
    return [letter.kind for letter in listed if letter.address == address]


def _send(desk: Desk) -> None:
    list(send_letters(open_outbox(desk)))


def _report(desk: Desk, reader: str | None, form: str = "text", phase: str = SPRING) -> str:
    return format_report(gather_past_phase(desk, phase), reader, form, EN, pictures=False)


# -- addresses -------------------------------------------------------------------------------------


def test_a_person_has_a_name_and_as_many_addresses_as_are_named() -> None:
    def read(text: str) -> tuple[str, ...]:
        name, address, others = people.read_person(text)
        return (name, *filter(None, (address, *others)))

    cases = [
        ("Anna Neri", ("Anna Neri",)),
        ("Anna Neri <a@x.org>", ("Anna Neri", "a@x.org")),
        ("Anna Neri <a@x.org>, <b@y.org>", ("Anna Neri", "a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org> <b@y.org>", ("Anna Neri", "a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org>; b@y.org", ("Anna Neri", "a@x.org", "b@y.org")),
        ("Anna Neri <a@x.org, b@y.org,c@z.org>", ("Anna Neri", "a@x.org", "b@y.org", "c@z.org")),
        ("Anna Neri <a@x.org>, <a@x.org>", ("Anna Neri", "a@x.org")),
    ]
    check_results(read, cases)
    for text in ("", "<a@x.org>", "Anna <a@x.org", "Anna a@x.org>", "Anna <>", "Anna <a b@x.org>"):
        with pytest.raises(GameError, match="person-unreadable"):
            people.read_person(text)


def test_orders_are_taken_from_every_address_and_answered_at_the_first(desk: Desk) -> None:
    desk.set_player("France", name="Anna Neri", address=ANNA, other_addresses=(WORK,))
    (first,) = fetch(desk, reply(desk, "France", "A PAR H"))
    (second,) = fetch(desk, reply(desk, "France", "A PAR - BUR", sender=WORK.title()))
    assert (first.state, second.state) == ("taken", "taken")
    assert {letter.address for letter in open_outbox(desk).list_letters()} == {ANNA}
    assert desk.players[0].writes_from({WORK})  # a bounce from there names the power
    assert not desk.players[0].writes_from({"x" + WORK})


def test_new_addresses_take_the_place_of_those_before(desk: Desk) -> None:
    desk.set_player("France", address=ANNA, other_addresses=(WORK,))
    desk.set_player("France", name="Anna N.")
    kept = desk.players[0]
    desk.set_player("France", address="new@example.org", other_addresses=())
    (old,) = fetch(desk, reply(desk, "France", "A PAR H", sender=WORK))
    assert (kept.name, kept.addresses) == ("Anna N.", (ANNA, WORK))
    assert desk.players[0].addresses == ("new@example.org",)
    assert old.state == "waiting"


# -- the reason of a change of the deadline --------------------------------------------------------


def test_the_reason_of_a_change_is_in_the_letter_that_tells_it(desk: Desk, clock: Clock) -> None:
    """That is the first letter until it has gone; a change without a reason gives none."""

    def texts(kind: str) -> list[str]:
        return [*_mails(desk, ANNA, kind, DRAFT), *_mails(desk, BRUNO, kind, DRAFT)]

    update_letters(desk, opening=True)
    extend_deadline(desk, "1 day", "the server was slow")
    assert texts("deadline") == []
    assert ["the server was slow" in text for text in texts("phase")] == [True, True]
    _send(desk)
    clock.pass_by(hours=1)
    extend_deadline(desk, "2 days", "the server was down")
    extended = texts("deadline")
    assert [text.count("the server was down") for text in extended] == [1, 1]
    assert "Perché la scadenza è cambiata: the server was down" in extended[0]
    extend_deadline(desk, "3 days")
    assert not [text for text in texts("deadline") if "changed:" in text]
    desk.pause("holidays")
    assert ["holidays" in text for text in texts("deadline")] == [True, True]


# -- takeovers -------------------------------------------------------------------------------------


@pytest.fixture
def autumn(desk: Desk) -> Desk:
    """Make a game in its second phase whose reports were sent."""
    process_phase(desk, SPRING, allow_missing=True)
    _send(desk)
    return desk


def _replace(desk: Desk, power: str = "France", address: str = CARLA) -> None:
    desk.replace_player(Player(power, "Carla Verdi", address, lang="en"))


def _last(desk: Desk, address: str = CARLA) -> str:
    return _mails(desk, address)[-1]


def test_the_welcome_has_the_position_the_orders_in_force_and_what_is_due(autumn: Desk) -> None:
    autumn.submit("France", "A PAR - BUR\nF BRE H\n\nBuilds:\nBuild A PAR")
    _replace(autumn)
    text = _last(autumn)
    assert _kinds(autumn, CARLA) == ["welcome"]
    assert "You have taken over France" in text
    assert "A PAR - BUR; F BRE H" in text
    assert "you still have to send: A MAR" in text
    assert "Orders kept for the winter: Build A PAR" in text
    assert "Open phase: Autumn 1901" in text
    assert "Here is the report" not in text


def test_the_welcome_is_one_letter_and_no_old_report_follows(autumn: Desk) -> None:
    autumn.submit("France", "A PAR - BUR\nF BRE H\nA MAR H")
    _replace(autumn)
    assert "nothing is missing" in _last(autumn)
    _send(autumn)
    for made in (update_letters(autumn), update_letters(autumn)):
        assert not made.drafted
    update_letters(autumn, opening=True)  # the welcome has the phase that is open
    _send(autumn)
    assert _kinds(autumn, CARLA) == ["welcome"]
    process_phase(autumn, AUTUMN, allow_missing=True)  # later reports follow, as for everybody
    _send(autumn)
    assert _kinds(autumn, CARLA) == ["welcome", "report"]


def test_the_welcome_follows_the_game_until_it_is_sent_or_dropped(autumn: Desk) -> None:
    """Other orders, another deadline, another phase: the draft is always about the present."""
    _replace(autumn)
    autumn.submit("France", "A PAR H")
    assert "A PAR H" in _last(autumn)
    extend_deadline(autumn, "2 days", "a storm")
    assert "a storm" in _last(autumn)
    assert _kinds(autumn, CARLA, DRAFT) == ["welcome"]
    process_phase(autumn, AUTUMN, allow_missing=True)
    autumn.undo()
    assert _kinds(autumn, CARLA, DRAFT) == ["welcome"]
    assert "Autumn 1901" in _last(autumn)
    box = open_outbox(autumn)
    box.drop(next(m.id for m in box.list_letters((DRAFT,)) if m.address == CARLA))
    autumn.submit("France", "A PAR - BUR")
    assert _kinds(autumn, CARLA) == []


def test_after_an_undo_the_newcomer_hears_of_the_phase_that_their_welcome_told(
    autumn: Desk,
) -> None:
    _replace(autumn)
    _send(autumn)
    autumn.undo()
    update_letters(autumn)
    assert _kinds(autumn, CARLA) == ["welcome", "phase"]
    assert "Spring 1901" in _last(autumn)


def test_a_correction_of_a_phase_before_them_goes_to_the_others_alone(autumn: Desk) -> None:
    process_phase(autumn, AUTUMN, allow_missing=True)
    _send(autumn)
    _replace(autumn)
    _send(autumn)
    autumn.amend(SPRING, "Italy", "A VEN - PIE")
    update_letters(autumn)
    box = open_outbox(autumn)
    drafts = box.list_letters((DRAFT,))
    mine = [str(box.message(m.id)["Subject"]) for m in drafts if m.address == CARLA]
    assert not [subject for subject in mine if SPRING in subject or "Spring" in subject]
    assert [m.kind for m in drafts if m.power == "Italy"]


def test_press_that_came_back_goes_to_the_new_address(autumn: Desk) -> None:
    draft_written_letters(open_outbox(autumn), "Good luck!", Readers(("Italy",)))
    _send(autumn)
    box = open_outbox(autumn)
    letter = next(one for one in box.list_letters((SENT,)) if one.kind == "letter")
    fetch(autumn, bounce(box.message(letter.id), NOON))
    assert [one.id for one in read_situation(autumn).stuck] == [letter.id]
    autumn.set_player("Italy", address="bruno@new.example")
    update_letters(autumn)
    again = box.find(letter.id)
    assert (again.state, again.address, again.problem) == (DRAFT, "bruno@new.example", None)


def test_a_wrong_address_is_corrected_and_nobody_of_the_beginning_is_welcomed(autumn: Desk) -> None:
    """Who comes to a vacant power is welcomed."""
    _replace(autumn, address="crala@example.com")
    autumn.set_player("France", address=CARLA, other_addresses=())
    autumn.set_player("Germany", name="Dino", address="dino@example.com")
    autumn.set_player("Italy", address="bruno.new@example.com", other_addresses=())
    assert _kinds(autumn, "crala@example.com") == []
    assert _kinds(autumn, CARLA) == _kinds(autumn, "dino@example.com") == ["welcome"]
    assert "welcome" not in _kinds(autumn, "bruno.new@example.com")


@pytest.mark.parametrize("is_late", [False, True])
def test_of_an_accepted_mail_of_a_former_player_the_orders_alone_count(
    desk: Desk, is_late: bool
) -> None:
    """The present one reads the answer."""
    came = mail("A PAR - BUR\nA MAR - Annaland\nMy divorce is public now.\nDRAW: YES")
    fetch(desk, *[came] * (not is_late))
    _replace(desk)
    fetch(desk, *[came] * is_late)
    late = ("inbox", "accept", "1", "--power", "France")
    assert "--anyway" in run_command(*late, cwd=desk.folder, status=1).err
    Inbox(desk).accept(1, "France")
    receipt = desk.receipt("France")
    assert receipt is not None
    assert receipt.orders == ("A PAR - BUR",)
    assert not [word for word in ("Annaland", "divorce", "DRAW") if word in _last(desk)]


@pytest.mark.parametrize("came_back", [False, True])
def test_a_new_address_gets_the_last_report_and_those_that_are_new_or_came_back(
    autumn: Desk, came_back: bool
) -> None:
    """Not all those that the player has read at the former one."""

    def told() -> list[str]:
        update_letters(autumn)
        letters = open_outbox(autumn).list_letters((DRAFT, SENT))
        listed = [one for one in letters if one.address == "bruno@new.example"]
        return [
            autumn.phases_of_outcomes()[one.key.outcomes[0]]
            for one in listed
            if one.kind == "report"
        ]

    box = open_outbox(autumn)
    spring = next(one for one in box.list_letters((SENT,)) if one.address == BRUNO)
    if came_back:
        fetch(autumn, bounce(box.message(spring.id), NOON))
    process_phase(autumn, AUTUMN, allow_missing=True)
    _send(autumn)
    autumn.set_player("Italy", address="bruno@new.example")
    assert told() == ([SPRING] if came_back else []) + [AUTUMN]
    _send(autumn)
    autumn.amend(SPRING, "Italy", "A VEN - PIE")
    assert told() == ([SPRING] if came_back else []) + [AUTUMN, SPRING]
    subjects = [box.subject(one) for one in box.list_letters((DRAFT,)) if one.power == "Italy"]
    assert "Corrected report 2" in str(subjects)


@pytest.mark.parametrize("hours", [1, -5])
def test_what_the_former_player_wrote_is_in_nothing_for_the_new_one(
    desk: Desk, clock: Clock, hours: int
) -> None:
    """Neither lines of their mails that were not read, nor their press."""
    desk.set("names", "hidden")
    text = "A PAR H Anna\nA MAR - Annaland\nPRESS TO GM\nI am Anna\nENDPRESS\n"
    fetch(desk, reply(desk, "France", text))
    clock.pass_by(hours=hours)
    if hours < 0:
        with pytest.raises(GameError, match="clock-behind"):
            _replace(desk)
        clock.pass_by(hours=6)
    _replace(desk)
    fetch(desk, reply(desk, "France", "ORDERS", sender=CARLA))
    process_phase(desk, SPRING, allow_missing=True)
    open_outbox(desk)
    desk.undo()
    publish.publish(desk, opened=True)
    box = open_outbox(desk)
    assert "receipt" in _kinds(desk, CARLA)
    letters = [box.message(m.id).as_string() for m in box.list_letters() if m.address == CARLA]
    told = str(compose_report(desk, SPRING, EN, "France", "json"))
    assert any("A PAR H" in text for text in letters)
    assert not [text for text in (*letters, told) if "Anna" in text]


# -- letters of the game master's own --------------------------------------------------------------

NEWS = "Monday is a holiday.\n\n- one\n- two"


def _drafts(desk: Desk) -> dict[str, str]:
    """Return the whole drafts by address."""
    box = open_outbox(desk)
    return {m.address: box.message(m.id).as_string() for m in box.list_letters((DRAFT,))}


def test_each_reader_gets_the_words_as_written_in_a_frame_of_their_language(desk: Desk) -> None:
    made = draft_written_letters(open_outbox(desk), NEWS, Readers(("France", "Italy", "Turkey")))
    box = open_outbox(desk)
    texts = {m.address: read_text(box.message(m.id)) for m in box.list_letters((DRAFT,))}
    assert (len(made.drafted), made.unaddressed) == (2, ["Turkey"])
    assert set(texts) == {ANNA, BRUNO}
    assert all(NEWS in text for text in texts.values())
    assert texts[ANNA].startswith("Ciao Anna Neri,\n\nL'arbitro scrive a tutti i giocatori:")
    assert texts[BRUNO].startswith("Hello Bruno Bianchi,\n\nThe game master writes to all players:")
    assert "Per rispondere basta rispondere a questa mail" in texts[ANNA]
    assert "To answer, just answer this mail" in texts[BRUNO]


def test_the_frame_says_who_reads_it_and_an_undo_takes_no_letter_back(desk: Desk) -> None:
    """The same words may be written twice."""
    desk.process(SPRING, allow_missing=True)
    for powers, frame in (
        (("Italy",), "to you alone:"),
        (("Italy",), "to you alone:"),
        (("Italy", "France"), "to the players of France, Italy:"),
    ):
        draft_written_letters(open_outbox(desk), NEWS, Readers(powers))
        assert frame in _last(desk, BRUNO)
    desk.undo()
    assert _kinds(desk, BRUNO) == ["letter"] * 3
    assert _kinds(desk, ANNA) == ["letter"]


def test_a_letter_without_words_or_readers_is_refused(desk: Desk) -> None:
    for words, subject, readers, code in (
        (" \n", "", Readers(("France",)), "letter-empty"),
        (NEWS, "", Readers(("Germany",)), "letter-to-nobody"),
        (NEWS, "", Readers(), "letter-to-nobody"),
        (NEWS, "two\nlines", Readers(("France",)), "line-unreadable"),
    ):
        with pytest.raises(GameError, match=code):
            draft_written_letters(open_outbox(desk), words, readers, subject=subject)
    assert not _drafts(desk)


def test_the_command_takes_a_file_standard_input_or_an_editor(desk: Desk, tmp_path: Path) -> None:
    news, editor = tmp_path / "news.txt", tmp_path / "editor.sh"
    news.write_text("From a file.", encoding="utf-8")
    editor.write_text("#!/bin/sh\necho 'And from an editor.' >> \"$1\"\n", encoding="utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    say = ("--game", str(desk.folder), "letter", "write")
    run_command(*say, "--to", "France,italy", str(news), cwd=tmp_path)
    run_command(*say, "--all", "--subject", "Monday", stdin="From a pipe.", cwd=tmp_path)
    said = (*say, "--to", "France", "--edit", str(news), "--json")
    done = run_command(*said, cwd=tmp_path, environment={"VISUAL": str(editor)})
    refused = run_command(*say, "-", stdin="x", cwd=tmp_path, status=2)
    box = open_outbox(desk)
    texts = [read_text(box.message(m.id)) for m in box.list_letters()]
    subjects = [str(box.message(m.id)["Subject"]) for m in box.list_letters()]

    assert [m["power"] for m in json.loads(done.out)["drafted"]] == ["France"]
    assert ["From a file." in text for text in texts] == [True, True, False, False, True]
    assert ["From a pipe." in text for text in texts] == [False, False, True, True, False]
    assert "And from an editor." in texts[4]
    assert "Monday" in subjects[2]
    assert "Dall'arbitro" in subjects[0]
    assert "--to Austria,England" in refused.err


# -- standby ---------------------------------------------------------------------------------------


@pytest.fixture
def standby(desk: Desk) -> Desk:
    """Make a game with two people on the standby list."""
    with pytest.raises(GameError, match="standby-empty"):
        invite_standby(desk, "France")
    people.add_standby(desk, Standby(0, "Carla Verdi", CARLA, lang="en"))
    people.add_standby(desk, Standby(0, "Dario Blu", DARIO, ("d@example.com",)))
    return desk


def test_an_invitation_has_the_position_and_no_code(standby: Desk, clock: Clock) -> None:
    """It shows the game as it is when it is sent."""
    invite_standby(standby, "France")
    (carla,), (dario,) = _mails(standby, CARLA), _mails(standby, DARIO)
    drafts = _drafts(standby)
    assert "the power France needs a player" in carla
    assert "Units: A MAR, A PAR, F BRE. Centres (3)" in carla
    assert "Ti va di prenderla?" in dario
    assert set(drafts) == {CARLA, DARIO}
    for draft in drafts.values():
        assert not [code for code in ("\nReply-To", "game+", "(France-") if code in draft]
    clock.pass_by(minutes=5)
    standby.process(SPRING, allow_missing=True)
    assert "Open phase: Autumn 1901" in _last(standby)
    assert "Spring 1901" not in _last(standby)


def test_some_may_be_invited_and_a_second_invitation_takes_the_place_of_a_draft(
    standby: Desk,
) -> None:
    """An invitation goes where somebody else plays, or who was invited has left the list."""
    invite_standby(standby, "France", (2,))
    with pytest.raises(GameError, match="no-standby"):
        invite_standby(standby, "France", (7,))
    assert set(_drafts(standby)) == {DARIO}
    for power in ("France", "France", "Italy"):
        invite_standby(standby, power)
    assert len(open_outbox(standby).list_letters((DRAFT,))) == 4  # two people, two powers
    people.remove_standby(standby, 2)
    standby.replace_player(Player("Italy", "Emma", "emma@example.net"))
    left = [m for m in open_outbox(standby).list_letters((DRAFT,)) if m.kind == "invitation"]
    assert [(m.address, m.key.standby) for m in left] == [(CARLA, 1)]


def test_an_answer_waits_for_the_game_master_and_is_not_answered(standby: Desk) -> None:
    invite_standby(standby, "France")
    _send(standby)
    box = open_outbox(standby)
    letter = next(m for m in box.list_letters((SENT,)) if m.address == DARIO)
    count = len(box.list_letters())
    replied, elsewhere, fresh, stranger = fetch(
        standby,
        mail("Volentieri!", sender="d@example.com", In_Reply_To=letter.message_id),
        mail("No, sorry.", sender="dario@work.example", In_Reply_To=letter.message_id),
        mail("Yes, I would love to.", sender=CARLA),
        mail("Hello?", sender="someone@example.net"),
    )

    assert [m.state for m in (replied, elsewhere, fresh)] == [WAITING] * 3
    assert elsewhere.why == replied.why
    assert [person.name for person in people.list_free_standby(standby)] == []
    assert [why.code for why in replied.why] == ["waits-invited"]
    assert replied.why[0].data == {"number": "2", "name": "Dario Blu", "powers": "France"}
    assert stranger.why[0].code not in ("waits-invited", "waits-standby")
    assert replied.power == fresh.power == ""
    assert len(open_outbox(standby).list_letters()) == count


def test_who_accepts_takes_over_leaves_the_list_and_is_welcomed(standby: Desk) -> None:
    invite_standby(standby, "France")
    box = open_outbox(standby)
    list(send_letters(box, [next(m for m in box.list_letters((DRAFT,)) if m.address == CARLA).id]))
    (yes,) = fetch(standby, mail("Yes!", sender=CARLA))
    standby.replace_player(Player("France", "Carla Verdi", CARLA))  # or by number
    kinds = {m.address: (m.kind, m.state) for m in open_outbox(standby).list_letters()}
    assert standby.players[0].name == "Carla Verdi"
    assert [person.name for person in people.read_standby(standby)] == ["Dario Blu"]
    assert people.read_standby(standby, past=True)[0].power == "France"
    assert Inbox(standby).store.find(yes.id).state == REJECTED
    assert kinds == {CARLA: ("welcome", DRAFT), DARIO: ("invitation", DROPPED)}


def test_who_cannot_be_written_to_or_is_there_already_is_refused(standby: Desk) -> None:
    for person, code in (
        (Standby(0, "Emma", ""), "standby-no-address"),
        (Standby(0, "Emma", CARLA.upper()), "standby-known"),
        (Standby(0, " ", "emma@example.net"), "bad-player"),
        (Standby(0, "Emma", "emma @example.net"), "bad-player"),
        (Standby(0, "Emma", "èmma@example.net"), "bad-player"),  # no letter could be sent
    ):
        with pytest.raises(GameError, match=code):
            people.add_standby(standby, person)


def test_the_commands_of_the_list(desk: Desk) -> None:
    def run(*arguments: str) -> str:
        return run_command("standby", *arguments, cwd=desk.folder).out

    run("Carla Verdi <carla@example.net>, <c@example.com>", "--speaks", "en")
    listed = json.loads(run("--json"))
    invited = json.loads(run("--invite", "France", "--json"))
    run_command("player", "replace", "France", "--standby", "1", cwd=desk.folder)

    assert listed[0]["other_addresses"] == ["c@example.com"]
    assert [one["standby"] for one in invited["drafted"]] == [1]
    assert json.loads(run("--past", "--json"))[0]["power"] == "France"
    assert "--" not in run()


# -- anonymous games -------------------------------------------------------------------------------


@pytest.fixture
def hidden(tmp_path: Path) -> Iterator[Desk]:
    """Make a game in which names are hidden."""
    settings = {**PLAIN, "names": "hidden", "addresses": "public", "press": "relay"}
    with mail_desk(tmp_path / "hidden", settings=settings) as desk:
        yield desk


def _press(desk: Desk, text: str) -> bool:
    """Tell whether press of France to Italy was passed on."""
    before = len(people.read_press(desk))
    fetch(desk, reply(desk, "France", f"PRESS TO ITALY\n{text}\nENDPRESS\n"))
    return len(people.read_press(desk)) > before


def test_press_with_the_name_or_address_of_its_writer_goes_back(hidden: Desk) -> None:
    """It may guess at others: to refuse the name of another would tell the writer who plays."""
    betrayals = ("I am Anna.", "sono anna, ciao", "Write to ANNA@example.org!", "A. Neri of France")
    guesses = ("Is Bruno Italy?", "Shall we ally?", "Shall we ally now?\nAnna")
    assert [text for text in betrayals if _press(hidden, text)] == []
    assert [text for text in guesses if not _press(hidden, text)] == []
    said = [said for kind, said in answers(hidden) if kind == "press"]
    assert len(said) == len(guesses)
    assert "Anna" not in "".join(said)  # the signature is lost
    hidden.set("names", "public")
    assert _press(hidden, "I am Anna, signed.")


@pytest.mark.parametrize("name", ["Leo Di Stefano", "Sara Will"])
def test_press_may_use_words_that_are_names_as_well(hidden: Desk, name: str) -> None:
    hidden.set_player("France", name=name)
    assert _press(hidden, "Will you help? I will, di certo. Sarà bello.")
    first, *_, last = name.lower().split()
    assert not _press(hidden, f"I hope so. Ciao, {first}")
    assert not _press(hidden, f"I am {last} of France")


_SIGNATURES = """
cheers {first}|Cheers {First}, xx|_{First}_|{First} {L}.|This is {First}|{First} here.|ciao {first}!
Saluti,//{First} - Francia|Regards,//{First}, King of Italy|{First}67|{First}'s offer stands
{first} {last} è malato|{First}, Leeds|dica {first}_{last}|{first}{last}|Un saluto {First}
[{First}] peace?|{First} -> Italy: pace?|A presto//{First} - Francia|call me {first}!|hi {first}, ok
io ({First}) vado
"""


@pytest.mark.parametrize("name", ["Will Rose", "Sara Serra", "Berlin Mu\u0308nchen", "June Serra"])
def test_a_name_that_means_something_else_too_is_found_however_it_is_signed(
    hidden: Desk, name: str
) -> None:
    first, last = name.split()
    forms = {"first": first.lower(), "last": last.lower(), "L": last[0], "First": first}
    hidden.set_player("France", name=name)
    texts = re.split(r"[|\n]", _SIGNATURES.strip().format(**forms))
    said = {text: "Va bene.\n" + text.replace("//", "\n") for text in texts}
    quiet = [text for text in texts if not people.find_hidden_names(hidden, said[text])]
    on_map = ["This is Berlin", "[Berlin] peace?", "Berlin -> Italy: pace?", "io (Berlin) vado"]
    assert quiet == {"Berlin": on_map, "June": ["This is June"]}.get(first, [])


_UNSIGNED = """
I will HELP|(Will you help?)|"Will you?" he said|F NTH - North Sea|the best will win|Best, Luca
from the North to Berlin|love will find a way|non sarà facile|una rosa è una rosa|Sarà così
"""


@pytest.mark.parametrize("text", re.split(r"[|\n]", _UNSIGNED.strip()))
def test_a_word_that_is_a_name_too_is_none_within_a_sentence(hidden: Desk, text: str) -> None:
    for power, name in (
        ("France", "Will North"),
        ("Italy", "Berlin Best"),
        ("Turkey", "Sara Rosa"),
    ):
        hidden.set_player(power, name=name)
    assert people.find_hidden_names(hidden, text) == ()


def test_the_note_about_a_doubtful_mail_does_not_show_its_address(hidden: Desk) -> None:
    fetch(hidden, reply(hidden, "France", "A PAR H", sender="bruno.private@example.com"))
    ((kind, text),) = answers(hidden)
    assert kind == "note"
    assert "bruno" not in text
    assert "da un indirizzo che la partita non conosce" in " ".join(text.split())


def test_the_game_master_s_words_may_name_nobody(hidden: Desk) -> None:
    """Not players, past or present, nor people on the standby list; a letter, its only reader."""
    people.add_standby(hidden, Standby(0, "Dino Gialli", "dino@example.net"))
    hidden.set_player("Germany", name="Berlin Munich")
    france, both, deadline = Readers(("France",)), Readers(("France", "Italy")), hidden.deadline
    box = open_outbox(hidden)
    for words in (
        "Well played, Bruno!",
        "bruno is ill",
        f"Write to {BRUNO}",
        "Carla waits",
        "Thank you, Gialli",
    ):
        for act in (
            lambda words=words: hidden.add_text(SPRING, "before", words),
            lambda words=words: extend_deadline(hidden, "1 day", words),
            lambda words=words: hidden.set_deadline(None, words),
            lambda words=words: draft_written_letters(box, words, france),
            lambda words=words: draft_written_letters(box, "x", france, subject=words),
            lambda: draft_written_letters(box, "Anna is late.", both),
            lambda: hidden.add_text(SPRING, "before", f"Write to {ANNA}"),
        ):
            with pytest.raises(GameError, match="names-are-hidden"):
                act()

    assert hidden.deadline == deadline
    hidden.add_text(SPRING, "before", "Well played, Italy!")
    assert hidden.texts(SPRING)["before"]
    hidden.add_text(SPRING, "before", "Berlin is quiet.")
    assert hidden.texts(SPRING)["before"]  # a word of the map
    draft_written_letters(open_outbox(hidden), "Cara Anna, a domani.", france)
    assert set(_drafts(hidden)) == {ANNA}


def _names_player(desk: Desk, phase: str, reader: str | None) -> bool:
    """Tell whether a report names a player, in any of its formats."""
    context = gather_past_phase(desk, phase) if phase else gather_open_phase(desk)
    texts = [format_report(context, reader, form, EN, pictures=False) for form in FORMATS]
    return any(word in text for text in texts for word in ("Anna", "Bianchi", BRUNO))


def test_only_the_game_master_reads_names_before_the_end(hidden: Desk) -> None:
    hidden.process(SPRING, allow_missing=True)
    for phase in (SPRING, ""):
        assert _names_player(hidden, phase, GM)
        assert not any(_names_player(hidden, phase, reader) for reader in (None, "France", "Italy"))


@pytest.mark.parametrize(("at_end", "named"), [("revealed", True), ("hidden", False)])
def test_the_end_reveals_names_as_the_setting_says(hidden: Desk, at_end: str, named: bool) -> None:
    """Where they stay hidden, the reason of the end names nobody."""
    hidden.set("names_at_end", at_end)
    hidden.process(SPRING, allow_missing=True)
    if not named:
        with pytest.raises(GameError, match="names-are-hidden"):
            hidden.end(DRAW, reason="Bruno proposed it")
        assert hidden.phase is not None
    hidden.end(DRAW)
    publish.publish(hidden)
    files = [path for path in (hidden.folder / "reports" / "final").iterdir() if path.is_file()]
    public = [path for path in files if not path.name.startswith("gm.")]
    texts = [path.read_text("utf-8") for path in public if path.suffix in TEXT_FILES]

    assert texts
    assert any("Bruno Bianchi" in text for text in texts) is named
    assert _names_player(hidden, SPRING, None) is named
    hidden.undo()
    assert not _names_player(hidden, SPRING, None)


TEXT_FILES = (".txt", ".html", ".json", ".md")


@pytest.mark.parametrize("is_killed", [False, True])
def test_names_hidden_later_leave_drafts_and_reports(desk: Desk, is_killed: bool) -> None:
    """The next command makes up for what one that was killed left."""
    people.add_standby(desk, Standby(0, "Dino Gialli", "dino@example.net"))
    process_phase(desk, SPRING, allow_missing=True)
    invite_standby(desk, "Turkey")
    desk.replace_player(Player("Italy", "Emma Blu", "emma@example.net"))
    before = [text for text in _everything(desk) if "Carla" in text]
    if is_killed:
        mark_folder(desk)
        desk.set("names", "hidden")
        publish.mend_folder(desk)
    else:
        change_setting(desk, "names", "hidden")
    assert len(before) > 5
    assert not [text for text in _everything(desk) if "Carla" in text]


def test_names_hidden_later_leave_words_that_were_written_before(desk: Desk) -> None:
    fetch(desk, reply(desk, "France", "PRESS TO ALL\nI am Anna. Is Bruno Italy?\nENDPRESS\n"))
    desk.add_text(SPRING, "before", "Well played, Bruno!")
    process_phase(desk, SPRING, allow_missing=True)
    draft_written_letters(open_outbox(desk), "Thank you, Bruno.", Readers(("France", "Italy")))
    made = change_setting(desk, "names", "hidden")
    said = {reader: _report(desk, reader) for reader in ("Italy", "France", GM)}
    assert [open_outbox(desk).find(number).power for number in made.withdrawn] == ["France"]
    assert "I am […]. Is Bruno Italy?" in said["Italy"]
    assert "I am Anna. Is Bruno Italy?" in said["France"]
    assert "Well played, […]!" in said["Italy"]
    assert "Well played, Bruno!" in said[GM]


def test_press_withdrawn_for_a_name_stands_in_the_report_without_it(desk: Desk) -> None:
    change_setting(desk, "press", "relay")
    fetch(desk, reply(desk, "France", "PRESS TO ITALY\nI am Anna.\nENDPRESS\n"))
    change_setting(desk, "names", "hidden")
    process_phase(desk, SPRING, allow_missing=True)
    assert "I am […]." in _report(desk, "Italy")


def _everything(desk: Desk) -> list[str]:
    """Return every draft and every report that is not the game master's."""
    box = open_outbox(desk)
    files = (desk.folder / "reports").rglob("*.*")
    reports = [
        str(compose_report(desk, phase, EN, reader, form))
        for phase in list_processed_phases(desk)
        for reader in (None, *desk.board.powers)
        for form in FORMATS
    ]
    drafts = [read_text(box.message(m.id)) for m in box.list_letters((DRAFT,))]
    return [*drafts, *reports, *(path.read_text("utf-8") for path in files)]


@pytest.mark.parametrize(
    "sender", [f"Bruno Bianchi <{BRUNO}>", "Dario Verdi <dario@elsewhere.net>"]
)
def test_a_mail_accepted_for_another_says_not_who_wrote_it(hidden: Desk, sender: str) -> None:
    """Neither in the lines that are quoted nor in the fields; its orders count."""
    name, _, address = sender.rstrip(">").partition(" <")
    text = f"A PAR - BUR\nF BRE - MAO says {name}\nA MAR nonsense {address}\n\n{name}\n"
    raw = reply(hidden, "France", text, sender=sender, Message_ID=f"<1@{address.split('@')[1]}>")
    (waiting,) = fetch(hidden, raw)
    assert waiting.state == "waiting"
    inbox = Inbox(hidden)
    assert inbox.accept(waiting.id, "France").state == "taken"

    (letter,) = (each for each in inbox.outbox.list_letters() if each.kind == "receipt")
    said = inbox.outbox.mail(letter.id).decode().casefold()
    assert "f bre - mao" in said
    for word in (*name.casefold().split(), address, address.split("@")[1]):
        assert word not in said, word
    receipt = hidden.receipt("France")
    assert receipt is not None
    assert name.split()[0] not in str(receipt.lines)
    assert {"A PAR - BUR", "F BRE - MAO"} <= set(receipt.orders)


# -- bots: what they get, and what others hear -----------------------------------------------------


def _process(desk: Desk, phase: str = SPRING) -> None:
    process_phase(desk, phase, allow_missing=True, sends=False)


def test_a_bot_gets_no_mail_and_nobody_is_asked_for_its_address(desk: Desk) -> None:
    desk.play_by_bot("Italy", "dumb")
    _, done = process_phase(desk, SPRING, allow_missing=True, sends=False)
    reminded = update_drafts(open_outbox(desk), day="2026-11-26")
    assert _mails(desk, BRUNO) == []
    assert _mails(desk, ANNA, "report")
    assert done.letters.unaddressed == ["Turkey"]  # a person without an address
    assert reminded.unaddressed == ["Turkey"]
    assert not [*(desk.folder / "drafts").glob("receipt-*")]
    # No order of a bot is told before its phase is processed.
    resolved = set(desk.receipts(SPRING)["Italy"].orders)
    secret = [order for order in desk.open_receipts()["Italy"].orders if order not in resolved]
    told = [*_mails(desk, ANNA), _report(desk, None), str(desk.history())]
    assert secret
    assert not any(order in text for order in secret for text in told)


@pytest.mark.proof
def test_a_bot_gets_no_order_sheet(desk: Desk) -> None:
    desk.set("pictures", "yes")
    desk.play_by_bot("Italy", "dumb")
    desk.play_by_bot("France", "dumb", stand_in=RETURN)
    names = {path.name.partition(".")[0] for path in publish.write_sheets(Materials(desk))}
    assert "Italy" not in names
    assert {"France", "Turkey"} <= names


def test_a_mail_that_waits_for_a_player_is_withdrawn_while_a_bot_plays(desk: Desk) -> None:
    _process(desk)
    assert _mails(desk, BRUNO, "report")
    desk.play_by_bot("Italy", "dumb")
    assert _mails(desk, BRUNO) == []
    desk.withdraw_bot("Italy")
    desk.play_by_bot("France", "dumb")
    (report,) = _mails(desk, BRUNO, "report")
    assert "a bot (dumb)" in report  # it says who plays now


def test_drafts_to_the_others_say_that_a_bot_came_and_went(desk: Desk) -> None:
    """What the game master has edited stays."""
    _process(desk)
    desk.play_by_bot("Italy", "dumb", stand_in=RETURN)
    assert len(update_letters(desk).renewed) == len({ANNA, BRUNO})
    assert "per ora un bot (dumb)" in _mails(desk, ANNA, "report")[0]
    desk.submit("Italy", "A Ven H")
    assert "per ora un bot" not in _mails(desk, ANNA, "report")[0]
    desk.play_by_bot("Italy", "dumb")
    assert "Italia un bot (dumb)" in _mails(desk, ANNA, "report")[0]
    desk.set_player("France", name="Chiara")
    assert "Francia Chiara" in _mails(desk, ANNA, "report")[0]
    box = open_outbox(desk)
    (draft,) = [one for one in box.list_letters((DRAFT,)) if one.address == ANNA]
    path = box.path(draft)
    path.write_bytes(path.read_bytes().replace(b"Ciao", b"Salve"))
    desk.play_by_bot("Italy", "random")
    assert _mails(desk, ANNA)[0].startswith("Salve")


def test_reports_and_the_site_say_that_a_bot_played_and_which_one(
    desk: Desk, tmp_path: Path
) -> None:
    desk.play_by_bot("Italy", "dumb")
    _process(desk)
    write_site(desk, tmp_path / "site", None, load_sentences("it"))
    for page in ("powers/Italy.html", "index.html"):
        assert "un bot (dumb)" in (tmp_path / "site" / page).read_text(encoding="utf-8")
    _process(desk, AUTUMN)
    desk.withdraw_bot("Italy")
    for form, marked in (
        ("text", "Italy – played by a bot (dumb)"),
        ("md", "#### Italy – played by a bot (dumb)"),
        ("html", "– played by a bot (dumb)</span></h3>"),
    ):
        assert marked in _report(desk, None, form)
    groups = json.loads(_report(desk, "France", "json"))["sections"]["orders"]["content"]
    assert {g["power"]: g["bot"] for g in groups if "bot" in g} == {"Italy": "dumb"}
    letter = [text for text in _mails(desk, ANNA) if "Autunno 1901" in text][-1]
    assert "gioca un bot (dumb)" in letter


def test_where_names_are_hidden_reports_say_only_that_a_bot_plays(hidden: Desk) -> None:
    hidden.play_by_bot("Italy", "dumb")
    hidden.play_by_bot("Turkey", "random", stand_in=RETURN)
    _process(hidden)

    for reader in (None, "France", "Turkey"):
        for form in ("text", "json"):
            report = _report(hidden, reader, form)
            for word in ("dumb", "random", "Carla", "Bruno", "Anna"):
                assert word not in report
    assert "Italy – played by a bot\n" in _report(hidden, None)
    assert "Turkey – played by a bot\n" in _report(hidden, None)
    assert "Turkey – played by a bot (random)" in _report(hidden, GM)


def test_whoever_writes_to_a_bot_is_told_that_nobody_reads_it(desk: Desk) -> None:
    desk.play_by_bot("Italy", "dumb")
    for press in ("held", "relay"):
        desk.set("press", press)
        text = "STAMPA A Italy, Turkey\npace?\nFINE STAMPA"
        fetch(desk, reply(desk, "France", text, Message_ID=f"<{press}@x>"))
        assert "Turchia. Italia: gioca un bot, non la leggerà nessuno." in _last(desk, ANNA)


# -- bots: the player comes back -------------------------------------------------------------------


def test_a_player_for_whom_a_bot_stands_in_is_told_and_comes_back_by_a_mail(desk: Desk) -> None:
    desk.play_by_bot("Italy", "dumb", stand_in=RETURN)
    _process(desk)
    (report,) = _mails(desk, BRUNO, "report")
    assert "Until you send orders, a bot (dumb) gives them in your place." in report
    (taken,) = fetch(desk, reply(desk, "Italy", "A VEN - TYR"))
    (answer,) = _mails(desk, BRUNO, "receipt")
    assert taken.state == "taken"
    assert "takes the place of all orders that a bot (dumb) had given" in answer
    assert not any(player.bot for player in desk.players)
    assert desk.open_receipts()["Italy"].orders == ("A VEN - TYR",)
    assert desk.verify() == ()


def test_the_welcome_of_a_player_who_takes_over_from_a_bot_has_its_orders(desk: Desk) -> None:
    desk.play_by_bot("Italy", "dumb")
    desk.withdraw_bot("Italy")
    receipt = desk.receipt("Italy")
    (welcome,) = _mails(desk, BRUNO, "welcome")
    assert receipt is not None
    assert "given by a bot (dumb) before you came: " + "; ".join(receipt.orders) in welcome


@pytest.mark.parametrize("replaced", [False, True])
def test_a_mail_of_somebody_whose_power_a_bot_plays_waits_and_says_the_way_back(
    desk: Desk, replaced: bool
) -> None:
    """Also of somebody who played before the last person."""
    if replaced:
        desk.replace_player(Player("Italy", "Carla", "carla@example.org"))
    desk.play_by_bot("Italy", "dumb")
    (waiting,) = fetch(desk, mail("A VEN - TYR", BRUNO))
    back = f'"Bruno Bianchi <{BRUNO}>"' if replaced else "--back"
    assert f"alexmagnum player replace Italy {back}" in format_why(waiting.why[0], desk, EN)
    if not replaced:
        assert (waiting.state, waiting.why[0].code) == ("waiting", "waits-before-bot")
        receipt = desk.receipt("Italy")
        assert receipt is not None
        assert receipt.bot == "dumb"
