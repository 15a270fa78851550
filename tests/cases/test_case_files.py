"""Turn and case files: what is wrong is named by file and key, and never with a traceback."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position
from alexmagnum.cases import files
from alexmagnum.cases.schema import canonical, position_data, read_position, turn_text
from alexmagnum.errors import AlexMagnumError, BadFile, BadPosition, Fault
from alexmagnum.files import parse_yaml
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation.names import find_power
from alexmagnum.orders import Build, Hold, Retreat
from alexmagnum.play import play_game
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.case_library import cases_in, read_yaml
from tests.each import check_each
from tests.sizes import drawn, sampled, sized

DATA = Path(__file__).parents[1] / "data"
FAULTS = read_yaml(DATA / "case_faults.yaml")
GOOD: Mapping[str, Any] = FAULTS["sound"]


def _case(folder: Path, data: Mapping[str, Any] = GOOD, /, **change: Any) -> files.Case:
    """Return the case of a file with this data."""
    (case,) = files.read_case_files([_file(folder, {"cases": [{**data, **change}]})])
    return case


def _differences(folder: Path, data: Mapping[str, Any] = GOOD, /, **change: Any) -> list[str]:
    return [
        str(difference) for difference in files.run_case(_case(folder, data, **change)).differences
    ]


def _file(folder: Path, data: object, name: str = "case.yaml") -> Path:
    path = folder / name
    text = json.dumps(data) if name.endswith(".json") else yaml.safe_dump(data)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["case.yaml", "case.json"])
def test_a_case_alone_or_in_a_list_is_read_from_yaml_and_json(tmp_path: Path, name: str) -> None:
    for data in (GOOD, {"cases": [GOOD]}):
        (case,) = files.read_case_files([_file(tmp_path, data, name)])
        assert case.clauses == ("R27", "R1")
        assert files.run_case(case).passed


def test_expectations_pass_or_fail_and_a_failure_says_what_came_out(tmp_path: Path) -> None:
    def check(row: Mapping[str, Any]) -> None:
        data = row.get("case", {})
        given = data if "map" in data else {**GOOD, **data}
        for expect in row.get("passes", ()):
            assert _differences(tmp_path, given, expect=expect) == []
        for expect in row.get("fails", ()):
            assert _differences(tmp_path, given, expect=expect), expect
        for told in row.get("says", ()):
            found = _differences(tmp_path, given, expect=told["expect"])
            assert sorted(found) == sorted(told["differences"]), found

    check_each([(row,) for row in read_yaml(DATA / "case_differences.yaml")], check)


@pytest.mark.parametrize("row", FAULTS["changes"], ids=lambda row: row["at"])
def test_a_fault_is_named_by_its_key(tmp_path: Path, row: Mapping[str, Any]) -> None:
    with pytest.raises((BadFile, BadPosition)) as caught:
        _case(tmp_path, **row["change"])
    fault = caught.value.faults[0] if isinstance(caught.value, BadPosition) else caught.value
    assert isinstance(fault, BadFile | Fault)
    assert (fault.code, row["at"] in fault.where) == (row["code"], True)
    assert "hint" not in row or fault.data["hint"] == row["hint"]
    for lang in LANGUAGES:
        assert str(tmp_path) in load_sentences(lang).error(caught.value)


def _faults(folder: Path, data: Mapping[str, object]) -> list[str]:
    """Return the faults of a position, in English."""
    with pytest.raises(BadPosition) as found:
        files.read_turn(_file(folder, {"map": "alexmagnum", **data}))
    return [load_sentences("en").format(fault.code, **fault.data) for fault in found.value.faults]


def _turned_out(*units: str, retreats: Sequence[str] = ()) -> dict[str, object]:
    """Return a retreat phase with some units of Ptolemy's to retreat."""
    entry = {"power": "TOL", "by": "A TEB", "retreats": list(retreats)}
    return {"phase": "retreats", "dislodged": [{**entry, "unit": unit} for unit in units]}


@pytest.mark.parametrize("row", FAULTS["turns"], ids=lambda row: row["says"])
def test_a_fault_of_a_place_is_said_with_its_number(tmp_path: Path, row: Mapping[str, Any]) -> None:
    """Units that have to retreat are looked at too."""
    assert _faults(tmp_path, row["turn"]) == [row["says"]]


def test_dislodged_fleets_without_a_number_get_the_lowest_free_ones(tmp_path: Path) -> None:
    data = {"map": "alexmagnum", **_turned_out("F EGE", "F EGE#1", "F EGE")}
    position = files.read_turn(_file(tmp_path, data)).position
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
    position = files.read_turn(_file(tmp_path, data)).position

    assert position is not None
    assert [d.by for d in position.dislodged] == [
        Unit("SEL", "F", "EGE", number=2),
        Unit("SEL", "F", "EGE", number=1),
    ]
    again = yaml.safe_load(turn_text(position))
    assert files.read_turn(_file(tmp_path, again)).position == position
    with pytest.raises(BadFile) as found:
        files.read_turn(_file(tmp_path, {**data, "units": {}}))
    assert found.value.code == "dislodged-by-nobody"
    for lang in ("en", "it"):
        assert "F EGE" in load_sentences(lang).error(found.value)


def test_a_fleet_that_is_alone_in_its_sea_keeps_its_number(tmp_path: Path) -> None:
    """R8."""
    listed = ["F EGE#2", "F ION", "F ICA#1", "F ICA#3"]
    data = {"map": "alexmagnum", "units": {"TOL": listed}}
    position = files.read_turn(_file(tmp_path, data)).position
    assert position is not None
    assert list(position.names) == listed


def test_a_retreat_to_where_no_place_is_left_is_void() -> None:
    """R17: even where the list of open ways has it."""
    here = tuple(Unit("SEL", "F", "ION", number=number) for number in (1, 2, 3))
    fleets = (Unit("TOL", "F", "EGE", number=2), Unit("LIS", "F", "ADR"))
    position = Position(
        load_board("alexmagnum"),
        Phase(318, "spring", retreats=True),
        here,
        dislodged=tuple(Dislodged(fleet, here[0], ("ION",)) for fleet in fleets),
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
        list(files.read_case_files([path]))
    assert fault.value.code == code


def test_files_that_are_missing_folders_or_not_text_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    missing = tmp_path / "none.yaml"
    for path, code in ((missing, "no-file"), (tmp_path, "is-folder"), (binary, "not-utf8")):
        with pytest.raises(BadFile) as fault:
            files.read_turn(path)
        assert fault.value.code == code


def _multiply(lists: str) -> str:
    """Return a text in YAML that is ten times as long with each line."""
    lines = (f"a{n}: &a{n} {lists % ', '.join([f'*a{n - 1}'] * 10)}" for n in range(1, 9))
    return "\n".join(["a0: &a0 {x: 1}", *lines])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (_multiply("[%s]"), "file-beyond-bounds"),
        (_multiply("!!pairs [{k: [%s]}]"), "file-beyond-bounds"),
        (_multiply("{<<: [%s]}"), "file-beyond-bounds"),
        ("&a [*a]", "file-beyond-bounds"),
        ("[" * 101 + "]" * 101, "file-beyond-bounds"),
        (f"{'x' * 201}: 1", "file-beyond-bounds"),
        ("[" * 100_000, "file-not-yaml"),
        ("1" + ":1" * 100_000, "value-cannot-be"),
        ("!!int '1" + ":1" * 100_000 + "'", "value-cannot-be"),
        ("!!binary " + "A" * 1000, "value-cannot-be"),
        ("!!bool x", "value-cannot-be"),
        ("!!timestamp x", "value-cannot-be"),
        ("!!int ''", "value-cannot-be"),
        ("- {<<: {x: 1}}\n- !!merge y: 1", "file-not-yaml"),
        ("- x\n" * (1 << 20) + "-", "file-too-large"),
    ],
    ids=range(15),
)
def test_a_small_text_cannot_become_large(text: str, code: str) -> None:
    with pytest.raises(BadFile) as fault:
        parse_yaml(text, "x")
    assert fault.value.code == code


def test_a_merge_key_is_a_key_like_any_other_and_a_word_no_boolean() -> None:
    assert parse_yaml("true north", "x") == "true north"
    assert parse_yaml("a: &a {x: 1}\nb: {<<: *a}", "x")["b"] == {"<<": {"x": 1}}


@drawn(18, 500)
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
    for read in (lambda path: list(files.read_case_files([path])), files.read_turn):
        try:
            read(path)
        except AlexMagnumError:
            continue


def test_only_true_and_false_are_booleans(tmp_path: Path) -> None:
    """YAML 1.1 would make a province or power called NO or ON a boolean."""
    path = tmp_path / "x.yaml"
    path.write_text("title: NO\nnote: on\n", encoding="utf-8")
    assert files.read_turn(path).orders == {}


def test_folders_are_searched_in_a_fixed_order(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.json", "notes.txt"):
        _file(tmp_path, GOOD, name)

    sources = [Path(case.source).name for case in files.read_case_files([tmp_path])]

    assert sources == ["a.json", "b.yaml"]


def test_powers_are_found_by_id_name_and_alias() -> None:
    board = load_board("alexmagnum")

    found = [find_power(board, name) for name in ("tol", "Ptolemy", "blu", "neu", "x")]
    assert found == ["TOL", "TOL", "TOL", "NEU", ""]


def test_coverage_counts_every_ruling(tmp_path: Path) -> None:
    counts = files.clause_coverage(files.read_case_files([_file(tmp_path, GOOD)]))
    assert len(load_board("alexmagnum").rulings) == 39
    assert (counts["R27"], counts["R1"], counts["R19"]) == (1, 1, 0)


def test_a_case_without_an_expectation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        _case(tmp_path, {key: value for key, value in GOOD.items() if key != "expect"})
    assert (refused.value.code, refused.value.where) == ("no-expectation", "T.1.expect")


def test_an_expectation_that_nothing_happens_can_fail(tmp_path: Path) -> None:
    for key in ("destroyed", "winners", "dislodged"):
        assert _case(tmp_path, expect={key: []}).expect == {key: []}
    assert _case(tmp_path, expect={"units_after": {}}).expect == {"units_after": {}}


def test_two_cases_with_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        list(files.read_case_files([_file(tmp_path, {"cases": [GOOD, GOOD]})]))
    assert (refused.value.code, refused.value.where) == ("case-twice", "T.1")


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
    assert files.clause_coverage([_case(tmp_path, PARIS, clause="S2")]) == {"S1": 0, "S2": 1}


def test_a_clause_that_is_no_ruling_is_found_with_the_nearest_one(tmp_path: Path) -> None:
    clauses = ["R27", "R2l", "R11b", "DATC 6.F", "DATC 6.F.14", "DATC 6.X", "Roma"]
    _map_of_ones_own(tmp_path, "S1")
    cases = [
        {**GOOD, "id": "listed", "clause": clauses},
        {**PARIS, "clause": ["S1", "R27", "S2"]},
        {**PARIS, "id": "free", "map": "standard", "clause": ["house rule", "DATC 6.FF"]},
    ]

    found = files.unknown_clauses([*files.read_case_files([_file(tmp_path, {"cases": cases})])])

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

    cases = list(files.read_case_files([tmp_path, tmp_path / "none.yaml"], faults.__setitem__))

    assert [case.id for case in cases] == ["T.1", "c"]
    assert [Path(path).name for path in faults] == ["b.yaml", "none.yaml"]


# The case files: those of the project, by rulings and by where bugs came from, and of the DATC.


@pytest.mark.parametrize("folder", ["cases", "datc"])
def test_every_case_comes_out_as_expected(folder: str) -> None:
    cases = {case.id: case for case in cases_in(folder)}

    def check(name: str) -> None:
        assert list(map(str, files.run_case(cases[name]).differences)) == []

    assert len(cases) == len(cases_in(folder)), "an id is there twice"
    check_each([(name,) for name in cases], check)


def test_the_files_of_the_datc_hold_all_its_cases() -> None:
    """DATC 3.2 has 176; one more is from 3.3."""
    assert len(cases_in("datc")) == 177


def test_every_ruling_has_its_cases() -> None:
    counts = files.clause_coverage(cases_in("cases"))
    assert [ruling for ruling in load_board("alexmagnum").rulings if counts[ruling] < 2] == []


# What is written as a turn file reads back to the same position.


TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"

BOARDS = {
    "alexmagnum": load_board("alexmagnum"),
    "standard": load_board("standard"),
    "crowded": load_board("alexmagnum", {"major_city_capacity": 2, "sea_capacity": 4}),
}


@sampled
@pytest.mark.parametrize("name", BOARDS)
def test_every_position_of_a_game_reads_back_from_its_turn_file(tmp_path: Path, name: str) -> None:
    board = BOARDS[name]
    for played in play_game(board, seed=3, years=sized(2, 12)):
        position = played.outcome.position
        data = position_data(position)
        back = read_position(data, board)
        assert back == position
        assert position_data(back) == data
        assert canonical(back) == back

        path = tmp_path / "turn.yaml"
        path.write_text(turn_text(position, played.orders), "utf-8")
        assert files.read_turn(path).position == position
        assert adjudicate(back, played.orders).results == played.outcome.results


def test_how_units_are_listed_does_not_matter() -> None:
    position = files.read_turn(TURN).position
    assert position is not None
    shuffled = list(position.units)
    Random(1).shuffle(shuffled)
    assert turn_text(replace(position, units=tuple(shuffled))) == turn_text(position)


def test_a_fleet_keeps_its_number() -> None:
    """R8: also where it is alone in its sea."""
    units = (Unit("TOL", "F", "EGE", number=2), Unit("SEL", "F", "CRE"), Unit("SEL", "F", "ION"))
    position = Position(BOARDS["alexmagnum"], Phase(318, "spring"), units)
    assert position_data(position)["units"] == {"SEL": ["F CRE", "F ION"], "TOL": ["F EGE#2"]}
    assert set(canonical(position).units) == set(units)


def test_a_dislodged_unit_keeps_who_dislodged_it() -> None:
    board = BOARDS["alexmagnum"]
    dislodged = Dislodged(
        Unit("TOL", "F", "EGE", number=2), Unit("CAS", "F", "EGE", number=3), ("CRE", "ION")
    )
    position = Position(board, Phase(318, "autumn", retreats=True), (), dislodged=(dislodged,))
    assert canonical(position).dislodged == (dislodged,)


def test_switches_are_listed_where_they_are_not_the_maps_own() -> None:
    crowded = yaml.safe_load(turn_text(first_position(BOARDS["crowded"])))
    assert "rules:" not in turn_text(first_position(BOARDS["alexmagnum"]))
    assert crowded["rules"] == {"sea_capacity": 4, "major_city_capacity": 2}


def test_a_map_of_ones_own_is_named_by_its_path() -> None:
    """Its switches are then listed where they are not those of the standard game."""
    text = yaml.safe_load(turn_text(first_position(BOARDS["alexmagnum"]), map_name="my/map.json"))
    assert text["map"] == "my/map.json"
    assert text["rules"]["nobility"] == 10


def test_orders_are_written_canonical() -> None:
    position = first_position(BOARDS["standard"])
    text = turn_text(position, {"France": [Hold("A PAR"), Build("F BRE")], "Italy": ["A ROM H"]})
    written = {"France": ["A PAR H", "Build F BRE"], "Italy": ["A ROM H"]}
    assert yaml.safe_load(text)["orders"] == written


def test_data_that_cannot_be_is_refused() -> None:
    board: Board = BOARDS["standard"]
    with pytest.raises(BadFile):
        read_position({"phase": "summer"}, board)
    with pytest.raises(BadPosition):
        read_position({"units": {"France": ["A PAR", "A PAR"]}}, board)
