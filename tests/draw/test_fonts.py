"""The shipped fonts have every letter that is drawn, and are measured rightly."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont

from alexmagnum.board import load_board
from alexmagnum.draw.scene import FACES, Face, font_faces_css, font_files, metrics, width
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences

FONTS = {face: TTFont(path) for face, path in zip(FACES, font_files(), strict=True)}
faces = pytest.mark.parametrize("face", FACES)


def find_missing_letters(text: str, face: Face) -> set[str]:
    """Return the letters of a text that a face does not have."""
    return set(text) - metrics(face).widths.keys()


@faces
def test_widths_are_those_of_the_font(face: Face) -> None:
    font = FONTS[face]
    advances = {chr(code): font["hmtx"][glyph][0] for code, glyph in font.getBestCmap().items()}

    assert metrics(face).widths == advances
    assert font["head"].unitsPerEm == 1000


@faces
def test_heights_are_those_of_the_font(face: Face) -> None:
    font = FONTS[face]

    assert metrics(face).ascent == font["hhea"].ascent
    assert metrics(face).descent == -font["hhea"].descent
    assert metrics(face).capital == font["OS/2"].sCapHeight


@faces
def test_a_font_says_the_family_weight_and_style_that_the_pictures_ask_for(face: Face) -> None:
    weight, style = FACES[face]
    names = FONTS[face]["name"]

    assert (names.getDebugName(16) or names.getDebugName(1)) == "EB Garamond"
    assert FONTS[face]["OS/2"].usWeightClass == weight
    assert bool(FONTS[face]["OS/2"].fsSelection & 1) == (style == "italic")


def test_a_text_is_as_wide_as_its_letters() -> None:
    assert width("AV", 10) == pytest.approx(width("A", 10) + width("V", 10))
    assert width("Menfi", 20) == pytest.approx(2 * width("Menfi", 10))


def test_a_letter_that_is_missing_has_a_width() -> None:
    assert width("亜", 10) == width("M", 10)


@faces
@pytest.mark.parametrize("map_id", ["alexmagnum", "standard"])
def test_all_names_of_a_map_can_be_set(map_id: str, face: Face) -> None:
    board = load_board(map_id)
    named: list[Any] = [board, *board.provinces.values(), *board.powers.values(), *board.rivers]
    names = [name for thing in named for name in thing.names.values()]

    assert len(names) > 60
    assert find_missing_letters("".join(names), face) == set()


@faces
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_sentences_can_be_set(lang: str, face: Face) -> None:
    assert (
        find_missing_letters(
            "".join(load_sentences(lang).templates.values()).replace("\n", ""), face
        )
        == set()
    )


ITALIAN = "aàbcdeèéfghiìîjklmnoòópqrstuùúvwxyz"
GREEK = "āēīōūȳáéíóúýḗṓàèìòùḕṑâêîôûäëïöü"
"""Greek in Latin letters: vowels long, accented, both, and apart."""


@faces
@pytest.mark.parametrize("letters", [ITALIAN, GREEK, "čšžǰḍḥṃṇṛṣṭśñʾʿ", "«»“”‘’„–—…·←→↑↓×−•"])
def test_the_letters_of_the_field_are_there(letters: str, face: Face) -> None:
    """Italian; transliterated Greek; Iranian and Indian names; quotes, dashes and arrows."""
    assert find_missing_letters(letters + letters.replace("ʾʿ", "").upper(), face) == set()


@faces
def test_a_font_file_is_small(face: Face) -> None:
    path = Path(font_files()[list(FACES).index(face)])

    assert path.stat().st_size < 150_000
    assert path.with_suffix(".woff2").stat().st_size < 40_000


def test_the_fonts_in_a_page_are_the_fonts_of_the_pictures() -> None:
    rules = font_faces_css().splitlines()
    fonts = [TTFont(BytesIO(b64decode(r.split("base64,")[1].split(")")[0]))) for r in rules]

    assert [font.flavor for font in fonts] == ["woff2"] * len(FACES)
    for font, shipped in zip(fonts, FONTS.values(), strict=True):
        assert font.getBestCmap() == shipped.getBestCmap()


def test_a_page_can_ask_for_one_face() -> None:
    (rule,) = font_faces_css(("semibold",)).splitlines()

    assert "font-weight:600;font-style:normal" in rule


def test_the_licence_lies_beside_the_fonts() -> None:
    text = font_files()[0].with_name("OFL.txt").read_text(encoding="utf-8")

    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert "The EB Garamond Project Authors" in text
