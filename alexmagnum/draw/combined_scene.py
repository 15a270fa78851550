"""Combine several pictures of one map, so that a page can show one or the other.

What they share is drawn once; the rest carries the name of its picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alexmagnum.draw.scene import Inset, Layer, Scene


def combine_scenes(scenes: Mapping[str, Scene]) -> Scene:
    """Return one scene of several by name; size, title and other single values are the first's."""
    first = next(iter(scenes.values()))
    bottom = max(scene.box.bottom for scene in scenes.values())
    return replace(
        first,
        box=replace(first.box, bottom=bottom),
        description=" ".join(dict.fromkeys(scene.description for scene in scenes.values())),
        layers=tuple(_layers(scenes)),
        insets=tuple(_insets(scenes)),
    )


def _layers(scenes: Mapping[str, Scene]) -> Iterator[Layer]:
    """Yield each layer once if it is the same in all scenes, else one for each scene."""
    by_key = [{layer.key: layer for layer in scene.layers} for scene in scenes.values()]
    for key in dict.fromkeys(key for layers in by_key for key in layers):
        found = [layers.get(key) for layers in by_key]
        if found.count(found[0]) == len(found) and found[0] is not None:
            yield found[0]
            continue
        for view, layer in zip(scenes, found, strict=True):
            if layer is not None:
                yield replace(layer, view=view)


def _insets(scenes: Mapping[str, Scene]) -> Iterator[Inset]:
    """Yield the insets of each scene."""
    for view, scene in scenes.items():
        for inset in scene.insets:
            yield replace(inset, view=view)
