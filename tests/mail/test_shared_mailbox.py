"""A mailbox of several games on a real server: fetched once, and nothing in it is touched."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.game.game import Player
from alexmagnum.mail import shared_mailbox
from alexmagnum.mail.transport import Found, read_mailbox
from tests.cli.games_table import GamesTable
from tests.mail.dovecot import Dovecot

ORDERS = "A LVP - YOR\nF EDI H\nF LON H"

_numbers = count(1)


def _now() -> datetime:
    """Return the time of the mail server's clock, which a test cannot change."""
    return datetime.now(UTC)


@pytest.fixture
def folder() -> str:
    """Return the name of a folder of the mailbox that no other test uses."""
    return f"Games {next(_numbers)}"


@pytest.fixture
def games(tmp_path: Path, imap_server: Dovecot, imap_password: None, folder: str) -> GamesTable:
    imap_server.deliver(folder=folder)
    table = GamesTable(tmp_path / "games", _now)
    settings = {**imap_server.settings_of(folder), "gm_address": "gm@example.net"}
    table.create("alfa", "beta", settings=settings)
    return table


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the messages that each reading of a mailbox fetches."""
    counts: list[int] = []

    def count_and_read(*arguments: Any) -> Iterator[Found]:
        found = list(read_mailbox(*arguments))
        counts.append(len(found))
        yield from found

    monkeypatch.setattr(shared_mailbox, "read_mailbox", count_and_read)
    return counts


def test_one_mailbox_is_fetched_once_for_all_games(
    games: GamesTable, imap_server: Dovecot, folder: str, fetched: list[int]
) -> None:
    games.run("standby", "Gino <gino@example.org>", "--game", str(games.folder / "alfa"))
    imap_server.deliver(
        games.mail(ORDERS, to=games.address("alfa")),
        games.mail("Take me off the list.", "gino@example.org", Precedence="bulk"),
        games.mail("F LON - NTH", to=games.address("beta")),
        games.mail("You have won", "eve@example.com"),
        games.mail("Dinner on Friday?", "anna-alfa@example.org"),
        folder=folder,
    )
    games.tick()
    games.tick()
    assert fetched == [5, 0]
    assert games.orders("alfa") == ("A LVP - YOR", "F EDI H", "F LON H")
    assert games.orders("beta") == ("F LON - NTH",)
    assert games.states("alfa") == ["taken", "waiting", "aside"]
    assert [flags for flags in imap_server.flags(folder) if "Seen" in flags] == []


def test_mail_of_no_game_is_stored_nowhere_and_looked_at_once(
    games: GamesTable, imap_server: Dovecot, folder: str, fetched: list[int]
) -> None:
    imap_server.deliver(games.mail("My secret diary", "eve@example.com"), folder=folder)
    games.tick()
    games.tick()
    kept = [path for path in games.folder.rglob("*") if path.is_file()]
    assert fetched == [1, 0]
    assert not [path for path in kept if b"secret diary" in path.read_bytes()]


def test_mail_that_was_fetched_in_one_game_alone_still_reaches_the_others(
    games: GamesTable, imap_server: Dovecot, folder: str, fetched: list[int]
) -> None:
    imap_server.deliver(
        games.mail("F LON - NTH", to=games.address("beta")),
        games.mail("A VIE - GAL", "anna-beta@example.org"),
        games.mail("Dinner on Friday?", "anna-alfa@example.org"),
        folder=folder,
    )
    games.run("inbox", "fetch", "--game", str(games.folder / "alfa"))
    before = games.states("alfa")
    games.tick()
    games.tick()

    assert before == ["aside", "waiting", "aside"]
    assert games.orders("beta") == ("F LON - NTH",)
    assert games.states("beta") == ["taken", "waiting"]
    assert games.states("alfa") == ["aside", "aside", "aside"]
    assert fetched == [3, 0]


def test_notes_that_are_damaged_are_written_anew(
    games: GamesTable, imap_server: Dovecot, folder: str, fetched: list[int]
) -> None:
    imap_server.deliver(games.mail("You have won", "eve@example.com"), folder=folder)
    games.tick()
    for damaged in ("", "[]", '{"fingerprint": 1}', "\0"):
        (games.folder / shared_mailbox.NOTES).write_text(damaged)
        games.tick()
    assert fetched == [1] * 5


def test_mail_comes_again_to_a_game_that_was_put_back_from_a_copy(
    games: GamesTable, imap_server: Dovecot, folder: str, tmp_path: Path
) -> None:
    to = games.address("beta")
    shutil.copytree(games.folder / "beta", tmp_path / "copy")
    imap_server.deliver(games.mail("F LON - NTH", to=to), folder=folder)
    games.tick()
    shutil.rmtree(games.folder / "beta")
    shutil.copytree(tmp_path / "copy", games.folder / "beta")
    games.tick()
    assert games.orders("beta") == ("F LON - NTH",)


def test_a_player_who_joins_later_is_looked_for_in_mail_of_no_game(
    games: GamesTable, imap_server: Dovecot, folder: str
) -> None:
    imap_server.deliver(games.mail("A PAR - BUR", "zoe@example.org"), folder=folder)
    games.tick()
    with games.desk("beta") as desk:
        desk.set_player("France", name="Zoë", address="zoe@example.org")
    games.tick()
    assert (games.states("alfa"), games.states("beta")) == ([], ["waiting"])


@pytest.mark.parametrize("needed", ["yes", "no"])
def test_old_mails_of_a_player_are_for_no_game_that_was_made_or_that_they_joined_later(
    games: GamesTable, imap_server: Dovecot, folder: str, tmp_path: Path, needed: str
) -> None:
    settings = {**imap_server.settings_of(folder), "code_needed": needed}
    games.create("old", settings=settings)
    for text in ("A VIE - GAL", "I resign. Which day is it?"):
        imap_server.deliver(games.mail(text, "anna-old@example.org"), folder=folder)
    games.tick()
    games.run("inbox", "reject", "1", "--game", f"{games.folder}/old", status=int(needed == "no"))
    games.clock = lambda: _now() + timedelta(hours=1)
    for name in ("old", "alfa"):
        with games.desk("alfa") as desk:
            desk.replace_player(Player("Austria", "Anna", f"anna-{name}@example.org"))
        games.tick()
        assert games.messages("alfa") == ()
    (games.folder / "old").rename(tmp_path / "over")
    imap_server.deliver(games.mail("A VIE - TYR"), folder=folder)  # nobody has read it yet
    games.create("old", settings=settings)
    games.tick()
    whys = [[why.code for why in message.why] for message in games.messages("old")]
    assert (whys, games.letters("old")) == ([["aside-before-game"]] * 2, [])
    assert games.states("alfa") == games.states("beta") == ["waiting"]


def test_no_phase_is_resolved_while_the_mailbox_cannot_be_read_and_one_letter_says_so(
    games: GamesTable, imap_server: Dovecot, folder: str
) -> None:
    for name in ("alfa", "beta"):
        with games.desk(name) as desk:
            desk.set_deadline(_now() - timedelta(minutes=1))
            desk.set("imap_server", imap_server.settings_of("Nowhere")["imap_server"])
    done = games.tick(options=("--process",), status=1)
    letters = [path.read_text() for path in games.folder.glob("*/outbox/gm-*.eml")]
    assert "Nowhere" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert ": resolved:" not in done.stdout
    assert sum("Nowhere" in letter for letter in letters) == 1


def test_games_with_mailboxes_of_their_own_fetch_them_themselves(
    games: GamesTable, imap_server: Dovecot, folder: str
) -> None:
    with games.desk("beta") as desk:
        desk.set("imap_server", imap_server.settings_of(f"{folder} of beta")["imap_server"])
    imap_server.deliver(games.mail(ORDERS, to=games.address("beta")), folder=f"{folder} of beta")
    games.tick()
    assert games.orders("beta") == ("A LVP - YOR", "F EDI H", "F LON H")
    assert games.messages("alfa") == ()
