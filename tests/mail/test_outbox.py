"""Drafts: made once, read and changed by the game master, dropped, marked, put back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.letters import (
    ANSWER,
    DRAFT,
    DROPPED,
    RECEIPT,
    REPORT,
    SENT,
    UNCERTAIN,
    LetterKey,
)
from alexmagnum.mail.composition import Letter, read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import check_draft, send
from tests.game.desks import Clock
from tests.mail.smtp_server import PEOPLE, desk_with_address, draft_letter, note_key, parse_mail


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with desk_with_address(tmp_path / "perdicca", now=clock) as desk:
        yield desk


@pytest.fixture
def box(desk: Desk) -> Outbox:
    return Outbox(desk)


def _file(box: Outbox, number: int) -> Path:
    return box.path(box.find(number))


def test_a_draft_is_a_file_that_can_be_read(desk: Desk, box: Outbox) -> None:
    path = _file(box, draft_letter(desk, text="Ciao, perché no?\n"))

    assert path.name == "0001-note-Austria.eml"
    assert "\n\nCiao, perché no?\n" in path.read_text(encoding="utf-8")


def test_the_same_letter_is_made_once(desk: Desk, box: Outbox) -> None:
    first, second = draft_letter(desk, text="one"), draft_letter(desk, text="two")

    assert first == second
    assert read_text(box.message(first)) == "one\n"


def test_the_subject_names_the_game_the_phase_and_the_code(desk: Desk, box: Outbox) -> None:
    message = box.message(draft_letter(desk, "England"))
    code = desk.file.row("SELECT code FROM codes WHERE power = 'England'")

    assert code is not None
    assert message["Subject"] == (
        f"[AM-perdicca] Word, Spring 1901, movement (England-{code['code']})"
    )
    assert message["Reply-To"].addresses[0].username == f"game+perdicca-{code['code']}"


def test_a_letter_is_in_the_player_s_language(desk: Desk, box: Outbox) -> None:
    """It is in the game's language where the player has chosen none."""
    subjects = [str(box.message(draft_letter(desk, p.power))["Subject"]) for p in PEOPLE]

    assert ["Primavera" in subject for subject in subjects] == [True, False, True]


def test_all_letters_to_a_player_hang_together(desk: Desk, box: Outbox) -> None:
    messages = [box.message(draft_letter(desk, key=key)) for key in ("one", "two")]
    other = box.message(draft_letter(desk, "England"))

    assert messages[0]["References"] == messages[1]["References"]
    assert messages[0]["References"] != other["References"]
    assert messages[0]["Message-ID"] != messages[1]["Message-ID"]


def test_an_answer_follows_the_mail_that_it_answers(desk: Desk, box: Outbox) -> None:
    message = _incoming(desk, "<question@example.org>")
    key = LetterKey(ANSWER, "Austria", answers=message)
    number = box.draft(key, Letter("Receipt", "ok"))
    answer = box.message(number)

    assert answer["In-Reply-To"] == "<question@example.org>"
    assert str(answer["References"]).endswith(" <question@example.org>")


@pytest.mark.parametrize("key", ["digest:00ff", "<no name>", "<a@b>\r\nBcc: <spy@b>", "<è@b>"])
def test_a_mail_without_a_good_name_is_answered_all_the_same(
    desk: Desk, box: Outbox, key: str
) -> None:
    message = _incoming(desk, key)
    about = LetterKey(ANSWER, "Austria", answers=message)
    answer = box.message(box.draft(about, Letter("x", "ok")))

    assert answer["In-Reply-To"] == str(answer["References"])
    assert "Bcc" not in answer


def _incoming(desk: Desk, key: str) -> int:
    with desk.file.writing("test"):
        return desk.file.insert(
            "messages",
            **{"key": key, "raw": b"", "origin": "", "received": "", "fetched": ""},
            **{"sender": "", "subject": "", "state": "taken", "why": "{}"},
            **{"power": "Austria", "phase": "1901-spring", "mail": None},
        )


def test_a_player_without_an_address_gets_no_letter(desk: Desk) -> None:
    with pytest.raises(GameError, match="no-address"):
        draft_letter(desk, "Germany")


def test_a_game_without_an_address_writes_no_letter(desk: Desk) -> None:
    desk.set("mail_address", "")
    with pytest.raises(GameError, match="no-mail-address"):
        draft_letter(desk)


def test_a_letter_of_an_act_that_fails_was_never_made(desk: Desk, box: Outbox) -> None:
    """Remove its file at the next look."""
    with suppress(KeyError), desk.act("test"):
        draft_letter(desk)
        raise KeyError
    assert box.list_letters() == ()
    box.tidy()

    assert list((box.folder / "drafts").glob("*.eml")) == []


def test_other_files_among_the_drafts_are_left_alone(desk: Desk, box: Outbox) -> None:
    mine = box.folder / "drafts" / "letter to my aunt.eml"
    mine.write_text("Dear aunt", encoding="utf-8")
    box.drop(draft_letter(desk))

    assert [path.name for path in (box.folder / "drafts").iterdir()] == [mine.name]


def test_what_a_writer_who_was_killed_left_is_taken_away(desk: Desk, box: Outbox) -> None:
    """A fetcher killed at random left it."""
    number = draft_letter(desk)
    torn = box.folder / "drafts" / f".{box.find(number).file}.x3f_9a"
    torn.write_bytes(b"From: ")
    box.tidy()

    assert [path.name for path in (box.folder / "drafts").iterdir()] == [box.find(number).file]


# -- what is sent is the file ----------------------------------------------------------------------


def test_a_draft_is_checked_as_it_now_stands(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    _edit(box, number, "Hello", "Hello, dear Anna")

    assert read_text(check_draft(box, box.find(number))) == "Hello, dear Anna\n"


def _edit(box: Outbox, number: int, old: str, new: str) -> None:
    path = _file(box, number)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("To: Anna Neri <anna@", "To: Anna Neri <anne@", "draft-address"),
        ("<anna@example.org>", "<anna@example.org>, bruno@example.org", "draft-address"),
        ("To: Anna Neri <anna@example.org>\n", "", "draft-address"),
        ("Subject:", "To: bruno@example.org\nSubject:", "draft-address"),
        ("Subject:", "Cc: bruno@example.org\nSubject:", "draft-copies"),
        ("Subject:", "Bcc: bruno@example.org\nSubject:", "draft-copies"),
        ("Subject:", "Resent-To: bruno@example.org\nSubject:", "draft-copies"),
    ],
)
def test_a_draft_to_anybody_else_is_refused(
    desk: Desk, box: Outbox, old: str, new: str, code: str
) -> None:
    number = draft_letter(desk)
    _edit(box, number, old, new)
    with pytest.raises(GameError, match=code):
        check_draft(box, box.find(number))


def test_a_draft_to_a_player_who_has_left_is_refused(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    desk.replace_player(Player("Austria", "Carla", "carla@example.org"))
    with pytest.raises(GameError, match="draft-address"):
        check_draft(box, box.find(number))


def test_a_draft_may_follow_its_player_to_a_new_address(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    desk.set_player("Austria", address="Anna@Example.com")
    _edit(box, number, "anna@example.org", "anna@example.com")

    assert check_draft(box, box.find(number))["To"].addresses[0].domain == "example.com"


def test_a_draft_that_lost_its_name_gets_it_back(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    name = box.find(number).message_id
    _edit(box, number, f"Message-ID: {name}\n", "")

    assert check_draft(box, box.find(number))["Message-ID"] == name


@pytest.mark.parametrize("edit", ["", "From: Anna <anna@example.org>\n"])
def test_a_draft_goes_in_the_name_of_the_game(desk: Desk, box: Outbox, edit: str) -> None:
    """Whatever somebody made of that field."""
    number = draft_letter(desk)
    _edit(box, number, "From: perdicca <game@example.net>\n", edit)
    message = check_draft(box, box.find(number))

    assert message.get_all("From") == ["perdicca <game@example.net>"]


def test_a_draft_goes_in_the_name_that_the_game_has_now(desk: Desk, box: Outbox) -> None:
    """An answer to the old address would be lost."""
    number = draft_letter(desk)
    desk.set("mail_address", "new@example.com")
    message = check_draft(box, box.find(number))
    (answered,) = message["Reply-To"].addresses

    assert message["From"].addresses[0].addr_spec == "new@example.com"
    assert answered.addr_spec.startswith("new+perdicca-")


def test_a_letter_is_of_the_day_on_which_it_goes(desk: Desk, box: Outbox, clock: Clock) -> None:
    number = draft_letter(desk)
    clock.pass_by(days=3)

    assert check_draft(box, box.find(number))["Date"].datetime.day == 23


@pytest.mark.parametrize("act", ["drop", "mark_sent"])
def test_a_draft_changed_in_its_text_alone_shows_the_change_after_an_undo(
    desk: Desk, box: Outbox, act: str
) -> None:
    """What was composed is not kept, only what it was composed of."""
    number = Outbox(desk).draft(note_key(desk, "k"), Letter("Word", "Hello\n", "<p>Hi</p>"))
    _edit(box, number, "Hello", "Dear Anna")
    getattr(box, act)(number)
    box.put_back(number)
    page = check_draft(box, box.find(number)).get_body(("html",))

    assert page is not None
    assert "Dear Anna" in str(page.get_content())


def test_a_draft_whose_file_was_taken_away_is_not_sent_unasked(desk: Desk, box: Outbox) -> None:
    """It may have been a way of saying: do not send it.  The next time it goes."""
    number = draft_letter(desk)
    _file(box, number).unlink()
    (kept,) = send(box)
    assert kept.problem is not None
    assert (kept.state, kept.problem.code) == (DRAFT, "draft-gone")
    (gone,) = send(box)

    assert gone.state == SENT


# -- by hand ---------------------------------------------------------------------------------------


def test_a_letter_dropped_is_never_sent_and_kept(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    _edit(box, number, "Hello", "Hello, dear Anna")
    box.drop(number, "I told her")

    assert list(send(box)) == []
    assert box.find(number).state == DROPPED
    assert "dear Anna" in read_text(box.message(number))
    assert not _file(box, number).exists()


def test_a_letter_marked_as_sent_is_never_sent(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    box.mark_sent(number)

    assert list(send(box)) == []
    assert box.find(number).state == SENT


@pytest.mark.parametrize("state", [SENT, DROPPED])
def test_a_letter_put_back_is_the_draft_that_it_was(desk: Desk, box: Outbox, state: str) -> None:
    number = draft_letter(desk, text="Perché?\n")
    before = box.read(box.find(number))
    box.drop(number) if state == DROPPED else box.mark_sent(number)
    box.put_back(number)

    assert box.read(box.find(number)) == before


def test_a_letter_that_may_have_gone_is_readable_again_though_it_was_dropped(
    desk: Desk, box: Outbox
) -> None:
    number = draft_letter(desk, text="Perché?\n")
    list(send(box))
    box.store.set_state(number, UNCERTAIN)
    box.drop(number)
    box.put_back(number)

    assert "Perché?" in _file(box, number).read_text(encoding="utf-8")


def test_a_draft_broken_by_an_editor_can_be_dropped_and_put_back(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk, text="Perché?\n")
    broken = _file(box, number).read_text(encoding="utf-8").encode("cp1252")
    _file(box, number).write_bytes(broken)
    box.drop(number)
    box.put_back(number)

    assert _file(box, number).read_bytes() == broken
    assert [d.problem and d.problem.code for d in send(box)] == ["draft-unreadable"]


def test_what_was_sent_put_back_is_readable_again(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk, text="Perché?\n")
    list(send(box))
    box.put_back(number)

    assert "Perché?" in _file(box, number).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("state", "act"),
    [
        (SENT, "drop"),
        (SENT, "mark_sent"),
        (DROPPED, "drop"),
        (DROPPED, "mark_sent"),
        (DRAFT, "put_back"),
    ],
)
def test_what_makes_no_sense_is_refused(desk: Desk, box: Outbox, state: str, act: str) -> None:
    number = draft_letter(desk)
    if state != DRAFT:
        box.drop(number) if state == DROPPED else box.mark_sent(number)
    with pytest.raises(GameError, match=f"letter-is-{state}"):
        getattr(box, act)(number)


def test_every_act_on_a_letter_is_in_the_journal(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    box.drop(number, "so")
    box.put_back(number)
    list(send(box))

    acts = [(e.action, e.power, e.reason) for e in desk.history() if e.action.startswith("mail-")]
    assert acts == [
        ("mail-drop", "Austria", "so"),
        ("mail-again", "Austria", ""),
        ("mail-send", "Austria", ""),
    ]


# -- composing anew --------------------------------------------------------------------------------


def test_a_draft_is_composed_anew_under_its_old_name(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk, key="k")
    name = box.find(number).message_id
    assert box.renew(note_key(desk, "k"), Letter("Word", "Better\n"))

    message = check_draft(box, box.find(number))
    assert (read_text(message), message["Message-ID"]) == ("Better\n", name)


def test_a_draft_changed_by_hand_is_not_composed_anew(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk, key="k")
    _edit(box, number, "Hello", "My own words")
    assert not box.renew(note_key(desk, "k"), Letter("Word", "Better\n"))

    assert read_text(box.message(number)) == "My own words\n"


def test_what_was_sent_is_not_composed_anew(desk: Desk, box: Outbox) -> None:
    draft_letter(desk, key="k")
    list(send(box))

    assert not box.renew(note_key(desk, "k"), Letter("Word", "Better\n"))


# -- what a player may quote -----------------------------------------------------------------------


def test_the_texts_sent_to_a_player_are_known_the_last_first(desk: Desk, box: Outbox) -> None:
    for text in ("one è\n", "two\n", "three\n"):
        draft_letter(desk, key=text, text=text)
    draft_letter(desk, "England", text="not for Anna\n")
    list(send(box))

    assert box.sent_texts("Austria", 2) == ("three\n", "two\n")
    assert box.sent_texts("France") == ()


def test_receipts_do_not_push_a_report_out_of_what_may_be_quoted(desk: Desk) -> None:
    box = Outbox(desk)
    for i, occasion in enumerate((REPORT, RECEIPT, RECEIPT, RECEIPT)):
        key = LetterKey(occasion, "Austria", seal=str(i) if occasion == RECEIPT else "")
        box.draft(key, Letter("Word", f"{occasion} {i}\n"))

    assert box.sent_texts("Austria", 2) == ("receipt 3\n", "receipt 2\n", "report 0\n")


def test_an_export_takes_the_letters_along(desk: Desk, box: Outbox, tmp_path: Path) -> None:
    """Their files come back when they are to be sent."""
    number = draft_letter(desk)
    desk.export(tmp_path / "game.json")
    with Desk.import_game(tmp_path / "game.json", tmp_path / "copy") as other:
        copy = Outbox(other)
        list(send(copy))
        list(send(copy))

        assert copy.find(number).state == SENT
        sent = (tmp_path / "copy" / "outbox" / copy.find(number).file).read_bytes()
        assert parse_mail(sent)["To"].addresses[0].addr_spec == "anna@example.org"


@pytest.mark.parametrize("text", ["Hello\n", "Perché?\r\n\r\n> è così\r", "", "A\n\n\n", " .\n-- "])
def test_what_may_be_quoted_is_known_without_reading_the_letter_again(
    desk: Desk, text: str
) -> None:
    box = Outbox(desk)
    box.draft(note_key(desk, "k"), Letter("Word", text))

    assert box.sent_texts("Austria") == Outbox(desk).sent_texts("Austria")


def test_what_was_never_finished_under_a_number_makes_way(desk: Desk, box: Outbox) -> None:
    """A command that was killed may leave a file for a number that comes again."""
    left = box.folder / "drafts" / "0001-report-France.eml"
    left.write_text("half a lett", encoding="utf-8")
    draft_letter(desk)

    assert [path.name for path in left.parent.iterdir()] == ["0001-note-Austria.eml"]
