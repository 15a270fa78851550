"""SVG as PNG and PDF, with our own letters, and as animations: the same bytes every time."""

import re
import subprocess
import sys
import zlib
from base64 import b64decode
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops, ImageStat

from alexmagnum import adjudicate
from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.draw import draw_position, render_svg
from alexmagnum.draw import scene as scenes
from alexmagnum.draw.animation import GIF, Frame, join_frames, render_frames
from alexmagnum.draw.scene import Scene, Shape, font_files, metrics, render_pdf, render_png, width
from alexmagnum.errors import BadPicture
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.notation import read_order
from alexmagnum.report.formats import draw_frames
from tests.draw.sample_scenes import WORDS, sample_outcome
from tests.sizes import one_in


def _drawing(inside: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
        f'<rect width="200" height="100" fill="#f3e6c4"/>{inside}</svg>\n'
    )


def _lettered(family: str, text: str = "Menfi") -> str:
    style = f"font-family:{family};font-size:40px"
    return _drawing(f'<text x="10" y="60" style="{style}">{text}</text>')


PLAIN = _drawing('<circle cx="50" cy="50" r="30" fill="#a02020"/>')
GARAMOND = _lettered("'EB Garamond'")


def _image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@pytest.mark.parametrize("width", one_in(4, [1, 400, scenes.MAIL, scenes.PRINT]))
def test_a_picture_is_as_wide_as_asked_and_keeps_its_proportions(width: int) -> None:
    picture = _image(render_png(PLAIN, width))

    assert (picture.format, picture.width) == ("PNG", width)
    assert abs(picture.height - width / 2) <= 1


def test_the_same_text_gives_the_same_bytes(forget_pictures: Callable[[], None]) -> None:
    picture = render_png(GARAMOND, 400)
    forget_pictures()
    assert render_png(GARAMOND, 400) == picture
    assert render_pdf(GARAMOND) == render_pdf(GARAMOND)


def test_another_process_gives_the_same_bytes_and_loads_nothing_heavy_before() -> None:
    code = (
        "import sys, zlib\nfrom alexmagnum.draw.scene import render_pdf, render_png\n"
        "print(sorted({'PIL', 'typst', 'resvg_py'} & set(sys.modules)))\n"
        "text = sys.stdin.buffer.read().decode()\n"
        "print(zlib.crc32(render_png(text, 400)), zlib.crc32(render_pdf(text)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=GARAMOND.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    made = (render_png(GARAMOND, 400), render_pdf(GARAMOND))

    assert done.stdout.split() == [b"[]", *(str(zlib.crc32(each)).encode() for each in made)]


@pytest.mark.proof
def test_flat_tints_come_out_exactly_and_a_picture_for_mail_has_a_palette() -> None:
    picture = _image(render_png(PLAIN, 200)).convert("RGB")

    assert picture.getpixel((190, 10)) == (0xF3, 0xE6, 0xC4)
    assert picture.getpixel((50, 50)) == (0xA0, 0x20, 0x20)
    assert _image(render_png(PLAIN, scenes.MAIL)).mode == "P"
    assert _image(render_png(PLAIN, scenes.PRINT)).mode == "RGBA"


def test_letters_are_drawn_and_they_are_ours() -> None:
    """Whatever the drawing asks for, and whatever the machine has."""
    texts = ["", "Menfi", "Mḗnphē"]
    pictures = [render_png(_lettered("'EB Garamond'", text), 400) for text in texts]

    assert all(a != b for a, b in pairwise(pictures))
    for family in ("'DejaVu Sans'", "'Nobody Has This'", "serif"):
        assert render_png(_lettered(family), 400) == pictures[1]


def _refuse(make: Callable[[], object], lang: str) -> str:
    """Return the sentence with which a picture is refused."""
    with pytest.raises(BadPicture) as refused:
        make()
    return load_sentences(lang).error(refused.value)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_impossible_width_is_refused(lang: str) -> None:
    for asked in (0, -5, scenes.WIDEST + 1, 10**9):
        said = _refuse(partial(render_png, PLAIN, asked), lang)
        assert str(asked) in said
        assert str(scenes.WIDEST) in said


def test_a_pdf_is_one_page_as_wide_as_a3_with_our_letters_its_title_and_no_date() -> None:
    (page,) = re.findall(rb"/MediaBox\[([\d. ]+)\]", render_pdf(PLAIN))
    lettered, titled = (
        render_pdf(GARAMOND),
        render_pdf(_drawing('<title id="t">War &amp; Peace</title>')),
    )

    assert [float(side) for side in page.split()] == pytest.approx([0, 0, 1190.55, 595.28], abs=0.1)
    assert b"+EBGaramond-Regular" in lettered
    assert b"/Subtype/Image" not in lettered
    assert b"/Title(War & Peace)" in titled
    assert b"CreationDate" not in titled


@pytest.mark.proof
def test_a_small_picture_keeps_the_strong_colours_of_its_symbols() -> None:
    """Check against a palette made for the wide pale land, which would turn the symbols grey."""
    board = load_board("standard")
    scene = draw_position(first_position(board), load_sentences("en"), title="Diplomacy")
    picture = Image.open(BytesIO(render_png(render_svg(scene, embed_fonts=False)))).convert("RGB")
    wide, high = picture.size
    drawn = {picture.getpixel((x, y)) for x in range(0, wide, 2) for y in range(0, high, 2)}

    for livery in scenes.assign_liveries(board).values():
        if livery.power not in board.powers:
            continue
        wanted = [int(livery.color[i : i + 2], 16) for i in (1, 3, 5)]
        nearest = min(
            max(abs(a - b) for a, b in zip(color, wanted, strict=True))
            for color in drawn
            if isinstance(color, tuple)
        )
        assert nearest <= 16, livery.power


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pdf_without_typst_is_refused_with_what_to_install(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    said = _refuse(partial(render_pdf, PLAIN), lang)

    assert "pip install 'alexmagnum[pdf]'" in said
    assert ".svg" in said
    assert ".png" in said


# The shipped fonts have every letter that is drawn, and are measured rightly.


FONTS = {face: TTFont(path) for face, path in zip(scenes.FACES, font_files(), strict=True)}
faces = pytest.mark.parametrize("face", scenes.FACES)


def find_missing_letters(text: str, face: scenes.Face) -> set[str]:
    """Return the letters of a text that a face does not have."""
    return set(text) - metrics(face).widths.keys()


@faces
def test_a_face_is_measured_and_named_as_its_small_file_says(face: scenes.Face) -> None:
    font, path = FONTS[face], font_files()[list(scenes.FACES).index(face)]
    advances = {chr(code): font["hmtx"][glyph][0] for code, glyph in font.getBestCmap().items()}
    weight, style = scenes.FACES[face]
    names, sizes = font["name"], font["OS/2"]

    assert metrics(face).widths == advances
    assert font["head"].unitsPerEm == 1000
    assert metrics(face).ascent == font["hhea"].ascent
    assert metrics(face).descent == -font["hhea"].descent
    assert metrics(face).capital == sizes.sCapHeight
    assert (names.getDebugName(16) or names.getDebugName(1)) == "EB Garamond"
    assert sizes.usWeightClass == weight
    assert bool(sizes.fsSelection & 1) == (style == "italic")
    assert path.stat().st_size < 150_000
    assert path.with_suffix(".woff2").stat().st_size < 40_000


def test_a_text_is_as_wide_as_its_letters() -> None:
    assert width("AV", 10) == pytest.approx(width("A", 10) + width("V", 10))
    assert width("Menfi", 20) == pytest.approx(2 * width("Menfi", 10))
    assert width("亜", 10) == width("M", 10)  # a letter that is missing has a width


ITALIAN = "aàbcdeèéfghiìîjklmnoòópqrstuùúvwxyz"
GREEK = "āēīōūȳáéíóúýḗṓàèìòùḕṑâêîôûäëïöü"  # in Latin letters: vowels long, accented, and both
NAMES, SIGNS = "čšžǰḍḥṃṇṛṣṭśñ", "«»“”‘’„–—…·←→↑↓×−•ʾʿ"
"""Letters of Iranian and Indian names; quotes, dashes and arrows."""


@faces
def test_all_names_of_maps_all_sentences_and_the_letters_of_the_field_can_be_set(
    face: scenes.Face,
) -> None:
    for board in map(load_board, ("alexmagnum", "standard")):
        named: list[Any] = [board, *board.provinces.values(), *board.powers.values(), *board.rivers]
        names = [name for thing in named for name in thing.names.values()]
        assert len(names) > 60
        assert find_missing_letters("".join(names), face) == set()
    for lang in LANGUAGES:
        sentences = "".join(load_sentences(lang).templates.values())
        assert find_missing_letters(sentences.replace("\n", ""), face) == set()
    letters = ITALIAN + GREEK + NAMES
    assert find_missing_letters(letters + letters.upper() + SIGNS, face) == set()


def test_the_fonts_in_a_page_are_the_fonts_of_the_pictures() -> None:
    rules = scenes.font_faces_css().splitlines()
    fonts = [TTFont(BytesIO(b64decode(r.split("base64,")[1].split(")")[0]))) for r in rules]

    assert [font.flavor for font in fonts] == ["woff2"] * len(scenes.FACES)
    for font, shipped in zip(fonts, FONTS.values(), strict=True):
        assert font.getBestCmap() == shipped.getBestCmap()
    (rule,) = scenes.font_faces_css(("semibold",)).splitlines()  # a page can ask for one face
    assert "font-weight:600;font-style:normal" in rule

    licence = font_files()[0].with_name("OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "The EB Garamond Project Authors" in licence


# Animated pictures of games.


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


@pytest.mark.parametrize("map_id", one_in(2, ["standard", "alexmagnum"]))
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


@pytest.mark.proof
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


def test_an_animation_is_made_as_small_as_it_must_be_and_can_still_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = BytesIO()
    Image.effect_noise((400, 300), 80).save(written, "PNG")
    pictures = [written.getvalue()] * 2
    whole = len(join_frames(pictures, GIF, 1.0))
    monkeypatch.setattr("alexmagnum.draw.animation.LARGEST", whole // 3)
    assert whole // 5 < len(join_frames(pictures, GIF, 1.0)) <= whole // 3

    monkeypatch.setattr("alexmagnum.draw.animation.LARGEST", 100)
    assert Image.open(BytesIO(join_frames(pictures, GIF, 1.0))).width == 160
