"""The report of a phase, section by section."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from alexmagnum.board.map_file import load_board, maps_folder
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import read_turn
from alexmagnum.game.game import Change, Receipt, Seal, Understood
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.orders import digest_orders
from alexmagnum.game.settings import default_settings
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.position import Position
from alexmagnum.report.context import GM, PhaseContext
from alexmagnum.report.formats import format_report
from alexmagnum.report.phase_report import format_turn_file, tabulate_changes
from tests.report import phase_contexts
from tests.sizes import sampled, sized


def data(context: PhaseContext, recipient: str | None = None, lang: str = "en") -> dict[str, Any]:
    """Return the report as JSON data."""
    read: dict[str, Any] = json.loads(
        format_report(context, recipient, "json", load_sentences(lang), opened=True)
    )
    return read


def parts(context: PhaseContext, recipient: str | None = None, lang: str = "en") -> dict[str, Any]:
    """Return the content of each section of the report, by key."""
    listed = data(context, recipient, lang)["sections"]
    return {key: section["content"] for key, section in listed.items()}


def _rows(table: list[dict[str, Any]], key: str) -> dict[str, Any]:
    """Return a column of a table of powers, by power."""
    return {row["power"]: row[key] for row in table}


# -- the head -----------------------------------------------------------------------------------


def test_the_head_names_game_phase_reader_next_phase_and_deadline() -> None:
    report = data(phase_contexts.sample_turn(), "TOL", "it")

    assert report["game"] == "Diadochi"
    assert report["phase"] == "318-spring"
    assert report["phase_name"] == "Primavera 318 a.C., movimenti"
    assert report["recipient"] == "TOL"
    assert report["next"] == "318-spring-retreats"
    assert report["deadline"] == "2026-11-22T22:59:00Z"


def test_the_deadline_stands_in_local_time_and_utc() -> None:
    text = format_report(phase_contexts.sample_turn(), None, "text", load_sentences("it"))

    assert "domenica 22 novembre 2026, ore 23:59 (Europe/Rome) = 22:59 UTC" in text


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (replace(phase_contexts.sample_turn(), paused=True), "none for now: the clock is stopped"),
        (replace(phase_contexts.sample_turn(), deadline=""), "none set"),
        (phase_contexts.autumn(301), "none: the game is over"),
    ],
)
def test_a_deadline_that_there_is_not_is_said(context: PhaseContext, said: str) -> None:
    assert said in format_report(context, None, "text", load_sentences("en"))


def test_a_game_that_is_over_wants_nothing_more() -> None:
    sections = parts(phase_contexts.autumn(301))

    assert sections["end"] == [
        "the last year is over: Ptolemy wins (nobility: 10; centres: 4)",
    ]
    assert not {"due", "turn"} & sections.keys()
    assert "due" not in sections["standings"][0]


NO_WAY = "sloggiata, nessuna ritirata possibile"


# -- versions -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (("owner", "MEN", "TOL", ""), ("Padrone di MEN Menfi", "Tolomeo", "–")),
        (("nobility", "TOL", "10", "9"), ("Nobiltà di Tolomeo", "10", "9")),
        (("winner", "TOL", "", "TOL"), ("Vincitore", "–", "Tolomeo")),
        (
            ("result", "TOL Pick ALE", "fails", "succeeds"),
            ("Esito di Tolomeo Sceglie ALE", "non riesce", "riesce"),
        ),
        (("result", "F EGE", "", "removed"), ("Esito di F EGE", "–", "rimossa")),
        (
            ("dislodged", "F EGE", "", "BIS, TES"),
            ("Sloggiata: F EGE", "non sloggiata", "può ritirarsi in BIS, TES"),
        ),
        (("dislodged", "F EGE", "BIS", "—"), ("Sloggiata: F EGE", "può ritirarsi in BIS", NO_WAY)),
    ],
)
def test_every_difference_is_put_into_words(
    change: tuple[str, str, str, str], row: tuple[str, ...]
) -> None:
    changes = (Change("318-spring", *change),)
    table = tabulate_changes(changes, phase_contexts.BOARD, load_sentences("it"))

    assert tuple(cell.text for cell in table.rows[0]) == row


def test_a_correction_that_changed_nothing_says_so() -> None:
    assert parts(replace(phase_contexts.corrected_turn(), changes=()))["changes"] == [
        "No result is different."
    ]


# -- the game master's words --------------------------------------------------------------------


def test_his_words_stand_before_and_after_the_results_in_paragraphs() -> None:
    sections = parts(phase_contexts.sample_turn())
    keys = list(sections)

    assert keys.index("commentary") < keys.index("orders") < keys.index("notes")
    assert sections["commentary"] == [
        "The Nile was high that year.\nNobody slept.",
        "And the *fleets* sailed <at once>.",
    ]


def test_his_words_come_out_with_the_results_and_not_before() -> None:
    assert not {"commentary", "notes"} & parts(phase_contexts.open_turn()).keys()
    assert {"commentary", "notes"} <= parts(phase_contexts.open_turn(), GM).keys()


# -- results ------------------------------------------------------------------------------------


def test_results_stand_by_power_with_the_reason_on_the_line() -> None:
    orders = parts(phase_contexts.sample_turn(), lang="it")["orders"]

    assert [group["power"] for group in orders] == [*phase_contexts.BOARD.powers, "NEU"]
    assert orders[2]["orders"][0] == {
        "order": "F SAR - EFE",
        "result": "fails",
        "why": "respinta: stallo con A CEL (1 a 1)",
    }


def test_dislodged_and_lost_units_are_told() -> None:
    sections = parts(phase_contexts.sample_turn())

    assert sections["dislodged"][0] == (
        "F CRE (Cassander), dislodged by G ALE: may retreat to EGI, ION, LIB, PAN, or disband"
    )
    assert "F FEN#2 (Antigonus): caught while it was hauled, destroyed" in sections["lost"]


def test_of_retreats_only_those_are_told_who_had_to() -> None:
    orders = parts(phase_contexts.retreats())["orders"]

    assert [group["power"] for group in orders] == ["LIS", "AUT", "CAS"]


def test_awards_and_contested_centres_are_told() -> None:
    """R30"""
    assert parts(phase_contexts.picks())["awards"] == [
        "Seleucus: BAB (Babylon)",
        "Antigonus: CEL (Celaenae)",
        "ALE (Alexandria): named by several, still to be picked",
    ]


# -- how the powers stand -----------------------------------------------------------------------


def test_an_autumn_tells_who_took_which_centre_from_whom() -> None:
    """R29"""
    assert parts(phase_contexts.autumn())["gains"] == [
        {"centre": "ISR", "before": "SEL", "now": "TOL"}
    ]
    assert "gains" not in parts(phase_contexts.sample_turn())


def test_an_autumn_tells_units_against_upkeep_nobility_and_what_is_due() -> None:
    """R25, R2, R3, R32, R35"""
    table = parts(phase_contexts.autumn())["standings"]

    assert _rows(table, "centres")["TOL"] == {"before": 3, "now": 4}
    assert _rows(table, "units")["TOL"] == 3
    assert _rows(table, "upkeep")["TOL"] == 5  # Alexandria keeps two
    assert _rows(table, "due") == {"SEL": 2, "TOL": 2, "LIS": 0, "AUT": 0, "CAS": 2, "CAN": 1}
    assert _rows(table, "state") == {
        **dict.fromkeys(("SEL", "TOL", "CAS", "CAN"), "playing"),
        **{"LIS": "revolt", "AUT": "eliminated"},
    }


def test_a_movement_phase_counts_the_units_that_may_still_retreat() -> None:
    table = parts(phase_contexts.sample_turn())["standings"]

    assert _rows(table, "units")["CAS"] == 11
    assert "due" not in table[0]


def test_a_winter_tells_which_builds_are_left() -> None:
    table = parts(phase_contexts.winter())["standings"]

    assert _rows(table, "due")["TOL"] == 1


def test_a_board_without_nobility_has_no_column_for_it() -> None:
    board = phase_contexts.BOARD.with_rules({"nobility": 0})
    position = replace(phase_contexts.autumn().position, board=board, units=(), nobility={})

    assert "nobility" not in parts(phase_contexts.process_orders(position, {}))["standings"][0]


# -- what is wanted next ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (phase_contexts.picks(), "Ptolemy: a pick"),
        (phase_contexts.winter(), "Ptolemy: orders for units: 4 (A ISR, F EGI, G MEN, F ALE)"),
        (phase_contexts.autumn(), "Ptolemy: builds: at most 1 (in ALE)"),
        (
            phase_contexts.sample_turn(),
            "Cassander: a retreat for F CRE (to EGI, ION, LIB, PAN), or disband",
        ),
    ],
)
def test_everybody_is_told_what_is_wanted_next(context: PhaseContext, said: str) -> None:
    assert said in parts(context)["due"]


def test_a_deployment_is_asked_for_with_the_free_centres() -> None:
    """R31"""
    context = phase_contexts.deployment()

    assert "due" in parts(context)
    asked = replace(context, outcome=None, following=None)
    assert parts(asked)["due"][0] == "Seleucus: units to place: at most 1 (in BAB)"


def test_who_owes_nothing_is_told_so() -> None:
    """R3, R35: revolts and the eliminated send nothing."""
    due = parts(phase_contexts.autumn())["due"]

    assert due[-1] == "The others: nothing."
    assert not any(line.startswith(("Lysimachus", "Antigonus")) for line in due)


def test_the_only_retreat_open_needs_no_order_where_the_house_takes_it() -> None:
    context = phase_contexts.sample_turn()
    position = context.following
    assert position is not None
    one = tuple(replace(d, retreats=d.retreats[:1]) for d in position.dislodged)
    rules = {**context.house_rules, "single_retreat": "auto"}
    auto = replace(context, following=replace(position, dislodged=one), house_rules=rules)

    assert (
        "Cassander: F CRE retreats to EGI without an order, unless you disband it"
        in parts(auto)["due"]
    )


def test_phases_passed_over_are_told() -> None:
    context = replace(phase_contexts.sample_turn(), passed=("318-spring-retreats", "323-6"))

    assert parts(context, lang="it")["passed"] == [
        "Primavera 318 a.C., ritirate",
        "Schieramento 323 a.C.",
    ]


def test_retreats_without_any_open_are_passed_over_as_well() -> None:
    assert parts(phase_contexts.autumn())["passed"] == ["Autumn 319 BC, retreats"]
    assert "passed" not in parts(phase_contexts.sample_turn())
    assert "passed" not in parts(phase_contexts.autumn(301))


# -- one's own ----------------------------------------------------------------------------------


def test_a_power_reads_what_of_its_mail_did_not_count() -> None:
    assert parts(phase_contexts.sample_turn(), "LIS", "it")["remarks"] == [
        "«A Bithynia - Pontus» — l'unità 'A Bithynia' non c'è"
    ]
    assert "remarks" not in parts(phase_contexts.sample_turn(), "TOL")


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
    context = phase_contexts.open_turn()
    lines = (
        Understood("F a", "F PAN - ICA", "doubtful", "warn-full-sea", {"place": "ICA"}),
        Understood("Pick ALE", "Pick ALE", "impossible", "pick-contested", {"powers": "SEL, LIS"}),
    )
    receipt = replace(context.receipts["TOL"], lines=lines)
    remarks = parts(replace(context, receipts={"TOL": receipt}), "TOL", "it")["remarks"]

    assert "Mare di Icaro" in remarks[0] or "ICA" not in remarks[0].partition("—")[2]
    assert "Selèuco, Lisimaco" in remarks[1]


def test_the_game_masters_list_of_what_waits_names_each_power() -> None:
    pending = parts(phase_contexts.open_turn(), GM)["pending"]

    assert "Ptolemy: A MEN - ALE" in pending
    assert "Seleucus: G BAB - DUR" in pending
    assert "Ptolemy: still missing: G ALE, F TIR" in pending


def test_builds_that_are_missing_are_counted() -> None:
    context = phase_contexts.open_turn()
    receipt = replace(context.receipts["TOL"], missing=("Build", "Build"))
    pending = parts(replace(context, receipts={"TOL": receipt}), "TOL")["pending"]

    assert pending[-1] == "still missing: builds due: 2"


# -- the appendices -----------------------------------------------------------------------------


def test_the_seals_can_be_worked_out_again_from_what_is_printed() -> None:
    """As the note says: the salt, the phase, the power, the orders, each on a line."""
    orders = ("G BAB - DUR",)
    digest = digest_orders("00ff", "318-spring", "SEL", orders)
    context = replace(phase_contexts.sample_turn(), seals=(Seal("SEL", digest, "00ff", orders),))
    (row,) = parts(context)["seals"]

    assert (
        digest_orders(row["salt"], data(context)["phase"], row["power"], row["orders"])
        == row["digest"]
    )


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
    sections = parts(phase_contexts.sample_turn(), lang=lang)

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


def test_orders_that_wait_are_said_in_the_readers_language() -> None:
    assert parts(phase_contexts.open_turn(), "TOL", "it")["ahead"] == [
        "per le ritirate: F TIR - FEN",
        "per l'inverno: Costruisce A ALE",
    ]


# -- the map of the turn to be copied -----------------------------------------------------------


def test_a_map_of_the_package_is_named_under_any_switches() -> None:
    board = phase_contexts.BOARD.with_rules({"sea_capacity": 2, "major_city_capacity": 2})
    position = replace(phase_contexts.sample_turn().position, board=board, units=())

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
