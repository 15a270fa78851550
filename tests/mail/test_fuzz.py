"""No bytes break the reader, and no order that was quoted counts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.mail.parsing.message import read_message
from alexmagnum.notation import write_order
from tests.mail.clients import TOP, Letter
from tests.mail.corpus_reader import CORPUS, ordered, read
from tests.mail.message_checks import SCRAPS, check_message, mutate
from tests.mail.mime import Part, message, multi, page, quoted, text, wrapped
from tests.mail.people import GAME, TOL
from tests.sizes import drawn

MAILS = list(CORPUS.values())


messages = st.integers(0, len(MAILS) - 1).map(lambda i: MAILS[i])


@drawn(60, 3000)
@given(st.binary(max_size=400) | st.lists(st.sampled_from(SCRAPS), max_size=12).map(b"".join))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    check_message(raw)


@drawn(30, 3000)
@given(messages, st.integers(0, 2**32))
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


@drawn(25, 1500)
@given(trees)
def test_no_tree_of_parts_breaks_the_reader(tree: Part) -> None:
    check_message(message([("From", "a@example.org"), ("Subject", "x")], tree))


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


@drawn(60, 3000)
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
    raw = message(Letter(TOL, 1, TOP).fields(), body)
    _, reading = ordered(read(raw, (sent,)), "TOL")

    assert [write_order(o) for o in reading.orders.get("TOL", ())] == own


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "", "| "])
def test_each_quoted_order_is_told_to_the_game_master(mark: str) -> None:
    """Check that quoted orders are kept word for word."""
    raw = message(Letter(TOL, 1, TOP).fields(), text(f"A MEN - ALE\n\n{quoted(TOL.old, mark)}"))
    removed = read(raw, (TOL.old,)).removed

    assert all(line in removed for line in TOL.old.split("\n"))


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
