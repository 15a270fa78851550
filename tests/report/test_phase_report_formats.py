"""The four formats, the same content each in its own way; and the map of a page."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from alexmagnum.board import load_board
from alexmagnum.game.game import Player
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_order
from alexmagnum.position import Phase, Position, Unit, parse_phase
from alexmagnum.report import formats, results
from alexmagnum.report.context import GM, PhaseContext, filter_context
from alexmagnum.report.document import Cell, Column, Table, escape_markdown, fence_text, wrap_text
from alexmagnum.report.formats import FORMATS, format_report, format_table, render_report
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.results import TITLE, compose_turn_report, render_turn_report
from alexmagnum.report.words import phase_name
from tests.report import phase_contexts
from tests.report.test_phase_report_secrecy import OWN_PICKS
from tests.sizes import one_in

NASTY = "<script>alert(1)</script> & \"q\" 'a' | `b` *c* _d_ [e](f) # g"


def nasty() -> PhaseContext:
    """Return a report in which all text by people contains markup."""
    return replace(
        phase_contexts.sample_turn(),
        game=NASTY,
        before=(NASTY, f"# {NASTY}\n1. {NASTY}\n- {NASTY}"),
        players=(Player("TOL", NASTY),),
    )


class _Page(HTMLParser):
    """A parser that checks that the tags of a page close in order, and keeps them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, (tag, self.getpos())


@pytest.mark.parametrize("name", one_in(4, sorted(phase_contexts.ALL)))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_phase_is_written_in_every_format(lang: str, name: str) -> None:
    for recipient in (None, phase_contexts.second_power(name), GM):
        texts = phase_contexts.all_formats(phase_contexts.ALL[name](), recipient, lang, opened=True)
        assert set(texts) == set(FORMATS)
        for text in texts.values():
            assert text.endswith("\n")
            assert "\n\n\n" not in text
            assert "None" not in text


@pytest.mark.proof
def test_formats_are_the_same_all_at_once_and_one_by_one_every_time() -> None:
    context, sentences = phase_contexts.sample_turn(), load_sentences("it")
    at_once = formats.format_report_in_all(context, "LIS", sentences, formats.MapPictures())

    for _ in range(2):
        assert {form: format_report(context, "LIS", form, sentences) for form in FORMATS} == at_once
    with pytest.raises(KeyError):
        format_report(context, None, "pdf", sentences)


# -- HTML ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", one_in(4, sorted(phase_contexts.ALL)))
def test_the_page_is_well_formed_and_needs_nothing_else(name: str) -> None:
    text = format_report(phase_contexts.ALL[name](), GM, "html", load_sentences("it"), opened=True)
    page = _Page(text)
    tags = [tag for tag, _ in page.tags]
    assert page.open == []
    assert not {"link", "img", "iframe"} & set(tags)
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [{}]
    assert {(attrs["href"] or "")[:1] for _, attrs in page.tags if "href" in attrs} == {"#"}
    assert not re.search(r"""src=|url\((?!#|data:)|@import""", text)
    assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)", text)
    assert [tags.count(tag) for tag in ("h1", "header", "main", "footer")] == [1, 1, 1, 1]
    assert page.tags[0] == ("html", {"lang": "it"})
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text


def test_tables_have_captions_and_heads_ids_are_unique_and_the_script_is_named() -> None:
    text = format_report(phase_contexts.autumn(), None, "html", load_sentences("en"))
    page = _Page(text)
    tags = [tag for tag, _ in page.tags]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]

    assert tags.count("table") == tags.count("caption") == tags.count("thead")
    assert all("scope" in attrs for tag, attrs in page.tags if tag == "th")
    assert len(ids) == len(set(ids))
    labels = (attrs.get("aria-labelledby") or "" for _, attrs in page.tags)
    assert {label for named in labels for label in named.split()} <= set(ids)

    script = text.partition("<script>")[2].partition("</script>")[0]
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert "default-src 'none'; style-src 'unsafe-inline'; font-src data:; " in text
    assert f"script-src 'sha256-{digest}'\"" in text  # no other script may run


def test_pictures_are_in_pages_alone_and_a_season_without_one_is_a_page_too() -> None:
    english = load_sentences("en")
    season = compose_phase_report(filter_context(phase_contexts.autumn(), None), english)
    text = render_report(season, "html")
    assert _Page(text).open == []
    assert "<script" not in text
    for form in ("text", "md", "json"):
        assert "svg" not in format_report(phase_contexts.sample_turn(), None, form, english)


def test_nothing_that_people_write_becomes_a_tag() -> None:
    text = format_report(nasty(), None, "html", load_sentences("en"))
    assert text.count("<script") == 1
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text
    assert _Page(text).open == []


# -- Markdown -----------------------------------------------------------------------------------


def test_in_markdown_nothing_that_people_write_is_a_mark() -> None:
    """Rows of tables have as many cells as their heads."""
    text = format_report(nasty(), None, "md", load_sentences("en"))
    assert "<script" not in text
    assert "&lt;script>" in text
    assert all(f"\n{mark} &lt;script>" in text for mark in ("\\#", "1\\.", "\\-"))

    width = 0
    for line in format_report(nasty(), GM, "md", load_sentences("it")).splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert width in (0, cells) or not cells
        width = cells


ESCAPED = (
    ("1. one", "1\\. one"),
    ("# one\n- two", "\\# one\n\\- two"),
    ("a | b", "a \\| b"),
    ("A MEN - TEB", "A MEN - TEB"),
    ("F EGE#2", "F EGE#2"),
    ("&lt;", "&amp;lt;"),
    ("> a -> b", "\\> a -> b"),
)


def test_marks_are_escaped_and_orders_left_as_they_are_and_a_fence_is_longer_than_any() -> None:
    assert [escape_markdown(text) for text, _ in ESCAPED] == [safe for _, safe in ESCAPED]
    assert fence_text("a\n```\nb").splitlines()[0] == "````yaml"


# -- plain text ---------------------------------------------------------------------------------


def test_running_text_is_wrapped_and_units_are_not_broken() -> None:
    lines = wrap_text("orders: " + ", ".join(["F EGE#2", "A MEN"] * 20), "  ", "    ").splitlines()
    assert all(len(line) <= 78 for line in lines)
    assert not any(re.search(r"\b[AFG]$", line) for line in lines)
    assert "\N{NO-BREAK SPACE}" not in "".join(lines)


def test_a_table_that_is_too_wide_is_written_row_below_row() -> None:
    heads = (Column("a", "Power"), Column("b", "Orders"), Column("c", "Salt"))
    wide = Table(heads, ((Cell("Tolomeo"), Cell("A MEN H; " * 20), Cell("")),))
    narrow = Table(heads, ((Cell("Tolomeo"), Cell("A MEN H"), Cell("")),))
    assert format_table(wide)[:2] == ["Tolomeo", "  Orders: " + "A MEN H; " * 7 + "A MEN"]
    assert format_table(narrow) == ["Power    Orders   Salt", "Tolomeo  A MEN H"]


EN = load_sentences("en")


def _units(svg: str, look: str) -> set[str]:
    return set(re.findall(rf'<g class="{look}[^>]* data-unit="([^"]+)"', svg))


@pytest.mark.proof
def test_readers_of_the_same_share_a_picture_and_who_sees_less_has_another() -> None:
    maps, own = formats.MapPictures(), phase_contexts.picks(OWN_PICKS)
    shown = [filter_context(phase_contexts.sample_turn(), reader) for reader in (None, "TOL")]
    first, second = (maps.page(each, EN) for each in shown)
    everybody, ptolemy, master = (
        maps.page(filter_context(own, reader), EN) for reader in (None, "TOL", GM)
    )
    assert first is second
    assert everybody is not ptolemy
    assert everybody is not master
    assert "Thessaly" in first.svg
    assert "Tessaglia" in maps.page(shown[0], load_sentences("it")).svg
    assert "@font-face" not in first.svg
    assert "@font-face" in maps.svg(shown[0], EN)  # which stands alone


def test_of_unpublished_picks_the_awards_alone_are_drawn() -> None:
    """R30, ``publish_picks: own``: Ptolemy and Lysimachus both named Alexandria."""
    picked = r'<g class="order pick[^>]* data-power="(\w+)"[^>]* data-to="(\w+)"'
    for reader in (None, "TOL", "LIS"):
        shown = filter_context(phase_contexts.picks(OWN_PICKS), reader)
        drawn = re.findall(picked, formats.MapPictures().page(shown, EN).svg)
        assert sorted(drawn) == [("AUT", "CEL"), ("SEL", "BAB")]


def test_an_open_phase_shows_its_position_alone_and_a_resolved_one_what_orders_left() -> None:
    before = formats.MapPictures().page(filter_context(phase_contexts.open_turn(), "TOL"), EN)
    after = formats.MapPictures().page(filter_context(phase_contexts.sample_turn(), None), EN)
    assert list(before.labels) == ["position"]
    assert _units(before.svg, "order") == set()
    assert "A MEN" in _units(before.svg, "unit")
    assert list(after.labels) == ["orders", "after"]
    assert "A NOC" in _units(after.svg, "order")
    assert {"A NOC", "A SIS"} <= _units(after.svg, "unit")


@pytest.mark.proof
def test_an_outcome_worked_out_again_has_the_same_pictures(
    forget_pictures: Callable[[], None],
) -> None:
    maps = formats.MapPictures()
    turns = (phase_contexts.sample_turn.__wrapped__() for _ in range(2))
    first, second = (filter_context(turn, None) for turn in turns)
    assert first.content.outcome is not second.content.outcome
    assert maps.page(first, EN) is maps.page(second, EN)
    assert maps.svg(first, EN) is maps.svg(second, EN)
    picture = maps.png(first, EN)
    forget_pictures()
    assert maps.png(second, EN) is picture


def test_order_sheets_share_a_map_below_each_title() -> None:
    maps, position = formats.MapPictures(), phase_contexts.open_turn().position
    first, second = (maps.position_svg(position, EN, "Diadochi") for _ in range(2))
    assert first is second
    assert "Diadochi" in first
    assert maps.position_svg(position, EN, "Epigoni") != first


# The text of a phase's report: its orders, what is marked in it, what it says below them.


BOARD = load_board("alexmagnum")


def _report() -> results.TurnReport:
    """A garrison falls, one move fails, and a unit without an order is dislodged."""
    units = (
        Unit("TOL", "G", "MAM"),
        Unit("NEU", "A", "CIR"),
        Unit("SEL", "A", "ISR"),
        Unit("CAS", "G", "EFE"),
        Unit("LIS", "A", "SAR"),
        Unit("SEL", "A", "DAM"),
    )
    position = Position(BOARD, parse_phase("318-spring"), units)
    orders = {"TOL": ["G MAM - CIR"], "SEL": ["A DAM - ISR"], "CAS": ["G EFE - SAR"]}
    read = {p: [read_order(line, position, p) for line in lines] for p, lines in orders.items()}
    return compose_turn_report(adjudicate(position, read), [], load_sentences("en"))


def test_orders_are_marked_with_their_results_and_titles_as_titles() -> None:
    marked: list[tuple[str, str]] = []

    def mark(line: str, what: str) -> str:
        marked.append((line, what))
        return line

    report = _report()
    text = render_turn_report(report, mark)

    assert text == render_turn_report(report)
    assert [line for line, _ in marked if line not in text.splitlines()] == []
    assert {line for line, what in marked if what == TITLE} == {
        line for line in text.splitlines() if line and not line.startswith(" ")
    }
    assert {line.split("  ")[1]: what for line, what in marked if what != TITLE} == {
        "A ISR (no order)": "stands",
        "A DAM - ISR": "fails",
        "G MAM - CIR": "succeeds",
        "A SAR (no order)": "dislodged",
        "G EFE - SAR": "succeeds",
        "A CIR": "destroyed",
    }

    text = render_turn_report(report, lambda line, what: f"<{what}>{line}")
    assert "<fails>  A DAM - ISR  " in text
    assert "\n\n<title>SELEUCUS\n" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_deployment_alone_is_a_season_of_one_phase(lang: str) -> None:
    texts = ("323-1", "323-6", "322-spring", "322-spring-retreats", "322-winter")
    names = [phase_name(parse_phase(text), BOARD, load_sentences(lang)) for text in texts]
    assert [", " in name for name in names] == [True, False, True, True, True]


@pytest.mark.parametrize(
    ("phase", "order", "said"),
    [
        ("323-1", "Pick BAB", "  Sceglie BAB "),
        ("322-winter", "Build A BAB", "  Costruisce A BAB "),
        ("322-winter", "Waive", "  Rinuncia "),
        ("322-winter", "Remove A ISR", "  Rimuove A ISR "),
        ("322-spring", "A ISR - BAB via convoy", "  A ISR - BAB con trasporto "),
    ],
)
def test_an_order_is_said_in_the_readers_language(phase: str, order: str, said: str) -> None:
    where = Position(BOARD, parse_phase(phase), (Unit("SEL", "A", "ISR"),), {"ISR": "SEL"})
    outcome = adjudicate(where, {"SEL": [read_order(order, where, "SEL")]})
    english, italian = load_sentences("en"), load_sentences("it")
    assert said in render_turn_report(compose_turn_report(outcome, [], italian))
    assert f"  {order} " in render_turn_report(compose_turn_report(outcome, [], english))
    lines = {line.order: line.text for line in results.format_order_lines(outcome, "SEL", italian)}
    assert lines[order] == said.strip()


def test_what_kept_a_fleet_out_is_a_clause_for_one_unit_and_for_several() -> None:
    """Whatever the number of units, nothing in it has to agree with them."""
    sentence = load_sentences("it").format
    figures = {"strength": 1, "against": 1, "room": 0}

    for units in ("F CAR", "F CAR, F EFE"):
        assert sentence("crowded-out", units=units, **figures).startswith(
            f"resta fuori davanti a {units}, di forza pari o maggiore ("
        )
        assert sentence("no-room-exchange", units=units) == (
            f"resta fuori: {units} con l'ordine di andare da dove questa viene, "
            "e nessun altro posto aperto (R15)"
        )


def _said(
    position: Position, orders: Mapping[str, list[str]] | None = None, lang: str = "en"
) -> dict[str, tuple[str, ...]]:
    """The lines below each title."""
    orders = orders or {}
    read = {p: [read_order(line, position, p) for line in lines] for p, lines in orders.items()}
    return {
        block.title: block.lines
        for block in results.describe_outcome(adjudicate(position, read), load_sentences(lang))
    }


def _end(position: Position) -> tuple[str, ...]:
    return _said(position).get("END OF THE GAME", ())


@pytest.mark.parametrize(
    ("nobility", "said"),
    [
        ({"TOL": 9}, "the last year is over: Seleucus wins (nobility: 10; centres: 1)"),
        ({}, "the last year is over: Seleucus, Ptolemy share the win (nobility: 10; centres: 1)"),
        ({"TOL": 0, "SEL": 0}, "the last year is over, and nobody has won"),
    ],
)
def test_who_won_at_the_end(nobility: dict[str, int], said: str) -> None:
    """R34"""
    owners = {"MEN": "TOL", "BAB": "SEL"}
    assert _end(Position(BOARD, Phase(301, "autumn"), (), owners, nobility=nobility)) == (said,)


def test_who_won_by_centres_is_told_and_a_game_that_goes_on_has_no_end() -> None:
    """R33"""
    owners = {"MEN": "TOL", "ALE": "TOL"}
    board = BOARD.with_rules({"victory_centres": 2})
    assert _end(Position(board, Phase(310, "autumn"), (), owners)) == (
        "Ptolemy wins by centres: 2",
    )
    assert _end(Position(BOARD, Phase(302, "autumn"), (), owners)) == ()


def test_how_units_were_destroyed() -> None:
    """R27 a garrison, R24 a hauled fleet, R3 a unit in revolt: each in words of its own."""
    units = (
        Unit("TOL", "G", "MAM"),
        Unit("NEU", "A", "CIR"),
        Unit("SEL", "A", "ISR"),
        Unit("TOL", "F", "EGI"),
        Unit("LIS", "A", "SAR"),
        Unit("CAS", "G", "EFE"),
    )
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"LIS": 0})
    orders = {"TOL": ["G MAM - CIR", "F EGI - SUE"], "SEL": ["A ISR - SIS"], "CAS": ["G EFE - SAR"]}

    assert sorted(_said(position, orders)["LOST"]) == [
        "A CIR (Independents): garrison destroyed",
        "A SAR (Lysimachus): in revolt and without a retreat, destroyed",
        "F EGI (Ptolemy): caught while it was hauled, destroyed",
    ]
    assert len(_said(position, orders, "it")["UNITÀ PERSE"]) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobility_is_told_where_it_changed(lang: str) -> None:
    """R2, R3"""
    units = (Unit("SEL", "G", "NUB"), Unit("TOL", "G", "TEB"), Unit("TOL", "A", "TRO"))
    title = load_sentences(lang).format("title-nobility")
    orders = {"TOL": ["G TEB - NUB", "A TRO S G TEB - NUB"]}
    lost = [
        _said(Position(BOARD, Phase(318, "spring"), units, nobility=points), orders, lang)[title]
        for points in ({}, {"SEL": 1})
    ]
    assert lost[0] == (f"{BOARD.powers['SEL'].name(lang)}: 9 (-1)",)
    assert lost[1][0].startswith(f"{BOARD.powers['SEL'].name(lang)}: 0 (-1), ")


def test_the_eliminated_are_told_once() -> None:
    """R35"""
    units = (Unit("SEL", "A", "NUB"), Unit("TOL", "G", "TEB"), Unit("TOL", "A", "TRO"))
    position = Position(BOARD, Phase(318, "spring"), units)
    said = _said(position, {"TOL": ["G TEB - NUB", "A TRO S G TEB - NUB"]})
    assert said["ELIMINATED"] == ("Seleucus",)
