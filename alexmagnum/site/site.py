"""Publishing a game as a site: every page into its folder, only what is new drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from alexmagnum import __version__
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import first_position, newly_eliminated, owners_after
from alexmagnum.draw.canvas import SharedGround
from alexmagnum.errors import GameError
from alexmagnum.files import PART, write_whole
from alexmagnum.game.copies import FOLDER as BACKUPS
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FOLDERS, OUTBOX, SHEETS, hold_lock
from alexmagnum.game.people import leave_names_out
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge.outcome import SUCCEEDS, Outcome
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Move
from alexmagnum.position import DEPLOYMENT, PICKS, Position, Unit
from alexmagnum.report import sandbox as sandboxes
from alexmagnum.report.context import find_unit_changes, list_holdings
from alexmagnum.report.document import Fact
from alexmagnum.report.final_report import format_holding
from alexmagnum.report.words import name_player
from alexmagnum.site import frame as site_frame
from alexmagnum.site import pages as site_pages
from alexmagnum.units import names_of


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        code: what happened; the sentence is ``event-<code>``.
        powers: the powers that it concerns.
        places: the provinces that it concerns.
        data: what the sentence names.
    """

    code: str
    powers: tuple[str, ...]
    places: tuple[str, ...]
    data: Mapping[str, object]

    def tell(self, sentences: Sentences) -> str:
        """Return the event in words."""
        return sentences.format(f"event-{self.code}", **self.data)


def list_events(outcome: Outcome, sentences: Sentences) -> Iterator[Event]:
    """Yield what happened in a phase: centres, units and nobility, then the moves."""
    tell = _Teller(outcome, sentences)
    for events in (tell.gains, tell.dislodgements, tell.unit_changes, tell.nobility):
        yield from events()
    if outcome.position.phase.season != PICKS:
        for power in newly_eliminated(outcome):
            name = power_name(outcome.position.board, power, sentences)
            yield Event("out", (power,), (), {"power": name})
    yield from tell.moves()


class _Teller:
    """Finds the events of one phase."""

    def __init__(self, outcome: Outcome, sentences: Sentences) -> None:
        self.outcome = outcome
        self.position = outcome.position
        self.board = outcome.position.board
        self.sentences = sentences
        before = {**names_of(self.position.units), **names_of(self.position.orderable)}
        self._names = {**names_of(outcome.units), **before}

    def gains(self) -> Iterator[Event]:
        before, now = self.position.owners, owners_after(self.outcome)
        for centre in self.board.centres:
            old, new = before.get(centre, ""), now.get(centre, "")
            if old == new or not new:
                continue
            data = {"power": self._power(new), "place": self._place(centre)}
            if not old:
                yield Event("takes", (new,), (centre,), data)
            else:
                from_old = {**data, "other": self._power(old)}
                yield Event("takes-from", (new, old), (centre,), from_old)

    def dislodgements(self) -> Iterator[Event]:
        """Yield the units that were dislodged, except in the retreats that follow."""
        if self.position.phase.retreats:
            return
        for dislodged in self.outcome.dislodged:
            unit, by = dislodged.unit, dislodged.by
            data = {**self._named(unit), "by": self._unit(by), "other": self._power(by.power)}
            yield Event("dislodged", (unit.power, by.power), (unit.province,), data)

    def unit_changes(self) -> Iterator[Event]:
        changes = find_unit_changes(self.outcome)
        for code, units in (
            ("deploys" if self.position.phase.season == DEPLOYMENT else "builds", changes.built),
            ("removes", changes.removed),
            ("loses", changes.lost),
        ):
            for unit in units:
                yield Event(code, (unit.power,), (unit.province,), self._named(unit))

    def nobility(self) -> Iterator[Event]:
        for power, points in self.outcome.nobility.items():
            if points < self.position.nobility.get(power, self.board.rules.nobility):
                data = {"power": self._power(power), "points": points}
                yield Event("nobility" if points else "revolt", (power,), (), data)

    def moves(self) -> Iterator[Event]:
        for entry in self.outcome.results:
            if not isinstance(entry.order, Move) or entry.unit is None:
                continue
            goal = self.board.province_of(entry.order.to.partition("#")[0]).id
            data = {**self._named(entry.unit), "place": self._place(goal)}
            if entry.result == SUCCEEDS:
                yield Event("arrives", (entry.power,), (goal, entry.unit.province), data)
            elif entry.result in ("fails", "stopped", "destroyed"):
                yield Event("repelled", (entry.power,), (goal,), data)

    def _named(self, unit: Unit) -> dict[str, object]:
        return {"unit": self._unit(unit), "power": self._power(unit.power)}

    def _unit(self, unit: Unit) -> str:
        return self._names.get(unit, str(unit))

    def _power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    def _place(self, province: str) -> str:
        return self.board.provinces[province].name(self.sentences.lang)


# The story of the game by power and by province: who held Babylon?


Told = Sequence[tuple[site_pages.ReportedPhase, Sequence[Event]]]
"""The phases of a game with what happened in them."""


def render_power_page(frame: site_frame.PageFrame, told: Told, power: str) -> tuple[str, str]:
    """Return the name and the text of a power's page: its figures, centres and story."""
    position, words = frame.game.position, frame.sentences
    facts = [
        Fact("centres", words.format("column-centres"), str(len(position.centres_of(power))), None),
        Fact(
            "units",
            words.format("column-units"),
            str(site_frame.count_units(position, power)),
            None,
        ),
    ]
    if frame.game.board.rules.nobility:
        points = str(position.points_of(power))
        facts.append(Fact("nobility", words.format("column-nobility"), points, None))
    for player in frame.game.newest.content.players:
        if player.power == power:
            name = name_player(player, words)
            facts.insert(0, Fact("player", words.format("site-player"), name, None))

    def is_told(event: Event) -> bool:
        return power in event.powers and event.code not in ("arrives", "repelled")

    path = site_frame.power_path(power)
    return path, frame.render(
        "story.html.j2",
        path,
        frame.power(power),
        power=power,
        parent=site_frame.Link(site_frame.POWERS, words.format("site-powers")),
        facts=facts,
        centres=[
            site_frame.Link(site_frame.province_path(c), frame.province(c))
            for c in position.centres_of(power)
        ],
        held=(),
        stays=(),
        years=list(_tell_years(frame, told, is_told)),
    )


def _tell_years(
    frame: site_frame.PageFrame, told: Told, belongs: Callable[[Event], bool]
) -> Iterator[site_pages.Year]:
    """Yield the years in which something happened, each with its phases and their events."""
    for name, group in groupby(told, lambda entry: frame.year(entry[0].moment)):
        phases = []
        for shown, events in group:
            if lines := tuple(event.tell(frame.sentences) for event in events if belongs(event)):
                phases.append(site_pages.PhaseLink(shown.path, shown.report.phase, lines))
        if phases:
            yield site_pages.Year(name, tuple(phases))


# -- provinces ------------------------------------------------------------------------------------


def render_province_list(frame: site_frame.PageFrame) -> str:
    """Return the page with the owners of all centres, which leads to every province."""
    words, board = frame.sentences, frame.game.board
    return frame.render(
        "provinces.html.j2",
        site_frame.PROVINCES,
        words.format("site-provinces"),
        centres=sorted(board.centres, key=frame.province),
        others=sorted((p for p in board.provinces if p not in board.centres), key=frame.province),
        held={
            centre: ", ".join(format_holding(h, frame.power(h.power), words) for h in held)
            for centre, held in list_holdings(board, frame.game.outcomes).items()
        },
    )


def render_province_page(frame: site_frame.PageFrame, told: Told, province: str) -> tuple[str, str]:
    """Return the name and the text of a province's page: owners, units, story."""
    words, board = frame.sentences, frame.game.board
    owner = frame.game.position.owners.get(province, "")
    facts = [Fact("id", words.format("site-id"), province, None)]
    if province in board.centres:
        text = frame.power(owner) if owner else words.format("nobody")
        facts.append(Fact("owner", words.format("site-owner"), text, None))

    def is_told(event: Event) -> bool:
        is_garrison_lost = event.code == "loses" and event.powers == (INDEPENDENT,)
        return province in event.places and not is_garrison_lost

    path = site_frame.province_path(province)
    return path, frame.render(
        "story.html.j2",
        path,
        frame.province(province),
        power="",
        parent=site_frame.Link(site_frame.PROVINCES, words.format("site-provinces")),
        facts=facts,
        centres=[],
        held=list_holdings(board, frame.game.outcomes).get(province, ()),
        stays=list(_list_stays(frame, told, province)),
        years=list(_tell_years(frame, told, is_told)),
    )


class Stay(NamedTuple):
    """The phases from which to which a unit stood in a province; ``until`` is None if it is still
    there."""

    power: str
    unit: str
    since: site_pages.ReportedPhase
    until: site_pages.ReportedPhase | None


def _list_stays(frame: site_frame.PageFrame, told: Told, province: str) -> Iterator[Stay]:
    """Yield the units that stood in a province, each by its kind, and by its number at sea."""
    has_places = frame.game.board.provinces[province].capacity > 1

    def find_units(position: Position) -> set[tuple[str, str, int]]:
        there = (unit for unit in position.units if unit.province == province)
        return {(unit.power, unit.kind, unit.number) for unit in there}

    def end(unit: tuple[str, str, int], until: site_pages.ReportedPhase | None) -> Stay:
        power, kind, number = unit
        name = f"{kind}#{number}" if number and has_places else kind
        return Stay(power, name, open_stays[unit], until)

    open_stays: dict[tuple[str, str, int], site_pages.ReportedPhase] = {}
    last: site_pages.ReportedPhase | None = None
    for shown, _ in told:
        here = find_units(shown.phase.outcome.position)
        for unit in [unit for unit in open_stays if unit not in here]:
            yield end(unit, last)
            del open_stays[unit]
        for unit in sorted(here - open_stays.keys()):
            open_stays[unit] = shown
        last = shown
    now = find_units(frame.game.position)
    for unit in open_stays:
        yield end(unit, None if unit in now else last)


MANIFEST = ".alexmagnum-site.json"
"""The file that marks a folder as a site and lists the files written there."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class SiteIdentity:
    """The game that a folder shows, its audience and its language: they never change."""

    game: str
    audience: str
    lang: str


@dataclass(frozen=True, slots=True)
class SiteChanges:
    """The changes that one publication made: files written, left as they were, and removed."""

    written: tuple[str, ...] = ()
    kept: int = 0
    removed: tuple[str, ...] = ()


@dataclass(slots=True)
class _Entry:
    """A file of the site: its digest, and what it was made from, if that is kept."""

    digest: str = ""  # without it the file was being written when a publication was interrupted
    source: str = ""


@dataclass(slots=True)
class SiteFolder:
    """A folder that receives a site: open it, put the files in, and close it.

    A publication that is interrupted leaves a manifest that lists every file it may have written,
    so that the next one goes on.
    """

    path: Path
    identity: SiteIdentity
    private: bool
    state: str = ""
    _known: dict[str, _Entry] = field(default_factory=dict)
    _new: dict[str, _Entry] = field(default_factory=dict)
    _written: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path, identity: SiteIdentity, *, private: bool = False) -> SiteFolder:
        """Open a folder for a site; it may be missing or empty, or have the same site.

        Raises:
            GameError: ``site-folder-used``, ``site-of-another``, ``site-is-file``,
                ``site-manifest-bad``, ``source-unreadable``.
        """
        if (manifest := read_manifest(path)) is None:
            _refuse_foreign_files(path)
            return cls(path, identity, private)
        found = SiteIdentity(**manifest["identity"])
        for what in ("game", "audience", "lang"):
            old, new = getattr(found, what), getattr(identity, what)
            if old != new:
                raise GameError("site-of-another", path=str(path), what=what, found=old, wanted=new)
        known = {name: _Entry(**entry) for name, entry in manifest["files"].items()}
        return cls(path, identity, private, _known=known)

    def has(self, name: str, source: str) -> bool:
        """Return whether a file is there, was made from this source, and is as it was written.

        Such a file need not be made again: it counts as put in.
        """
        entry = self._known.get(name)
        if entry is None or not source or entry.source != source or not self._is_intact(name):
            return False
        self._new[name] = entry
        return True

    def put(self, name: str, content: str, source: str = "") -> None:
        """Put an announced file in; one that has this content already is left alone."""
        self._new[name] = _Entry(_digest(content.encode()), source)
        if not self._is_same(name, content):
            write_whole(self._find(name), content, private=self.private)
            self._written.append(name)

    def announce(self, contents: Mapping[str, str], drawn: Iterable[str] = ()) -> None:
        """Note files that are going to be written, so that an interrupted publication knows them.

        ``drawn`` are the names of files whose content is not known yet.

        Raises:
            GameError: ``site-foreign-file``: somebody else's file has such a name;
                ``cannot-write``.
        """
        changing = [name for name, text in contents.items() if not self._is_same(name, text)]
        new = [name for name in drawn if name not in self._known]
        for name in (*changing, *new):
            if name not in self._known and self._find(name).exists():
                raise GameError("site-foreign-file", path=str(self.path / name))
        self._known.update((name, _Entry()) for name in (*changing, *new))
        if changing or new:
            self._note()

    def close(self, state: str) -> SiteChanges:
        """Remove the files of the site that were not put in, and write the manifest.

        A file that somebody changed since it was written stays where it is.
        """
        gone = [name for name in self._known if name not in self._new]
        removed = tuple(name for name in gone if self._remove(name))
        written = tuple(self._written)
        self._remove_torn()
        self._known, self.state = dict(self._new), state
        self._note()
        return SiteChanges(written, len(self._new) - len(written), removed)

    def _find(self, name: str) -> Path:
        """Return where a file lies; refuse a folder that a link leads out of the site."""
        if not (path := self.path / name).parent.resolve().is_relative_to(self.path.resolve()):
            raise GameError("site-foreign-file", path=str(path))
        return path

    def _remove(self, name: str) -> bool:
        path = self._find(name)
        if not path.exists() or (self._known[name].digest and not self._is_intact(name)):
            return False
        try:
            path.unlink()
            if path.parent != self.path and not any(path.parent.iterdir()):
                path.parent.rmdir()
        except OSError as error:
            raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None
        return True

    def _remove_torn(self) -> None:
        """Remove what killed commands had begun to write in place of files of the site."""
        places = {self._find(name) for name in (*self._known, MANIFEST)}
        for torn in (one for at in {p.parent for p in places} for one in at.glob(f".*{PART}")):
            if torn.is_file() and torn.with_name(torn.name[1:].rsplit(".", 2)[0]) in places:
                torn.unlink(missing_ok=True)

    def _is_same(self, name: str, content: str) -> bool:
        known = self._known.get(name)
        return (
            known is not None
            and known.digest == _digest(content.encode())
            and self._is_intact(name)
        )

    def _is_intact(self, name: str) -> bool:
        try:
            return _digest((self.path / name).read_bytes()) == self._known[name].digest
        except OSError:
            return False

    def _note(self) -> None:
        content = {
            "format": _FORMAT,
            "identity": asdict(self.identity),
            "state": self.state,
            "files": {
                name: {key: text for key, text in asdict(entry).items() if text}
                for name, entry in sorted(self._known.items())
            },
        }
        text = json.dumps(content, ensure_ascii=False, indent=0) + "\n"
        if not (path := self.path / MANIFEST).exists() or path.read_text(encoding="utf-8") != text:
            write_whole(path, text, private=self.private)


def read_manifest(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest of a folder, None if it has none.

    Raises:
        GameError: ``site-is-file``, ``site-manifest-bad``, ``source-unreadable``.
    """
    if path.exists() and not path.is_dir():
        raise GameError("site-is-file", path=str(path))
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != _FORMAT:
            raise KeyError("format")
        SiteIdentity(**manifest["identity"])
        for name, entry in manifest["files"].items():
            _Entry(**entry)
            if not (parts := Path(name).parts) or Path(name).is_absolute() or ".." in parts:
                raise KeyError(name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GameError("source-unreadable", path=str(path), why=error.strerror or "") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise GameError("site-manifest-bad", path=str(path / MANIFEST)) from None
    return dict(manifest)


def _refuse_foreign_files(path: Path) -> None:
    try:
        found = sorted(entry.name for entry in path.iterdir()) if path.exists() else []
    except OSError as error:
        raise GameError("source-unreadable", path=str(path), why=error.strerror or "") from None
    if found:
        raise GameError("site-folder-used", path=str(path), file=found[0])


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]


# Publish a game as a site: put every page into its folder, and draw only what is new.


GROUND, SANDBOX, LESSONS = "assets/ground.js", "sandbox.html", "learn.html"


_PATIENCE = 60.0  # seconds to wait for another command that writes the site


def write_site(desk: Desk, path: Path, audience: str | None, sentences: Sentences) -> SiteChanges:
    """Bring the site in a folder up to date for an audience; return what changed there."""
    wanted, own = path.resolve(), desk.folder.resolve()
    if any(wanted.is_relative_to(own / name) for name in (*FOLDERS, BACKUPS, OUTBOX, SHEETS)):
        raise GameError("site-folder-of-game", path=str(path))
    with hold_lock(desk.folder, "site", _PATIENCE, busy="site-busy"):
        with desk.reading():
            game, state = site_frame.gather_game(desk, audience), _find_state(desk)
        has_maps = desk.settings["pictures"] == "yes"
        has_lessons = has_maps and game.board.id == sandboxes.load_lessons()["map"]
        pages = (SANDBOX if has_maps else "", LESSONS if has_lessons else "")
        identity = SiteIdentity(game.key, audience or "public", sentences.lang)
        folder = SiteFolder.open(path, identity, private=audience is not None)
        address = desk.settings["site_address"] if audience is None else ""  # its feed names it
        _put_pages(site_frame.PageFrame(game, sentences, has_maps, *pages), folder, address)
        return folder.close(state)


def _put_pages(frame: site_frame.PageFrame, folder: SiteFolder, address: str) -> None:
    phases = site_pages.compose_reports(frame)
    pages = dict(_render_pages(frame, phases, address))
    maps = [site_pages.map_path(shown.name) for shown in phases] if frame.pictures else []
    alone = [SANDBOX, *_list_lessons(frame)] if frame.pictures else []
    folder.announce(pages, [*alone, *([GROUND] if maps else []), *maps])
    for name, text in pages.items():
        folder.put(name, text)
    if frame.pictures:
        _put_maps(frame, phases, folder)
        _put_sandbox(frame, folder)
        _put_lessons(frame, folder)


def _render_pages(
    frame: site_frame.PageFrame, phases: tuple[site_pages.ReportedPhase, ...], address: str
) -> Iterator[tuple[str, str]]:
    yield from site_frame.list_assets()
    yield site_frame.INDEX, site_pages.render_first_page(frame, phases)
    for index in range(len(phases)):
        yield site_pages.render_phase_page(frame, phases, index)
    yield site_frame.REPLAY, site_pages.render_replay(frame, phases, site_frame.REPLAY)
    yield site_frame.CHARTS, site_pages.render_charts(frame)
    yield site_frame.PRESS, site_pages.render_press(frame, phases)
    indexes = dict(site_pages.write_search(frame.game.board, phases))
    yield from indexes.items()
    yield site_frame.SEARCH, site_pages.render_search(frame, list(indexes))
    yield site_frame.FEED, site_pages.render_feed(frame, phases, address)
    texts = site_frame.load_rule_texts(frame.game.board, frame.sentences.lang, frame.lessons)
    yield from site_pages.render_rules(frame, texts)
    told = [(shown, tuple(list_events(shown.phase.outcome, frame.sentences))) for shown in phases]
    yield (
        site_frame.POWERS,
        frame.render("powers.html.j2", site_frame.POWERS, frame.sentences.format("site-powers")),
    )
    for power in frame.game.board.powers:
        yield render_power_page(frame, told, power)
    yield site_frame.PROVINCES, render_province_list(frame)
    for province in frame.game.board.provinces:
        yield render_province_page(frame, told, province)


# -- maps -----------------------------------------------------------------------------------------


def _put_maps(
    frame: site_frame.PageFrame, phases: tuple[site_pages.ReportedPhase, ...], folder: SiteFolder
) -> None:
    program = digest_program("draw")
    source = sha256(f"{program} {frame.game.board.digest}".encode()).hexdigest()[:32]
    ground: SharedGround | None = None
    has_ground = folder.has(GROUND, source)
    for shown in phases:
        made_from = site_pages.map_source(frame, shown.phase, program)
        if folder.has(site_pages.map_path(shown.name), made_from):
            continue
        ground = ground or SharedGround(phases[0].phase.outcome.position, frame.sentences)
        folder.put(
            site_pages.map_path(shown.name),
            site_pages.draw_map(frame, shown.phase, ground),
            made_from,
        )
    if phases and not has_ground:
        ground = ground or SharedGround(phases[0].phase.outcome.position, frame.sentences)
        text = json.dumps(ground.svg, ensure_ascii=False)
        folder.put(GROUND, f"const siteGroundText = {text};\n", source)


def _put_sandbox(frame: site_frame.PageFrame, folder: SiteFolder) -> None:
    now = frame.game.position
    position = now if now.units else first_position(now.board)
    source = digest_program("draw", "report", "page_judge") + now.board.digest + position.to_text()
    if not folder.has(SANDBOX, source):
        start = sandboxes.SandboxTable(position)
        folder.put(SANDBOX, sandboxes.render_sandbox([start], frame.sentences), source)


def _list_lessons(frame: site_frame.PageFrame) -> list[str]:
    """Return the names of the lessons' pages, that in the site's language first."""
    return (
        list(sandboxes.name_lesson_pages(LESSONS, frame.sentences.lang).values())
        if frame.lessons
        else []
    )


def _put_lessons(frame: site_frame.PageFrame, folder: SiteFolder) -> None:
    source = digest_program("draw", "report", "page_judge")
    if not all(folder.has(name, source) for name in _list_lessons(frame)):
        links = (("learn-sandbox", SANDBOX), ("learn-rules", site_frame.RULES))
        for name, page in sandboxes.render_lesson_pages(LESSONS, frame.sentences, links):
            folder.put(name, page, source)


@cache
def digest_program(*rooms: str) -> str:
    """Return a digest of the files of some rooms: another version may draw a phase differently."""
    package = files("alexmagnum")
    digest = sha256(__version__.encode())
    for room in rooms:
        for folder in filter(Traversable.is_dir, [package / room, package / room / "templates"]):
            for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if entry.is_file() and not entry.name.endswith(".pyc"):
                    digest.update(entry.read_bytes())
    return digest.hexdigest()[:16]


# The site that a setting names, which follows every act; and all pages in one.


@dataclass(frozen=True, slots=True)
class SiteUpdate:
    """The state of the site after an act: its folder, what changed there, or why nothing did."""

    folder: Path
    changes: SiteChanges = field(default_factory=SiteChanges)
    failure: GameError | None = None


def update_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site that the setting names up to date for everybody; None without a setting.

    A failure spoils nothing: it is in the result, and the next act tries again.
    """
    if (folder := _find_site_folder(desk)) is None:
        return None
    try:
        return SiteUpdate(folder, write_site(desk, folder, None, load_sentences(desk.lang)))
    except GameError as error:
        failure = error
    except Exception as error:
        # Whatever is wrong with the pages, the phase is resolved and its mails have to go.
        failure = GameError("site-stumbled", why=f"{type(error).__name__}: {error}"[:200])
    return SiteUpdate(folder, failure=failure)


def _find_site_folder(desk: Desk) -> Path | None:
    """Return the folder that the setting names; a relative path starts at the game's folder."""
    name = desk.settings["site_dir"]
    return desk.folder / Path(name).expanduser() if name else None


def follow_with_site(desk: Desk) -> SiteUpdate | None:
    """Bring the site up to date if it is of another moment; None if there is nothing to do."""
    if (folder := _find_site_folder(desk)) is None or not site_frame.has_pages(desk):
        return None
    with suppress(GameError):
        manifest = read_manifest(folder)
        if manifest is not None and manifest["state"] == _find_state(desk):
            return None
    return update_site(desk)


def _find_state(desk: Desk) -> str:
    """Return a digest of what a public site has to follow at once, and of nothing secret."""
    with desk.reading():
        names = [record.name for record in site_frame.processed_records(desk)]
        words = [text for name in names for texts in desk.texts(name).values() for text in texts]
        nameless = leave_names_out(desk, words, ())
        seen = site_frame.gather_newest(desk, None).content
        moment = (
            desk.phases(),
            desk.deadline,
            desk.paused,
            desk.position.to_text(),
            desk.settings["site_address"],
            sorted(seen.house_rules.items()),
            seen.players,
            [nameless.get(text, text) for text in words],
        )
    return sha256(repr(moment).encode()).hexdigest()[:32]


def write_single_page(
    desk: Desk, path: Path, audience: str | None, sentences: Sentences, phase: str = ""
) -> int:
    """Write a page with all phases of a game, or with one, for an audience; return its bytes."""
    name = desk.processed(phase).phase if phase else ""
    game = site_frame.gather_game(desk, audience)
    pictures = desk.settings["pictures"] == "yes"
    page = site_pages.render_single_page(game, sentences, name, pictures=pictures)
    write_whole(path, page, private=audience is not None)
    return len(page.encode())
