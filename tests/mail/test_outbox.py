"""Drafts: made once, read and changed by the game master, dropped, marked, put back."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.files import PART
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import DRAFT, DROPPED, SENT, UNCERTAIN, LetterKey, Occasion
from alexmagnum.mail.composition import Letter, read_text
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import check_draft, send
from tests.game.desks import Clock
from tests.mail.smtp_server import PEOPLE, desk_with_address, draft_letter, note_key, parse_mail


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    with desk_with_address(tmp_path / "perdicca", now=clock) as desk:
        yield desk


def _file(box: Outbox, number: int) -> Path:
    return box.path(box.find(number))


def test_a_draft_is_a_file_that_can_be_read_and_is_made_once(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk, text="Ciao, perché no?\n")
    assert draft_letter(desk, text="two") == number
    path = _file(box, number)
    assert path.name == "0001-note-Austria.eml"
    assert "\n\nCiao, perché no?\n" in path.read_text(encoding="utf-8")


def test_a_letter_names_the_game_the_phase_and_the_code_in_the_player_s_language(
    desk: Desk, box: Outbox
) -> None:
    """In the game's language where they have chosen none; all letters to a player hang together."""
    letters = {p.power: box.message(draft_letter(desk, p.power)) for p in PEOPLE}
    message, second = letters["England"], box.message(draft_letter(desk, "England", key="two"))
    row = desk.file.row("SELECT code FROM codes WHERE power = 'England'")
    assert row is not None
    code = row["code"]
    assert message["Subject"] == f"[AM-perdicca] Word, Spring 1901, movement (England-{code})"
    assert message["Reply-To"].addresses[0].username == f"game+perdicca-{code}"
    assert ["Primavera" in str(m["Subject"]) for m in letters.values()] == [True, False, True]
    assert message["References"] == second["References"] != letters["Austria"]["References"]
    assert message["Message-ID"] != second["Message-ID"]


def test_an_answer_follows_the_mail_that_it_answers_if_that_has_a_good_name(
    desk: Desk, box: Outbox
) -> None:
    question = "<question@example.org>"
    for key in (question, "digest:00ff", "<no name>", "<a@b>\r\nBcc: <spy@b>", "<è@b>"):
        about = LetterKey(Occasion.ANSWER, "Austria", answers=_incoming(desk, key))
        answer = box.message(box.draft(about, Letter("x", "ok")))
        if key == question:
            assert answer["In-Reply-To"] == key
            assert str(answer["References"]).endswith(f" {key}")
        else:
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


def test_without_an_address_of_the_player_or_of_the_game_there_is_no_letter(desk: Desk) -> None:
    with pytest.raises(GameError, match="no-address"):
        draft_letter(desk, "Germany")
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


def test_of_the_files_among_the_drafts_only_our_own_are_taken_away(desk: Desk, box: Outbox) -> None:
    """A fetcher that was killed leaves a torn file, or one under a number that comes again."""
    folder = box.folder / "drafts"
    (folder / "0001-report-France.eml").write_text("half a lett", encoding="utf-8")
    mine = folder / "letter to my aunt.eml"
    mine.write_text("Dear aunt", encoding="utf-8")
    name = box.find(draft_letter(desk)).file
    assert {path.name for path in folder.iterdir()} == {"0001-note-Austria.eml", mine.name}
    (folder / f".{name}.x3f_9a{PART}").write_bytes(b"From: ")
    box.tidy()
    assert {path.name for path in folder.iterdir()} == {name, mine.name}
    box.drop(1)
    assert [path.name for path in folder.iterdir()] == [mine.name]


# -- what is sent is the file ----------------------------------------------------------------------


def _edit(box: Outbox, number: int, old: str, new: str) -> None:
    path = _file(box, number)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def test_a_draft_to_anybody_else_is_refused(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    whole = _file(box, number).read_bytes()
    for old, new, code in (
        ("To: Anna Neri <anna@", "To: Anna Neri <anne@", "draft-address"),
        ("<anna@example.org>", "<anna@example.org>, bruno@example.org", "draft-address"),
        ("To: Anna Neri <anna@example.org>\n", "", "draft-address"),
        ("Subject:", "To: bruno@example.org\nSubject:", "draft-address"),
        ("Subject:", "Cc: bruno@example.org\nSubject:", "draft-copies"),
        ("Subject:", "Bcc: bruno@example.org\nSubject:", "draft-copies"),
        ("Subject:", "Resent-To: bruno@example.org\nSubject:", "draft-copies"),
    ):
        _edit(box, number, old, new)
        with pytest.raises(GameError, match=code):
            check_draft(box, box.find(number))
        _file(box, number).write_bytes(whole)
    desk.replace_player(Player("Austria", "Carla", "carla@example.org"))
    with pytest.raises(GameError, match="draft-address"):  # the player has left
        check_draft(box, box.find(number))


def test_a_draft_is_checked_as_it_stands_and_may_follow_its_player_to_a_new_address(
    desk: Desk, box: Outbox
) -> None:
    number = draft_letter(desk)
    _edit(box, number, "Hello", "Hello, dear Anna")
    assert read_text(check_draft(box, box.find(number))) == "Hello, dear Anna\n"
    desk.set_player("Austria", address="Anna@Example.com")
    _edit(box, number, "anna@example.org", "anna@example.com")
    assert check_draft(box, box.find(number))["To"].addresses[0].domain == "example.com"


@pytest.mark.parametrize("edit", ["", "From: Anna <anna@example.org>\n"])
def test_a_draft_goes_under_its_own_name_from_the_address_and_on_the_day_of_now(
    desk: Desk, box: Outbox, clock: Clock, edit: str
) -> None:
    """Whatever somebody made of these fields; an answer to the old address would be lost."""
    number = draft_letter(desk)
    name = box.find(number).message_id
    _edit(box, number, "From: perdicca <game@example.net>\n", edit)
    _edit(box, number, f"Message-ID: {name}\n", "")
    message = check_draft(box, box.find(number))
    assert message.get_all("From") == ["perdicca <game@example.net>"]
    assert message["Message-ID"] == name
    desk.set("mail_address", "new@example.com")
    clock.pass_by(days=3)
    message = check_draft(box, box.find(number))
    (answered,) = message["Reply-To"].addresses
    assert message["From"].addresses[0].addr_spec == "new@example.com"
    assert answered.addr_spec.startswith("new+perdicca-")
    assert message["Date"].datetime.day == 23


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
    _file(box, draft_letter(desk)).unlink()
    (kept,) = send(box)
    assert kept.problem is not None
    assert (kept.state, kept.problem.code) == (DRAFT, "draft-gone")
    (gone,) = send(box)
    assert gone.state == SENT


# -- by hand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("act", "state"), [("drop", DROPPED), ("mark_sent", SENT)])
def test_a_letter_that_the_game_master_settled_is_kept_and_may_be_put_back(
    desk: Desk, box: Outbox, act: str, state: str
) -> None:
    """Settled, it is never sent, nor settled again; put back it is the draft that it was."""
    number = draft_letter(desk, text="Perché?\n")
    _edit(box, number, "Perché", "Dear Anna, perché")
    before = box.read(box.find(number))
    with pytest.raises(GameError, match="letter-is-draft"):
        box.put_back(number)
    getattr(box, act)(number, "I told her")
    assert list(send(box)) == []
    assert box.find(number).state == state
    assert "Dear Anna" in read_text(box.message(number))
    assert not _file(box, number).exists()
    for again in (box.drop, box.mark_sent):
        with pytest.raises(GameError, match=f"letter-is-{state}"):
            again(number)
    box.put_back(number)
    assert box.read(box.find(number)) == before


@pytest.mark.parametrize("dropped", [False, True])
def test_what_was_sent_is_readable_when_it_is_put_back(
    desk: Desk, box: Outbox, dropped: bool
) -> None:
    """Though somebody dropped it, because it may have gone."""
    number = draft_letter(desk, text="Perché?\n")
    list(send(box))
    if dropped:
        box.set_state(number, UNCERTAIN)
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


def test_a_draft_is_composed_anew_under_its_old_name_unless_it_was_changed_or_sent(
    desk: Desk, box: Outbox
) -> None:
    number, better = draft_letter(desk, key="k"), Letter("Word", "Better\n")
    name = box.find(number).message_id
    assert box.renew(note_key(desk, "k"), better)
    message = check_draft(box, box.find(number))
    assert (read_text(message), message["Message-ID"]) == ("Better\n", name)
    _edit(box, number, "Better", "My own words")
    assert not box.renew(note_key(desk, "k"), better)
    assert read_text(box.message(number)) == "My own words\n"
    list(send(box))
    assert not box.renew(note_key(desk, "k"), better)


# -- what a player may quote -----------------------------------------------------------------------


def _read_recent(box: Outbox, power: str, count: int) -> tuple[str, ...]:
    return tuple(map(box.text, box.recent(power, count)))


def test_the_texts_sent_to_a_player_are_known_the_last_first(desk: Desk, box: Outbox) -> None:
    for text in ("one è\n", "two\n", "three\n"):
        draft_letter(desk, key=text, text=text)
    draft_letter(desk, "England", text="not for Anna\n")
    list(send(box))
    assert _read_recent(box, "Austria", 2) == ("three\n", "two\n")
    assert _read_recent(box, "France", 5) == ()


def test_receipts_do_not_push_a_report_out_of_what_may_be_quoted(box: Outbox) -> None:
    for i, occasion in enumerate(
        (Occasion.REPORT, Occasion.RECEIPT, Occasion.RECEIPT, Occasion.RECEIPT)
    ):
        key = LetterKey(occasion, "Austria", seal=str(i) if occasion == Occasion.RECEIPT else "")
        box.draft(key, Letter("Word", f"{occasion} {i}\n"))
    assert _read_recent(box, "Austria", 2) == ("receipt 3\n", "receipt 2\n", "report 0\n")


def test_an_export_takes_the_letters_along(desk: Desk, box: Outbox, tmp_path: Path) -> None:
    """Their files come back when they are to be sent."""
    number = draft_letter(desk)
    desk.export(tmp_path / "game.json")
    file, folder = tmp_path / "game.json", tmp_path / "copy"
    with Desk.import_game(file, folder, keep=True) as other:
        copy = Outbox(other)
        list(send(copy))
        list(send(copy))
        assert copy.find(number).state == SENT
        sent = (tmp_path / "copy" / "outbox" / copy.find(number).file).read_bytes()
        assert parse_mail(sent)["To"].addresses[0].addr_spec == "anna@example.org"


def test_what_may_be_quoted_is_known_without_reading_the_letters_again(
    desk: Desk, box: Outbox
) -> None:
    for text in ("Hello\n", "Perché?\r\n\r\n> è così\r", "", "A\n\n\n", " .\n-- "):
        box.draft(note_key(desk, text), Letter("Word", text))
    assert _read_recent(box, "Austria", 9) == _read_recent(Outbox(desk), "Austria", 9)
