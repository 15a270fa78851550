"""Regular expressions in a page: those of its script, asked for in the way of Python's ``re``."""

import json

import js

ASCII = 256
IGNORECASE = 2


_WORD = "[\\p{L}\\p{N}_]"
_EDGE = "(?:(?<=W)(?!W)|(?<!W)(?=W))".replace("W", _WORD)
_SYNTAX = "^$\\.*+?()[]{}|/-"


def _translate(pattern, is_ascii):
    """Return a pattern as JavaScript writes it, with Python's meaning of letters and digits."""
    pattern = pattern.replace("(?P<", "(?<")
    made = ""
    in_class = False
    after = ""
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            made += _translate_escape(pattern[at + 1], in_class, is_ascii)
            at += 2
            continue
        if not in_class and pattern[at : at + 4] == "[^\\W" and not is_ascii:
            # A letter, digit or low line, but none of those that follow in the class.
            in_class = True
            made += "(?:(?!["
            after = ")" + _WORD + ")"
            at += 4
            continue
        if sign == "[" and not in_class:
            in_class = True
        elif sign == "]" and in_class:
            in_class = False
            sign += after
            after = ""
        elif sign == "." and not in_class:
            sign = "[^\\n]"
        made += sign
        at += 1
    return made


def _translate_escape(letter, in_class, is_ascii):
    if not (letter.isalpha() or letter.isdigit() or letter in _SYNTAX):
        return letter
    if is_ascii:
        return "\\" + letter
    if letter == "d":
        return "\\p{Nd}"
    if letter == "w":
        return "\\p{L}\\p{N}_" if in_class else _WORD
    if letter == "W" and not in_class:
        return "[^\\p{L}\\p{N}_]"
    if letter == "b" and not in_class:
        return _EDGE
    return "\\" + letter


class Match:
    def __init__(self, row):
        self._starts = row[0]
        self._ends = row[1]
        self._texts = row[2]
        self.lastgroup = row[3]

    def __getitem__(self, at):
        return self._texts[at]

    def group(self, at=0):
        return self._texts[at]

    def groups(self):
        return tuple(self._texts[1:])

    def start(self, at=0):
        return self._starts[at]

    def end(self, at=0):
        return self._ends[at]


class Pattern:
    def __init__(self, pattern, flags=0):
        self._number = js.pageRegex.compile(
            _translate(pattern, bool(flags & ASCII)), "i" if flags & IGNORECASE else ""
        )

    def _find(self, text, mode):
        return [Match(row) for row in json.loads(js.pageRegex.find(self._number, mode, text))]

    def finditer(self, text):
        return iter(self._find(text, "all"))

    def fullmatch(self, text):
        return self._first(text, "whole")

    def match(self, text):
        return self._first(text, "start")

    def search(self, text):
        return self._first(text, "first")

    def _first(self, text, mode):
        found = self._find(text, mode)
        return found[0] if found else None

    def sub(self, new, text, count=0):
        made = ""
        at = 0
        for match in self._find(text, "first" if count == 1 else "all"):
            made += text[at : match.start()] + new
            at = match.end()
        return made + text[at:]

    def findall(self, text):
        return [match[min(1, len(match._texts) - 1)] for match in self._find(text, "all")]

    def split(self, text):
        parts = []
        at = 0
        for match in self._find(text, "all"):
            parts.append(text[at : match.start()])
            at = match.end()
        return parts + [text[at:]]


_known = {}


def compile(pattern, flags=0):
    return Pattern(pattern, flags)


def _know(pattern):
    if pattern not in _known:
        _known[pattern] = Pattern(pattern)
    return _known[pattern]


def fullmatch(pattern, text):
    return _know(pattern).fullmatch(text)


def match(pattern, text):
    return _know(pattern).match(text)


def search(pattern, text):
    return _know(pattern).search(text)
