"""Several pictures of one map in one."""

from __future__ import annotations

from dataclasses import replace

from alexmagnum.draw.pictures import combine_scenes
from alexmagnum.draw.scene import Box, Inset, Layer, Scene, Text

SHEET = Box(0, 0, 100, 50)


def _layer(key: str, text: str) -> Layer:
    return Layer(key, (Text(text, (0, 0), 10, "name"),))


def _scene(*layers: Layer, bottom: float = 50) -> Scene:
    return Scene(replace(SHEET, bottom=bottom), "title", "what is seen", (), layers)


NAMES = _layer("names", "Menfi")


def _layers(scene: Scene) -> list[tuple[str, str]]:
    return [(layer.key, layer.view) for layer in scene.layers]


def test_what_is_the_same_is_drawn_once() -> None:
    both = combine_scenes({"orders": _scene(NAMES), "after": _scene(NAMES)})

    assert _layers(both) == [("names", "")]


def test_what_differs_is_drawn_for_each_in_its_place() -> None:
    scenes = {view: _scene(_layer("units", view), NAMES) for view in ("orders", "after")}

    assert _layers(combine_scenes(scenes)) == [
        ("units", "orders"),
        ("units", "after"),
        ("names", ""),
    ]


def test_what_one_alone_has_is_its_own() -> None:
    both = combine_scenes({"orders": _scene(_layer("arrows", "a"), NAMES), "after": _scene(NAMES)})

    assert _layers(both) == [("arrows", "orders"), ("names", "")]


def test_the_sheet_holds_all_of_them() -> None:
    both = combine_scenes({"orders": _scene(NAMES), "after": _scene(NAMES, bottom=70)})

    assert both.box.bottom == 70


def test_insets_belong_to_their_picture() -> None:
    with_inset = replace(_scene(NAMES), insets=(Inset(SHEET, SHEET, (), ()),))
    both = combine_scenes({"orders": with_inset, "after": with_inset})

    assert [inset.view for inset in both.insets] == ["orders", "after"]
