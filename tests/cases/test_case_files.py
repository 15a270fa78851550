"""Turn and case files: what is wrong is named by file and key, and never with a traceback."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.cases.files import (
    Case,
    clause_coverage,
    read_case_files,
    read_cases,
    read_turn,
    run_case,
    unknown_clauses,
)
from alexmagnum.cases.schema import turn_text
from alexmagnum.errors import AlexMagnumError, BadFile, BadPosition, Fault
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation.names import find_power
from alexmagnum.orders import Retreat
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.sizes import drawn

GOOD = {
    "id": "T.1",
    "title": "A lone phalanx fails against a garrison",
    "map": "alexmagnum",
    "clause": ["R27", "R1"],
    "year": 318,
    "units": {"TOL": ["A MAM"], "NEU": ["A CIR"]},
    "orders": {"Tolomeo": ["A MAM - CIR"]},
    "expect": {"results": {"TOL": [{"order": "A MAM - CIR", "result": "fails"}]}, "destroyed": []},
}


def _results(word: str) -> dict[str, object]:
    return {"results": {"TOL": [{"order": "A MAM - CIR", "result": word}]}}


def _case(folder: Path, data: Mapping[str, Any] = GOOD, /, **change: Any) -> Case:
    """Return the case of a file with this data."""
    (case,) = read_cases(_file(folder, {"cases": [{**data, **change}]}))
    return case


def _differences(folder: Path, data: Mapping[str, Any] = GOOD, /, **change: Any) -> list[str]:
    return [str(difference) for difference in run_case(_case(folder, data, **change)).differences]


def _file(folder: Path, data: object, name: str = "case.yaml") -> Path:
    path = folder / name
    text = json.dumps(data) if name.endswith(".json") else yaml.safe_dump(data)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["case.yaml", "case.json"])
def test_a_case_alone_or_in_a_list_is_read_from_yaml_and_json(tmp_path: Path, name: str) -> None:
    for data in (GOOD, {"cases": [GOOD]}):
        (case,) = read_cases(_file(tmp_path, data, name))

        assert case.clauses == ("R27", "R1")
        assert run_case(case).passed


def test_a_wrong_expectation_fails_and_says_what_came_out(tmp_path: Path) -> None:
    expect = {
        "results": {"TOL": [{"order": "A MAM - CIR", "result": "succeeds"}]},
        "units_after": {"TOL": ["A CIR"], "NEU": []},
        "dislodged": [{"power": "TOL", "unit": "A MAM", "by": "A CIR", "retreats": []}],
        "nobility": {"TOL": 9},
        "adjust": {"TOL": 1},
        "auto_disbanded": {"TOL": ["A MAM"]},
        "disbanded": [{"power": "TOL", "unit": "A MAM"}],
        "destroyed": [{"power": "NEU", "unit": "A CIR"}],
        "owners_after": {"TOL": ["CIR"]},
    }
    differences = run_case(_case(tmp_path, expect=expect)).differences
    result = next(d for d in differences if "A MAM - CIR" in d.what)

    assert (result.expected, result.got) == ("succeeds", "fails")
    assert {d.what.split()[0].rstrip(":") for d in differences} >= set(expect) - {"results"}


def test_a_wrong_result_is_refused_with_the_nearest_word(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as fault:
        _case(tmp_path, expect=_results("suceeds"))

    assert fault.value.data["hint"] == "succeeds"


def test_the_results_of_rivers_and_portages_are_known_words(tmp_path: Path) -> None:
    for word in ("stopped", "destroyed"):
        (said,) = _differences(tmp_path, expect=_results(word))
        assert said == f"TOL: A MAM - CIR: expected {word}, got fails"


def test_an_order_that_is_not_in_the_turn_is_a_difference(tmp_path: Path) -> None:
    """An order listed under no power is named by itself."""
    listed = [{"order": f"A MAM - {to}", "result": "succeeds"} for to in ("CIR", "MAM")]

    assert _differences(tmp_path, expect={"results": listed}) == [
        "A MAM - CIR: expected succeeds, got fails",
        "A MAM - MAM: expected succeeds, got no such order",
    ]


WRONG_PICKS = {
    "awards": {"TOL": "MEN", "CAS": "ATE"},
    "contested": ["BIS"],
    "void": ["TOL"],
    "centers": {"TOL": ["MEN"]},
    "winners": ["TOL"],
    "eliminated": ["SEL"],
}
RIGHT_PICKS = {
    "awards": {"Tolomeo": "ALE"},
    "contested": ["BAB"],
    "void": ["CAN"],
    "centers": {"TOL": ["ALE"], "SEL": []},
    "winners": [],
    "eliminated": [],
}


def _picks(expect: Mapping[str, object]) -> dict[str, object]:
    orders = {"TOL": ["ALE"], "SEL": ["BAB"], "LIS": ["BAB"], "CAN": ["ATE"]}
    return {"map": "alexmagnum", "phase": "picks", "orders": orders, "expect": expect}


def test_the_outcome_of_a_period_of_picks_is_compared(tmp_path: Path) -> None:
    """A power that lists no orders need not be named in ``void``."""
    assert _differences(tmp_path, _picks(RIGHT_PICKS)) == []
    wrong = run_case(_case(tmp_path, _picks(WRONG_PICKS))).differences
    found = {d.what.split()[0]: d for d in wrong}
    assert found.keys() == WRONG_PICKS.keys()
    assert (found["awards"].expected, found["awards"].got) == ("CAS ATE, TOL MEN", "TOL ALE")
    assert found["void"].got == "CAN"


def test_void_names_every_power_whose_orders_yield_no_pick(tmp_path: Path) -> None:
    """Also one that lists no pick at all."""
    for listed, void, passes in (([], [], False), ([], ["CAS"], True), (["ATE"], ["CAS"], False)):
        data = _picks({"void": [*void, "CAN"]})
        told = _differences(tmp_path, data, orders={"CAS": listed, "CAN": []})

        assert (not told) == passes


def test_who_had_nothing_before_need_not_be_called_eliminated(tmp_path: Path) -> None:
    data = {
        "map": "alexmagnum",
        "phase": "autumn_moves",
        "centers": {"SEL": ["TEB"]},
        "units": {"TOL": ["A MEN"]},
        "orders": {"TOL": ["A MEN - TEB"]},
    }
    for out, passes in ((["SEL"], True), (["SEL", "LIS"], True), ([], False), (["TOL"], False)):
        assert (not _differences(tmp_path, data, expect={"eliminated": out})) == passes


def test_the_last_turn_is_the_one_that_says_so(tmp_path: Path) -> None:
    """R34: in whichever year, on whichever map, and in the retreats of an autumn."""
    for change in (
        {"phase": "autumn_moves"},
        {"phase": "autumn_moves", "year": 310},
        {"phase": "autumn_moves", "map": "standard", "centers": {"France": ["PAR"]}},
        {"phase": "retreats"},
        {"phase": "retreats", "previous": {"phase": "autumn_moves"}},
    ):
        data = {"map": "alexmagnum", "last_turn": True, "centers": {"TOL": ["MEN"]}, **change}
        winner = "France" if "map" in change else "TOL"

        assert _differences(tmp_path, data, expect={"winners": [winner]}) == []


def test_a_moves_phase_before_retreats_takes_over_what_the_case_says(tmp_path: Path) -> None:
    data = {
        "map": "alexmagnum",
        "phase": "retreats",
        "nobility": {"SEL": 4},
        "centers": {"TOL": ["MEN"], "SEL": ["TEB"]},
        "previous": {
            "phase": "autumn_moves",
            "units": {"SEL": ["G TEB"], "TOL": ["A MEN", "A NUB", "A SIW"]},
            "orders": {"TOL": ["A NUB - TEB", "A MEN S A NUB - TEB"]},
            "expect": {"dislodged": []},
        },
        "expect": {"owners_after": {"TOL": ["MEN"]}, "nobility": {"SEL": 4}},
    }
    case = _case(tmp_path, data)

    assert case.turn.previous is not None
    assert run_case(case).differences == ()


def test_units_are_matched_by_number_where_the_case_gives_one(tmp_path: Path) -> None:
    """And of several attackers ``by`` may be any."""
    data: dict[str, object] = {
        "map": "alexmagnum",
        "units": {
            "TOL": ["F EGE#1", "F ATE"],
            "SEL": ["F EGE#2", "F EGE#3"],
            "LIS": ["F ICA", "F EFE"],
        },
        "orders": {
            "TOL": ["F EGE#1 - EGE#2", "F ATE S F EGE#1 - EGE#2"],
            "LIS": ["F ICA - EGE#2", "F EFE S F ICA - EGE#2"],
        },
    }
    for unit, by, passes in (
        ("F EGE", "F EGE", True),
        ("F EGE#2", "F EGE#1", True),
        ("F EGE#2", "F ICA", True),
        ("F EGE#3", "F ICA", False),
        ("F EGE#2", "F EGE#3", False),
        ("F EGE#2", "F EFE", False),
    ):
        expect = {"dislodged": [{"power": "SEL", "unit": unit, "by": by}]}
        assert (not _differences(tmp_path, data, expect=expect)) == passes, (unit, by)


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"unitz": {}}, "unknown-word", "unitz"),
        ({"phase": "spring"}, "unknown-word", "phase"),
        ({"units": {"Tolomeus": ["A MAM"]}}, "unknown-word", "units.Tolomeus"),
        ({"units": {"TOL": "A MAM"}}, "not-a-list", "units.TOL"),
        ({"units": {"TOL": ["A XYZ"]}}, "not-a-unit", "units.TOL"),
        ({"units": {"TOL": ["A EGE#x"]}}, "not-a-unit", "units.TOL"),
        ({"units": {"TOL": ["F CAP"]}}, "fleet-inland", "units.TOL"),
        ({"units": {"TOL": ["A EGE"]}}, "army-afloat", "units.TOL"),
        ({"units": {"TOL": ["A MAM", "A MAM"]}}, "place-taken", "units.TOL"),
        ({"units": {"TOL": ["F EGE#0"]}}, "no-such-place", "units.TOL"),
        ({"units": {"TOL": ["F EGE#4"]}}, "no-such-place", "units.TOL"),
        ({"units": {"TOL": ["F EGE"] * 4}}, "no-such-place", "units.TOL"),
        ({"units": {"TOL": ["F EGE#1", "F EGE#1"]}}, "place-taken", "units.TOL"),
        (
            {"rules": {"major_city_capacity": 2}, "units": {"TOL": ["A ALE"], "SEL": ["A ALE"]}},
            "city-of-two",
            "units.TOL",
        ),
        ({"nobility": {"TOL": -1}}, "points-out-of-range", "nobility.TOL"),
        ({"nobility": {"TOL": 11}}, "points-out-of-range", "nobility.TOL"),
        ({"year": -1}, "year-negative", "year"),
        ({"phase": "picks", "period": 9}, "no-such-period", "period"),
        ({"phase": "picks", "period": 0}, "no-such-period", "period"),
        ({"phase": "deployment", "period": 5}, "no-such-period", "period"),
        ({"phase": "picks", "rules": {"picks": 0}}, "no-cyprus-year", "phase"),
        ({"phase": "deployment", "rules": {"picks": 0}}, "no-cyprus-year", "phase"),
        ({"homes": {"TOL": ["MEN"], "SEL": ["TIR", "MEN"]}}, "home-twice", "homes.TOL"),
        ({"homes": {"TOL": ["LAH"]}}, "home-twice", "homes.TOL"),
        ({"homes": {"TOL": ["CIR"]}}, "home-independent", "homes.TOL"),
        ({"homes": {"NEU": ["MEN"]}}, "unknown-power", "homes.NEU"),
        ({"units": ["A MAM"]}, "wrong-type", "units"),
        ({"rules": {"sea_capacity": 3, "general_strenght": 3}}, "unknown-rule", "rules"),
        ({"rules": {"sea_capacity": 0}}, "bad-rule-value", "rules.sea_capacity"),
        ({"expect": {"result": {}}}, "unknown-word", "expect.result"),
        ({"nobility": {"TOL": "ten"}}, "not-a-number", "nobility.TOL"),
        ({"previous": GOOD}, "previous-without-retreats", "phase"),
        ({"centers": {"TOL": ["MAM"]}}, "not-a-centre", "centers.TOL"),
        ({"year": "318"}, "wrong-type", "year"),
        ({"last_turn": "yes"}, "wrong-type", "last_turn"),
        ({"expect": {"winners": ["TOLL"]}}, "unknown-word", "expect.winners"),
        ({"expect": {"winners": "TOL"}}, "wrong-type", "expect.winners"),
        ({"expect": {"eliminated": [3]}}, "not-a-list", "expect.eliminated"),
        ({"expect": {"void": {"TOL": 1}}}, "wrong-type", "expect.void"),
        ({"expect": {"contested": ["ALLE"]}}, "unknown-word", "expect.contested"),
        ({"expect": {"awards": {"TOL": "MAM"}}}, "unknown-word", "expect.awards.TOL"),
        ({"expect": {"awards": {"TOL": ["ALE"]}}}, "wrong-type", "expect.awards.TOL"),
        ({"expect": {"awards": ["ALE"]}}, "wrong-type", "expect.awards"),
        ({"expect": {"centers": {"TOL": ["EGE"]}}}, "unknown-word", "expect.centers.TOL"),
        ({"expect": {"owners_after": {"TOL": ["AL"]}}}, "unknown-word", "expect.owners_after"),
        ({"expect": _results("suceeds")}, "unknown-word", "expect.results.TOL[0].result"),
        ({"expect": _results("void")}, "unknown-word", "expect.results.TOL[0].result"),
    ],
)
def test_a_fault_is_named_by_its_key(
    tmp_path: Path, change: dict[str, Any], code: str, where: str
) -> None:
    with pytest.raises((BadFile, BadPosition)) as caught:
        _case(tmp_path, **change)
    fault = caught.value.faults[0] if isinstance(caught.value, BadPosition) else caught.value
    assert isinstance(fault, BadFile | Fault)
    assert (fault.code, where in fault.where) == (code, True)
    for lang in LANGUAGES:
        assert str(tmp_path) in load_sentences(lang).error(caught.value)


def _faults(folder: Path, data: Mapping[str, object]) -> list[str]:
    """Return the faults of a position, in English."""
    with pytest.raises(BadPosition) as found:
        read_turn(_file(folder, {"map": "alexmagnum", **data}))
    return [load_sentences("en").format(fault.code, **fault.data) for fault in found.value.faults]


def _turned_out(*units: str, by: str = "A TEB", retreats: Sequence[str] = ()) -> dict[str, object]:
    """Return a retreat phase with some units of Ptolemy's to retreat."""
    entry = {"power": "TOL", "by": by, "retreats": list(retreats)}
    return {"phase": "retreats", "dislodged": [{**entry, "unit": unit} for unit in units]}


def test_faults_of_places_show_the_numbers(tmp_path: Path) -> None:
    for units, said in (
        (["F EGE#1", "F EGE#1"], "F EGE#1: its place is taken already, by F EGE#1 of TOL"),
        (["F EGE#4"], "F EGE#4: there is no such place, EGE has room for 3"),
        (["F EGE"] * 4, "F EGE#4: there is no such place, EGE has room for 3"),
        (["A MEN", "F MEN"], "F MEN: its place is taken already, by A MEN of TOL"),
        (["A MEN#2"], "A MEN#2: there is no such place, MEN has room for 1"),
    ):
        assert _faults(tmp_path, {"units": {"TOL": units}}) == [said]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_turned_out("F EGE#7"), "F EGE#7: there is no such place, EGE has room for 3"),
        (_turned_out("F EGE#0"), "F EGE#0: there is no such place, EGE has room for 3"),
        (_turned_out("A EGE#1"), "A EGE#1: no army can stand at sea"),
        (_turned_out("F CAP"), "F CAP: no fleet can stand there"),
        (_turned_out("A MEN", by="A EGE#2"), "A EGE#2: no army can stand at sea"),
        (_turned_out("A MEN", by="F EGE#4"), "F EGE#4: there is no such place, EGE has room for 3"),
        (_turned_out("A MEN", "F MEN"), "F MEN: its place is taken already, by A MEN of TOL"),
        (
            {
                **_turned_out("F EGE#2", retreats=["ICA", "ION"]),
                "units": {"SEL": ["F ION", "F ION", "F ION"], "TOL": ["F ICA"]},
            },
            "F EGE#2 cannot retreat to ION: no place is free there",
        ),
        (
            {**_turned_out("A MEN", retreats=["NOC"]), "units": {"SEL": ["A NOC"]}},
            "A MEN cannot retreat to NOC: no place is free there",
        ),
        (
            _turned_out("A MEN", retreats=["CRE"]),
            "A MEN cannot retreat to CRE: no border leads there",
        ),
    ],
)
def test_units_that_have_to_retreat_are_looked_at_too(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    assert _faults(tmp_path, change) == [said]


def test_dislodged_fleets_without_a_number_get_the_lowest_free_ones(tmp_path: Path) -> None:
    data = {"map": "alexmagnum", **_turned_out("F EGE", "F EGE#1", "F EGE")}
    position = read_turn(_file(tmp_path, data)).position

    assert position is not None
    assert list(position.names) == ["F EGE#2", "F EGE#1", "F EGE#3"]


@pytest.mark.parametrize("powers", [("TOL", "CAS"), ("CAS", "TOL")])
def test_unnumbered_fleets_of_several_powers_to_retreat_from_one_sea_are_refused(
    tmp_path: Path, powers: tuple[str, str]
) -> None:
    data = _turned_out("F EGE", "F EGE")
    for entry, power in zip(data["dislodged"], powers, strict=True):  # type: ignore[call-overload]
        entry["power"] = power

    (said,) = _faults(tmp_path, data)
    assert said.endswith(f"write for example {powers[0]}: F EGE#1, {powers[1]}: F EGE#2")


def test_without_by_the_attacker_is_the_unit_that_stands_there_now(tmp_path: Path) -> None:
    fleets = ["F EGE#1", "F EGE#2"]
    lost = [{"power": "TOL", "unit": unit, "retreats": ["CRE"]} for unit in ("F EGE#2", "F EGE#3")]
    data = {"map": "alexmagnum", "phase": "retreats", "units": {"SEL": fleets}, "dislodged": lost}
    position = read_turn(_file(tmp_path, data)).position

    assert position is not None
    assert [d.by for d in position.dislodged] == [
        Unit("SEL", "F", "EGE", number=2),
        Unit("SEL", "F", "EGE", number=1),
    ]
    again = yaml.safe_load(turn_text(position))
    assert read_turn(_file(tmp_path, again)).position == position
    with pytest.raises(BadFile) as found:
        read_turn(_file(tmp_path, {**data, "units": {}}))
    assert found.value.code == "dislodged-by-nobody"
    for lang in ("en", "it"):
        assert "F EGE" in load_sentences(lang).error(found.value)


def test_a_fleet_that_is_alone_in_its_sea_keeps_its_number(tmp_path: Path) -> None:
    """R8."""
    listed = ["F EGE#2", "F ION", "F ICA#1", "F ICA#3"]
    data = {"map": "alexmagnum", "units": {"TOL": listed}}
    position = read_turn(_file(tmp_path, data)).position
    assert position is not None
    assert list(position.names) == listed


def test_a_retreat_to_where_no_place_is_left_is_void() -> None:
    """R17: even where the list of open ways has it."""
    here = tuple(Unit("SEL", "F", "ION", number=number) for number in (1, 2, 3))
    fleets = (Unit("TOL", "F", "EGE", number=2), Unit("LIS", "F", "ADR"))
    ways = ("ION",)
    position = Position(
        load_board("alexmagnum"),
        Phase(318, "spring", retreats=True),
        here,
        dislodged=tuple(Dislodged(fleet, here[0], ways) for fleet in fleets),
    )
    orders = {"TOL": [Retreat("F EGE#2", "ION")], "LIS": [Retreat("F ADR", "ION")]}
    outcome = adjudicate(position, orders)

    assert [entry.result for entry in outcome.results] == ["illegal", "illegal"]
    assert [(r.code, r.units) for r in outcome.reasons] == [("retreat-full", ())] * 2
    assert set(outcome.disbanded) == set(fleets)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("x.yaml", "cases: [", "file-not-yaml"),
        ("x.json", "{", "not-json"),
        ("x.yaml", "just words", "not-a-mapping"),
        ("x.yaml", "cases: []", "no-cases"),
    ],
)
def test_a_file_that_is_no_case_file_is_refused(
    tmp_path: Path, name: str, text: str, code: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as fault:
        read_cases(path)

    assert fault.value.code == code


def test_files_that_are_missing_folders_or_not_text_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    missing = tmp_path / "none.yaml"
    for path, code in ((missing, "no-file"), (tmp_path, "is-folder"), (binary, "not-utf8")):
        with pytest.raises(BadFile) as fault:
            read_turn(path)
        assert fault.value.code == code


@drawn(40, 1000)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["cases", "units", "orders", "expect", "TOL", "phase", "id", "previous"]
                )
                | st.text(max_size=4),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_data_makes_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: object) -> None:
    path = _file(tmp_path_factory.mktemp("fuzz"), data, "x.json")
    for read in (read_cases, read_turn):
        try:
            read(path)
        except AlexMagnumError:
            continue


def test_only_true_and_false_are_booleans(tmp_path: Path) -> None:
    """YAML 1.1 would make a province or power called NO or ON a boolean."""
    path = tmp_path / "x.yaml"
    path.write_text("title: NO\nnote: on\n", encoding="utf-8")

    assert read_turn(path).orders == {}


def test_folders_are_searched_in_a_fixed_order(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.json", "notes.txt"):
        _file(tmp_path, GOOD, name)

    sources = [Path(case.source).name for case in read_case_files([tmp_path])]

    assert sources == ["a.json", "b.yaml"]


def test_powers_are_found_by_id_name_and_alias() -> None:
    board = load_board("alexmagnum")

    found = [find_power(board, name) for name in ("tol", "Ptolemy", "blu", "neu", "x")]
    assert found == ["TOL", "TOL", "TOL", "NEU", ""]


def test_coverage_counts_every_ruling(tmp_path: Path) -> None:
    counts = clause_coverage(read_cases(_file(tmp_path, GOOD)))

    assert len(load_board("alexmagnum").rulings) == 39
    assert (counts["R27"], counts["R1"], counts["R19"]) == (1, 1, 0)


def test_a_case_that_could_never_fail_is_refused(tmp_path: Path) -> None:
    without = {key: value for key, value in GOOD.items() if key != "expect"}
    empty: tuple[object, ...] = (None, {}, [], {"TOL": []})
    listed: list[object] = [{}, {"adjust": {}}, {"nobility": {}, "owners_after": {}}]
    listed += [{"results": results} for results in empty]
    for case in (without, *({**without, "expect": expect} for expect in listed)):
        with pytest.raises(BadFile) as refused:
            _case(tmp_path, case)
        assert (refused.value.code, refused.value.where) == ("no-expectation", "T.1.expect")


def test_an_expectation_that_nothing_happens_can_fail(tmp_path: Path) -> None:
    for key in ("destroyed", "winners", "dislodged"):
        assert _case(tmp_path, expect={key: []}).expect == {key: []}
    assert _case(tmp_path, expect={"units_after": {}}).expect == {"units_after": {}}


def test_two_cases_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        read_cases(_file(tmp_path, {"cases": [GOOD, GOOD]}))

    assert (refused.value.code, refused.value.where) == ("case-twice", "T.1")


IN_THE_AEGEAN: Mapping[str, object] = {
    "id": "sea",
    "map": "alexmagnum",
    "units": {"TOL": ["F EGE#1"], "CAS": ["F EGE#3", "F EGE#2"]},
}


def test_a_difference_in_the_number_of_a_fleet_is_shown(tmp_path: Path) -> None:
    """A number in an expectation is matched before units without one."""
    right = {"units_after": {"TOL": ["F EGE"], "CAS": ["F EGE", "F EGE#3"]}}
    wrong = {"units_after": {"TOL": ["F EGE#2"], "CAS": ["F EGE#1", "F EGE"]}}

    assert _differences(tmp_path, IN_THE_AEGEAN, expect=right) == []
    assert set(_differences(tmp_path, IN_THE_AEGEAN, expect=wrong)) == {
        "units_after TOL: expected F EGE#2, got F EGE#1",
        "units_after CAS: expected F EGE#1, got F EGE#3",
    }


def test_the_attacker_of_a_dislodged_unit_may_be_left_out(tmp_path: Path) -> None:
    retreats = sorted(n for n in load_board("alexmagnum").army_graph["CIR"] if n != "MAM")
    units, orders = {"TOL": ["G MAM"], "SEL": ["A CIR"]}, {"TOL": ["G MAM - CIR"]}
    for entry in ({}, {"by": "G MAM"}, {"retreats": ["AMO"]}, {"retreats": retreats}):
        expect = {"dislodged": [{"power": "SEL", "unit": "A CIR", **entry}]}
        told = _differences(tmp_path, units=units, orders=orders, expect=expect)
        assert (not told) == (entry.get("retreats") in (None, retreats))


def test_centres_without_an_owner_are_listed_under_neu(tmp_path: Path) -> None:
    centers = {"NEU": ["CIR", "SPA"], "TOL": ["ALE"]}
    autumn = {**GOOD, "phase": "autumn_moves", "centers": centers}
    for owners, passes in (({"NEU": ["CIR"], "TOL": ["ALE"]}, True), ({"NEU": ["ALE"]}, False)):
        told = _differences(tmp_path, autumn, expect={"owners_after": owners})
        assert (not told) == passes


def test_a_centre_of_a_power_and_of_nobody_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPosition):
        _case(tmp_path, centers={"NEU": ["CIR"], "TOL": ["CIR"]})


@pytest.mark.parametrize("powers", [("TOL", "CAS"), ("CAS", "TOL")])
def test_fleets_of_several_powers_in_one_sea_need_numbers(
    tmp_path: Path, powers: Sequence[str]
) -> None:
    """A numbered fleet keeps its number whatever the order of the file."""
    with pytest.raises(BadPosition) as refused:
        _case(tmp_path, units={power: ["F EGE"] for power in powers}, orders={})
    (fault,) = refused.value.faults
    assert fault.code == "fleets-without-number"
    first, second = sorted(powers)  # as YAML lists them
    assert fault.data["fix"] == f"{first}: F EGE#1, {second}: F EGE#2"

    units = {"TOL": ["F EGE"], "CAS": ["F EGE#1"]}
    read = _case(tmp_path, units={power: units[power] for power in powers}, orders={})
    assert read.turn.position is not None
    assert {(u.power, u.number) for u in read.turn.position.units} == {("TOL", 2), ("CAS", 1)}


PARIS = {
    "id": "mine",
    "map": "mine.json",
    "units": {"France": ["A PAR"]},
    "expect": {"units_after": {"France": ["A PAR"]}},
}


def _map_of_ones_own(folder: Path, *rulings: str) -> None:
    data = json.loads(Path("maps/standard.json").read_text(encoding="utf-8"))
    _file(folder, {**data, "rulings": rulings}, "mine.json")


def test_a_map_lists_the_rulings_that_its_cases_have_to_cover(tmp_path: Path) -> None:
    _map_of_ones_own(tmp_path, "S1", "S2")

    assert clause_coverage([_case(tmp_path, PARIS, clause="S2")]) == {"S1": 0, "S2": 1}


def test_a_clause_that_is_no_ruling_is_found_with_the_nearest_one(tmp_path: Path) -> None:
    clauses = ["R27", "R2l", "R11b", "DATC 6.F", "DATC 6.F.14", "DATC 6.X", "Roma"]
    _map_of_ones_own(tmp_path, "S1")
    cases = [
        {**GOOD, "id": "listed", "clause": clauses},
        {**PARIS, "clause": ["S1", "R27", "S2"]},
        {**PARIS, "id": "free", "map": "standard", "clause": ["house rule", "DATC 6.FF"]},
    ]

    found = unknown_clauses(read_cases(_file(tmp_path, {"cases": cases})))

    assert [(u.case.id, u.clause, u.near) for u in found] == [
        ("listed", "R2l", "R2"),
        ("listed", "R11b", "R11"),
        ("listed", "DATC 6.X", ""),
        ("listed", "Roma", ""),
        ("mine", "S2", ""),
        ("free", "DATC 6.FF", ""),
    ]


def test_broken_files_are_reported_and_the_others_read(tmp_path: Path) -> None:
    _file(tmp_path, GOOD, "a.yaml")
    (tmp_path / "b.yaml").write_text("cases: [", encoding="utf-8")
    _file(tmp_path, {"cases": [{**GOOD, "id": "c"}]}, "c.yaml")
    faults: dict[str, AlexMagnumError] = {}

    cases = list(read_case_files([tmp_path, tmp_path / "none.yaml"], faults.__setitem__))

    assert [case.id for case in cases] == ["T.1", "c"]
    assert [Path(path).name for path in faults] == ["b.yaml", "none.yaml"]
