"""Publish a game as a site: put every page into its folder, and draw only what is new.

:func:`publish_site` is what commands call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from alexmagnum import __version__
from alexmagnum.campaign import first_position
from alexmagnum.draw.shared_ground import SharedGround
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.sandbox_page import SandboxTable, render_sandbox
from alexmagnum.site.assets import list_assets
from alexmagnum.site.first_page import render_first_page
from alexmagnum.site.folder import Identity, SiteChanges, SiteFolder
from alexmagnum.site.other_pages import (
    render_charts,
    render_feed,
    render_press,
    render_rules,
    render_search,
)
from alexmagnum.site.page_frame import (
    CHARTS,
    FEED,
    INDEX,
    POWERS,
    PRESS,
    PROVINCES,
    REPLAY,
    SEARCH,
    PageFrame,
)
from alexmagnum.site.phase_pages import (
    ReportedPhase,
    compose_reports,
    draw_map,
    map_path,
    map_source,
    render_phase_page,
    render_replay,
    write_ground,
    write_search,
)
from alexmagnum.site.published_game import PublishedGame
from alexmagnum.site.rule_texts import load_rule_texts
from alexmagnum.site.story_pages import (
    render_power_list,
    render_power_page,
    render_province_list,
    render_province_page,
    tell_story,
)

GROUND, SANDBOX = "assets/ground.js", "sandbox.html"


@dataclass(frozen=True, slots=True)
class SiteRequest:
    """A site that is asked for: its folder, its language, whether it has maps.

    ``address`` is where the site lies on the web, "" if that is not known: its feed names it.
    ``state`` is noted in the manifest: it says of which moment of the game the site is.
    """

    folder: Path
    sentences: Sentences
    pictures: bool = True
    state: str = ""
    address: str = ""


def site_identity(game: PublishedGame, lang: str) -> Identity:
    """Return what tells the site of a game, an audience and a language from others."""
    return Identity(game.key, game.audience or "public", lang)


def publish_site(game: PublishedGame, request: SiteRequest) -> SiteChanges:
    """Bring the site in a folder up to date with a game; return what changed there.

    Raises:
        GameError: the folder cannot take this site (see :meth:`SiteFolder.open`), or
            ``cannot-write``.
    """
    sandbox = SANDBOX if request.pictures else ""
    frame = PageFrame(game, request.sentences, request.pictures, sandbox)
    identity = site_identity(game, request.sentences.lang)
    folder = SiteFolder.open(request.folder, identity, private=game.audience is not None)
    phases = compose_reports(frame)
    pages = dict(_render_pages(frame, phases, request.address))
    maps = [map_path(shown.name) for shown in phases] if request.pictures else []
    folder.announce(pages, [SANDBOX, *([GROUND] if maps else []), *maps] if sandbox else [])
    for name, text in pages.items():
        folder.put(name, text)
    if request.pictures:
        _put_maps(frame, phases, folder)
        _put_sandbox(frame, folder)
    return folder.close(request.state)


def _render_pages(
    frame: PageFrame, phases: tuple[ReportedPhase, ...], address: str
) -> Iterator[tuple[str, str]]:
    """Yield every file of a site but the maps, with its name."""
    yield from list_assets()
    yield INDEX, render_first_page(frame, phases)
    for index in range(len(phases)):
        yield render_phase_page(frame, phases, index)
    yield REPLAY, render_replay(frame, phases, REPLAY)
    yield CHARTS, render_charts(frame)
    yield PRESS, render_press(frame, phases)
    indexes = dict(write_search(frame.game.board, phases))
    yield from indexes.items()
    yield SEARCH, render_search(frame, list(indexes))
    yield FEED, render_feed(frame, phases, address)
    texts = load_rule_texts(frame.game.board, frame.sentences.lang)
    yield from render_rules(frame, texts)
    told = tell_story(frame, phases)
    yield POWERS, render_power_list(frame)
    for power in frame.game.board.powers:
        yield render_power_page(frame, told, power)
    yield PROVINCES, render_province_list(frame)
    for province in frame.game.board.provinces:
        yield render_province_page(frame, told, province)


# -- maps -----------------------------------------------------------------------------------------


def _put_maps(frame: PageFrame, phases: tuple[ReportedPhase, ...], folder: SiteFolder) -> None:
    """Put in the map of every phase and the ground that they share; draw those that are new."""
    program = digest_program("draw")
    source = sha256(f"{program} {frame.game.board.digest}".encode()).hexdigest()[:32]
    ground: SharedGround | None = None
    has_ground = folder.has(GROUND, source)
    for shown in phases:
        made_from = map_source(frame, shown.phase, program)
        if folder.has(map_path(shown.name), made_from):
            continue
        ground = ground or SharedGround(phases[0].phase.outcome.position, frame.sentences)
        folder.put(map_path(shown.name), draw_map(frame, shown.phase, ground), made_from)
    if phases and not has_ground:
        ground = ground or SharedGround(phases[0].phase.outcome.position, frame.sentences)
        folder.put(GROUND, write_ground(ground), source)


def _put_sandbox(frame: PageFrame, folder: SiteFolder) -> None:
    """Put in the page on which positions can be tried, unless this version wrote it already."""
    source = digest_program("draw", "report", "page_judge") + frame.game.board.digest
    if not folder.has(SANDBOX, source):
        start = SandboxTable(first_position(frame.game.board))
        folder.put(SANDBOX, render_sandbox([start], frame.sentences), source)


@cache
def digest_program(*rooms: str) -> str:
    """Return a digest of the files of some rooms: another version may draw a phase differently."""
    package = files("alexmagnum")
    digest = sha256(__version__.encode())
    for room in rooms:
        folders = [package / room, package / room / "templates"]
        for folder in filter(Traversable.is_dir, folders):
            for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if entry.is_file() and not entry.name.endswith(".pyc"):
                    digest.update(entry.read_bytes())
    return digest.hexdigest()[:16]
