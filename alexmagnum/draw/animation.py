"""Play a game as an animated picture, WebP or GIF: one frame for each phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from PIL import Image

from alexmagnum.draw import scene as drawing
from alexmagnum.draw.base_map import Crop

WEBP, GIF = ".webp", ".gif"
"""The endings of the files of animations."""

LARGEST = 4_000_000
"""The most bytes of an animation, so that it can go with a mail; a larger one is made smaller."""

_BAND = 92.0  # the height of the caption below the map, in drawing units
_LETTERS = 56.0
_FULL, _TRIES = 0.8, 2
"""The part of the room that an animation should use, and how often a larger one is tried."""

_LINGER = 3  # the time that the last frame stays, as a multiple of the others
_SMALLEST = 160  # the width in pixels below which no frame is read, and none is made smaller
_COMPRESSION = 1  # the least compression of a frame: it is read again at once
_SMALLER = 0.8  # the step by which frames shrink as long as the file is too large


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a game: the phase it shows, its caption and its drawing."""

    phase: str
    caption: str
    scene: drawing.Scene


def make_frame_crop(box: drawing.Box) -> Crop:
    """Return the whole of a map, without insets: all frames have one size and a legend in place."""
    return Crop(box, box.width, insets=False, steady=True)


def render_frames(frames: Sequence[Frame], width: int) -> Iterator[bytes]:
    """Yield the frames as PNG of one size, each with its caption below the map.

    The layers at the bottom that all frames have, such as seas and coasts, are rendered once: they
    take half the time.
    """
    bottom = max(frame.scene.box.bottom for frame in frames)
    scenes = [_add_caption(frame.scene, frame.caption, bottom) for frame in frames]
    shared = _count_shared_layers(scenes)
    ground = _render_layers(replace(scenes[0], layers=scenes[0].layers[:shared]), width)
    for scene in scenes:
        picture = _render_layers(replace(scene, layers=scene.layers[shared:], opaque=False), width)
        written = BytesIO()
        Image.alpha_composite(ground, picture).convert("RGB").save(
            written, "PNG", compress_level=_COMPRESSION
        )
        yield written.getvalue()


def _count_shared_layers(scenes: Sequence[drawing.Scene]) -> int:
    first, count = scenes[0], 0
    for layers in zip(*(scene.layers for scene in scenes), strict=False):
        if any(layer != first.layers[count] for layer in layers):
            break
        count += 1
    return count


def _render_layers(scene: drawing.Scene, width: int) -> Image.Image:
    drawn = drawing.render_layer(drawing.render_svg(scene, embed_fonts=False), width)
    return Image.open(BytesIO(drawn)).convert("RGBA")


def _add_caption(scene: drawing.Scene, caption: str, bottom: float) -> drawing.Scene:
    box = drawing.Box(scene.box.left, scene.box.top, scene.box.right, bottom + _BAND)
    band = drawing.Box(box.left, bottom, box.right, box.bottom)
    rest = drawing.Box(box.left, scene.box.bottom, box.right, box.bottom)
    items = (
        drawing.Shape(drawing.rectangle_path(rest), "margin"),
        drawing.Text(caption, (band.middle[0], band.bottom - _BAND * 0.36), _LETTERS, "title"),
    )
    return replace(scene, box=box, layers=(*scene.layers, drawing.Layer("caption", items)))


def join_frames(pictures: Sequence[bytes], ending: str, seconds: float) -> bytes:
    """Return an animation of some pictures in a format, at most :data:`LARGEST` bytes large.

    Each stays for so many seconds, the last one longer.  Frames that would take too much room are
    drawn smaller.

    ``ending`` is :data:`WEBP` or :data:`GIF`.
    """
    with Image.open(BytesIO(pictures[0])) as picture:
        least = _SMALLEST / picture.width
    scale = too_large = 1.0
    made = _encode(pictures, scale, ending, seconds)
    while len(made) > LARGEST and scale > least:
        too_large = scale
        scale = max(scale * min(_SMALLER, (LARGEST / len(made)) ** 0.5), least)
        made = _encode(pictures, scale, ending, seconds)
    for _ in range(_TRIES):
        if len(made) > _FULL * LARGEST or scale == 1.0:
            break
        larger = min(scale * (LARGEST / len(made)) ** 0.5, (scale + too_large) / 2)
        if len(tried := _encode(pictures, larger, ending, seconds)) <= LARGEST:
            scale, made = larger, tried
        else:
            too_large = larger
    return made


def _load_frames(pictures: Sequence[bytes], scale: float, ending: str) -> Iterator[Image.Image]:
    """Yield pictures at a scale, with few colours for a GIF."""
    palette = _make_palette(pictures) if ending == GIF else None
    for data in pictures:
        picture = Image.open(BytesIO(data)).convert("RGB")
        if scale < 1.0:
            size = round(picture.width * scale), round(picture.height * scale)
            picture = picture.resize(size, Image.Resampling.LANCZOS)
        if palette is not None:
            picture = picture.quantize(palette=palette, dither=Image.Dither.NONE)
        yield picture


def _make_palette(pictures: Sequence[bytes]) -> Image.Image:
    """Return the colours of frames from the whole game: at first nobody owns any land."""
    chosen = pictures[:: 1 + len(pictures) // 8]
    strips = [Image.open(BytesIO(data)).convert("RGB") for data in (*chosen, pictures[-1])]
    sheet = Image.new("RGB", (strips[0].width, sum(strip.height for strip in strips)))
    top = 0
    for strip in strips:
        sheet.paste(strip, (0, top))
        top += strip.height
    return sheet.quantize(255, Image.Quantize.FASTOCTREE)


def _encode(pictures: Sequence[bytes], scale: float, ending: str, seconds: float) -> bytes:
    """Return pictures at a scale as one file that plays over and over."""
    pause = round(seconds * 1000)
    pauses = [pause] * (len(pictures) - 1) + [pause * _LINGER]
    first, *rest = _load_frames(pictures, scale, ending)
    written = BytesIO()
    if ending == WEBP:
        first.save(
            written, "WEBP", save_all=True, append_images=rest, duration=pauses, loop=0,
            quality=45, method=3, minimize_size=False,
        )  # fmt: skip
    else:
        first.save(
            written, "GIF", save_all=True, append_images=rest, duration=pauses, loop=0,
            optimize=False, disposal=1,
        )  # fmt: skip
    return written.getvalue()
