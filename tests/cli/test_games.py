"""Several games in one folder: which mail goes where, what holds which game back, the list."""

import email
import re
import shutil
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.game.file import hold_lock
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import InboxStore
from alexmagnum.game.records import GmLetterRow
from alexmagnum.mail.outbox import Outbox
from tests.cli.games_table import BRUNO, MAILBOX, SETTINGS, GamesTable
from tests.game.desks import NOON, change_by_hand, new_desk

ORDERS = "A LVP - YOR\nF EDI H\nF LON H"
READ = ("A LVP - YOR", "F EDI H", "F LON H")


@pytest.fixture
def games(tmp_path: Path) -> GamesTable:
    table = GamesTable(tmp_path / "games")
    table.create("alfa", "beta")
    return table


# -- which game a mail is for ----------------------------------------------------------------------


@pytest.mark.proof
def test_a_mail_goes_to_the_game_whose_code_or_tag_it_has(games: GamesTable) -> None:
    games.tick(games.mail(ORDERS, to=games.address("beta")))
    assert games.orders("beta") == READ
    assert games.messages("alfa") == ()

    games.tick(games.mail(ORDERS, Subject=f"Re: [AM-alfa] Report {games.tag('alfa')}"))
    games.tick(games.mail(ORDERS, Subject="[AM-beta] my orders"))
    assert games.orders("alfa") == READ
    assert (games.states("alfa"), games.states("beta")) == (["taken"], ["taken", "waiting"])

    games.tick(
        games.mail("F LON - ENG", to=games.address("alfa")),
        games.mail("F LON - NTH", to=games.address("beta")),
    )
    assert games.orders("alfa") == (*READ[:2], "F LON - ENG")
    assert games.orders("beta") == (*READ[:2], "F LON - NTH")


def test_a_mail_without_a_code_goes_to_the_game_whose_letter_it_answers(games: GamesTable) -> None:
    games.run("--game", str(games.folder / "beta"), "outbox", "remind", "--all")
    with games.desk("beta") as desk:
        letter = next(m for m in Outbox(desk).list_letters() if m.power == "England")
    games.tick(games.mail(ORDERS, In_Reply_To=letter.message_id))
    assert [why.code for why in games.messages("beta")[0].why] == ["waits-no-code"]
    assert games.messages("alfa") == ()


def test_a_mail_without_any_name_goes_to_the_only_game_that_knows_its_sender(
    games: GamesTable,
) -> None:
    games.tick(games.mail("A BUD - SER", "anna-alfa@example.org"))
    assert [why.code for why in games.messages("alfa")[0].why] == ["waits-no-code"]
    assert games.messages("beta") == ()

    lost = {"X_Failed_Recipients": "anna-beta@example.org"}
    games.tick(games.mail("no such user", "mailer-daemon@example.org", **lost))
    assert (games.states("alfa"), games.states("beta")) == (["waiting"], ["aside"])


def test_games_of_one_name_are_told_apart_by_their_codes(games: GamesTable) -> None:
    for name in ("alfa", "beta"):
        own = f"UPDATE games SET name = 'twins', secret = '{name.encode().hex()}'"
        change_by_hand(games.folder / name, own)
    games.tick(games.mail(ORDERS, to=games.address("beta"), Subject="Re: [AM-twins] Report"))
    assert (games.orders("alfa"), games.orders("beta")) == ((), READ)


def test_mail_of_no_game_reaches_none_and_is_not_answered(games: GamesTable) -> None:
    for mail in (
        games.mail("Buy cheap watches", "eve@example.com"),
        games.mail(ORDERS, "eve@example.com"),
        games.mail(ORDERS, MAILBOX),
        games.mail(ORDERS, Subject="Re: [AM-gamma] Report (England-abcdefgh)"),
    ):
        assert games.tick(mail).output == ""
        assert games.messages("alfa") == games.messages("beta") == ()
        assert games.letters("alfa") == games.letters("beta") == []


def test_each_game_master_hears_of_a_mailbox_that_cannot_be_read(
    games: GamesTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one did not (a thirteenth attack)."""
    monkeypatch.setenv("ALEXMAGNUM_IMAP_PASSWORD", "x")
    for name in ("alfa", "beta"):
        with games.desk(name) as desk:
            desk.set("imap_server", "imap-open://x@127.0.0.1:1")
            desk.set("gm_address", f"{name}@example.org")
    games.tick(status=1)
    for name in ("alfa", "beta"):
        with games.desk(name) as desk:
            assert len(desk.file.select(GmLetterRow)) == 1


# -- a mail that could belong to two games ---------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "subject"),
    [
        ("", ""),
        ("alfa", "Orders {tag}"),
        ("alfa", "[AM-beta] orders"),
        ("", "[AM-alfa] [AM-beta] orders"),
    ],
    ids=["sender", "two codes", "code and tag", "two tags"],
)
def test_a_mail_that_could_belong_to_two_games_waits_in_both_and_its_sender_is_asked(
    games: GamesTable, to: str, subject: str
) -> None:
    fields = {"Subject": subject.format(tag=games.tag("beta"))} if subject else {}
    done = games.tick(games.mail(ORDERS, to=games.address(to) if to else MAILBOX, **fields))

    for game in ("alfa", "beta"):
        (message,) = games.messages(game)
        assert message.state == "waiting"
        assert "waits-several-games" in [why.code for why in message.why]
        ((kind, power, text),) = games.letters(game)
        assert (kind, power) == ("note", "England")
        assert f"If it is for {game}, answer this mail" in " ".join(text.split())
        assert games.orders(game) == ()
    assert "it could be for any of these games: alfa, beta" in done.stdout


def test_orders_of_a_game_are_no_words_in_another(games: GamesTable) -> None:
    """A game that was over, or on another map, told its game master the orders."""
    games.run("--game", str(games.folder / "alfa"), "end", "--draw", "--reason", "agreed")
    said = (f"{ORDERS}\nI am in hospital.\n", "I may be late.", "I go from London to the Channel.")
    done = games.tick(*map(games.mail, said))
    told = ("I may be late.", "I am in hospital.", "I may be late.", "[…]")  # alfa; beta
    assert re.findall("For you: (.*)", done.stdout) == [*told]
    one = games.mail("A BUD - RUM\nI like it.", Subject="My F Tri H")
    (games.folder / "one.eml").write_bytes(one)
    place = ("--game", str(games.folder / "alfa"), "inbox")
    alone = games.run(*place, "fetch", f"{games.folder}/one.eml").stdout
    alone += games.run(*place, "list", "--all").stdout
    assert ("RUM" in alone, "Tri" in alone, "I like it." in alone) == (False, False, True)
    assert "My F Tri H" in games.run(*place, "show", "4", "--open").stdout


def test_an_order_in_words_below_those_of_a_game_is_no_word_in_another(games: GamesTable) -> None:
    """Both games could be meant, on whose maps the orders alone look alike."""
    own = "UPDATE players SET power = 'France' WHERE name = 'Bruno'"
    change_by_hand(games.folder / "alfa", own)
    done = games.tick(games.mail(f"{ORDERS.title()}\n\nIs F Lon H better?"))
    assert "Lon" not in done.stdout
    said = "So F Lon H it is.\nI am in hospital."
    answer = games.mail(said, to=games.address("alfa", "France"))  # the wrong game
    assert "Lon" not in games.tick(answer).stdout
    assert "could be for any of these games" in games.letters("alfa")[-1][2]
    known = {"In_Reply_To": games.question("alfa")}
    done = games.tick(games.mail("A Par H", to=games.address("alfa", "France"), **known))
    assert ("Lon" in done.stdout, games.orders("alfa", "France")) == (False, ("A PAR H",))
    tray = ("--game", str(games.folder / "alfa"), "inbox", "list", "--tray")
    assert "[…]" in games.run(*tray).stdout


def test_an_order_for_a_game_on_another_map_is_asked_about(tmp_path: Path) -> None:
    games, player = GamesTable(tmp_path / "games"), Player("TOL", "Bruno", BRUNO, "en")
    games.create("alfa")
    about: dict[str, Any] = {"settings": SETTINGS, "name": "beta", "now": games.clock}
    new_desk(games.folder / "beta", "alexmagnum", players=(player,), **about).close()
    for text in (f"{ORDERS}\n\nFor the other game: Memphis", "I choose Memphis"):
        assert "Memphis" not in games.tick(games.mail(text, to=games.address("alfa"))).stdout
        assert games.states("alfa")[-1] == "waiting"
        assert "any of these games" in games.letters("alfa")[-1][2]
    games.tick(games.mail(f"{ORDERS}\n\nCiao\nBabilonia", to=games.address("alfa")))
    assert games.orders("alfa") == READ  # a signature is no order
    assert "menfi" not in games.tick(games.mail("vado a menfi", to=games.address("alfa"))).stdout


@pytest.mark.parametrize("text", ["No, sorry.", "Yes, I take Vienna and London!"])
def test_what_another_game_set_aside_or_an_invitation_asked_for_is_settled_nowhere_else(
    games: GamesTable, text: str
) -> None:
    """A player of one game was seated in the other against a no (a twelfth attack)."""
    games.run("--game", str(games.folder / "beta"), "standby", "Anna <anna-alfa@example.org>")
    (games.folder / "answer.eml").write_bytes(games.mail(text, "anna-alfa@example.org"))
    for name in ("beta", "alfa"):  # each alone, as from the mailbox that they share
        games.run(
            "--game", str(games.folder / name), "inbox", "fetch", f"{games.folder}/answer.eml"
        )
    games.tick()
    (message,) = games.messages("beta")
    assert (message.state, message.why[0].code) == ("waiting", "waits-standby")


@pytest.mark.proof
def test_an_answer_with_orders_to_the_question_settles_it_in_both_games(games: GamesTable) -> None:
    games.tick(games.mail(ORDERS))
    games.clock.pass_by(minutes=5)
    answer = {"to": games.address("beta"), "In_Reply_To": games.question("beta")}
    games.tick(
        games.mail("No, for alfa: there I want A LVP - WAL.\nHELP", **answer),
        games.mail("F LON - NTH"),
    )
    games.tick()
    assert games.states("alfa") == ["waiting", "waiting"]
    assert games.states("beta") == ["waiting", "taken", "waiting"]
    games.tick(games.mail("A LVP - WAL", **answer))
    assert games.states("alfa") == ["aside", "waiting"]
    assert games.states("beta") == ["aside", "taken", "waiting", "taken"]
    for game, second in (("alfa", "2"), ("beta", "3")):
        games.run("--game", str(games.folder / game), "inbox", "reject", second)
    games.clock.at = NOON.replace(day=30)
    assert games.tick(options=("--process",)).stdout.count("resolved: Spring 1901, movement") == 2


def test_a_mail_that_one_game_took_alone_still_waits_in_the_other(games: GamesTable) -> None:
    games.create("gamma", "delta", settings={"code_needed": "no"})
    (games.folder / "one.eml").write_bytes(games.mail(ORDERS))
    path = str(games.folder / "one.eml")
    games.run("--game", str(games.folder / "gamma"), "inbox", "fetch", path)
    games.run("tick", "--all", str(games.folder), path)
    assert (games.states("gamma"), games.states("delta")) == (["taken"], ["waiting"])


@pytest.mark.proof
def test_a_mail_accepted_by_hand_is_settled_in_the_other_game(games: GamesTable) -> None:
    games.tick(games.mail(f"{ORDERS}\nI am late.\n"))
    games.run("--game", str(games.folder / "alfa"), "inbox", "accept", "1")
    games.tick()
    assert games.orders("alfa") == READ
    assert games.states("beta") == ["aside"]
    with games.desk("beta") as desk:
        assert not InboxStore(desk.file).find_passages()


@pytest.mark.proof
def test_as_long_as_it_waits_it_holds_both_games_back(games: GamesTable) -> None:
    games.clock.at = NOON.replace(day=30)
    done = games.tick(games.mail(ORDERS), options=("--process",), status=1)
    assert done.stdout.count("holds the phase back (England)") == 2


# -- one game does not stop the others -------------------------------------------------------------


def test_a_broken_game_does_not_stop_the_others(games: GamesTable) -> None:
    """A mail that may be for it waits, and the letter of another game tells of it."""
    with games.desk("beta") as desk:
        desk.set("code_needed", "no")
        desk.set("gm_address", "gm@example.net")
    to = games.address("beta")
    (games.folder / "alfa" / "game.db").write_text("junk")
    done = games.tick(games.mail(ORDERS, to=to), games.mail("F LON - NTH"), status=1)
    assert games.orders("beta") == READ
    assert games.states("beta") == ["taken", "waiting"]
    assert [why.code for why in games.messages("beta")[1].why] == ["waits-game-unread"]
    assert done.stderr.startswith("alfa: ")
    assert len(done.stderr.splitlines()) == 1
    (letter,) = (games.folder / "beta" / "outbox").glob("gm-*.eml")
    text = email.message_from_bytes(letter.read_bytes(), policy=default).get_body(("plain",))
    assert text is not None
    assert "alfa" in text.get_content()


def test_a_file_that_cannot_be_read_keeps_the_phases_open(games: GamesTable) -> None:
    games.clock.at = NOON.replace(day=30)
    nowhere = str(games.folder / "nowhere.eml")
    done = games.run("tick", "--all", str(games.folder), nowhere, "--process", status=1)
    assert "nowhere.eml" in done.stderr
    assert "resolved: " not in done.stdout


def test_a_locked_game_does_not_stop_the_others_and_gets_its_mail_the_next_time(
    games: GamesTable,
) -> None:
    games.clock.at = NOON.replace(day=30)
    with hold_lock(games.folder / "alfa", "tick"):
        done = games.tick(options=("--process",), status=1)
    assert done.stdout.partition("  ")[2].startswith("beta: resolved: Spring 1901")
    assert done.stderr.startswith("alfa: another command")


def test_a_copy_of_a_game_is_left_alone_and_named(games: GamesTable) -> None:
    to = games.address("alfa")
    games.tick()
    for name in ("a-copy", ".hidden"):
        shutil.copytree(games.folder / "alfa", games.folder / name)
    with games.desk("a-copy") as desk:
        desk.set("press", "off")  # something was tried in the copy
    for _ in range(2):
        done = games.tick(games.mail(ORDERS, to=to), status=1)
        assert games.orders("alfa") == READ
        assert games.states("a-copy") == games.states(".hidden") == []
        assert done.stderr.startswith("a-copy: ")
        assert "is a copy of the game in 'alfa'" in done.stderr
    with hold_lock(games.folder / "alfa", "tick"):
        assert "is a copy of the game in 'alfa'" in games.tick(status=1).stderr
    file = games.folder / "alfa" / "game.db"
    whole = file.read_bytes()
    file.write_bytes(b"x" + whole[1:])
    assert "is a copy of the game in 'alfa'" in games.tick(status=1).stderr
    file.write_bytes(whole)
    (games.folder / "games.json").unlink()
    assert games.tick(status=1).stderr.count("nobody can tell which of them is the game") == 2


def test_a_link_to_a_game_is_no_second_game(games: GamesTable) -> None:
    (games.folder / "aaa").symlink_to(games.folder / "alfa")
    games.tick(games.mail(ORDERS, to=games.address("alfa")))
    assert games.orders("alfa") == READ
    assert len(games.json("games", str(games.folder))) == 2


def test_two_ticks_of_one_folder_do_not_meet(games: GamesTable) -> None:
    with hold_lock(games.folder, "tick-all"):
        assert "another command" in games.tick(status=1).stderr


def test_a_folder_of_games_needs_no_option(
    games: GamesTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(games.folder)
    monkeypatch.delenv("ALEXMAGNUM_GAME", raising=False)
    games.clock.at = NOON.replace(day=30)
    assert games.run("tick", "--process").stdout.count(": resolved: ") == 2
    assert len(games.run("games").stdout.splitlines()) == 2
    (tmp_path / "empty").mkdir()
    done = games.run("tick", "--all", str(tmp_path / "empty"), status=2)
    assert "there are no games in" in done.stderr


def test_the_events_of_all_games_are_for_machines(games: GamesTable) -> None:
    path = games.folder.parent / "one.eml"
    path.write_bytes(games.mail(ORDERS, to=games.address("beta")))
    told = games.json("tick", "--all", str(games.folder), str(path))
    assert [(t["game"], t["what"]) for t in told] == [("beta", "fetched"), ("beta", "sent")]


def test_the_warnings_of_each_game_are_told(games: GamesTable, tmp_path: Path) -> None:
    (stick := tmp_path / "stick").mkdir()
    games.run("settings", "second_place", str(stick), "--game", str(games.folder / "alfa"))
    (life,) = stick.glob("*/changes/life")
    life.write_text("other")
    done = games.run("tick", "--all", str(games.folder), "--lang", "en")
    assert "alfa: warning: the second place had this game" in done.stderr


# -- the list --------------------------------------------------------------------------------------


def test_games_are_listed_one_line_each(games: GamesTable) -> None:
    games.tick(games.mail(ORDERS, to=games.address("alfa")), games.mail("A VIE H", BRUNO))
    lines = games.run("games", str(games.folder), "--lang", "en").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["alfa", "beta"]
    assert all("Spring 1901, movement (1901-spring)" in line for line in lines)
    assert "missing: Austria, France" in lines[0]
    assert "missing: Austria, England" in lines[1]
    assert all("mails waiting: 1" in line for line in lines)


def test_games_are_listed_for_machines(games: GamesTable) -> None:
    (games.folder / "gamma").mkdir()
    (games.folder / "gamma" / "game.db").write_text("junk")
    alfa, beta, gamma = games.json("games", str(games.folder), status=1)
    assert (alfa["game"], alfa["phase"], alfa["waiting"]) == ("alfa", "1901-spring", 0)
    assert "England" in beta["missing"]
    assert gamma["error"] == "game-foreign"


@pytest.mark.parametrize(
    "change",
    [
        "messages SET why = '5'",
        "players SET other_addresses = '{'",
        "settings SET value = ''",
        "sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
        " WHERE name = 'messages_state') WHERE name = 'letters'",
    ],
)
def test_a_game_whose_rows_cannot_be_read_keeps_none_of_the_others(
    games: GamesTable, change: str
) -> None:
    games.tick(games.mail(ORDERS, "eve@example.com", to=games.address("alfa")))
    with games.desk("alfa") as desk:
        desk.file.db.execute("PRAGMA writable_schema = ON")
        desk.file.db.execute(f"UPDATE {change}")
    assert "alfa" in games.tick(games.mail(ORDERS, to=games.address("beta")), status=1).output
    status = int("letters" not in change)  # no list of games reads them
    assert "beta" in games.run("games", str(games.folder), status=status).stdout
    assert games.orders("beta") == READ
