"""Orders in tables: every row is read, however a mail program writes the table."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.mime import load_vocabulary
from tests.mail.mail_desk import answers, fetch, mail_desk, reply

Table = Sequence[Sequence[str]]

BOTH = ("A PAR - BUR", "F BRE H")
TABLES: dict[str, Table] = {
    "unit and order": (("Unità", "Ordine"), ("A PAR", "- BUR"), ("F BRE", "H")),
    "words": (("Unit", "Order"), ("Army Paris", "to Burgundy"), ("Fleet Brest", "holds")),
    "no titles": (("A PAR", "BUR"), ("F BRE", "tiene")),
    "from and to": (("Army", "From", "To"), ("A", "PAR", "BUR"), ("F", "BRE", "hold")),
    "places": (("Da", "A"), ("Parigi", "Borgogna"), ("Brest", "ferma")),
    "numbers": (("#", "Unit", "Order"), ("1", "A PAR", "BUR"), ("2.", "F BRE", "H")),
    "four columns": (
        ("Tipo", "Da", "Ordine", "A"),
        ("A", "PAR", "-", "BUR"),
        ("F", "BRE", "H", ""),
    ),
    "a remark": (
        ("Unit", "Order", "Remark"),
        ("A PAR", "- BUR", "if you agree"),
        ("F BRE", "H", ""),
    ),
    "two columns of orders": (("A PAR - BUR", "F BRE H"),),
    "the power before": (("France", "A PAR", "BUR"), ("France", "F BRE", "H")),
}


def _cells(row: Sequence[str], tag: str, inner: str) -> str:
    return "".join(f"<{tag}>{inner.format(cell)}</td>" for cell in row)


def _plain(table: Table) -> str:
    return "<table>" + "".join(f"<tr>{_cells(row, 'td', '{}')}</tr>" for row in table) + "</table>"


def _word(table: Table) -> str:
    inner = '\n<p class="MsoNormal"><span lang="IT">{}<o:p></o:p></span></p>\n'
    rows = "".join(f"<tr>\n{_cells(row, 'td width=200', inner)}</tr>\n" for row in table)
    return f"<p>Ciao,</p><table border=1><tbody>{rows}</tbody></table><p>Anna</p>"


def _gmail(table: Table) -> str:
    inner = "<div>{}<br></div>"
    rows = "".join(f"<tr>{_cells(row, 'td', inner)}</tr>" for row in table)
    return f'<div dir="ltr"><div>Ciao</div><table>{rows}</table><br></div>'


def _untidy(table: Table) -> str:
    rows = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in table)
    return f"<table>{rows}"


def _nested(table: Table) -> str:
    layout = "<table><tr><td>Ciao arbitro,</td></tr><tr><td>ecco:<br>{}</td><td></td></tr></table>"
    return f"<table><tr><td>{layout.format(_plain(table))}</td></tr></table>"


FORMS = {"plain": _plain, "Word": _word, "Gmail": _gmail, "untidy": _untidy, "nested": _nested}


def _take_table(folder: Path, page: str, plain: str | None = None) -> tuple[tuple[str, ...], str]:
    """Return the orders that a mail amounts to, and the answer to it."""
    with mail_desk(folder) as desk:
        made = BytesParser(EmailMessage, policy=SMTP).parsebytes(reply(desk, "France", plain or ""))
        assert isinstance(made, EmailMessage)
        if plain is None:
            made.clear_content()
            made.set_content(page, subtype="html")
        else:
            made.add_alternative(page, subtype="html")
        (message,) = fetch(desk, made.as_bytes())
        assert message.state == "taken"
        return desk.pending(reason="t").get("France", ()), answers(desk)[0][1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_row_by_row(tmp_path: Path, name: str, form: str) -> None:
    orders, answer = _take_table(tmp_path, FORMS[form](TABLES[name]))
    assert orders == BOTH
    for title in ("Non capito", "Impossibile", "Frasi che non"):
        assert title not in answer


@pytest.mark.parametrize("between", ["\n", "\n\n", "\t"])
def test_a_plain_text_that_breaks_the_rows_gives_way_to_the_page(
    tmp_path: Path, between: str
) -> None:
    """Mail programs write each cell on a line of its own, or a tabulator between two."""
    table = TABLES["no titles"]
    plain = "\n".join(between.join(row) for row in table)
    assert _take_table(tmp_path, _word(table), plain)[0] == BOTH


def test_a_table_typed_with_bars_is_read(desk: Desk) -> None:
    text = "| Unità | Ordine |\n|-------|:------|\n| A PAR | BUR |\n| F BRE | H |\n"
    fetch(desk, reply(desk, "France", text))
    assert desk.pending(reason="t")["France"] == BOTH


def test_a_row_that_is_no_order_is_in_the_answer(tmp_path: Path) -> None:
    table = (("Unità", "Ordine"), ("A PAR", "BUR"), ("F BRE", "Mosca"))
    orders, answer = _take_table(tmp_path, _plain(table))
    assert orders[0] == "A PAR - BUR"
    assert "F BRE" in answer.split("Impossibile", 1)[1]


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<table><tr><td>Mario Rossi</td><td>06 1234</td></tr></table>", ["Mario Rossi | 06 1234"]),
        ("<table><tr><td>Da:</td><td>Anna</td></tr></table>", ["Da: Anna"]),
        ("<table><tr><td>a<br>b</td><td>c</td></tr></table>", ["a", "b", "c"]),
        ("<table><tr><td>a</td><td></td></tr></table>", ["a"]),
        (
            "<table><tr><td>x<table><tr><td>a</td><td>b</td></tr></table></td><td>y</td></tr></table>",
            ["x", "a | b", "y"],
        ),
        (f"<table><tr><td>{'a ' * 40}</td><td>b</td></tr></table>", [f"{'a ' * 40}b"]),
        ("<tr><td>a</td><td>b</td></tr>", ["a b"]),
    ],
)
def test_only_rows_of_short_cells_get_bars(page: str, lines: list[str]) -> None:
    assert [line.text for line in read_page(page, load_vocabulary()).lines] == lines
