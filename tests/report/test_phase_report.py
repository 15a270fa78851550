"""The report of a phase, section by section; its news come first, and are on the map."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from alexmagnum.board.map_file import load_board, maps_folder
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import read_turn
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Change, Receipt, Seal, Understood
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.orders import digest_orders
from alexmagnum.game.settings import default_settings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.position import Position
from alexmagnum.report.context import GM, PhaseContext, View, filter_context, gather_past_phase
from alexmagnum.report.document import Items, Orders, PhaseReport, Prose, Section, Table
from alexmagnum.report.formats import MapPictures, format_report
from alexmagnum.report.phase_report import compose_phase_report, format_turn_file, tabulate_changes
from alexmagnum.report.words import AFTER, Mention
from tests.game.desks import new_desk
from tests.report import phase_contexts
from tests.sizes import one_in, sampled, sized


def data(context: PhaseContext, recipient: str | None = None, lang: str = "en") -> dict[str, Any]:
    """Return the report as JSON data."""
    text = format_report(context, recipient, "json", load_sentences(lang), opened=True)
    read: dict[str, Any] = json.loads(text)
    return read


def parts(context: PhaseContext, recipient: str | None = None, lang: str = "en") -> dict[str, Any]:
    """Return the content of each section of the report, by key."""
    listed = data(context, recipient, lang)["sections"]
    return {key: section["content"] for key, section in listed.items()}


SAMPLE, AUTUMN = phase_contexts.sample_turn(), phase_contexts.autumn()
LAST, WAITING = phase_contexts.autumn(301), phase_contexts.open_turn()


def _with_one_retreat() -> PhaseContext:
    """Return the sample turn with a single way open to each, which the house takes."""
    position = SAMPLE.following
    assert position is not None
    one = tuple(replace(d, retreats=d.retreats[:1]) for d in position.dislodged)
    rules = {**SAMPLE.house_rules, "single_retreat": "auto"}
    return replace(SAMPLE, following=replace(position, dislodged=one), house_rules=rules)


CONTEXTS: dict[str, Callable[[], PhaseContext]] = {
    **phase_contexts.ALL,
    "unchanged": lambda: replace(phase_contexts.corrected_turn(), changes=()),
    "passed": lambda: replace(SAMPLE, passed=("318-spring-retreats", "323-6")),
    "paused": lambda: replace(SAMPLE, paused=True),
    "without deadline": lambda: replace(SAMPLE, deadline=""),
    "placing": lambda: replace(phase_contexts.deployment(), outcome=None, following=None),
    "one retreat": _with_one_retreat,
}
ROWS = yaml.safe_load(Path(__file__).with_name("phase_report.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("context", "reader", "lang", "said"), ROWS["sections"])
def test_sections_say_what_there_is_to_say(
    context: str, reader: str | None, lang: str, said: dict[str, Any]
) -> None:
    found = parts(CONTEXTS[context](), reader, lang)
    assert {key: found[key] for key in said} == said


def test_a_section_without_anything_to_say_is_left_out() -> None:
    for context, reader, keys in ROWS["absent"]:
        assert {*keys}.isdisjoint(parts(CONTEXTS[context](), reader))


def _rows(table: list[dict[str, Any]], key: str) -> dict[str, Any]:
    """Return a column of a table of powers, by power."""
    return {row["power"]: row[key] for row in table}


# -- the head -----------------------------------------------------------------------------------


def test_the_head_names_game_phase_reader_next_phase_and_deadline() -> None:
    report = data(SAMPLE, "TOL", "it")
    assert report["game"] == "Diadochi"
    assert report["phase"] == "318-spring"
    assert report["phase_name"] == "Primavera 318 a.C., movimenti"
    assert report["recipient"] == "TOL"
    assert report["next"] == "318-spring-retreats"
    assert report["deadline"] == "2026-11-22T22:59:00Z"


@pytest.mark.parametrize(("context", "lang", "said"), ROWS["deadlines"])
def test_the_deadline_or_that_there_is_none_is_said(context: str, lang: str, said: str) -> None:
    assert said in format_report(CONTEXTS[context](), None, "text", load_sentences(lang))


def test_a_corrected_report_says_on_top_what_is_different() -> None:
    report = data(phase_contexts.corrected_turn())
    assert report["version"] == 2
    assert next(iter(report["sections"])) == "changes"
    assert [(row["before"], row["now"]) for row in report["sections"]["changes"]["content"]] == [
        ("stands", "succeeds"),
        ("", "EGI, ION"),
        ("AUT", ""),
    ]
    text = format_report(phase_contexts.corrected_turn(), None, "text", load_sentences("it"))
    assert text.index("CHE COSA CAMBIA RISPETTO ALLA VERSIONE 1") < text.index("RISULTATI")
    assert re.search(r"Esito di F ROD +tiene +riesce", text)


@pytest.mark.parametrize(("change", "row"), ROWS["changes"])
def test_every_difference_is_put_into_words(change: list[str], row: list[str]) -> None:
    changes = (Change("318-spring", *change),)
    table = tabulate_changes(changes, phase_contexts.BOARD, load_sentences("it"))
    assert [cell.text for cell in table.rows[0]] == row


def test_the_words_of_the_game_master_stand_before_and_after_the_results() -> None:
    keys = list(parts(SAMPLE))
    assert keys.index("commentary") < keys.index("orders") < keys.index("notes")
    assert {"commentary", "notes"} <= parts(WAITING, GM).keys()


# -- results ------------------------------------------------------------------------------------


def test_results_stand_by_power_with_the_reason_on_the_line() -> None:
    orders = parts(SAMPLE, lang="it")["orders"]

    assert [group["power"] for group in orders] == [*phase_contexts.BOARD.powers, "NEU"]
    assert orders[2]["orders"][0] == {
        "order": "F SAR - EFE",
        "result": "fails",
        "why": "respinta: stallo con A CEL (1 a 1)",
    }

    retreats = parts(phase_contexts.retreats())["orders"]
    assert [group["power"] for group in retreats] == ["LIS", "AUT", "CAS"]  # those who had to


def test_dislodged_and_lost_units_are_told() -> None:
    sections = parts(SAMPLE)
    assert sections["dislodged"][0] == (
        "F CRE (Cassander), dislodged by G ALE: may retreat to EGI, ION, LIB, PAN, or disband"
    )
    assert "F FEN#2 (Antigonus): caught while it was hauled, destroyed" in sections["lost"]


# -- how the powers stand -----------------------------------------------------------------------


def test_an_autumn_tells_units_against_upkeep_nobility_and_what_is_due() -> None:
    """R25, R2, R3, R32, R35"""
    table = parts(AUTUMN)["standings"]

    assert _rows(table, "centres")["TOL"] == {"before": 3, "now": 4}
    assert _rows(table, "units")["TOL"] == 3
    assert _rows(table, "upkeep")["TOL"] == 5  # Alexandria keeps two
    assert _rows(table, "due") == {"SEL": 2, "TOL": 2, "LIS": 0, "AUT": 0, "CAS": 2, "CAN": 1}
    assert _rows(table, "state") == {
        **dict.fromkeys(("SEL", "TOL", "CAS", "CAN"), "playing"),
        **{"LIS": "revolt", "AUT": "eliminated"},
    }

    sample = parts(SAMPLE)["standings"]
    assert _rows(sample, "units")["CAS"] == 11  # with those that may still retreat
    assert "due" not in sample[0]
    assert "due" not in parts(LAST)["standings"][0]
    assert _rows(parts(phase_contexts.winter())["standings"], "due")["TOL"] == 1  # a build is left


def test_a_board_without_nobility_has_no_column_for_it() -> None:
    board = phase_contexts.BOARD.with_rules({"nobility": 0})
    position = replace(AUTUMN.position, board=board, units=(), nobility={})
    assert "nobility" not in parts(phase_contexts.process_orders(position, {}))["standings"][0]


# -- what is wanted next ------------------------------------------------------------------------


@pytest.mark.parametrize(("context", "said"), ROWS["due"])
def test_everybody_is_told_what_is_wanted_next(context: str, said: str) -> None:
    assert said in parts(CONTEXTS[context]())["due"]


def test_who_owes_nothing_is_told_so() -> None:
    """R3, R35: revolts and the eliminated send nothing."""
    due = parts(AUTUMN)["due"]
    assert due[-1] == "The others: nothing."
    assert not any(line.startswith(("Lysimachus", "Antigonus")) for line in due)


MAILS = sorted((phase_contexts.ROOT / "orders").rglob("*.txt"))[:: sized(3, 1)]


@sampled
@pytest.mark.parametrize("name", ["picks", "waiting", "winter"])
def test_whatever_a_mail_holds_can_be_remarked_on(name: str) -> None:
    """Real mails, also those for another phase or power: every reason has its sentence."""
    position = phase_contexts.ALL[name]().position
    for path in MAILS:
        mail = read_mail(position, "TOL", path.read_text(encoding="utf-8"), default_settings())
        receipt = Receipt("TOL", "", 1, "", mail.lines, (), (), "", False)
        context = PhaseContext("Diadochi", position, receipts={"TOL": receipt})

        for lang in LANGUAGES:
            for remark in parts(context, "TOL", lang).get("remarks", ()):
                assert "{" not in remark


def test_names_and_phases_in_a_remark_are_in_words() -> None:
    context = WAITING
    lines = (
        Understood("F a", "F PAN - ICA", "doubtful", "warn-full-sea", {"place": "ICA"}),
        Understood("Pick ALE", "Pick ALE", "impossible", "pick-contested", {"powers": "SEL, LIS"}),
        Understood("F P", "", "doubtful", "misspelt", {"text": "P", "meant": "EGE (Aegean Sea)"}),
    )
    receipt = replace(context.receipts["TOL"], lines=lines)
    remarks = parts(replace(context, receipts={"TOL": receipt}), "TOL", "it")["remarks"]
    assert "Mare di Icaro" in remarks[0] or "ICA" not in remarks[0].partition("—")[2]
    assert "Selèuco, Lisimaco" in remarks[1]
    assert "EGE (Mare Egeo)" in remarks[2]


def test_the_game_masters_list_of_what_waits_names_each_power() -> None:
    """Builds that are missing are counted."""
    pending = parts(WAITING, GM)["pending"]
    assert "Ptolemy: A MEN - ALE" in pending
    assert "Seleucus: G BAB - DUR" in pending
    assert "Ptolemy: still missing: G ALE, F TIR" in pending
    receipt = replace(WAITING.receipts["TOL"], missing=("Build", "Build"))
    pending = parts(replace(WAITING, receipts={"TOL": receipt}), "TOL")["pending"]
    assert pending[-1] == "still missing: builds due: 2"


# -- the appendices -----------------------------------------------------------------------------


def test_the_seals_can_be_worked_out_again_from_what_is_printed() -> None:
    """As the note says: the salt, the phase, the power, the orders, each on a line."""
    orders = ("G BAB - DUR",)
    digest = digest_orders("00ff", "318-spring", "SEL", orders)
    context = replace(SAMPLE, seals=(Seal("SEL", digest, "00ff", orders),))
    (row,) = parts(context)["seals"]
    again = digest_orders(row["salt"], data(context)["phase"], row["power"], row["orders"])
    assert again == row["digest"]


@pytest.mark.parametrize("name", ["sample", "picks", "retreats", "autumn", "winter"])
def test_the_position_can_be_pasted_as_a_turn_file(name: str, tmp_path: Path) -> None:
    context = phase_contexts.ALL[name]()
    path = tmp_path / "turn.yaml"
    path.write_text(parts(context)["turn"], encoding="utf-8")
    read = read_turn(path).position
    assert read is not None
    assert context.following is not None
    assert _plain(read) == _plain(context.following)


def _plain(position: Position) -> tuple[object, ...]:
    return (
        position.phase,
        sorted(position.units),
        dict(position.owners),
        {p: sorted(c) for p, c in position.homes.items() if c},
        sorted((d.unit, d.retreats) for d in position.dislodged),
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_house_rules_and_players_stand_at_the_foot(lang: str) -> None:
    sections = parts(SAMPLE, lang=lang)
    assert len(sections["house"]) == 12
    assert sections["players"][1] == {"power": "TOL", "name": "Marco D'Angelo"}


# -- the reader's language ----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "md", "html"])
@pytest.mark.parametrize(
    ("context", "said"),
    [
        (phase_contexts.picks, "Sceglie BAB"),
        (phase_contexts.deployment, "Costruisce A BAB"),
        (phase_contexts.winter, "Rinuncia"),
        (phase_contexts.retreats, "Scioglie F EGE#3"),
    ],
)
def test_orders_are_said_in_the_readers_language(
    context: Callable[[], PhaseContext], said: str, form: str
) -> None:
    """The seals apart: they are worked out from the canonical orders, by which the map of a page
    knows its parts too."""
    text = format_report(replace(context(), seals=()), None, form, load_sentences("it"))
    text = re.sub(r' data-order="[^"]*"', "", text)
    assert said in text.replace("\N{NO-BREAK SPACE}", " ").replace("\\", "")
    assert not re.search(r"\b(Build|Pick|Remove|Waive|Disband|via convoy)\b", text)


def test_the_orders_of_the_data_are_canonical_in_every_language() -> None:
    for lang in LANGUAGES:
        groups = parts(phase_contexts.winter(), lang=lang)["orders"]
        listed = [line["order"] for group in groups for line in group["orders"]]
        assert {"Build A BAB", "Waive"} <= {*listed}


# -- the map of the turn to be copied -----------------------------------------------------------


def test_a_map_of_the_package_is_named_under_any_switches() -> None:
    board = phase_contexts.BOARD.with_rules({"sea_capacity": 2, "major_city_capacity": 2})
    position = replace(SAMPLE.position, board=board, units=())
    assert format_turn_file(position, load_sentences("en")).startswith("map: alexmagnum\nrules: {")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_map_of_ones_own_is_not_named_as_the_one_it_was_made_from(
    lang: str, tmp_path: Path
) -> None:
    """Its id may be the same; the turn is read with the map that the reader names."""
    own = tmp_path / "own.json"
    text = (maps_folder() / "standard.json").read_text(encoding="utf-8")
    own.write_text(text.replace('"Vienna"', '"Vindobona"'), encoding="utf-8")
    position = first_position(load_board(own))
    pasted = format_turn_file(position, load_sentences(lang))
    path = tmp_path / "turn.yaml"
    path.write_text(pasted, encoding="utf-8")
    read = read_turn(path, str(own)).position

    assert position.board.id == "standard"
    assert pasted.startswith("# map: ")
    assert "map" not in yaml.safe_load(pasted)
    assert read is not None
    assert read.board.provinces["VIE"].name("en") == "Vindobona"
    assert read.board.rules == position.board.rules
    assert {*read.units} == {*position.units}


EN = load_sentences("en")
NEWS = ("changes", "end", "awards", "gains", "dislodged", "lost", "eliminated", "due")
OF_PLAYERS = ("changes", "end", "awards", "news", "due")
OWN = ("pending", "ahead", "remarks")
MAPS = MapPictures()

Part = tuple[str, str, str]
"""A part of a map: its picture, power and unit, or centre."""


def _view(name: str, reader: str | None = None) -> View:
    return filter_context(phase_contexts.ALL[name](), reader)


def _report(name: str, reader: str | None = None) -> PhaseReport:
    return compose_phase_report(_view(name, reader), EN)


def _keys(name: str, reader: str | None) -> list[str]:
    return [section.key for section in _report(name, reader).sections]


def _section(report: PhaseReport, key: str) -> Section:
    return next(section for section in report.sections if section.key == key)


def _items(context: PhaseContext, reader: str, lang: str) -> tuple[str, ...]:
    """Return what a reader is told to send next."""
    report = compose_phase_report(filter_context(context, reader), load_sentences(lang))
    lines: tuple[str, ...] = _section(report, "due").body.items  # type: ignore[union-attr]
    return lines


def test_the_news_come_before_everything_else_in_their_order() -> None:
    def check(name: str, reader: str) -> None:
        keys = _keys(name, reader or None)
        news = OF_PLAYERS if "news" in keys else NEWS
        first = [key for key in (*news, *OWN) if key in keys]
        assert keys[: len(first)] == first

    for name in phase_contexts.ALL:
        check(name, "")
        check(name, phase_contexts.second_power(name))
    assert _keys("autumn", "TOL")[:2] == ["news", "due"]
    assert _keys("autumn", GM)[:2] == ["gains", "due"]


def test_a_player_reads_first_what_they_won_and_lost_and_then_their_own_results() -> None:
    said = {}
    for power in ("TOL", "LIS"):
        report = _report("autumn", power)
        news, orders = _section(report, "news").body, _section(report, "orders").body
        assert isinstance(news, Prose)
        assert isinstance(orders, Orders)
        said[power] = news.paragraphs
        assert orders.groups[0].power == power
        assert sorted(group.power for group in orders.groups) == ["CAN", "CAS", "LIS", "SEL", "TOL"]
    nothing = "You won and lost no centre, and no unit of yours was dislodged or destroyed."
    assert said == {"TOL": ("You won Israel.",), "LIS": (nothing,)}
    news = _section(_report("sample", "AUT"), "news").body
    assert isinstance(news, Prose)
    assert "Destroyed: F FEN#2" in news.paragraphs[0]


@pytest.mark.parametrize(("lang", "start"), [("en", "From you: "), ("it", "Da te: ")])
@pytest.mark.parametrize(
    ("name", "reader"), [("sample", "CAS"), ("autumn", "CAN"), ("winter", "TOL"), ("picks", "CAS")]
)
def test_what_the_reader_owes_is_the_first_of_what_is_due(
    lang: str, start: str, name: str, reader: str
) -> None:
    lines = _items(phase_contexts.ALL[name](), reader, lang)
    assert [line.startswith(start) for line in lines] == [True] + [False] * (len(lines) - 1)


def test_who_owes_nothing_is_told_so_and_the_report_for_everybody_addresses_nobody() -> None:
    assert _items(phase_contexts.ALL["sample"](), "TOL", "en")[0] == "From you: nothing."
    assert _items(phase_contexts.ALL["sample"](), "TOL", "it")[0] == "Da te: niente."
    for name in phase_contexts.ALL:
        for section in _report(name).sections:
            assert "From you" not in str(section.body)


def test_listed_house_rules_and_appendices_are_folded_but_not_where_the_rules_are() -> None:
    context = replace(phase_contexts.ALL["sample"](), lists_house_rules=True)
    report = compose_phase_report(filter_context(context, None), EN)
    assert {section.key for section in report.sections if section.folded} == {
        *("house", "seals", "turn")
    }
    section = _section(_report("sample"), "house")
    assert section.pointer
    assert not section.folded


def test_a_game_with_a_site_has_links_to_its_rules_and_to_a_page_that_opens_the_position() -> None:
    context = replace(phase_contexts.ALL["sample"](), site="https://example.org/game/")
    report = compose_phase_report(filter_context(context, "TOL"), EN)

    assert "https://example.org/game/rules.html" in _section(report, "house").pointer
    assert "https://example.org/game/sandbox.html" in str(_section(report, "turn"))


# -- what lines are about -------------------------------------------------------------------------


def _parts(node: ElementTree.Element, picture: str = "") -> Iterator[Part]:
    """Yield the units and provinces of a drawing with the picture that they belong to."""
    picture = node.get("data-view", picture)
    if "data-power" in node.attrib:
        yield picture, node.attrib["data-power"], node.get("data-unit") or node.get("data-to") or ""
    if "data-province" in node.attrib:
        yield "", "", node.attrib["data-province"]
    for child in node:
        yield from _parts(child, picture)


def _missing(mention: Mention, parts: set[Part]) -> list[str]:
    """Return what a mention names and no part of the map shows."""
    is_after = bool(mention.picture)
    shown = {(power, unit) for picture, power, unit in parts if (picture == AFTER) == is_after}
    units = [unit for unit in mention.units if (mention.power, unit) not in shown]
    return units + [place for place in mention.places if ("", "", place) not in parts]


@pytest.mark.parametrize("name", one_in(3, sorted(phase_contexts.ALL)))
def test_whatever_a_line_is_about_is_on_the_map(name: str) -> None:
    view = _view(name)
    parts = set(_parts(ElementTree.fromstring(MAPS.page(view, EN).svg)))
    mentions = [m for section in compose_phase_report(view, EN).sections for m in section.mentions]
    assert mentions
    assert [(m, _missing(m, parts)) for m in mentions if _missing(m, parts)] == []


def test_every_line_of_a_section_has_its_mention() -> None:
    for name in phase_contexts.ALL:
        for section in _report(name, phase_contexts.second_power(name)).sections:
            body = section.body
            lines = body.rows if isinstance(body, Table) else getattr(body, "items", ())
            assert len(section.mentions) in (0, len(lines)), (name, section.key)


# -- house rules that change -----------------------------------------------------------------------


def test_a_house_rule_that_changes_in_a_phase_is_in_its_report(tmp_path: Path) -> None:
    """A change that is taken back is none, and settings of the desk alone are nobody's business."""
    desk = new_desk(tmp_path / "game")
    desk.set("missing", "hold")
    desk.process("1901-spring", allow_missing=True)
    for name, value in (("days_movement", "5"), ("days_movement", "3"), ("fuzzy", "refuse")):
        desk.set(name, value)
    desk.set("fuzzy", "notice")
    desk.set("mail_name", "The desk")
    desk.process("1901-autumn", allow_missing=True)
    assert desk.setting_changes("1901-spring") == {}
    assert _changed_rules(desk, "1901-spring") == ()
    changed = ("Now: Days for moves: 3.", "No longer: Days for moves: 7.")
    assert _changed_rules(desk, "1901-autumn") == changed


def _changed_rules(desk: Desk, phase: str) -> tuple[str, ...]:
    report = compose_phase_report(filter_context(gather_past_phase(desk, phase), "Italy"), EN)
    bodies = [section.body for section in report.sections if section.key == "house-changed"]
    return tuple(line for body in bodies if isinstance(body, Items) for line in body.items)
