"""The four formats: the same content, each safe and well-formed in its own way."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from alexmagnum.game.game import Player
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.context import GM, PhaseContext, filter_context
from alexmagnum.report.document import Cell, Column, Table, escape_markdown, fence_text, wrap_text
from alexmagnum.report.formats import (
    FORMATS,
    MapPictures,
    format_report,
    format_report_in_all,
    format_table,
    render_report,
)
from alexmagnum.report.phase_report import compose_phase_report
from tests.report import phase_contexts
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


@pytest.mark.parametrize("name", one_in(3, sorted(phase_contexts.ALL)))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_phase_is_written_in_every_format(lang: str, name: str) -> None:
    for recipient in (None, phase_contexts.second_power(name), GM):
        texts = phase_contexts.all_formats(phase_contexts.ALL[name](), recipient, lang, opened=True)
        assert set(texts) == set(FORMATS)
        for text in texts.values():
            assert text.endswith("\n")
            assert "\n\n\n" not in text
            assert "None" not in text


def test_the_same_report_is_the_same_bytes() -> None:
    for form in FORMATS:
        first, second = (
            format_report(phase_contexts.autumn(), None, form, load_sentences("it"))
            for _ in range(2)
        )

        assert first == second


def test_all_formats_at_once_are_the_same_as_one_by_one() -> None:
    context = phase_contexts.sample_turn()

    assert format_report_in_all(context, "LIS", load_sentences("it"), MapPictures()) == {
        form: format_report(context, "LIS", form, load_sentences("it")) for form in FORMATS
    }


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(KeyError):
        format_report(phase_contexts.autumn(), None, "pdf", load_sentences("en"))


# -- HTML ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(phase_contexts.ALL))
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


def test_tables_have_captions_and_heads_and_ids_are_unique() -> None:
    page = _Page(format_report(phase_contexts.autumn(), None, "html", load_sentences("en")))
    tags = [tag for tag, _ in page.tags]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]

    assert tags.count("table") == tags.count("caption") == tags.count("thead")
    assert all("scope" in attrs for tag, attrs in page.tags if tag == "th")
    assert len(ids) == len(set(ids))
    labels = (attrs.get("aria-labelledby") or "" for _, attrs in page.tags)
    assert {label for named in labels for label in named.split()} <= set(ids)


def test_only_the_script_of_the_page_may_run() -> None:
    """The policy names it by its digest."""
    text = format_report(phase_contexts.autumn(), None, "html", load_sentences("en"))
    script = text.partition("<script>")[2].partition("</script>")[0]
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert "default-src 'none'; style-src 'unsafe-inline'; font-src data:; " in text
    assert f"script-src 'sha256-{digest}'\"" in text


def test_a_season_without_a_picture_is_a_page_too() -> None:
    season = compose_phase_report(
        filter_context(phase_contexts.autumn(), None), load_sentences("en")
    )
    text = render_report(season, "html")

    assert _Page(text).open == []
    assert "<script" not in text


@pytest.mark.parametrize("form", ["text", "md", "json"])
def test_pictures_are_in_pages_alone(form: str) -> None:
    assert "svg" not in format_report(
        phase_contexts.sample_turn(), None, form, load_sentences("en")
    )


def test_nothing_that_people_write_becomes_a_tag() -> None:
    text = format_report(nasty(), None, "html", load_sentences("en"))

    assert text.count("<script") == 1
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text
    assert _Page(text).open == []


# -- Markdown -----------------------------------------------------------------------------------


def test_in_markdown_nothing_that_people_write_is_a_mark() -> None:
    text = format_report(nasty(), None, "md", load_sentences("en"))

    assert "<script" not in text
    assert "&lt;script>" in text
    assert all(f"\n{mark} &lt;script>" in text for mark in ("\\#", "1\\.", "\\-"))


def test_rows_of_markdown_tables_have_as_many_cells_as_their_heads() -> None:
    width = 0
    for line in format_report(nasty(), GM, "md", load_sentences("it")).splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert width in (0, cells) or not cells
        width = cells


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("1. one", "1\\. one"),
        ("# one\n- two", "\\# one\n\\- two"),
        ("a | b", "a \\| b"),
        ("A MEN - TEB", "A MEN - TEB"),
        ("F EGE#2", "F EGE#2"),
        ("&lt;", "&amp;lt;"),
        ("> a -> b", "\\> a -> b"),
    ],
)
def test_marks_are_escaped_and_orders_left_as_they_are(text: str, safe: str) -> None:
    assert escape_markdown(text) == safe


def test_a_fence_is_longer_than_any_in_the_text() -> None:
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
