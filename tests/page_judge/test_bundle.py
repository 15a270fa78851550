"""The bundle of the package and its compiler: what it has, and what it refuses."""

import ast
import os
import re
import sys
import tomllib
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from alexmagnum.page_judge import PageJudge, load_bundle, read_board, write_board
from tests.case_library import read_yaml
from tests.each import check_each
from tests.page_judge import judges
from tests.page_judge.engines import open_pages
from tests.sizes import one_in
from tools.page_judge.bundle import build_bundle
from tools.page_judge.compiler import compile_file
from tools.page_judge.dialect import UnknownIdiom
from tools.page_judge.modules import LIBRARY_FOLDER
from tools.page_judge.pack import SIGNS, ChangedRuntime, pack, patch_runtime, unpack
from tools.page_judge.runtime import PINS, MissingTool
from tools.page_judge.unused import drop_unused

ROOT = Path(__file__).resolve().parents[2]


def test_the_bundle_is_that_of_the_sources_and_two_builds_give_the_same_bytes() -> None:
    try:
        built = build_bundle()
    except MissingTool as error:
        (pytest.fail if os.environ.get(judges.REQUIRED) else pytest.skip)(str(error))
    made, kept = unpack(built), unpack(load_bundle())
    changed = [path for path in made.keys() | kept.keys() if made.get(path) != kept.get(path)]
    assert changed == [], "python -m tools.build_page_judge"
    assert pack(made) == built


def test_the_bundle_is_small_and_has_nothing_that_a_page_does_not_need() -> None:
    """No sign of it would be taken by HTML or a script for its own."""
    assert len(load_bundle()) <= 400_000
    assert set(load_bundle()) <= set(SIGNS)
    assert not set(SIGNS) & set("\"&'/<>\\`")
    paths = {path.removeprefix("app/alexmagnum/") for path in unpack(load_bundle())}
    assert {"judge/movement.mpy", "campaign.mpy", "notation/reader.mpy"} <= paths
    assert not paths & {"board/map_check.mpy", "cases/engine.mpy", "draw/scene.mpy"}
    assert not any(path.startswith(("game/", "mail/", "draw/", "report/")) for path in paths)


def test_every_sentence_that_the_judge_can_say_is_in_the_bundle_in_both_languages() -> None:
    codes: dict[str, set[str]] = {"en": set(), "it": set()}
    for path, content in unpack(load_bundle()).items():
        if found := re.fullmatch(r"text/alexmagnum/i18n/catalogues/(.+)\.(en|it)\.toml", path):
            codes[found[2]].update(re.findall(r'"([a-z][a-z0-9-]+)"', content.decode()))
    catalogue = ROOT / "alexmagnum/i18n/catalogues/reasons.en.toml"
    reasons = tomllib.loads(catalogue.read_text(encoding="utf-8"))
    said = reasons.keys() - {"pick-missing"}  # only a report says that
    assert said <= codes["en"] & codes["it"]


def test_what_is_packed_comes_back_unchanged_and_the_tools_are_those_that_are_known() -> None:
    parts = {"a": bytes(range(256)) * 9, "b/c.txt": "così".encode(), "empty": b""}
    assert unpack(pack(parts)) == parts
    with pytest.raises(ChangedRuntime, match="command line"):
        patch_runtime("var wasmBinary,out=1;")
    pinned = PINS["compiler"]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"{pinned["package"]}=={pinned["version"]};' in text


REFUSED = read_yaml(Path(__file__).with_name("refused.yaml"))


def compile_text(text: str, **options: Any) -> str:
    return compile_file(text, "judge/example.py", frozenset({"alexmagnum.orders"}), **options)


def run(text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a compiled source with the library of the bundle; return its names."""
    texts = SimpleNamespace(casefold=str.casefold, title=str.title)
    monkeypatch.setitem(sys.modules, "js", SimpleNamespace(pageTexts=texts))
    library = ModuleType("page_library")
    exec((LIBRARY_FOLDER / "page_library.py").read_text(encoding="utf-8"), library.__dict__)
    monkeypatch.setitem(sys.modules, "page_library", library)
    names: dict[str, Any] = {}
    exec(compile_text(text), names)
    return names


def test_an_idiom_that_a_page_does_not_know_is_refused_with_file_and_line() -> None:
    def check(text: str, idiom: str) -> None:
        with pytest.raises(UnknownIdiom) as caught:
            compile_text("x = 1\n" + text)
        assert caught.value.idiom == idiom
        assert str(caught.value).startswith("judge/example.py:")
        assert caught.value.line > 1

    check_each(REFUSED, check)


def test_annotations_with_their_imports_docstrings_and_type_aliases_are_left_out() -> None:
    compiled = compile_text(
        '"""Say."""\nfrom typing import Final, TypeVar\nT = TypeVar("T")\nN: Final = 3\n'
        "from pathlib import Path\nfrom alexmagnum.orders import Hold, Move\n"
        "Table = dict[str, int]\n"
        'def f(p: Path, m: Move) -> Hold:\n    """Say."""\n    b: int\n    return Hold(p)\n'
    )
    imported = "from alexmagnum.orders import Hold\n"
    assert compiled == f"{imported}N = 3\n\ndef f(p, m):\n    return Hold(p)\n"


def test_records_are_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    names = run(
        "from dataclasses import dataclass, field, replace\nfrom typing import NamedTuple\n"
        "@dataclass(frozen=True)\nclass A:\n"
        "    x: int\n    y: list[int] = field(default_factory=list)\n"
        "    def __post_init__(self): object.__setattr__(self, 'x', self.x + 1)\n"
        "class B(NamedTuple):\n    x: int\n    y: str = 'no'\n"
        "a, b = A(1), B(2)\nchanged = replace(b, y='yes')\nfirst, second = changed\n",
        monkeypatch,
    )
    assert (names["a"].x, names["a"].y) == (2, [])
    assert names["a"] == names["A"](1)
    assert names["a"] != names["A"](2)
    assert hash(names["b"]) == hash(names["B"](2, "no"))
    assert (names["first"], names["second"], names["changed"][1]) == (2, "yes", "yes")
    assert sorted([names["B"](3), names["b"]])[0] is names["b"]
    assert repr(names["b"]) == "B(x=2, y='no')"


def test_match_stars_f_strings_dictionaries_and_cached_properties_mean_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = run(
        "from typing import NamedTuple\n"
        "class P(NamedTuple):\n    x: int\n    to: str | None = None\n"
        "class Q(NamedTuple):\n    x: int\n"
        "def say(v):\n    match v:\n        case P(x, None): return f'p{x}'\n"
        "        case P(x, str(to)): return f'{x!r:>3} to {to} {{}}'\n"
        "        case Q(x) | P(x): return f'q{x}'\n        case 'a' | 'b': return 'letter'\n"
        "        case _: return 'other'\n"
        "said = [say(v) for v in (P(1), P(2, 'u'), Q(3), 'a', 5)]\n"
        "a = {'k': 1, 'j': 2}\nb = {**a, 'z': 3, 'k': 4}\nc = {k: v for k, v in b.items()}\n"
        "d = [*a, 'x', *b]\ne = {*a, 'x'}\nf = (0, *range(2))[::-1]\n"
        "g = a.keys() <= b.keys()\nh = sorted(b, key=lambda k: -b[k])\n"
        "i = isinstance(3, str | int)\nj = list(zip([1], [2], strict=True))\n"
        "k = 'ab c'.split(maxsplit=1)\nl = list[str]()\n"
        "from functools import cached_property\ncalls = []\n"
        "class A:\n    @cached_property\n    def x(self):\n"
        "        calls.append(1)\n        return 7\n"
        "o = A()\nboth = o.x, o.x\n",
        monkeypatch,
    )
    assert names["said"] == ["p1", "  2 to u {}", "q3", "letter", "other"]
    assert isinstance(names["b"], OrderedDict)
    assert list(names["c"].items()) == [("k", 4), ("j", 2), ("z", 3)]
    assert names["d"] == ["k", "j", "x", "k", "j", "z"]
    assert names["e"] == {"k", "j", "x"}
    assert names["f"] == (1, 0, 0)
    assert names["g"] is True
    assert names["h"] == ["k", "z", "j"]
    assert names["i"] is True
    assert names["j"] == [(1, 2)]
    assert names["k"] == ["ab", "c"]
    assert names["l"] == []
    assert (names["both"], names["calls"]) == ((7, 7), [1])


def test_constants_of_a_page_replace_those_of_the_file() -> None:
    assert compile_text("_DEEPEST: Final = 50", constants={"_DEEPEST": 8}) == "_DEEPEST = 8\n"
    with pytest.raises(UnknownIdiom, match="no constant _GONE"):
        compile_text("x = 1", constants={"_GONE": 8})


def test_what_nothing_refers_to_is_left_out() -> None:
    sources = {
        "a.py": "from b import used\ndef start(): return used().kept()\n",
        "b.py": "def used(): return A()\ndef unused(): return gone()\ndef gone(): return 1\n"
        "class A:\n    def kept(self): return 1\n    def other(self): return 2\n",
    }
    kept = drop_unused(sources, frozenset({"start"}))
    names = {n.name for n in ast.walk(ast.parse(kept["b.py"])) if hasattr(n, "name")}
    assert names == {"used", "A", "kept"}


# The requests of a page, answered in Python, in Node and in three browser engines.


STOP = Path(__file__).with_name("stop.js")

_ASKED = read_yaml(Path(__file__).with_name("conversation.yaml"))
START, WINTER = _ASKED["start"], _ASKED["winter"]
BOUNCE = {"Austria": ["A VIE - TYR"], "Italy": ["A VEN - TYR"]}

CONVERSATION: list[judges.Request] = [
    *(
        {"op": "adjudicate", "position": at, "orders": {power: [order]}, "want": want, "lang": lang}
        for at, power, orders in (
            (START, "Italy", _ASKED["bad moves"]),
            (WINTER, "Austria", _ASKED["bad builds"]),
        )
        for order in orders
        for want, lang in ((["results", "reasons"], "en"), (["fates"], "it"))
    ),
    *_ASKED["conversation"],
]


def ask(*requests: judges.Request) -> dict[str, Any]:
    judge = PageJudge()
    answers = [judge.reply(request) for request in requests]
    assert answers[-1]["ok"], answers[-1]
    return answers[-1]


def test_every_unit_has_a_fate_also_without_an_order() -> None:
    answer = ask({"op": "adjudicate", "position": START, "orders": BOUNCE, "want": ["fates"]})
    assert [(fate["unit"], fate["order"], fate["result"]) for fate in answer["fates"]] == [
        ("A VIE", "A VIE - TYR", "fails"),
        ("A VEN", "A VEN - TYR", "fails"),
        ("F ADR", None, "stands"),
    ]


def test_a_page_goes_on_to_the_next_phase_or_the_ending_of_a_game_that_is_won() -> None:
    answer = ask({"op": "next_phase", "position": START, "orders": {"Austria": ["A VIE - TYR"]}})
    assert answer["phase"] == "1901-autumn"
    assert answer["ending"] is None
    assert answer["position"] == "standard 1901-autumn Austria:ATYR:VIE Italy:FADR,AVEN:VEN"

    switched = START.replace("standard", "standard[victory_centres=1]", 1)
    autumn = switched.replace("spring", "autumn").replace("AVEN,FADR:VEN", "AVEN,FADR")
    answer = ask({"op": "next_phase", "position": autumn, "orders": {"Italy": ["A VEN - TYR"]}})
    assert answer["ending"] == {"winners": ["Austria"], "by_centres": True}
    assert answer["position"] is None


def test_a_survey_refuses_powers_and_places_that_the_map_does_not_have() -> None:
    asked = {"op": "survey", "position": START, "orders": {}}
    for asks, where in {
        ("Nobody", ("Italy",)): "power",
        ("Austria", ("Italy", "Nobody")): "against[1]",
    }.items():
        answer = PageJudge().reply({**asked, "power": asks[0], "against": list(asks[1])})
        assert (answer["error"]["code"], answer["error"]["where"]) == ("json-bad-word", where)
    for place, code in {"TYX": "unknown-place", 7: "json-bad-type"}.items():
        wanted = {"power": "Austria", "against": ["Italy"], "hold": ["VIE"], "take": [place]}
        assert PageJudge().reply({**asked, **wanted})["error"]["code"] == code


def test_options_list_orders_without_a_unit_by_themselves() -> None:
    options = ask({"op": "options", "position": WINTER})["options"]
    assert "Build A VIE" in options["Austria"][""]
    assert options["Italy"]["A VEN"] == ["Remove A VEN"]


def test_the_check_warns_and_suggests_as_the_command_does() -> None:
    full = "alexmagnum 318-spring SEL:FEGI,FEGI#2,FEGI#3: TOL:AMEN,FPAN:"
    orders = {"TOL": ["F PAN - EGI", "A MEN S F PAN - EGI"]}
    checks = ask({"op": "check", "position": full, "orders": orders, "lang": "en"})["checks"]
    entry, support = checks["TOL"]
    assert (entry["verdict"], entry["text"]) == ("good", "")
    assert [text.partition(":")[0] for text in entry["warnings"]] == ["Egyptian Sea is full"]
    assert entry["suggestions"] == [f"F PAN - EGI#{number}" for number in (1, 2, 3)]
    assert (support["verdict"], support["warnings"]) == ("impossible", [])
    assert support["text"]


def test_a_board_comes_back_from_its_data_with_the_same_tables() -> None:
    for board in judges.known_boards():
        again = read_board(write_board(board))
        assert again.provinces == board.provinces
        assert again.rules == board.rules
        assert again.tables.posts == board.tables.posts
        assert again.tables.fleet_next == board.tables.fleet_next


@judges.needs_node
def test_the_bundle_answers_as_python_does(tmp_path: Path) -> None:
    """Node ends when its last answer is read, however long that is."""
    long: judges.Request = {"op": "position", "position": START, "id": "x" * 150_000}
    asked = [*CONVERSATION, long]
    answers = judges.ask_node(asked, tmp_path)
    for request, mine, theirs in zip(asked, answers, judges.ask_python(asked), strict=True):
        assert mine == theirs, request
    assert answers[-1]["id"] == long["id"]


@pytest.mark.parametrize("engine", one_in(3, ["chromium", "firefox", "webkit"]))
def test_a_page_in_each_engine_answers_as_python_does(engine: str, tmp_path: Path) -> None:
    page = tmp_path / "judge.html"
    judges.write_page(page, judges.known_boards()[0], CONVERSATION)
    (result,) = open_pages(engine, page)
    assert "answers" in result, result
    for request, mine, theirs in zip(
        CONVERSATION, result["answers"], judges.ask_python(CONVERSATION), strict=True
    ):
        assert mine == theirs, request


DEFECTS: Mapping[str, tuple[str, str, str]] = {
    "half a bundle": ("broken", load_bundle()[: len(load_bundle()) // 2], ""),
    "signs that changed": ("broken", load_bundle().replace("a", "b"), ""),
    "no bundle": ("broken", "?", ""),
    "no WebAssembly": ("unsupported", "", "delete globalThis.WebAssembly;"),
    "no workers": ("unsupported", "", "globalThis.Worker = undefined;"),
}
"""By what is wrong with a page: the reason that it is told, its bundle, and a script before."""


def test_a_page_is_told_why_its_judge_cannot_run(tmp_path: Path) -> None:
    pages = []
    for number, (_, bundle, before) in enumerate(DEFECTS.values()):
        pages.append(tmp_path / f"{number}.html")
        judges.write_page(pages[-1], judges.known_boards()[0], CONVERSATION, bundle, before)
    results = open_pages("chromium", *pages)
    told = {name: result.get("failed") for name, result in zip(DEFECTS, results, strict=True)}
    assert told == {name: reason for name, (reason, _, _) in DEFECTS.items()}


def test_a_request_that_is_stopped_is_refused_and_the_next_one_answered(tmp_path: Path) -> None:
    page = tmp_path / "stop.html"
    judges.write_page(page, judges.known_boards()[0], [], ask=STOP.read_text(encoding="utf-8"))
    (result,) = open_pages("chromium", page)
    stopped = "Error: stopped"
    assert result == {"stopped": stopped, "first": stopped, "phase": "1901-spring"}
