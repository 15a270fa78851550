"""Whatever comes in is kept, decided on, and told to nobody whom it does not concern.

The whole way of a mail, in a real game: from bytes to what is printed and what is drafted.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.cli import app
from alexmagnum.game.inbox_store import ASIDE, TAKEN, WAITING, Message
from alexmagnum.game.letters import Mailing
from alexmagnum.mail.inbox import Inbox
from tests.game.desks import dump, open_desk
from tests.mail.corpus_reader import CORPUS
from tests.mail.mail_desk import ANNA, BRUNO, fetch, mail_desk, reply
from tests.mail.message_checks import SCRAPS, mutate
from tests.mail.test_limits import TEXTS
from tests.sizes import drawn, one_in

MAILS = list(CORPUS.values())
SAID = (
    "A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO\n",
    "STATO\nORDINI\nSTORIA\nAIUTO\nPATTA\nATTENDI\nASSENZA 24/12-6/1\n",
    "STAMPA A ITALIA\nCi vediamo a Roma.\nFINE STAMPA\n\nSTAMPA ANONIMA A TUTTI\nSalve.\n",
    "ANNULLA\nEcco gli ordini: A PAR - BUR, e poi vediamo.\n-- \nAnna\n",
)


class Begun(NamedTuple):
    """A game that has just begun, and replies that its players might send; each mail comes into a
    copy of it."""

    folder: Path
    replies: list[bytes]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    folder = tmp_path_factory.mktemp("any") / "game"
    with mail_desk(folder, settings={"pictures": "no", "press": "relay"}) as desk:
        replies = [reply(desk, power, said) for power in ("France", "Italy") for said in SAID]
    return Begun(folder, replies)


def _deliver(begun: Begun, raw: bytes) -> tuple[Message, list[Mailing]]:
    """Deliver a mail, check what must hold of any mail, and return its fate and its letters."""
    with tempfile.TemporaryDirectory() as home:
        folder = shutil.copytree(begun.folder, Path(home) / "game")
        with open_desk(folder) as desk:
            (message,) = fetch(desk, raw)
            box = Inbox(desk)
            letters = list(box.outbox.list_letters())
            assert box.raw(message.id) == raw
            assert message.state in (TAKEN, WAITING, ASIDE)
            assert "waits-stumbled" not in [why.code for why in message.why], message.why
            for letter in letters:
                assert letter.address in (ANNA, BRUNO)
                (to,) = box.outbox.message(letter.id)["To"].addresses
                assert to.addr_spec == letter.address
            before = dump(folder)
            assert fetch(desk, raw) == []
            assert dump(folder) == before
        _check_commands(folder)
    return message, letters


def _check_commands(folder: Path) -> None:
    """Check that the commands show the mail, and that nothing in it steers the terminal."""
    for command in ("inbox list --all", "inbox show 1 --open", "outbox list", "history"):
        done = CliRunner().invoke(app, ["--game", str(folder), *command.split()])
        assert done.exit_code == 0, done.output
        assert not {c for c in done.output if not (c.isprintable() or c == "\n")}, done.output


@drawn(10, 300)
@given(
    raw=st.binary(max_size=400)
    | st.lists(st.sampled_from(SCRAPS), max_size=12).map(b"".join)
    | st.builds(
        lambda raw, seed: mutate(raw, random.Random(seed), MAILS),
        st.sampled_from(MAILS),
        st.integers(0, 2**32),
    )
)
def test_whoever_does_not_play_is_not_answered(begun: Begun, raw: bytes) -> None:
    message, letters = _deliver(begun, raw)

    assert message.state != TAKEN
    assert letters == []


@drawn(10, 300)
@given(number=st.integers(0, 2 * len(SAID) - 1), seed=st.integers(0, 2**32))
def test_a_reply_is_answered_if_it_is_taken(begun: Begun, number: int, seed: int) -> None:
    """However it was damaged: once, and to its player; press goes to its readers."""
    raw = mutate(begun.replies[number], random.Random(seed), (*begun.replies, *MAILS))
    message, letters = _deliver(begun, raw)
    answers = [(letter.kind, letter.power) for letter in letters if letter.answers == message.id]

    assert answers == ([("receipt", message.power)] if message.state == TAKEN else [])
    rest = {letter.kind for letter in letters if letter.kind != "receipt"}
    assert rest <= {TAKEN: {"press"}, WAITING: {"note"}, ASIDE: set()}[message.state]


@pytest.mark.parametrize("scrap", one_in(8, TEXTS))
def test_a_reply_of_one_thing_is_taken(begun: Begun, scrap: str) -> None:
    """Over and over: it is neither too deep nor too long for anything on its way.

    A mail of nothing but quotation waits for the game master.
    """
    with open_desk(begun.folder) as desk:
        raw = reply(desk, "France", scrap * (9_000 // len(scrap)))
    message, letters = _deliver(begun, raw)

    nothing = {"waits-empty", "waits-quotation", "waits-forwarded"}
    assert message.state == TAKEN or {why.code for why in message.why} <= nothing
    assert len(letters) >= 1
