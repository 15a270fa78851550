"""Letters of the game master's own, the standby list and its invitations."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.game import Player, Standby
from alexmagnum.game.inbox_store import REJECTED, WAITING
from alexmagnum.game.letters import DRAFT, DROPPED, SENT
from alexmagnum.game.people import add_standby, read_standby, remove_standby
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.notices import Readers, Words, draft_written_letters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.workflow.changes import (
    invite_standby,
    replace_by_standby,
)
from alexmagnum.workflow.letters import open_outbox
from tests.commands import run_command
from tests.game.desks import Clock
from tests.mail.mail_desk import ANNA, BRUNO, fetch, mail, mail_desk

CARLA, DARIO = "carla@example.net", "dario@example.net"
NEWS = "Monday is a holiday.\n\n- one\n- two"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with mail_desk(tmp_path, settings={"pictures": "no"}) as desk:
        yield desk


def _drafts(desk: Desk) -> dict[str, str]:
    """Return the whole drafts by address."""
    box = open_outbox(desk)
    return {m.address: box.message(m.id).as_string() for m in box.list_letters((DRAFT,))}


def _texts(desk: Desk) -> dict[str, str]:
    box = open_outbox(desk)
    return {m.address: read_text(box.message(m.id)) for m in box.list_letters((DRAFT,))}


# -- letters ---------------------------------------------------------------------------------------


def test_each_reader_gets_the_words_as_written_in_a_frame_of_their_language(desk: Desk) -> None:
    made = draft_written_letters(Outbox(desk), Words(NEWS), Readers(("France", "Italy", "Turkey")))
    texts = _texts(desk)
    assert (len(made.drafted), made.unaddressed) == (2, ["Turkey"])
    assert set(texts) == {ANNA, BRUNO}
    assert all(NEWS in text for text in texts.values())
    assert texts[ANNA].startswith("Ciao Anna Neri,\n\nL'arbitro scrive a tutti i giocatori:")
    assert texts[BRUNO].startswith("Hello Bruno Bianchi,\n\nThe game master writes to all players:")
    assert "STAMPA ALL'ARBITRO" in texts[ANNA]
    assert "PRESS TO GM" in texts[BRUNO]


@pytest.mark.parametrize(
    ("powers", "frame"),
    [(("Italy",), "to you alone:"), (("Italy", "France"), "to the players of France, Italy:")],
)
def test_the_frame_says_who_reads_it(desk: Desk, powers: tuple[str, ...], frame: str) -> None:
    draft_written_letters(Outbox(desk), Words(NEWS), Readers(powers))

    assert frame in " ".join(_texts(desk)[BRUNO].split())
    assert len(_texts(desk)) == len(powers)


def test_the_same_words_may_be_written_twice_and_an_undo_takes_none_back(desk: Desk) -> None:
    desk.process("1901-spring", allow_missing=True)
    for _ in range(2):
        draft_written_letters(Outbox(desk), Words(NEWS), Readers(("France",)))
    desk.undo()
    assert [m.kind for m in open_outbox(desk).list_letters((DRAFT,))] == ["letter", "letter"]


@pytest.mark.parametrize(
    ("words", "readers", "code"),
    [
        (Words(" \n"), Readers(("France",)), "letter-empty"),
        (Words(NEWS), Readers(("Germany",)), "letter-to-nobody"),
        (Words(NEWS), Readers(), "letter-to-nobody"),
        (Words(NEWS, "two\nlines"), Readers(("France",)), "line-unreadable"),
    ],
)
def test_a_letter_without_words_or_readers_is_refused(
    desk: Desk, words: Words, readers: Readers, code: str
) -> None:
    with pytest.raises(GameError, match=code):
        draft_written_letters(Outbox(desk), words, readers)
    assert not _drafts(desk)


def test_in_an_anonymous_game_a_letter_may_name_its_only_reader_and_nobody_else(
    desk: Desk,
) -> None:
    desk.set("names", "hidden")
    draft_written_letters(Outbox(desk), Words("Cara Anna, a domani."), Readers(("France",)))
    for words in (Words("Bruno is late."), Words(f"Write to {BRUNO}"), Words("x", "Per Bruno")):
        with pytest.raises(GameError, match="names-are-hidden"):
            draft_written_letters(Outbox(desk), words, Readers(("France",)))
    with pytest.raises(GameError, match="names-are-hidden"):
        draft_written_letters(Outbox(desk), Words("Anna is late."), Readers(("France", "Italy")))

    assert set(_drafts(desk)) == {ANNA}


# -- the command -----------------------------------------------------------------------------------


def test_the_command_takes_a_file_standard_input_or_an_editor(tmp_path: Path) -> None:
    game = tmp_path / "game"
    mail_desk(game, settings={"pictures": "no"}).close()
    news, editor = tmp_path / "news.txt", tmp_path / "editor.sh"
    news.write_text("From a file.", encoding="utf-8")
    editor.write_text("#!/bin/sh\necho 'And from an editor.' >> \"$1\"\n", encoding="utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    say = ("--game", str(game), "letter", "write")
    run_command(*say, "--to", "France,italy", str(news), cwd=tmp_path)
    run_command(*say, "--all", "--subject", "Monday", stdin="From a pipe.", cwd=tmp_path)
    said = (*say, "--to", "France", "--edit", str(news), "--json")
    done = run_command(*said, cwd=tmp_path, environment={"VISUAL": str(editor)})
    with Desk.open(game) as desk:
        box = Outbox(desk)
        texts = [read_text(box.message(m.id)) for m in box.list_letters()]
        subjects = [str(box.message(m.id)["Subject"]) for m in box.list_letters()]

    assert [m["power"] for m in json.loads(done.out)["drafted"]] == ["France"]
    assert ["From a file." in text for text in texts] == [True, True, False, False, True]
    assert ["From a pipe." in text for text in texts] == [False, False, True, True, False]
    assert "And from an editor." in texts[4]
    assert "Monday" in subjects[2]
    assert "Dall'arbitro" in subjects[0]


def test_the_command_asks_for_a_reader(tmp_path: Path) -> None:
    mail_desk(tmp_path).close()
    refused = run_command("letter", "write", "-", stdin="x", cwd=tmp_path, status=2)

    assert "--to Austria,England" in refused.err


# -- standby ---------------------------------------------------------------------------------------


def _standby(desk: Desk) -> None:
    add_standby(desk, Standby(0, "Carla Verdi", CARLA, lang="en"))
    add_standby(desk, Standby(0, "Dario Blu", DARIO, ("d@example.com",)))


def test_an_invitation_has_the_position_and_no_code(desk: Desk) -> None:
    _standby(desk)
    invite_standby(desk, "France")
    texts, drafts = _texts(desk), _drafts(desk)

    assert set(texts) == {CARLA, DARIO}
    assert "the power France needs a player" in " ".join(texts[CARLA].split())
    assert "Units: A MAR, A PAR, F BRE. Centres (3)" in " ".join(texts[CARLA].split())
    assert "Ti va di prenderla?" in " ".join(texts[DARIO].split())
    for draft in drafts.values():
        assert not [code for code in ("\nReply-To", "game+", "(France-") if code in draft]


def test_some_may_be_invited_and_a_second_invitation_takes_the_place_of_a_draft(
    desk: Desk,
) -> None:
    with pytest.raises(GameError, match="standby-empty"):
        invite_standby(desk, "France")
    _standby(desk)
    invite_standby(desk, "France", (2,))
    with pytest.raises(GameError, match="no-standby"):
        invite_standby(desk, "France", (7,))
    assert set(_texts(desk)) == {DARIO}
    for power in ("France", "France", "Italy"):
        invite_standby(desk, power)
    assert len(open_outbox(desk).list_letters((DRAFT,))) == 4  # two people, two powers


def test_an_answer_waits_for_the_game_master_and_is_not_answered(desk: Desk) -> None:
    _standby(desk)
    invite_standby(desk, "France")
    list(send(open_outbox(desk)))
    box = open_outbox(desk)
    letter = next(m for m in box.list_letters((SENT,)) if m.address == DARIO)
    count = len(box.list_letters())
    replied, fresh, stranger = fetch(
        desk,
        mail("Volentieri!", sender="d@example.com", In_Reply_To=letter.message_id),
        mail("Yes, I would love to.", sender=CARLA),
        mail("Hello?", sender="someone@example.net"),
    )

    assert [m.state for m in (replied, fresh)] == [WAITING, WAITING]
    assert [why.code for why in replied.why] == ["waits-invited"]
    assert replied.why[0].data == {"number": "2", "name": "Dario Blu", "powers": "France"}
    assert stranger.why[0].code not in ("waits-invited", "waits-standby")
    assert replied.power == fresh.power == ""
    assert len(open_outbox(desk).list_letters()) == count


def test_who_accepts_takes_over_leaves_the_list_and_is_welcomed(desk: Desk) -> None:
    _standby(desk)
    invite_standby(desk, "France")
    box = open_outbox(desk)
    carla = next(m for m in box.list_letters((DRAFT,)) if m.address == CARLA)
    list(send(box, [carla.id]))
    (yes,) = fetch(desk, mail("Yes!", sender=CARLA))
    replace_by_standby(desk, "France", 1)
    kinds = {m.address: (m.kind, m.state) for m in open_outbox(desk).list_letters()}

    assert desk.players[0].name == "Carla Verdi"
    assert [person.name for person in read_standby(desk)] == ["Dario Blu"]
    assert read_standby(desk, past=True)[0].power == "France"
    assert Inbox(desk).store.find(yes.id).state == REJECTED
    assert kinds == {CARLA: ("welcome", DRAFT), DARIO: ("invitation", DROPPED)}


def test_an_invitation_that_was_overtaken_is_dropped(desk: Desk) -> None:
    """Somebody else plays, or who was invited has left the list."""
    _standby(desk)
    invite_standby(desk, "France")
    invite_standby(desk, "Italy")
    remove_standby(desk, 2)
    desk.replace_player(Player("Italy", "Emma", "emma@example.net"))
    left = [m for m in open_outbox(desk).list_letters((DRAFT,)) if m.kind == "invitation"]

    assert [(m.address, m.key.standby) for m in left] == [(CARLA, 1)]


@pytest.mark.parametrize(
    ("person", "code"),
    [
        (Standby(0, "Emma", ""), "standby-no-address"),
        (Standby(0, "Emma", CARLA.upper()), "standby-known"),
        (Standby(0, " ", "emma@example.net"), "bad-player"),
        (Standby(0, "Emma", "emma @example.net"), "bad-player"),
    ],
)
def test_who_cannot_be_written_to_or_is_there_already_is_refused(
    desk: Desk, person: Standby, code: str
) -> None:
    _standby(desk)
    with pytest.raises(GameError, match=code):
        add_standby(desk, person)


def test_the_commands_of_the_list(tmp_path: Path) -> None:
    mail_desk(tmp_path, settings={"pictures": "no"}).close()

    def run(*arguments: str) -> str:
        return run_command(*arguments, cwd=tmp_path).out

    run("standby", "Carla Verdi <carla@example.net>, <c@example.com>", "--speaks", "en")
    listed = json.loads(run("standby", "--json"))
    invited = json.loads(run("standby", "--invite", "France", "--json"))
    run("player", "replace", "France", "--standby", "1")
    gone = json.loads(run("standby", "--past", "--json"))

    assert listed[0]["other_addresses"] == ["c@example.com"]
    assert [one["standby"] for one in invited["drafted"]] == [1]
    assert gone[0]["power"] == "France"
    assert "--" not in run("standby")


def test_an_invitation_shows_the_game_as_it_is_when_it_is_sent(tmp_path: Path) -> None:
    clock = Clock()
    with mail_desk(tmp_path, settings={"pictures": "no"}, now=clock) as desk:
        _standby(desk)
        invite_standby(desk, "France", (1,))
        clock.pass_by(minutes=5)
        desk.process("1901-spring", allow_missing=True)
        text = " ".join(_texts(desk)[CARLA].split())

    assert "Open phase: Autumn 1901" in text
    assert "Spring 1901" not in text
