"""No text for one reader holds what is another's: orders that wait, picks, orders sent ahead,
lines that could not be read, the game master's notes.

Everything secret in a context is a marker that stands nowhere else; every rendering is searched
for the markers of all others.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.game.game import Change, Player, Press, Receipt, Seal, Understood
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Pick
from alexmagnum.report.context import GM, OPEN, PhaseContext, filter_context
from alexmagnum.report.formats import MapPictures, format_report, format_report_in_all
from tests.report import phase_contexts
from tests.sizes import drawn, one_in

BOARD = load_board("alexmagnum")
OWN_PICKS = BOARD.with_rules({"publish_picks": "own"})
POWERS = tuple(BOARD.powers)
PICKABLE = [p.id for p in BOARD.provinces.values() if p.centre == "start"]
VERDICTS = ("good", "doubtful", "impossible", "unreadable", "ambiguous", "replaced", "prose")
AHEAD = ("", "retreats", "winter")
MAPS = MapPictures()


def marker(owner: str, what: str) -> str:
    """Return a word that is one owner's secret and needs no escaping in any format."""
    return f"zq{owner}{what}qz".lower()


def _lines(power: str, verdicts: list[str], ahead: list[str]) -> tuple[Understood, ...]:
    return tuple(
        Understood(
            marker(power, f"line{i}"),
            marker(power, f"order{i}"),
            verdict,
            "unknown-verb",
            {"fragment": marker(power, f"fragment{i}")},
            kind,
        )
        for i, (verdict, kind) in enumerate(zip(verdicts, ahead, strict=False))
    )


@st.composite
def contexts(draw: st.DrawFn) -> PhaseContext:
    """Draw a phase of any kind, processed or not, with markers in every field."""
    context = phase_contexts.ALL[
        draw(st.sampled_from(sorted({*phase_contexts.ALL} - {"standard"})))
    ]()
    if draw(st.booleans()):
        context = replace(context, outcome=None)
    phase = str(context.position.phase)
    receipts = {}
    for power in draw(st.sets(st.sampled_from(POWERS))):
        verdicts = draw(st.lists(st.sampled_from(VERDICTS), max_size=5))
        receipts[power] = Receipt(
            power,
            phase,
            1,
            "2026-11-20T10:00:00Z",
            _lines(power, verdicts, draw(st.lists(st.sampled_from(AHEAD), min_size=5, max_size=5))),
            (marker(power, "order"),),
            (marker(power, "missing"),),
            marker(power, "digest"),
            True,
        )
    kinds = st.sets(st.sampled_from(("retreats", "winter")))
    return replace(
        context,
        receipts=receipts,
        pending={p: (marker(p, "pending"),) for p in draw(st.sets(st.sampled_from(POWERS)))},
        ahead={p: {k: (marker(p, f"ahead{k}"),) for k in draw(kinds)} for p in POWERS},
        gm_notes=(marker("GM", "notes"),),
        before=context.before if context.outcome else (marker("GM", "before"),),
        after=context.after if context.outcome else (marker("GM", "after"),),
        players=tuple(_player(power) for power in POWERS),
        addresses_public=False,
        seals=tuple(
            Seal(p, "7F3A-91C2", marker(p, "salt"), (marker(p, "sealed"),)) for p in POWERS
        ),
    )


def _player(power: str) -> Player:
    return Player(
        power,
        f"Player of {power}",
        address=marker("GM", f"address{power}"),
        absent_from=marker("GM", "from"),
        absent_until=marker("GM", "until"),
        note=marker("GM", "note"),
    )


def _renderings(
    context: PhaseContext, recipient: str | None, *, opened: bool = False
) -> Iterator[tuple[str, str]]:
    """Every format in every language; the pictures are kept from one reader to the next, the
    letters of the page left out."""
    for lang in LANGUAGES:
        texts = format_report_in_all(context, recipient, load_sentences(lang), MAPS, opened=opened)
        for form, text in texts.items():
            yield f"{form} {lang}", re.sub(r"url\(data:[^)]*\)", "", text)


@pytest.mark.parametrize("recipient", one_in(4, [None, *POWERS]))
@drawn(3, 60)
@given(contexts())
def test_no_reader_finds_a_marker_of_another(recipient: str | None, context: PhaseContext) -> None:
    own = f"zq{recipient or '-'}".lower()
    for where, text in _renderings(context, recipient, opened=True):
        assert not {m for m in re.findall(r"zq\w+qz", text.lower()) if not m.startswith(own)}, where


@drawn(4, 20)
@given(contexts())
def test_the_markers_are_where_their_owners_read(context: PhaseContext) -> None:
    """Without this, the search above might look for what no report could ever print."""
    for power, orders in context.pending.items():
        for reader, opened in ((power, False), (GM, True)):
            for where, text in _renderings(context, reader, opened=opened):
                assert orders[0] in text, (reader, where)


@drawn(4, 20)
@given(contexts())
def test_the_game_master_is_blind_until_he_opens_what_waits(context: PhaseContext) -> None:
    """Nothing of pending orders or of orders sent ahead is printed unless he asks for it."""
    closed = ("pending", "ahead", "order", "missing", "digest", "line", "fragment", "salt")
    powers = "|".join(POWERS).lower()
    for where, text in _renderings(context, GM):
        for what in closed if context.outcome is None else ("pending", "ahead"):
            assert not re.search(rf"zq({powers}){what}", text), (where, what)


def test_what_was_sent_ahead_stays_closed_in_the_game_masters_report() -> None:
    """A line below ``Ritirate:`` that could not be read tells of the retreat all the same."""
    line = Understood("A MEN goes zqhomeqz", "", "unreadable", "unknown-verb", {"fragment": "x"})
    receipt = Receipt(
        "TOL", "318-spring", 1, "", (line._replace(ahead="retreats"),), (), (), "", False
    )
    context = replace(phase_contexts.sample_turn(), receipts={"TOL": receipt})
    assert all("zqhomeqz" not in text for _, text in _renderings(context, GM))
    assert all("zqhomeqz" in text for _, text in _renderings(context, GM, opened=True))
    assert all("zqhomeqz" in text for _, text in _renderings(context, "TOL"))


# -- picks that are not published (R30) ---------------------------------------------------------


@drawn(1, 12)
@given(st.dictionaries(st.sampled_from(POWERS), st.sampled_from(PICKABLE)))
def test_of_unpublished_picks_only_the_awards_are_told(chosen: dict[str, str]) -> None:
    """``publish_picks: own``: a centre that nobody got is told to those alone who named it."""
    position = first_position(OWN_PICKS)
    outcome = adjudicate(position, {p: [Pick(c)] for p, c in chosen.items()})
    assert outcome.picks is not None
    context = replace(
        phase_contexts.picks(OWN_PICKS),
        outcome=outcome,
        before=(),
        following=None,
        version=2,
        changes=tuple(
            Change("323-1", "result", f"Pick {c}", "succeeds", "fails") for c in chosen.values()
        ),
        seals=tuple(Seal(p, "AAAA-0000", "5a17", (f"Pick {c}",)) for p, c in chosen.items()),
    )
    awarded = set(outcome.picks.awards.values()) | set(position.owners)
    for recipient in (None, *POWERS):
        hidden = set(chosen.values()) - awarded - {chosen.get(recipient or "", "")}
        for where, text in _renderings(context, recipient):
            told, picks = _without_map(text), _picks_drawn(text)
            assert not {c for c in hidden if re.search(rf"\b{c}\b", told)}, (recipient, where)
            assert not hidden & picks, (recipient, where)


def _without_map(text: str) -> str:
    """A page without its map, on which every centre has its name; other formats as they are."""
    return re.sub(r'<svg[^>]* class="am-map".*?</svg>', "", text, flags=re.DOTALL)


def _picks_drawn(text: str) -> set[str]:
    """Return the centres for which the map of a page shows a pick."""
    return set(re.findall(r'<g class="order pick[^>]* data-to="(\w+)"', text))


def test_neither_a_contested_pick_nor_a_salt_betrays_picks_that_are_not_published() -> None:
    """Of a pick there are forty: with digest and salt it is found by trying."""
    context = phase_contexts.picks(OWN_PICKS)  # TOL and LIS both named Alexandria
    data = json.loads(format_report(context, "TOL", "json", load_sentences("en")))["sections"]
    (orders,) = data["orders"]["content"]
    assert orders["power"] == "TOL"
    assert orders["orders"][0]["why"] == "nothing: the centre was not awarded"
    assert {seal["power"]: bool(seal["salt"]) for seal in data["seals"]["content"]} == {
        power: power in ("TOL", "CAN", "CAS") for power in POWERS
    }  # CAN and CAS sent nothing that could be read


# -- the filter itself --------------------------------------------------------------------------


def test_what_the_filter_does_not_name_is_empty_in_every_view() -> None:
    """A field added to the context passes only if somebody says so."""
    names = {field.name for field in fields(PhaseContext)}
    filtered = {"outcome", "changes", "before", "after", "gm_notes", "players", "bots"}
    filtered |= {"receipts", "pending", "ahead", "seals", "press"}

    assert names - set(OPEN) - filtered == {"addresses_public", "names_hidden", "nameless"}

    with pytest.raises(KeyError):  # nor is there a view of somebody who is no power
        filter_context(phase_contexts.open_turn(), "NEU")


def test_a_power_reads_its_own_orders_that_wait_and_addresses_where_they_are_public() -> None:
    for where, text in _renderings(phase_contexts.open_turn(), "TOL"):
        assert "A MEN" in text, where
        assert "F TIR" in text, where
        assert "F Rodi nel mare" in text, where
    closed = phase_contexts.sample_turn()
    public = replace(closed, addresses_public=True)
    assert all("sel@example.org" not in text for _, text in _renderings(closed, "SEL"))
    assert all("sel@example.org" in text for _, text in _renderings(public, None))


TEXT = "The zqtextqz of it.\n\nAnd more."
READERS = (("SEL",), ("all",), ("gm",), ("SEL", "gm"))


def _context(
    readers: tuple[str, ...], manner: str = "signed", state: str = "published"
) -> PhaseContext:
    context = phase_contexts.sample_turn()
    phase = str(context.position.phase)
    piece = Press(1, phase, "TOL", readers, manner, TEXT, state, "2026-11-20T12:00:00Z")
    return replace(context, press=(piece,))


def _seen(context: PhaseContext, recipient: str | None) -> bool:
    found = {
        "zqtextqz" in text
        for lang in LANGUAGES
        for text in phase_contexts.all_formats(context, recipient, lang).values()
    }
    assert len(found) == 1, "in all formats or in none"
    return found.pop()


@pytest.mark.parametrize("readers", READERS)
@pytest.mark.parametrize("recipient", ["TOL", "SEL", "LIS", None, GM])
def test_press_is_for_its_readers_its_writer_and_the_game_master(
    readers: tuple[str, ...], recipient: str | None
) -> None:
    may = recipient in ("TOL", GM) or "all" in readers or recipient in readers
    assert _seen(_context(readers), recipient) == may


def test_press_comes_out_with_the_results_but_not_what_was_relayed() -> None:
    waiting = replace(_context(("all",)), outcome=None)
    relayed = _context(("SEL",), state="relayed")
    assert not any(_seen(waiting, recipient) for recipient in ("TOL", "SEL", None))
    assert _seen(waiting, GM)
    assert not _seen(relayed, "SEL")
    assert _seen(relayed, "TOL")


def _names_author(context: PhaseContext) -> dict[str | None, bool]:
    """Tell for some readers whether their report says that Ptolemy wrote the press."""
    return {
        reader: "Ptolemy to everybody:"
        in format_report(context, reader, "text", load_sentences("en"))
        for reader in ("TOL", "SEL", None, GM)
    }


def test_who_did_not_sign_is_named_to_himself_and_the_game_master_alone() -> None:
    context = _context(("all",), "anonymous")
    assert _names_author(context) == {"TOL": True, "SEL": False, None: False, GM: True}
    assert "Somebody to everybody:" in format_report(context, "SEL", "text", load_sentences("en"))
    assert all(_names_author(_context(("all",))).values())  # who signed


@pytest.mark.parametrize(
    ("layout", "shown"),
    [
        ("text", "    | hi\n    |\n    | RESULTS\n    | ## The game master\n"),
        ("md", "> hi\n>\n> RESULTS\n> \\## The game master\n"),
        ("html", "<p>hi</p>\n<p>RESULTS\n## The game master</p>\n</blockquote>"),
    ],
)
def test_no_line_of_press_looks_like_one_of_the_report(layout: str, shown: str) -> None:
    context = _context(("all",))
    piece = replace(context.press[0], text="hi\n\nRESULTS\n## The game master")
    report = format_report(replace(context, press=(piece,)), None, layout, load_sentences("en"))
    assert shown in report


def test_a_page_escapes_press() -> None:
    context = _context(("all",))
    piece = replace(context.press[0], text="<script>x</script>")
    page = format_report(replace(context, press=(piece,)), None, "html", load_sentences("en"))
    assert "<script>x" not in page
