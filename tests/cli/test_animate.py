"""A game as an animation: a frame for each closed phase, and nothing of the open one."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from PIL import Image

from alexmagnum import load_board
from alexmagnum.campaign import first_position
from alexmagnum.draw.animation import join_frames
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.workflow.frames import draw_frames
from tests.commands import run_command

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


@pytest.mark.parametrize("ending", ["webp", "gif"])
def test_a_frame_for_each_phase_and_one_for_the_end(ending: str, turns: Path) -> None:
    said = run_command("map", "animate", "turns", "-o", f"a.{ending}", "--width", "300",
                       "--lang", "en", cwd=turns.parent)  # fmt: skip

    assert "3 frames" in said.out
    with Image.open(turns.parent / f"a.{ending}") as picture:
        assert picture.n_frames == 3  # type: ignore[attr-defined]
        assert picture.width == 300


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "a.mp4"), ".webp, .gif"),
        (("-o", "a.gif", "--from", "1905-spring"), "1901-spring to 1901-autumn"),
        (("-o", "a.gif", "--from", "1901-autumn", "--to", "1901-spring"), "swap --from and --to"),
    ],
)
def test_what_cannot_be_shown_is_refused(options: tuple[str, ...], told: str, turns: Path) -> None:
    said = run_command("map", "animate", "turns", *options, "--lang", "en", cwd=turns.parent,
                       status=2)  # fmt: skip

    assert told in said.err
    assert not list(turns.parent.glob("a.*"))


def test_a_game_without_a_closed_phase_has_no_frames(tmp_path: Path) -> None:
    run_command("new", "game", "--map", "standard", cwd=tmp_path)
    said = run_command("map", "animate", "game", "-o", "a.gif", "--lang", "en", cwd=tmp_path,
                       status=2)  # fmt: skip

    assert "nothing to show" in said.err


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
