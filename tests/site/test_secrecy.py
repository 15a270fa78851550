"""No site tells its readers a secret of others.

The same game is published in two worlds, in one of which somebody has written something secret: the
sites have to be the same byte for byte.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.people import ANONYMOUS, HELD, SIGNED, store_press
from alexmagnum.game.undo import ABANDON
from tests.game.desks import new_desk, open_desk, play
from tests.site.games import publish, read_site

PEOPLE = {
    "TOL": ("Zenobia Quartz", "zenobia@example.org"),
    "SEL": ("Wanda Yttrium", "wanda@example.org"),
}


def _play(folder: Path, **settings: str) -> None:
    with new_desk(folder, "alexmagnum", settings={"pictures": "no", **settings}) as desk:
        for power, (name, address) in PEOPLE.items():
            desk.set_player(power, name=name, address=address)
        play(desk, 7, seed=3)


@pytest.fixture
def world(built_once: Callable[..., Path], tmp_path: Path) -> Callable[[str], Desk]:
    """Return a function that opens a copy of one game."""
    built = built_once("site-world", lambda folder: _play(folder / "g"))

    def copy(name: str) -> Desk:
        shutil.copytree(built / "g", tmp_path / name / "g")
        return open_desk(tmp_path / name / "g")

    return copy


def _write_secrets(desk: Desk) -> None:
    """Write what Ptolemy, Seleucus and the game master know alone."""
    unit = next(unit for unit in desk.position.units if unit.power == "TOL")
    desk.submit("TOL", f"{desk.position.name(unit)} - zqsecretqz")
    desk.note("TOL", "zqnoteqz")
    desk.add_text(str(desk.phase), "before", "zqcommentqz")
    with desk.act("press"):
        store_press(desk, "TOL", ["SEL"], SIGNED, "zqpressqz", HELD, None)
        store_press(desk, "TOL", ["gm"], SIGNED, "zqmasterqz", HELD, None)


SECRETS = {"zqpressqz", "zqmasterqz", "zqsecretqz", "zqnoteqz"}
SEEN: dict[str | None, set[str]] = {
    None: set(),
    "LIS": set(),
    "SEL": {"zqpressqz"},
    "TOL": {"zqpressqz", "zqmasterqz", "zqsecretqz"},
    "gm": SECRETS,
}
"""By audience: the secrets that they see after the phase."""


def test_what_waits_is_on_no_page_of_others_and_then_everybody_sees_their_own(
    world: Callable[[str], Desk], tmp_path: Path
) -> None:
    """The game master stays blind to orders that wait."""
    with world("one") as plain, world("other") as secret:
        _write_secrets(secret)
        entries = len(secret.history())
        for audience in (None, "LIS"):
            publish(plain, tmp_path / f"{audience} plain", audience)
            publish(secret, tmp_path / f"{audience} secret", audience)
            sites = [read_site(tmp_path / f"{audience} {kind}") for kind in ("plain", "secret")]
            assert sites[0] == sites[1]
        publish(secret, tmp_path / "blind", "gm")
        assert "zqsecretqz" not in "\n".join(read_site(tmp_path / "blind").values())
        assert len(secret.history()) == entries

        secret.process(str(secret.phase), allow_missing=True)
        for audience, seen in SEEN.items():
            publish(secret, tmp_path / f"{audience} after", audience)
            everything = "\n".join(read_site(tmp_path / f"{audience} after").values())
            assert {secret for secret in SECRETS if secret in everything} == seen
            assert "zqcommentqz" in everything


def test_everything_waits_for_the_end(world: Callable[[str], Desk], tmp_path: Path) -> None:
    with world("one") as desk, pytest.raises(GameError) as refusal:
        publish(desk, tmp_path / "site", "everything")

    assert refusal.value.code == "site-before-the-end"
    assert not (tmp_path / "site").exists()


def test_after_the_end_press_is_open_but_not_what_the_game_master_alone_knows(
    world: Callable[[str], Desk], tmp_path: Path
) -> None:
    with world("one") as desk:
        _write_secrets(desk)
        with desk.act("press"):
            store_press(desk, "SEL", ["TOL"], ANONYMOUS, "zqunsignedqz", HELD, None)
        desk.process(str(desk.phase), allow_missing=True)
        desk.end(ABANDON)
        publish(desk, tmp_path / "site", "everything")
    site = read_site(tmp_path / "site")
    everything = "\n".join(site.values())

    assert "zqpressqz" in site["press.html"]
    before, _, _ = site["press.html"].partition("zqunsignedqz")
    assert "Seleucus to Ptolemy" not in before.rpartition("<p>")[0][-200:]
    for secret in ("zqmasterqz", "zqnoteqz", "zqsecretqz", "zenobia@example.org"):
        assert secret not in everything


def test_an_anonymous_game_names_nobody(tmp_path: Path) -> None:
    _play(tmp_path / "g", names="hidden", names_at_end="hidden")
    with open_desk(tmp_path / "g") as desk:
        desk.process(str(desk.phase), allow_missing=True)
        desk.end(ABANDON)
        for audience in (None, "LIS", "gm"):
            publish(desk, tmp_path / str(audience), audience)
            everything = "\n".join(read_site(tmp_path / str(audience)).values())
            assert ("Zenobia" in everything) == (audience == "gm")
            assert ("Wanda" in everything) == (audience == "gm")


def test_unpublished_picks_stay_closed(tmp_path: Path) -> None:
    """Where only the awards are published (R30), no page names a pick that got nothing."""
    settings = {"pictures": "no", "rules.publish_picks": "own"}
    with new_desk(tmp_path / "g", "alexmagnum", settings=settings) as desk:
        for power, pick in (("TOL", "BAB"), ("LIS", "BAB"), ("SEL", "ALE")):
            desk.submit(power, f"Pick {pick}")
        desk.process("323-1", allow_missing=True)
        publish(desk, tmp_path / "public")
        publish(desk, tmp_path / "TOL", "TOL")
    public, own = read_site(tmp_path / "public"), read_site(tmp_path / "TOL")

    assert "BAB" not in public["phases/323-1.html"]
    assert "BAB" not in public["search/1.js"]
    assert "BAB" in own["search/1.js"]
    assert "ALE" in public["phases/323-1.html"]


def test_a_private_site_is_for_its_owner_alone(
    world: Callable[[str], Desk], tmp_path: Path
) -> None:
    with world("one") as desk:
        publish(desk, tmp_path / "TOL", "TOL")
        publish(desk, tmp_path / "public")

    assert {p.stat().st_mode & 0o077 for p in (tmp_path / "TOL").rglob("*.html")} == {0}
    index = (tmp_path / "TOL" / "index.html").read_text(encoding="utf-8")
    assert "The site of Ptolemy" in index
    assert 'content="noindex"' in index
    assert (tmp_path / "public" / "index.html").stat().st_mode & 0o044
