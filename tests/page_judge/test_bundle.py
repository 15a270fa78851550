"""The bundle of the package: it is that of the sources, and small enough for a mail."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from alexmagnum.page_judge import load_bundle
from tests.page_judge.judges import REQUIRED
from tools.page_judge.bundle import build_bundle
from tools.page_judge.pack import SIGNS, ChangedRuntime, pack, patch_runtime, unpack
from tools.page_judge.runtime import PINS, MissingTool

ROOT = Path(__file__).resolve().parents[2]


def test_the_bundle_is_that_of_the_sources_and_two_builds_give_the_same_bytes() -> None:
    try:
        built = build_bundle()
    except MissingTool as error:
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(str(error))
    made, kept = unpack(built), unpack(load_bundle())
    changed = [path for path in made.keys() | kept.keys() if made.get(path) != kept.get(path)]
    assert changed == [], "python -m tools.build_page_judge"
    assert pack(made) == built


def test_the_bundle_is_small_and_has_no_sign_that_html_or_a_script_would_take_for_its_own() -> None:
    assert len(load_bundle()) <= 400_000
    assert set(load_bundle()) <= set(SIGNS)
    assert not set(SIGNS) & set("\"&'/<>\\`")


def test_the_bundle_has_the_judge_and_nothing_that_a_page_does_not_need() -> None:
    paths = {path.removeprefix("app/alexmagnum/") for path in unpack(load_bundle())}
    assert {"judge/movement.mpy", "campaign.mpy", "notation/reader.mpy"} <= paths
    assert not paths & {"board/map_check.mpy", "cases/engine.mpy", "draw/scene.mpy"}
    assert not any(path.startswith(("game/", "mail/", "draw/", "report/")) for path in paths)


def test_every_sentence_that_the_judge_can_say_is_in_the_bundle_in_both_languages() -> None:
    files = unpack(load_bundle())
    codes: dict[str, set[str]] = {"en": set(), "it": set()}
    for path, content in files.items():
        found = re.fullmatch(r"text/alexmagnum/i18n/catalogues/(.+)\.(en|it)\.toml", path)
        if found:
            codes[found[2]].update(re.findall(r'"([a-z][a-z0-9-]+)"', content.decode()))
    catalogue = ROOT / "alexmagnum/i18n/catalogues/reasons.en.toml"
    reasons = tomllib.loads(catalogue.read_text(encoding="utf-8"))
    said = reasons.keys() - {"pick-missing"}  # only a report says that
    assert said <= codes["en"] & codes["it"]


def test_what_is_packed_comes_back_unchanged() -> None:
    parts = {"a": bytes(range(256)) * 9, "b/c.txt": "così".encode(), "empty": b""}
    assert unpack(pack(parts)) == parts


def test_another_runtime_than_the_known_one_is_refused() -> None:
    with pytest.raises(ChangedRuntime, match="command line"):
        patch_runtime("var wasmBinary,out=1;")


def test_the_compiler_is_pinned_in_one_version() -> None:
    pinned = PINS["compiler"]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"{pinned["package"]}=={pinned["version"]};' in text
