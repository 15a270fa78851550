"""Publishing again, by the library and the command: what changed is written, all else stays."""

import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from justhtml import JustHTML

from alexmagnum.board.map_file import load_board
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.people import ANONYMOUS, HELD, SIGNED, store_press
from alexmagnum.game.undo import ABANDON
from alexmagnum.site.frame import load_rule_texts
from alexmagnum.site.site import MANIFEST
from bench.site import play_desk
from tests.case_library import read_yaml
from tests.commands import run_command
from tests.game.desks import new_desk, open_desk, play
from tests.site.games import find_refusal, played_game, publish, read_site, read_times


@pytest.fixture
def game(built_once: Callable[..., Path], tmp_path: Path) -> Desk:
    """Return a copy of a game of nine phases."""

    shutil.copytree(built_once("site-game", _build) / "g", tmp_path / "g")
    return open_desk(tmp_path / "g")


@pytest.fixture
def site(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the folder of a copy of its site."""
    return shutil.copytree(built_once("site-game", _build) / "site", tmp_path / "site")


def _build(folder: Path) -> None:
    with played_game(folder / "g") as desk:
        publish(desk, folder / "site")


def test_publishing_again_writes_what_is_lost_and_nothing_else(game: Desk, site: Path) -> None:
    before = read_times(site)
    changes = publish(game, site)

    assert (changes.written, changes.removed) == ((), ())
    assert read_times(site) == before
    (site / "charts.html").unlink()
    assert publish(game, site).written == ("charts.html",)


def test_a_new_phase_writes_its_pages_and_leaves_those_of_earlier_phases(
    game: Desk, site: Path
) -> None:
    before = read_times(site)
    names = [record.name for record in game.phase_rows()]
    play(game, 1, seed=5)
    written = set(publish(game, site).written)

    *earlier, last, opened = (f"phases/{name}.html" for name in names)
    assert {"index.html", "feed.xml", "replay.html", last, opened} <= written
    assert not written & {*earlier, "assets/style.css", "rules.html", "text-rules.html"}
    after = read_times(site)
    assert {name for name in before if after[name] != before[name]} == written & before.keys()


def test_what_undo_took_back_is_removed_and_comes_back_with_redo(game: Desk, site: Path) -> None:
    before = read_site(site)
    last = f"phases/{game.phase_rows()[-2].name}.html"
    game.undo()
    assert last in publish(game, site).removed
    assert not (site / last).exists()
    assert last not in (site / "index.html").read_text(encoding="utf-8")
    game.redo()
    (site / f"phases/.{Path(last).name}.x1_z.part").write_text("of a killed command")
    publish(game, site)
    assert read_site(site) == before


def test_a_page_changed_by_hand_is_written_anew_but_never_removed(game: Desk, site: Path) -> None:
    """Foreign files beside the site stay."""
    index, last = site / "index.html", site / f"phases/{game.phase_rows()[-2].name}.html"
    mine = [last, site / "CNAME", site / "phases" / "mine.txt"]
    for path in (index, *mine):
        path.write_text(f"my {path.name}")
    game.undo()
    changes = publish(game, site)

    assert "index.html" in changes.written
    assert changes.removed == ()
    assert [path.read_text() for path in mine] == [f"my {path.name}" for path in mine]


def test_a_folder_with_foreign_files_is_refused_and_left_alone(game: Desk, tmp_path: Path) -> None:
    """So is a file, and a folder in which the game keeps its files."""
    folder = tmp_path / "photos"
    folder.mkdir()
    index = folder / "index.html"
    index.write_text("my photos")

    for used in (folder, game.folder):
        assert find_refusal(game, used) == "site-folder-used"
    assert list(folder.iterdir()) == [index]
    assert index.read_text() == "my photos"
    assert find_refusal(game, index) == "site-is-file"
    for place in ("reports", "drafts/site", "backups", "outbox", "sheets"):
        assert find_refusal(game, game.folder / place) == "site-folder-of-game"


def test_two_publications_at_once_wait_for_each_other(game: Desk, tmp_path: Path) -> None:
    def publish_another_desk(number: int) -> int:
        with open_desk(game.folder) as desk:
            return len(publish(desk, tmp_path / "site").written)

    with ThreadPoolExecutor() as pool:
        written = sorted(pool.map(publish_another_desk, range(3)))

    assert written == [0, 0, len(read_site(tmp_path / "site"))]


def test_a_foreign_file_in_the_way_of_a_page_is_refused(game: Desk, site: Path) -> None:
    following = str(game.phase)
    (site / "phases" / f"{following}.html").write_text("mine")
    play(game, 1, seed=5)

    assert find_refusal(game, site) == "site-foreign-file"
    assert (site / "phases" / f"{following}.html").read_text() == "mine"


def test_another_audience_language_or_game_does_not_replace_the_site(
    game: Desk, site: Path, tmp_path: Path
) -> None:
    before = read_site(site)

    for audience, lang in (("TOL", "en"), ("gm", "en"), (None, "it")):
        assert find_refusal(game, site, audience, lang) == "site-of-another"
    with played_game(tmp_path / "other", 1) as other:
        assert find_refusal(other, site) == "site-of-another"
    assert read_site(site) == before


def test_publishing_goes_on_where_it_was_interrupted(
    game: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0

    def fail_late(path: Path, content: str, *, private: bool) -> None:
        nonlocal written
        written += 1
        if written > 20:
            raise KeyboardInterrupt
        write_whole(path, content, private=private)

    with monkeypatch.context() as patched:
        patched.setattr("alexmagnum.site.site.write_whole", fail_late)
        with pytest.raises(KeyboardInterrupt):
            publish(game, tmp_path / "site")
    publish(game, tmp_path / "site")
    publish(game, tmp_path / "whole")

    assert read_site(tmp_path / "site") == read_site(tmp_path / "whole")


def test_a_manifest_that_is_damaged_or_names_files_elsewhere_stops_publishing(
    game: Desk, site: Path
) -> None:
    """Otherwise the next publication would remove them."""
    outside = site.parent / "outside.txt"
    outside.write_text("mine")
    text = (site / MANIFEST).read_text(encoding="utf-8")
    elsewhere = text.replace('"charts.html"', '"../outside.txt"')
    before = read_site(site)

    for content in ("", "[]", '{"format": 1}', '{"format": 99}', elsewhere):
        (site / MANIFEST).write_text(content)
        assert find_refusal(game, site) == "site-manifest-bad"
        assert read_site(site) == before
    linked = site / "phases"
    linked.rename(site.parent / "elsewhere")
    linked.symlink_to(site.parent / "elsewhere")  # by who may write the site (a fourth attack)
    (site / MANIFEST).write_text(text.replace('"charts.html"', '"phases/outside.txt"'))
    (site.parent / "elsewhere" / "outside.txt").write_text("mine")
    assert find_refusal(game, site) == "site-foreign-file"
    assert (linked / "outside.txt").read_text() == outside.read_text() == "mine"


@pytest.fixture
def folder(built_once: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the folder of a copy of a game of seven phases."""
    built = built_once("site-command", lambda folder: played_game(folder / "g", 7).close())
    return Path(shutil.copytree(built / "g", tmp_path / "g"))


def test_the_command_publishes_the_game_stood_in_or_named(folder: Path, tmp_path: Path) -> None:
    """Its pages are in the language asked for."""
    said = run_command("publish", str(tmp_path / "site"), cwd=folder).out
    again = run_command("publish", str(folder), str(tmp_path / "site"), "--json", cwd=tmp_path).data
    run_command("publish", str(tmp_path / "en"), "--lang", "en", cwd=folder)
    charts = [(tmp_path / name / "charts.html").read_text("utf-8") for name in ("site", "en")]

    assert str(tmp_path / "site" / "index.html") in said
    assert (again["written"], again["removed"]) == ([], [])
    assert again["unchanged"] == len(read_site(tmp_path / "site"))
    assert "Chi attacca chi" in charts[0]
    assert "Who attacks whom" in charts[1]


DATA = read_yaml(Path(__file__).with_name("folder.yaml"))
REFUSED = DATA["refused"]


def test_what_cannot_be_published_is_refused_with_the_reason(folder: Path) -> None:
    before = (folder / "game.db").read_bytes()
    for arguments, why in REFUSED:
        refused = run_command("publish", *arguments, cwd=folder, status=None)
        assert refused.status in (1, 2)
        assert re.search(why, refused.err)
        assert not (folder / "site").exists()
    assert (folder / "game.db").read_bytes() == before


def test_one_phase_is_one_page(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    said = run_command("publish", "--single", str(page), "--phase", "323-2", cwd=folder).out
    text = page.read_text(encoding="utf-8")

    assert str(page) in said
    assert 'data-article="323-2"' in text
    assert 'data-article="323-1"' not in text
    run_command("publish", str(folder), "--single", str(page), cwd=tmp_path)
    assert page.read_text(encoding="utf-8").count("data-article=") == 7


def _keep_site(folder: Path) -> str:
    """Set where the site of a game is kept; return the phase that is open."""
    run_command("settings", "site_dir", "site", cwd=folder)
    phase: str = run_command("status", "--json", cwd=folder).data["phase"]
    return phase


def test_processing_keeps_the_site_of_the_setting(folder: Path) -> None:
    phase = _keep_site(folder)
    page = folder / "site" / "phases" / f"{phase}.html"

    assert str(Path("site")) in run_command("process", phase, "--allow-missing", cwd=folder).out
    assert page.exists()
    run_command("undo", cwd=folder)
    assert not page.exists()


def test_a_site_that_cannot_be_written_spoils_no_processing_and_is_tried_again(
    folder: Path,
) -> None:
    (folder / "site").write_text("in the way")
    phase = _keep_site(folder)

    assert "site" in run_command("process", phase, "--allow-missing", cwd=folder).err
    assert run_command("status", "--json", cwd=folder).data["phase"] != phase
    assert (folder / "reports" / phase).is_dir()
    failed = run_command("tick", cwd=folder, status=1)
    assert "site" in failed.err + failed.out
    (folder / "site").unlink()
    run_command("tick", cwd=folder)
    assert (folder / "site" / "phases" / f"{phase}.html").exists()


def test_a_tick_without_news_and_words_for_the_open_phase_leave_the_site_alone(
    folder: Path,
) -> None:
    _keep_site(folder)
    run_command("tick", cwd=folder)
    index, manifest = folder / "site" / "index.html", folder / "site" / MANIFEST
    index.write_text("mine")
    said = run_command("report", "--after", "zqsecretqz", cwd=folder).out
    before = manifest.read_text(encoding="utf-8")
    run_command("tick", cwd=folder)

    assert index.read_text() == "mine"
    assert "index.html" not in said
    assert manifest.read_text(encoding="utf-8") == before


FOLLOWED = [
    (["player", "set", "TOL", "Zenobia Quartz"], "rules.html", "Zenobia Quartz"),
    (["report", "323-1", "--after", "A dry year."], "press.html", "A dry year."),
    (["deadline", "pause"], "index.html", ""),
    (["settings", "addresses", "public"], "rules.html", ""),
]
"""Commands, a page of the site that they change, and what it then shows."""


def test_the_site_of_the_setting_follows_what_it_shows(folder: Path) -> None:
    """Names that are hidden leave it at once."""
    run_command("settings", "pictures", "no", cwd=folder)
    _keep_site(folder)
    for act, page, shown in FOLLOWED:
        before = (folder / "site" / page).read_text(encoding="utf-8")
        run_command(*act, cwd=folder)
        after = (folder / "site" / page).read_text(encoding="utf-8")
        assert after != before
        assert shown in after
    run_command("settings", "names", "hidden", cwd=folder)
    assert "Zenobia" not in "\n".join(read_site(folder / "site").values())


def test_a_game_that_ended_before_its_first_phase_has_no_site_and_no_failure(
    tmp_path: Path,
) -> None:
    run_command("new", "g", "--lang", "en", "--set", "pictures=no", cwd=tmp_path)
    run_command("settings", "site_dir", "site", cwd=tmp_path / "g")
    run_command("end", "--abandon", cwd=tmp_path / "g")

    assert run_command("tick", cwd=tmp_path / "g").err == ""


# The words, links and sizes of a site: news, who stood where, texts for players, the feed.


def test_the_replay_and_the_feed_name_units_that_were_built(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no"}) as desk:
        while desk.phase is None or desk.phase.season != "winter":
            play(desk, 1, seed=4)
        desk.submit("France", "build A PAR\nbuild A MAR\nbuild F BRE")
        desk.process(str(desk.phase), allow_missing=True)
        publish(desk, tmp_path / "site")
    pages = read_site(tmp_path / "site")

    assert re.search(r'data-summary="Built: (\d)"', pages["replay.html"])
    assert "Built: A " in pages["feed.xml"]
    assert re.search(r"<li>Built: [AF] .*\(France\)</li>", pages["index.html"])


def test_a_unit_that_left_in_the_last_phase_stands_there_no_longer(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no"}) as desk:
        desk.submit("France", "A PAR - BUR\nA MAR H")
        desk.process("1901-spring", allow_missing=True)
        publish(desk, tmp_path / "site")
    pages = read_site(tmp_path / "site")

    assert "today" not in pages["provinces/PAR.html"].partition('id="stays"')[2]
    assert "today" in pages["provinces/MAR.html"].partition('id="stays"')[2]


@pytest.mark.parametrize("address", ["https://a.org/game", "https://a.org/game/index.html"])
def test_the_feed_of_a_site_with_an_address_has_whole_links(tmp_path: Path, address: str) -> None:
    with new_desk(tmp_path / "g", settings={"pictures": "no", "site_address": address}) as desk:
        play(desk, 1)
        publish(desk, tmp_path / "site")
        publish(desk, tmp_path / "private", "France")
    links = set(re.findall(r'href="([^"]+)"', read_site(tmp_path / "site")["feed.xml"]))

    pages = ("feed.xml", "index.html", "phases/1901-spring.html")
    assert links == {f"https://a.org/game/{page}" for page in pages}
    assert "https://a.org" not in read_site(tmp_path / "private")["feed.xml"]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_texts_for_players_name_each_other_by_title(lang: str) -> None:
    texts = load_rule_texts(load_board("alexmagnum"), lang)
    links = re.findall(r'<a href="text-[^"]*">([^<]*)</a>', "".join(text.html for text in texts))

    assert links
    assert not any(".md" in link for link in links)
    assert not any(re.search(r"[Ii]n (inglese|Italian)\.", text.html) for text in texts)


MOST, LARGEST = 60_000_000, 2_000_000
"""Bytes of the whole site, and of its largest file."""


@pytest.mark.proof
def test_a_game_of_22_years_is_a_small_and_valid_site(
    built_once: Callable[..., Path], tmp_path: Path
) -> None:
    built = built_once("long-game", lambda folder: play_desk(folder / "g").close())
    site = tmp_path / "site"
    with open_desk(built / "g") as desk:
        count = len(publish(desk, site).written)
        pages = read_site(site)
        sizes = {name: len(text.encode()) for name, text in pages.items()}
        assert sum(name.startswith("phases/") for name in pages) == len(desk.phases()) >= 90
        assert sum(sizes.values()) < MOST
        assert max(sizes.values()) < LARGEST
        for name, text in pages.items():
            targets = set(re.findall(r'(?:href|src)="([^"#]+)', text))
            if name.endswith(".html"):
                assert [t for t in targets if not (site / name).parent.joinpath(t).exists()] == []
            if name.endswith(".html") and not name.startswith(("phases/", "provinces/")):
                assert JustHTML(text, collect_errors=True).errors == []
        assert publish(desk, site).written == ()
    assert count == len(pages)


# No site tells its readers a secret of others.
#
# The same game is published in two worlds, in one of which somebody has written something secret:
# the sites have to be the same byte for byte.


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


@pytest.mark.proof
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


def test_a_private_site_is_for_its_owner(world: Callable[[str], Desk], tmp_path: Path) -> None:
    with world("one") as desk:
        publish(desk, tmp_path / "TOL", "TOL")
        publish(desk, tmp_path / "public")

    assert {p.stat().st_mode & 0o077 for p in (tmp_path / "TOL").rglob("*.html")} == {0}
    index = (tmp_path / "TOL" / "index.html").read_text(encoding="utf-8")
    assert "The site of Ptolemy" in index
    assert 'content="noindex"' in index
    assert (tmp_path / "public" / "index.html").stat().st_mode & 0o044
