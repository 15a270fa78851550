"""Whatever bytes come in: the reader takes them, in time, and no quoted order counts.

The whole way of a mail is tested in a real game: it is kept, decided on, and told to nobody that it
does not concern.
"""

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
from alexmagnum.game.mail_store import ASIDE, TAKEN, WAITING, Mailing, Message
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.mime import MAX_LETTER
from alexmagnum.notation import write_order
from tests.each import cells
from tests.game.desks import dump, open_desk
from tests.mail.clients import TOP, Letter
from tests.mail.corpus_reader import CORPUS, SCRAPS, check_message, mutate, ordered, read
from tests.mail.mail_desk import ANNA, BRUNO, fetch, mail_desk, reply
from tests.mail.mime import Part, message, multi, page, quoted, text, wrapped
from tests.mail.people import GAME, TOL
from tests.sizes import drawn, one_in, sampled, sized

MAILS = list(CORPUS.values())
FIELDS = [("From", "a@example.org"), ("To", "b@example.org")]

messages = st.integers(0, len(MAILS) - 1).map(lambda i: MAILS[i])
noise = st.binary(max_size=400) | st.lists(st.sampled_from(SCRAPS), max_size=12).map(b"".join)
seeds = st.integers(0, 2**32)


# -- damage ----------------------------------------------------------------------------------------


@drawn(27, 750)
@given(noise)
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    check_message(raw)


@drawn(14, 750)
@given(messages, seeds)
def test_no_damage_to_a_message_breaks_the_reader(raw: bytes, seed: int) -> None:
    check_message(mutate(raw, random.Random(seed), MAILS))


KINDS = """text/plain text/html text/x message/rfc822 message/delivery-status message/partial
image/png multipart/mixed multipart/report x / text/plain;charset=utf-16
text/plain;format=flowed"""
kinds = st.sampled_from(KINDS.split())
bodies = st.text(max_size=60).map(str.encode) | st.sampled_from(SCRAPS) | messages
leaves = st.builds(Part, kinds, bodies)
trees = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda kind, parts, mark: multi(kind, *parts, boundary=mark),
        st.sampled_from(["mixed", "alternative", "related", "report", "signed", "x"]),
        st.lists(inner, max_size=4),
        st.sampled_from(["a", "b", "ab", "--"]),
    ),
    max_leaves=12,
)


@drawn(11, 750)
@given(trees)
def test_no_tree_of_parts_breaks_the_reader(tree: Part) -> None:
    check_message(message([("From", "a@example.org"), ("Subject", "x")], tree))


def test_a_message_that_breaks_the_reader_all_the_same_is_a_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Check that a hostile mail does not stop the mails behind it."""

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("alexmagnum.mail.parsing.message.read_unguarded", broken)
    incoming = read_message(MAILS[0], own=(GAME,))

    assert incoming.codes == {"unreadable"}
    assert incoming.key.startswith("digest:")


# -- quoted orders ---------------------------------------------------------------------------------

OWN = ("A MEN - ALE", "G ALE - MAM", "F PAN - ICA", "A NOC H")
QUOTED = ("A ISR - DAM", "F TIR - FEN", "F FOC H", "F SIS - SUE", "F EGI#1 - CRE", "F FEN#1 H")
PROSE = (
    "Questo è il resoconto della stagione, con tutti gli ordini che abbiamo ricevuto",
    "La scadenza è domenica 22 novembre 2026 alle ore 23:59, come sempre",
    "These orders were taken from your last mail, and the others were not found",
    "Unità che non hanno ricevuto ordini: F FEN#1, A ISR",
    "A ISR - DAM  riesce",
    "    F TIR - FEN: flotta (Tiro): muove; destinazione: Mare Fenicio",
    "",
)
sent_texts = st.lists(st.sampled_from(PROSE + QUOTED), min_size=3, max_size=25).map(
    lambda lines: "\n".join((PROSE[0], *lines, PROSE[1]))
)
marks = st.sampled_from(["> ", ">", ">> ", "| ", "  ", "", "\t"])


@drawn(27, 750)
@given(
    sent_texts,
    st.lists(st.sampled_from(OWN), min_size=1, unique=True),
    marks,
    st.integers(24, 90),
    st.sampled_from(["above", "below"]),
    st.booleans(),
)
def test_no_order_counts_that_repeats_what_was_sent(
    sent: str, own: list[str], mark: str, width: int, place: str, as_page: bool
) -> None:
    """However it is marked, or not at all, and wherever its lines were broken."""
    shown = quoted(wrapped(sent, width), mark)
    said = "\n".join(["Ecco i miei ordini", *own])
    whole = f"{said}\n\n{shown}" if place == "above" else f"{shown}\n\n{said}"
    body = text(page(whole), "html") if as_page else text(whole)
    _, reading = ordered(read(message(Letter(TOL, 1, TOP).fields(), body), (sent,)), "TOL")
    assert [write_order(o) for o in reading.orders.get("TOL", ())] == own


def test_each_quoted_order_is_told_to_the_game_master_word_for_word() -> None:
    for mark in ("> ", ">", ">> ", "", "| "):
        raw = message(Letter(TOL, 1, TOP).fields(), text(f"A MEN - ALE\n\n{quoted(TOL.old, mark)}"))
        removed = read(raw, (TOL.old,)).removed
        assert all(line in removed for line in TOL.old.split("\n")), mark


# -- messages that are made to keep a reader busy --------------------------------------------------
# They are read in time that grows with them alone.

SIZE, MANY = sized(8_000, 100_000), sized(10_000, 100_000)
PAGES = cells("""
<|<!--|<a |<a b='|<div>|</div>|<p>|<blockquote>|&|&#|<s>x|<b id=1>|<table><tr><td>x|<style>
<![|<br>|&nbsp;|<div></span>
""")
"""Among them those on which parsers that build a tree take minutes."""

_TEXTS = cells("""
>|> |> a¶|a:¶|Da: x¶|Da: x¶Inviato:¶
¶|à|x |----- messaggio originale¶|- messaggio originale -¶|Il 20 ha scritto:¶|Il 20¶|AAA à
A MEN - TEB¶|A MEN - TEB, |STAMPA A TOL¶|FINE STAMPB¶|stato¶|A Mefni - Tebbe¶|--¶|-- ¶|a ¶
ORDINI¶|stampa tutto¶|A tutti¶
""")
TEXTS = [*(scrap.replace("¶", "\n") for scrap in _TEXTS), f"{'-' * 200}\n"]
NAMES = cells("""
From|Subject|To|Message-ID|Date|References|Content-Type|Content-Disposition
Content-Transfer-Encoding
""")
VALUES = ["=?utf-8?q?a?= ", "<", "a@b,", '"', "(", '"\\', "=?x?", "<a@b>"]
MIXED = b"Content-Type: multipart/mixed; boundary=a\r\n\r\n"
INNER = b"Content-Type: message/rfc822\r\n\r\n"
BASE64 = Part("text/plain", b"A" * SIZE, (("Content-Transfer-Encoding", "base64"),))
RAWS = {
    "boundaries": MIXED * MANY,
    "messages": INNER * MANY,
    "deep": INNER * 390 + b"x\n" * MANY,
    "parts": MIXED + b"--a\r\n\r\nx\r\n" * (MANY // 2),
    "fields": message([("Received", "x")] * (MANY // 2), text("x")),
    "senders": message([("From", "a@b.c, " * 500)] * 500, text("x")),
    "base64": message(FIELDS, BASE64),
    "bytes": bytes(range(256)) * 2_000,
}


def _filled(scrap: str, kind: str = "plain", more: str = "") -> bytes:
    """Return a message that says one thing over and over."""
    return message(FIELDS, text(scrap * (SIZE // len(scrap)), kind, encoding="8bit", more=more))


@sampled
@pytest.mark.parametrize("scrap", one_in(4, PAGES))
def test_a_page_of_one_thing_is_read(scrap: str) -> None:
    check_message(_filled(scrap, "html"))


@sampled
@pytest.mark.parametrize("scrap", one_in(8, TEXTS))
def test_a_text_of_one_thing_is_read(scrap: str) -> None:
    check_message(_filled(scrap, more="; format=flowed"))


@pytest.mark.parametrize("value", one_in(4, VALUES))
def test_fields_of_one_thing_are_read(value: str) -> None:
    for name in NAMES:
        check_message(message([*FIELDS, (name, value * 9_000)], text("x")))


@pytest.mark.parametrize("name", one_in(3, RAWS))
def test_a_message_of_one_thing_is_read(name: str) -> None:
    check_message(RAWS[name])


def test_messages_within_messages_are_not_taken_apart_for_ever() -> None:
    inner = message(FIELDS, text("A MEN H"))
    for i in range(60):
        inner = message(FIELDS, multi("mixed", Part("message/rfc822", inner), boundary=f"b{i}"))
    assert check_message(inner).text == ""


def test_what_is_too_large_is_cut_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody writes longer letters; of a large message the text comes before the pictures."""
    letter = read_message(message(FIELDS, text("Caro arbitro, " * 6_000, encoding="8bit")))
    monkeypatch.setattr("alexmagnum.mail.parsing.mime.MAX_BYTES", 1_000)
    body = multi("mixed", text("A MEN H"), text("x" * 5_000), boundary="b")
    incoming = check_message(message(FIELDS, body))
    assert len(letter.text) <= MAX_LETTER
    assert incoming.text.startswith("A MEN H")
    assert "too-large" in letter.codes & incoming.codes


# -- the whole way of a mail -----------------------------------------------------------------------

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
            assert box.store.raw(message.id) == raw
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


damaged = st.builds(lambda raw, seed: mutate(raw, random.Random(seed), MAILS), messages, seeds)


@drawn(4, 120)
@given(raw=noise | damaged)
def test_whoever_does_not_play_is_not_answered(begun: Begun, raw: bytes) -> None:
    message, letters = _deliver(begun, raw)
    assert message.state != TAKEN
    assert letters == []


@drawn(4, 120)
@given(number=st.integers(0, 2 * len(SAID) - 1), seed=seeds)
def test_a_reply_is_answered_if_it_is_taken(begun: Begun, number: int, seed: int) -> None:
    """However it was damaged: once, and to its player; press goes to its readers."""
    raw = mutate(begun.replies[number], random.Random(seed), (*begun.replies, *MAILS))
    message, letters = _deliver(begun, raw)
    answers = [(letter.kind, letter.power) for letter in letters if letter.answers == message.id]
    assert answers == ([("receipt", message.power)] if message.state == TAKEN else [])
    rest = {letter.kind for letter in letters if letter.kind != "receipt"}
    assert rest <= {TAKEN: {"press"}, WAITING: {"note"}, ASIDE: set()}[message.state]


@pytest.mark.parametrize("scrap", one_in(14, TEXTS))
def test_a_reply_of_one_thing_is_taken(begun: Begun, scrap: str) -> None:
    """Over and over, neither too deep nor too long; one of nothing but quotation waits."""
    with open_desk(begun.folder) as desk:
        raw = reply(desk, "France", scrap * (7_900 // len(scrap)))
    message, letters = _deliver(begun, raw)

    nothing = {"waits-empty", "waits-quotation", "waits-forwarded"}
    assert message.state == TAKEN or {why.code for why in message.why} <= nothing
    assert len(letters) >= 1
