"""As much of Python's library as the judge's files ask for, written for the Python of a page."""

import json as _json
from collections import OrderedDict as _dict

import js

_texts = js.pageTexts


class _Record:
    """The base of records."""

    def __repr__(self):
        shown = ["%s=%r" % (name, getattr(self, name)) for name in self._fields]
        return "%s(%s)" % (type(self).__name__, ", ".join(shown))


def _getter(values):
    return lambda at: values[at]


def _new_tuple(kind, content):
    return kind(*content)


Mapping = dict
Sequence = (list, tuple, str)
Iterable = (list, tuple, str, dict, set, frozenset, type(_ for _ in ()), type(iter([])))


def _union(*kinds):
    listed = []
    for kind in kinds:
        listed += kind if isinstance(kind, tuple) else (kind,)
    return tuple(listed)


# -- dictionaries and lists ------------------------------------------------------------------------


def _fromkeys(keys, value=None):
    made = _dict()
    for key in keys:
        made[key] = value
    return made


def _merge(*parts):
    made = _dict()
    for part in parts:
        if isinstance(part, tuple):
            made[part[0]] = part[1]
        else:
            for key in part:
                made[key] = part[key]
    return made


def _sorted(values, key=None, reverse=False):
    # The sort of MicroPython is not stable: where two are equal, their places decide.
    if key is None:
        return sorted(values, reverse=reverse)
    sign = -1 if reverse else 1
    rows = [(key(value), sign * at, value) for at, value in enumerate(values)]
    rows.sort(key=_without_value, reverse=reverse)
    return [row[2] for row in rows]


def _without_value(row):
    return row[:2]


def _sort(values, key=None, reverse=False):
    values[:] = _sorted(values, key, reverse)


def _slice(values, start, stop, step):
    if isinstance(values, tuple):
        return tuple(list(values)[start:stop:step])
    if isinstance(values, str):
        return "".join(list(values)[start:stop:step])
    return values[start:stop:step]


class Counter:
    def __init__(self, values=()):
        self.counts = _dict()
        for value in values:
            self.counts[value] = self.counts.get(value, 0) + 1

    def __getitem__(self, key):
        return self.counts.get(key, 0)

    def __setitem__(self, key, count):
        self.counts[key] = count

    def __contains__(self, key):
        return key in self.counts

    def __iter__(self):
        return iter(self.counts)

    def __len__(self):
        return len(self.counts)

    def __eq__(self, other):
        if len(self) != len(other):
            return False
        for key in self.counts:
            if other[key] != self.counts[key]:
                return False
        return True

    def get(self, key, default=None):
        return self.counts.get(key, default)

    def items(self):
        return self.counts.items()

    def keys(self):
        return self.counts.keys()

    def values(self):
        return self.counts.values()

    def total(self):
        return sum(self.counts.values())

    def __add__(self, other):
        made = Counter()
        for counter in (self, other):
            for key in counter:
                made[key] += counter[key]
        return made


class Random:
    """Numbers by chance; after the same seed other ones than those of Python's own (xorshift)."""

    def __init__(self, seed):
        self.state = 1
        for letter in str(seed):
            self.state = (self.state * 31 + ord(letter)) % 0xFFFFFFFB + 1
        for _ in range(16):
            self.random()

    def random(self):
        state = self.state
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        self.state = state
        return state / 0x100000000


class defaultdict:
    def __init__(self, make):
        self.make = make
        self.made = _dict()

    def __getitem__(self, key):
        if key not in self.made:
            self.made[key] = self.make()
        return self.made[key]

    def __setitem__(self, key, value):
        self.made[key] = value

    def __contains__(self, key):
        return key in self.made

    def __iter__(self):
        return iter(self.made)

    def __len__(self):
        return len(self.made)

    def get(self, key, default=None):
        return self.made.get(key, default)

    def items(self):
        return self.made.items()

    def keys(self):
        return self.made.keys()

    def values(self):
        return self.made.values()


# -- itertools, functools, contextlib --------------------------------------------------------------


def accumulate(values, initial=None):
    total = initial
    if total is not None:
        yield total
    for value in values:
        total = value if total is None else total + value
        yield total


def _chain(iterables):
    for values in iterables:
        for value in values:
            yield value


class chain:
    def __new__(cls, *iterables):
        return _chain(iterables)

    @staticmethod
    def from_iterable(iterables):
        return _chain(iterables)


def pairwise(values):
    last = None
    is_first = True
    for value in values:
        if not is_first:
            yield last, value
        last = value
        is_first = False


def combinations(values, length):
    if not length:
        yield ()
        return
    for at, value in enumerate(values):
        for others in combinations(values[at + 1 :], length - 1):
            yield (value,) + others


def prod(values):
    made = 1
    for value in values:
        made *= value
    return made


def bisect_left(values, value):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def product(*iterables, repeat=1):
    pools = [tuple(values) for values in iterables] * repeat
    rows = [()]
    for pool in pools:
        rows = [row + (value,) for row in rows for value in pool]
    return iter(rows)


def cache(function):
    return lru_cache(64)(function)


def lru_cache(maxsize=128):
    def decorate(function):
        known = {}
        last = []  # of arguments that cannot be keys, for the same objects alone

        def ask(*arguments):
            try:
                hash(arguments)
            except TypeError:
                if not last or any(a is not b for a, b in zip(last[0], arguments)):
                    last[:] = [arguments, function(*arguments)]
                return last[1]
            if arguments not in known:
                if len(known) >= maxsize:
                    known.clear()
                known[arguments] = function(*arguments)
            return known[arguments]

        return ask

    return decorate


def wraps(function):
    return _same


def _same(value):
    return value


class suppress:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.kinds)


# -- dataclasses and typing ------------------------------------------------------------------------


class _Field:
    def __init__(self, name):
        self.name = name


def fields(kind):
    return [_Field(name) for name in kind._fields]


def replace(value, **changes):
    content = {name: getattr(value, name) for name in value._fields}
    content.update(changes)
    return type(value)(**content)


_replace = replace


def asdict(value):
    return _as_data(value)


def _as_data(value):
    if hasattr(value, "_fields"):
        return _dict([(name, _as_data(getattr(value, name))) for name in value._fields])
    if isinstance(value, list):
        return [_as_data(entry) for entry in value]
    if isinstance(value, tuple):
        return tuple([_as_data(entry) for entry in value])
    return value


def NewType(name, kind):
    return _same


def get_args(union):
    return union


# -- texts -----------------------------------------------------------------------------------------


def _isascii(text):
    for byte in text.encode():
        if byte > 127:
            return False
    return True


def _casefold(text):
    return text.lower() if _isascii(text) else _texts.casefold(text)


def _islower(text):
    return text.islower() if _isascii(text) else _texts.islower(text)


def _isupper(text):
    return text.isupper() if _isascii(text) else _texts.isupper(text)


def _isprintable(text):
    return _texts.isprintable(text)


def _title(text):
    return _texts.title(text)


def _removesuffix(text, suffix):
    return text[: -len(suffix)] if suffix and text.endswith(suffix) else text


def normalize(form, text):
    return _texts.normalize(form, text)


def combining(letter):
    return _texts.combining(letter)


class Formatter:
    """A reader of templates such as ``"{unit}: {why}"``; specs have no braces in them."""

    def parse(self, template):
        text = ""
        at = 0
        while at < len(template):
            sign = template[at]
            if sign in "{}" and template[at : at + 2] == sign * 2:
                text += sign
                at += 2
            elif sign == "{":
                end = template.find("}", at)
                name, _, spec = template[at + 1 : end].partition(":")
                name, _, conversion = name.partition("!")
                yield text, name, spec, conversion or None
                text = ""
                at = end + 1
            else:
                text += sign
                at += 1
        if text:
            yield text, None, None, None


# -- names that are spelt alike --------------------------------------------------------------------


def _count_alike(a, b):
    """Return how many letters match as in ``difflib.SequenceMatcher``, without junk."""
    best = start_a = start_b = 0
    runs = {}
    for i in range(len(a)):
        grown = {}
        for j in range(len(b)):
            if a[i] == b[j]:
                length = grown[j] = runs.get(j - 1, 0) + 1
                if length > best:
                    best, start_a, start_b = length, i - length + 1, j - length + 1
        runs = grown
    if not best:
        return 0
    before = _count_alike(a[:start_a], b[:start_b])
    return before + best + _count_alike(a[start_a + best :], b[start_b + best :])


def get_close_matches(word, known, n=3, cutoff=0.6):
    scored = []
    for other in known:
        total = len(word) + len(other)
        ratio = 2 * _count_alike(other, word) / total if total else 1.0
        if ratio >= cutoff:
            scored.append((ratio, other))
    scored.sort(reverse=True)
    return [other for _, other in scored[:n]]


class OSA:
    @staticmethod
    def distance(a, b, score_cutoff=None):
        before = None
        last = list(range(len(b) + 1))
        for i in range(1, len(a) + 1):
            row = [i] + [0] * len(b)
            for j in range(1, len(b) + 1):
                cost = 0 if a[i - 1] == b[j - 1] else 1
                best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                    best = min(best, before[j - 2] + 1)
                row[j] = best
            before, last = last, row
        found = last[len(b)]
        return found if score_cutoff is None or found <= score_cutoff else score_cutoff + 1


def extract_iter(word, known, scorer, score_cutoff):
    for at, other in enumerate(known):
        off = scorer(word, other, score_cutoff=score_cutoff)
        if off <= score_cutoff:
            yield other, off, at


# -- what the bundle brings along ------------------------------------------------------------------


def sha256(content):
    """Stand for a digest: what is compared is the content itself."""
    return _Digest(content)


class _Digest:
    def __init__(self, content):
        self.content = content

    def hexdigest(self):
        return self.content.decode()


class _Resource:
    """A folder or a file that the bundle brings along, under its path in the package."""

    def __init__(self, path):
        self.path = path
        self.name = path.split("/")[-1]

    def __str__(self):
        return self.path

    def joinpath(self, name):
        return _Resource(self.path + "/" + name)

    def iterdir(self):
        start = self.path + "/"
        return [_Resource(path) for path in js.pageResources.list(start).split("\n") if path]

    def read_text(self, encoding="utf-8"):
        return js.pageResources.read(self.path)


class resources:
    @staticmethod
    def files(package):
        return _Resource(package.replace(".", "/"))


def loads(text):
    """Read a table of the bundle, which the builder wrote as JSON."""
    return restore(_json.loads(text))


def restore(value):
    """Return data with its objects in order: they travel as ``{"": [key, value, ...]}``."""
    if isinstance(value, dict):
        pairs = value[""]
        made = _dict()
        for at in range(0, len(pairs), 2):
            made[pairs[at]] = restore(pairs[at + 1])
        return made
    if isinstance(value, list):
        return [restore(entry) for entry in value]
    return value
