"""The folder of a site: what was written there is in its manifest, and nothing else is touched.

Open this to see which files a publication writes, keeps and removes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole

MANIFEST = ".alexmagnum-site.json"
"""The file that marks a folder as a site and lists the files written there."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Identity:
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
    """A file of the site: the digest of its content, and what it was made from, if that is kept.

    Without a digest it was being written when a publication was interrupted.
    """

    digest: str = ""
    source: str = ""


@dataclass(slots=True)
class SiteFolder:
    """A folder that receives a site: open it, put the files in, and close it.

    A publication that is interrupted leaves a manifest that lists every file it may have written,
    so that the next one goes on.
    """

    path: Path
    identity: Identity
    private: bool
    state: str = ""
    _known: dict[str, _Entry] = field(default_factory=dict)
    _new: dict[str, _Entry] = field(default_factory=dict)
    _written: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, path: Path, identity: Identity, *, private: bool = False) -> SiteFolder:
        """Open a folder for a site; it may be missing or empty, or have the same site.

        Raises:
            GameError: ``site-folder-used``, ``site-of-another``, ``site-is-file``,
                ``site-manifest-bad``, ``cannot-read``.
        """
        manifest = read_manifest(path)
        if manifest is None:
            _refuse_foreign_files(path)
            return cls(path, identity, private)
        found = Identity(**manifest["identity"])
        if found != identity:
            raise GameError("site-of-another", path=str(path), **_differences(found, identity))
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
        """Put a file in; one that has this content already is left alone.

        It has to be announced.

        Raises:
            GameError: ``cannot-write``.
        """
        self._new[name] = _Entry(_digest(content.encode()), source)
        if not self._is_same(name, content):
            write_whole(self.path / name, content, private=self.private)
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
            if name not in self._known and (self.path / name).exists():
                raise GameError("site-foreign-file", path=str(self.path / name))
        self._known.update((name, _Entry()) for name in (*changing, *new))
        if changing or new:
            self._note()

    def close(self, state: str) -> SiteChanges:
        """Remove the files of the site that were not put in, and write the manifest.

        A file that somebody changed since it was written stays where it is.

        Raises:
            GameError: ``cannot-write``.
        """
        gone = [name for name in self._known if name not in self._new]
        removed = tuple(name for name in gone if self._remove(name))
        written = tuple(self._written)
        self._known, self.state = dict(self._new), state
        self._note()
        return SiteChanges(written, len(self._new) - len(written), removed)

    def _remove(self, name: str) -> bool:
        """Remove a file as it was written, and its folder if that is empty then."""
        path = self.path / name
        if not path.exists() or (self._known[name].digest and not self._is_intact(name)):
            return False
        try:
            path.unlink()
            if path.parent != self.path and not any(path.parent.iterdir()):
                path.parent.rmdir()
        except OSError as error:
            raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None
        return True

    def _is_same(self, name: str, content: str) -> bool:
        """Return whether a file of the site has this content."""
        known = self._known.get(name)
        return (
            known is not None
            and known.digest == _digest(content.encode())
            and self._is_intact(name)
        )

    def _is_intact(self, name: str) -> bool:
        """Return whether a file has the content that was written."""
        try:
            return _digest((self.path / name).read_bytes()) == self._known[name].digest
        except OSError:
            return False

    def _note(self) -> None:
        """Write the manifest, if it differs from the one that is there."""
        content = {
            "format": _FORMAT,
            "identity": _as_data(self.identity),
            "state": self.state,
            "files": {name: _as_data(entry) for name, entry in sorted(self._known.items())},
        }
        text = json.dumps(content, ensure_ascii=False, indent=0) + "\n"
        path = self.path / MANIFEST
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_whole(path, text, private=self.private)


def read_manifest(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest of a folder, None if it has none.

    Raises:
        GameError: ``site-is-file``, ``site-manifest-bad``, ``cannot-read``.
    """
    if path.exists() and not path.is_dir():
        raise GameError("site-is-file", path=str(path))
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != _FORMAT:
            raise KeyError("format")
        Identity(**manifest["identity"])
        for name, entry in manifest["files"].items():
            _Entry(**entry)
            if not _is_inside(name):
                raise KeyError(name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GameError("cannot-read", path=str(path), why=error.strerror or "") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise GameError("site-manifest-bad", path=str(path / MANIFEST)) from None
    return dict(manifest)


def _is_inside(name: str) -> bool:
    """Return whether the name of a file stays inside the folder."""
    parts = Path(name).parts
    return bool(parts) and not Path(name).is_absolute() and ".." not in parts


def _refuse_foreign_files(path: Path) -> None:
    """Refuse a folder in which there is anything."""
    try:
        found = sorted(entry.name for entry in path.iterdir()) if path.exists() else []
    except OSError as error:
        raise GameError("cannot-read", path=str(path), why=error.strerror or "") from None
    if found:
        raise GameError("site-folder-used", path=str(path), file=found[0])


def _differences(found: Identity, wanted: Identity) -> dict[str, str]:
    """Return the first thing in which two sites differ: what it is, found and wanted."""
    for what in ("game", "audience", "lang"):
        if getattr(found, what) != getattr(wanted, what):
            names = {"found": getattr(found, what), "wanted": getattr(wanted, what)}
            return {"what": what, **names}
    raise AssertionError("they are equal")


def _as_data(value: Identity | _Entry) -> dict[str, str]:
    """Return a value for the manifest; what is empty is left out of a file's entry."""
    names = type(value).__slots__
    data = {str(name): str(getattr(value, name)) for name in names}
    return {name: text for name, text in data.items() if text or isinstance(value, Identity)}


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]
