"""Pictures from the commands: every format, whole or not at all, and nobody else's orders."""

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml
from click.testing import CliRunner
from PIL import Image

from alexmagnum import load_board
from alexmagnum.campaign import first_position
from alexmagnum.cli import app
from alexmagnum.draw.animation import join_frames
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.report.formats import draw_frames
from tests.commands import ROOT, Printed, run_command
from tests.sizes import one_in
from tests.transcripts import play_transcript, read_transcripts

TURN = ROOT / "orders" / "turn.yaml"
ORDERS = sorted((ROOT / "orders").glob("*.txt"))
STANDARD: dict[str, Any] = {
    "map": "standard",
    "phase": "spring_moves",
    "year": 1901,
    "units": {"Turkey": ["A CON", "F ANK"], "Russia": ["F SEV"]},
    "orders": {"Turkey": ["A CON - BUL", "F ANK - BLA"], "Russia": ["F SEV - BLA"]},
}


def _draw(*arguments: object) -> str:
    """Run a command that draws, in this process; what it printed."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--lang", "en"])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def _svg(folder: Path, *arguments: object, board: str = "standard") -> str:
    """Return a map as it is drawn with some arguments."""
    _draw("map", "draw", board, *arguments, "-o", folder / "a.svg")
    return (folder / "a.svg").read_text(encoding="utf-8")


def _turn(folder: Path, **changes: object) -> Path:
    """Write a turn of the standard game to a file."""
    path = folder / "turn.yaml"
    path.write_text(yaml.safe_dump({**STANDARD, **changes}), encoding="utf-8")
    return path


def _powers_with_orders(svg: str) -> set[str]:
    """Return the powers whose orders leave a trace in the picture."""
    marked = re.findall(r'<g class="order[^>]* data-power="(\w+)"', svg)
    return {*marked, *re.findall(r'data-power="(\w+)"[^>]* data-order=', svg)}


# -- formats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.svg", b"<svg "), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF"), ("è nuova/a.svg", b"<svg ")],
)
def test_the_ending_tells_the_format(name: str, begins: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    assert _draw("map", "draw", "standard", "-o", path) == f"Written: {path}\n"
    assert path.read_bytes().startswith(begins)


def test_a_title_is_shown_as_far_as_it_can(tmp_path: Path) -> None:
    assert "War &amp; Peace" in _svg(tmp_path, "--title", "War & Peace")
    assert "SPRING &lt;OF&gt; 1901<" in _svg(tmp_path, "--title", "Spring\n<of>\x01 \udcff1901")


@pytest.mark.parametrize(("option", "width"), [([], 1600), (["--width", "320"], 320)])
def test_a_png_is_as_wide_as_a_mail_wants_or_as_asked(
    option: list[str], width: int, tmp_path: Path
) -> None:
    _draw("map", "draw", "standard", "-o", tmp_path / "a.png", *option)
    assert struct.unpack(">I", (tmp_path / "a.png").read_bytes()[16:20]) == (width,)


@pytest.mark.parametrize("name", one_in(3, ["a.svg", "a.png", "a.pdf"]))
def test_the_same_input_gives_the_same_bytes(
    name: str, tmp_path: Path, forget_pictures: Callable[[], None]
) -> None:
    turn = _turn(tmp_path)
    for number in (1, 2):
        _draw("map", "draw", "standard", turn, "-o", tmp_path / f"{number}{name}")
        forget_pictures()
    assert (tmp_path / f"1{name}").read_bytes() == (tmp_path / f"2{name}").read_bytes()


def test_an_svg_stands_alone(tmp_path: Path) -> None:
    """Find the fonts in it, and no address to load from."""
    text = _svg(tmp_path)
    assert text.count("@font-face") == 3
    assert not re.search(r"""(?:href|src)=["'](?!#|data:)|url\((?!#|data:|['"]data:)""", text)


# -- what is drawn ---------------------------------------------------------------------------------


def test_a_map_is_drawn_as_a_game_begins(tmp_path: Path) -> None:
    for board in ("standard", "alexmagnum"):
        text = _svg(tmp_path, board=board)
        assert _powers_with_orders(text) == set()
        assert ('data-unit="A MUN"' in text) == (board == "standard")


def test_a_turn_file_is_drawn_as_a_turn_if_it_has_orders(tmp_path: Path) -> None:
    text = _svg(tmp_path, _turn(tmp_path))
    assert _powers_with_orders(text) == {"Turkey", "Russia"}
    assert 'data-result="fails"' in text

    text = _svg(tmp_path, _turn(tmp_path, orders={}))
    assert _powers_with_orders(text) == set()
    assert 'data-unit="F SEV"' in text


def test_a_turn_file_that_names_no_map_is_one_of_the_map_given(tmp_path: Path) -> None:
    turn = _turn(tmp_path)
    turn.write_text(turn.read_text().replace("map: standard\n", ""), encoding="utf-8")
    assert 'data-unit="F SEV"' in _svg(tmp_path, turn)


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_picture_speaks_the_language_asked_for(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    CliRunner().invoke(app, ["map", "draw", "standard", "-o", str(path), "--lang", lang])
    text = path.read_text(encoding="utf-8")
    assert ("Spring 1901" in text, "Primavera 1901" in text) == (lang == "en", lang == "it")


def test_adjudicate_draws_the_turn_and_prints_the_same_report(tmp_path: Path) -> None:
    printed = _draw("adjudicate", TURN, *ORDERS, "--map-out", tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert printed == _draw("adjudicate", TURN, *ORDERS)
    assert {"TOL", "SEL", "LIS", "AUT", "CAS", "CAN"} <= _powers_with_orders(text)


@pytest.mark.usefixtures("real_pictures")
def test_adjudicate_draws_beside_json(tmp_path: Path) -> None:
    printed = _draw("adjudicate", TURN, *ORDERS, "--json", "--map-out", tmp_path / "a.png")
    assert json.loads(printed)["phase"] == "318-spring"
    assert (tmp_path / "a.png").stat().st_size < 600_000


# -- secrecy ---------------------------------------------------------------------------------------


def test_one_powers_orders_are_drawn_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    _draw("adjudicate", TURN, *ORDERS, "--map-out", path, "--orders-of", "Ptolemy")
    assert _powers_with_orders(path.read_text(encoding="utf-8")) == {"TOL"}


@pytest.mark.parametrize("asked", [["TOL"], ["Tolomeo", "LIS"]])
def test_nothing_in_it_hangs_on_what_others_ordered(asked: list[str], tmp_path: Path) -> None:
    """Compare the picture byte for byte with other orders, or none, of the other powers."""
    own = [ROOT / "orders" / name for name in ("tolomeo.txt", "lisimaco.txt")]
    options = [f"--orders-of={power}" for power in asked]
    _draw("adjudicate", TURN, *ORDERS, "--map-out", tmp_path / "all.svg", *options)
    _draw("adjudicate", TURN, *own, "--map-out", tmp_path / "own.svg", *options)
    assert (tmp_path / "all.svg").read_bytes() == (tmp_path / "own.svg").read_bytes()


PHASES = yaml.safe_load(Path(__file__).with_name("phases.yaml").read_text("utf-8"))


@pytest.mark.parametrize("phase", PHASES)
def test_no_phase_tells_of_others(phase: str, tmp_path: Path) -> None:
    """Compare the picture with and without the others' orders in the file."""
    turn = {**STANDARD, **PHASES[phase]}
    own, other = turn["orders"]
    pictures = []
    for orders in (turn["orders"], {own: turn["orders"][own]}):
        path = _turn(tmp_path, **{**PHASES[phase], "orders": orders})
        pictures.append(_svg(tmp_path, path, f"--orders-of={own}", board=turn["map"]))
    assert pictures[0] == pictures[1]
    assert _powers_with_orders(pictures[0]) == {own}, other


def test_no_result_is_told_where_others_orders_are_secret(tmp_path: Path) -> None:
    """Turkey's fleet bounces; that it did would say that somebody else went there."""
    for options in ([], ["--orders-of=Turkey"]):
        results = re.findall(r'data-result="(\w+)"', _svg(tmp_path, _turn(tmp_path), *options))
        assert bool(results) == (not options)


# -- what is refused -------------------------------------------------------------------------------


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_refusals(sentence: str, turns: Path) -> None:
    folder = turns.parent
    _turn(folder)
    (folder / "sample.yaml").symlink_to(TURN)

    def run(*words: str, status: int, stdin: str) -> Printed:
        before = list(folder.iterdir())
        done = run_command(*words, cwd=folder, status=status, environment={"LANG": "en"})
        assert not status or (done.out, list(folder.iterdir())) == ("", before)
        return done

    play_transcript(run, TRANSCRIPTS[sentence])


def test_a_pdf_without_typst_is_refused(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "typst.py").write_text("raise ModuleNotFoundError('typst')\n", encoding="utf-8")
    out = tmp_path / "a.pdf"
    said = run_command(
        *("map", "draw", "standard", "-o", str(out), "--lang", "it"),
        status=2,
        environment={"PYTHONPATH": str(hidden)},
        separate=True,
    )
    assert "pip install 'alexmagnum[pdf]'" in said.err
    assert not out.exists()


def test_a_failure_leaves_the_old_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svg"
    path.write_text("the old one", encoding="utf-8")

    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError(28, "No space left on device")))
    done = CliRunner().invoke(app, ["map", "draw", "standard", "-o", str(path)])

    assert isinstance(done.exception, AlexMagnumError)
    assert path.read_text(encoding="utf-8") == "the old one"
    assert list(tmp_path.iterdir()) == [path]


# -- a part of the map -----------------------------------------------------------------------------


@pytest.mark.usefixtures("real_pictures")
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_part_of_a_map_without_shapes_is_drawn_in_every_format(
    ending: str, tmp_path: Path
) -> None:
    picture = tmp_path / f"a.{ending}"
    _draw("map", "draw", "standard", _turn(tmp_path), "-o", picture, "--for", "Tur")
    assert picture.stat().st_size > 5000


def test_files_of_orders_are_drawn_and_replace_those_of_the_turn(tmp_path: Path) -> None:
    orders = tmp_path / "turkey.txt"
    orders.write_text("A CON - SMY\nF ANK - Narnia\n", encoding="utf-8")
    said = run_command(
        "map", "draw", "standard", str(_turn(tmp_path)), str(orders), "-o", "a.svg",
        "--around", "Constantinople,BLA", cwd=tmp_path,
    )  # fmt: skip
    assert 'data-to="SMY"' in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "Narnia" in said.err


def test_a_region_is_found_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    text = _svg(tmp_path, "--region", "grecia", board="alexmagnum")
    drawn = set(re.findall(r'data-province="(\w+)"', text))
    assert "ATE" in drawn
    assert "BAB" not in drawn


def test_the_part_for_a_power_shows_nothing_of_where_others_went(tmp_path: Path) -> None:
    pictures = set()
    for order in ("A CON - BUL", "A CON - SMY"):
        turn = _turn(tmp_path, orders={"Turkey": [order], "Russia": ["F SEV - BLA"]})
        pictures.add(_svg(tmp_path, turn, "--for", "Turkey", "--orders-of", "Russia"))
    assert len(pictures) == 1


# A game as an animation: a frame for each closed phase, and nothing of the open one.


SPRING = {
    "map": "standard",
    "phase": "spring_moves",
    "year": 1901,
    "units": {"Turkey": ["A CON", "F ANK"]},
    "orders": {"Turkey": ["A CON - BUL", "F ANK - BLA"]},
}
AUTUMN = {
    **SPRING,
    "phase": "autumn_moves",
    "units": {"Turkey": ["A BUL", "F BLA"]},
    "orders": {"Turkey": ["A BUL - RUM"]},
}


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    folder = tmp_path / "turns"
    folder.mkdir()
    for name, turn in (("1", SPRING), ("2", AUTUMN)):
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(turn), encoding="utf-8")
    return folder


@pytest.mark.parametrize("ending", one_in(2, ["webp", "gif"]))
def test_a_frame_for_each_phase_and_one_for_the_end(ending: str, turns: Path) -> None:
    said = run_command("map", "animate", "turns", "-o", f"a.{ending}", "--width", "300",
                       "--lang", "en", cwd=turns.parent)  # fmt: skip
    assert "3 frames" in said.out
    with Image.open(turns.parent / f"a.{ending}") as picture:
        assert picture.n_frames == 3  # type: ignore[attr-defined]
        assert picture.width == 300


def test_frames_name_their_phases_and_have_no_insets() -> None:
    position = first_position(load_board("standard"))
    frames = list(draw_frames([adjudicate(position, {})], "A game", load_sentences("en")))
    assert [frame.phase for frame in frames] == ["1901-spring", "1901-spring"]
    assert frames[0].caption.startswith("Spring 1901")
    assert not any(frame.scene.insets for frame in frames)


def test_an_animation_that_is_too_large_is_drawn_smaller(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = tmp_path / "noise.png"
    Image.effect_noise((400, 300), 80).save(picture)
    pictures = [picture.read_bytes()] * 2
    whole = join_frames(pictures, ".webp", 1.0)
    monkeypatch.setattr("alexmagnum.draw.animation.LARGEST", len(whole) // 2)
    assert len(join_frames(pictures, ".webp", 1.0)) <= len(whole) // 2
