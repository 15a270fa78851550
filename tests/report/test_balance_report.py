"""The balance report: its words, its page, its Markdown, from samples thick and thin."""

import re
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from justhtml import JustHTML

import alexmagnum
from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.lab.balance import SeriesFacts, measure_balance
from alexmagnum.lab.balance_figures import BalanceFigures
from alexmagnum.lab.game import RULINGS
from alexmagnum.report.balance import compose_balance_report, render_balance_report
from tests.lab.simulated_results import draw_winners, join_results, make_results
from tests.sizes import one_in

REPORT = Path(alexmagnum.__file__).parent / "report"
ASSEMBLED = ("ruling-", "order-", "way-", "measure-", "column-", "centres-", "perhaps-")
"""How codes begin that no source names in full."""


def _figures(winners: list[tuple[int, ...]], planned: int | None = None) -> BalanceFigures:
    board = load_board("alexmagnum")
    facts = SeriesFacts("base", "alexmagnum", planned=planned, provinces=tuple(board.provinces))
    return measure_balance(make_results(winners), [facts])


def _render(
    figures: BalanceFigures, suffix: str = ".md", lang: str = "en", boards: bool = True
) -> str:
    board = load_board("alexmagnum")
    known = {series.name: board for series in figures.series} if boards else {}
    report = compose_balance_report(figures, known, load_sentences(lang))
    return render_balance_report(report, suffix)


def render_full_report(lang: str) -> str:
    """Return the page of a report with everything that it can show."""
    return _render(_full_figures(), ".html", lang)


@cache
def _full_figures() -> BalanceFigures:
    """Figures with everything that a report can show: effects, bots, forfeits, people's games."""
    base = draw_winners(60, [3, 1, 1, 1, 1, 1], 1)
    bots = [["search" if i == game % 6 else "dumb" for i in range(6)] for game in range(60)]
    people = tuple(load_board("standard").powers)
    tables = join_results(
        make_results(base),
        make_results([(0,) if i % 3 == 0 else won for i, won in enumerate(base)], "changed"),
        make_results(base, "mixed", bots=bots),
        make_results(draw_winners(60, [1] * 7, 2), "standard", people),
    )
    facts = [
        SeriesFacts("base", "alexmagnum", planned=100),
        SeriesFacts("changed", "alexmagnum", "base", {"nobility": "0"}, {"nobility": "0"}),
        SeriesFacts("mixed", "alexmagnum"),
        SeriesFacts("standard", "standard"),
    ]
    return measure_balance(tables, facts)


@cache
def _full(suffix: str, lang: str = "en") -> str:
    return _render(_full_figures(), suffix, lang)


# -- words --------------------------------------------------------------------------------------


def test_every_sentence_of_the_catalogue_is_used_and_every_ruling_has_a_name() -> None:
    catalogue = resources.files("alexmagnum.i18n").joinpath("catalogues/balance.en.toml")
    read = tomllib.loads(catalogue.read_text(encoding="utf-8"))
    codes = [code.removeprefix("balance-") for code in read]
    text = "\n".join(path.read_text(encoding="utf-8") for path in REPORT.glob("balance*.py"))
    named = set(re.findall(r"[a-z][a-z-]+", text))
    assert [
        code
        for code in codes
        if not code.startswith(ASSEMBLED) and not named & {code, re.sub("-(title|plot)$", "", code)}
    ] == []
    rulings = {f"balance-ruling-{ruling}" for ruling in RULINGS}
    for lang in LANGUAGES:
        assert rulings <= load_sentences(lang).templates.keys()


def test_the_verdict_names_who_is_too_strong() -> None:
    text = _render(_figures(draw_winners(900, [3, 1, 1, 1, 1, 1], 1)))
    assert "The powers do not win equally often" in text
    (above,) = (line for line in text.splitlines() if line.startswith("- Above par"))
    assert "Seleucus" in above
    assert "Ptolemy" not in above
    assert "diplomatic balance" in text


FAIR = draw_winners(300, [1] * 6, 4)
VERDICTS: list[tuple[BalanceFigures, tuple[str, ...], str]] = [
    (
        _figures(FAIR),
        ("It is not shown that the powers win unequally often", "5,336 games"),
        "- Above par",
    ),
    (_figures(draw_winners(30, [1] * 6, 1), planned=100), ("30 of 100 games",), "{"),
    (_figures([(0,)]), ("One game says nothing about balance",), "par:"),
    (
        _figures(draw_winners(4, [1] * 6, 1)),
        ("4 games are too few to compare victories", "At least 30 games are needed"),
        "limit of years, or bots",
    ),
    (
        _figures([()] * 30),
        ("No game had a winner", "share of the centres"),
        "Share of the victories",
    ),
]
"""Figures that prove nothing, with what the verdict on them says and what it does not."""


@pytest.mark.parametrize(("figures", "said", "unsaid"), VERDICTS)
def test_the_verdict_claims_no_more_than_the_games_show(
    figures: BalanceFigures, said: tuple[str, ...], unsaid: str
) -> None:
    text = _render(figures)
    assert [words for words in said if words not in text] == []
    assert unsaid not in text


def test_a_change_that_alters_no_game_of_a_small_sample_is_not_called_without_effect() -> None:
    """Of 40 games none is altered: one in eleven may be."""
    base = draw_winners(40, [1] * 6, 1)
    tables = join_results(make_results(base), make_results(base, "changed"))
    facts = [
        SeriesFacts("base", "alexmagnum"),
        SeriesFacts("changed", "alexmagnum", base="base", change={"nobility": "0"}),
    ]

    said = _render(measure_balance(tables, facts))

    assert "in all 40 games with the same seed the same powers won" in said
    assert "more than about 8.8 points" in said
    assert "()" not in said


def test_a_series_whose_map_is_gone_calls_powers_by_their_ids() -> None:
    assert "| SEL |" in _render(_figures(draw_winners(30, [1] * 6, 1)), boards=False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_report_says_a_code_and_effects_have_their_sign(lang: str) -> None:
    text = _full(".md", lang)
    assert "balance-" not in text
    assert "{" not in text
    assert "None" not in text.replace("| None |", "")
    assert lang != "en" or re.search(r"nobility\s=\s0: Seleucus \+\d", text)
    assert "OpenSkill" in text
    assert "Pete Clark" in text


# -- formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize("winners", [[(0,)], [()] * 8, [(0, 1, 2, 3, 4, 5)] * 8, [(1,)] * 40])
@pytest.mark.parametrize("suffix", one_in(2, [".html", ".md"]))
def test_thin_samples_make_a_report(winners: list[tuple[int, ...]], suffix: str) -> None:
    text = _render(_figures(winners), suffix)
    assert re.search(r"\b(nan|inf)\b", re.sub(r"<style>.*?</style>", "", text, flags=re.S)) is None


def test_the_page_is_sound_small_and_alone() -> None:
    page = _full(".html")
    assert not JustHTML(page, collect_errors=True).errors
    assert len(page) < 1_000_000
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org/\S+", "", page)
    assert "default-src 'none'" in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for reference in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', page):
        assert "".join(reference) in ids


def test_no_interval_is_broken_at_the_end_of_a_line() -> None:
    """In running text, that is; cells of tables are never broken."""
    page = _full(".html")
    texts = re.findall(r"<(?:p|li|figcaption)>.*?</(?:p|li|figcaption)>", page)
    marked = re.compile(r'<span class="interval">[^<>]+</span>')
    loose = " ".join(marked.sub("", text) for text in texts)
    assert marked.search(" ".join(texts))
    assert re.findall(r"\d–\d|\d … |\bp (?:=|&lt;) \d", loose) == []
    assert ".interval { white-space: nowrap; }" in page


def test_plots_follow_the_colours_of_the_page() -> None:
    page = _full(".html")
    defined = set(re.findall(r"--([a-z][a-z0-9-]*):", page))

    for plot in re.findall(r"<figure.*?</figure>", page, re.DOTALL):
        assert set(re.findall(r"var\(--([a-z0-9-]+)\)", plot)) <= defined
        assert re.findall(r"#0[0-9a-f]{5}\b", plot) == []
        assert "<title" in plot
        assert "<desc" in plot


def test_tables_of_markdown_have_as_many_cells_in_every_row() -> None:
    """A bar in a name of somebody's map or bot does not break a row."""
    for block in re.findall(r"(?:^\|.*\n)+", _full(".md"), re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
