"""Animated pictures of games."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from alexmagnum import adjudicate, load_board
from alexmagnum.campaign import first_position
from alexmagnum.draw.animation import GIF, Frame, join_frames, render_frames
from alexmagnum.draw.scene import Scene, Shape
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import read_order
from alexmagnum.workflow.materials import draw_frames
from tests.draw.sample_scenes import WORDS, sample_outcome


def test_a_gif_keeps_colours_that_come_after_its_first_frame() -> None:
    shades = [(240, 230, 200), (90, 200, 140), (70, 90, 200)]
    pictures = []
    for shade in shades:
        written = BytesIO()
        Image.new("RGB", (40, 20), shade).save(written, "PNG")
        pictures.append(written.getvalue())
    made = Image.open(BytesIO(join_frames(pictures, GIF, 1.0)))
    for number, shade in enumerate(shades):
        made.seek(number)
        found = made.convert("RGB").getpixel((5, 5))
        assert isinstance(found, tuple)
        assert all(abs(a - b) < 24 for a, b in zip(found, shade, strict=True))


@pytest.mark.parametrize("map_id", ["standard", "alexmagnum"])
def test_legend_and_scoreboard_stay_in_their_place_from_frame_to_frame(map_id: str) -> None:
    position = first_position(load_board(map_id))
    later = sample_outcome() if map_id == "alexmagnum" else adjudicate(position, {})
    frames = list(draw_frames([adjudicate(position, {}), later], "A game", WORDS))

    for key in ("legend", "scoreboard"):
        panels = [_first_shape(frame.scene, key) for frame in frames]
        assert len({panel.split("h")[0] for panel in panels}) == 1


def _first_shape(scene: Scene, key: str) -> str:
    layer = next(layer for layer in scene.layers if layer.key == key)
    return next(item.d for item in layer.items if isinstance(item, Shape))


def test_frames_that_share_their_ground_look_as_if_each_were_drawn_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = first_position(load_board("standard"))
    turn = adjudicate(position, {"Turkey": [read_order("A CON - BUL", position, "Turkey")]})
    frames = list(draw_frames([turn], "A game", load_sentences("en")))
    shared = _pictures(frames)
    monkeypatch.setattr("alexmagnum.draw.animation._count_shared_layers", lambda scenes: 0)

    for one, other in zip(shared, _pictures(frames), strict=True):
        assert _greatest_difference(one, other) < 40
    assert _greatest_difference(*shared) > 80


def _greatest_difference(one: Image.Image, other: Image.Image) -> float:
    return max(most for _, most in ImageStat.Stat(ImageChops.difference(one, other)).extrema)


def _pictures(frames: Sequence[Frame]) -> list[Image.Image]:
    return [Image.open(BytesIO(data)).convert("RGB") for data in render_frames(frames, 300)]


def test_an_animation_that_cannot_be_small_is_not_made_smaller_than_can_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = BytesIO()
    Image.effect_noise((400, 300), 80).save(written, "PNG")
    monkeypatch.setattr("alexmagnum.draw.animation.LARGEST", 100)
    made = Image.open(BytesIO(join_frames([written.getvalue()] * 2, GIF, 1.0)))

    assert made.width == 160


def test_an_animation_that_is_made_smaller_uses_most_of_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = BytesIO()
    Image.effect_noise((400, 300), 80).save(written, "PNG")
    pictures = [written.getvalue()] * 2
    whole = len(join_frames(pictures, GIF, 1.0))
    monkeypatch.setattr("alexmagnum.draw.animation.LARGEST", whole // 3)

    assert whole // 5 < len(join_frames(pictures, GIF, 1.0)) <= whole // 3
