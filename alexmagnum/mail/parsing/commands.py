"""Commands and press in a mail, and the kinds of mail that nobody wrote by hand."""

import logging
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from functools import cached_property, lru_cache
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.files import MAX_ORDERS
from alexmagnum.game.settings import lower_ascii
from alexmagnum.i18n.dates import parse_month
from alexmagnum.mail.parsing import mime
from alexmagnum.notation import read_orders
from alexmagnum.notation.names import province_names
from alexmagnum.notation.sections import EVERYTHING, read_fresh_start
from alexmagnum.notation.words import lexicon
from alexmagnum.orders import Order
from alexmagnum.position import Position

# Press in a mail: pieces of text that a player writes for other players, with their headings.
#
# :mod:`.commands` takes them out of a mail; :mod:`alexmagnum.mail.answers` delivers them.


MAX_HEADING = 100
"""Characters of a heading or a command; a longer line is a sentence."""

_LETTERS = re.compile(r"\w+")

_LISTED, _JOINT = re.compile(r"\w+'?,?"), re.compile(r"\s*[-/&+;\u2013\u2014]\s*")
"""A word of a heading, with its comma (``all'`` is not ``all``), and what stands for a comma."""

_MAX_WORDS_BEFORE = 3  # the word for press is one of the first few: ``LETTER OF PRESS TO TOL``


@dataclass(frozen=True, slots=True)
class PressPiece:
    """A text for other players.

    ``readers``: ids of powers; ``to_all``, ``to_master``: it also goes to everybody, to the game
    master; ``unknown``: names that mean nobody, because of which it is not sent; ``closed``: its
    end is written, else it runs to the end of the mail; ``line``: its heading; ``inner``: a line in
    it that may be the heading of another piece. ``addressed`` are the lines of the text that may
    begin another letter if there are orders in it (``Turkey:``), with the powers that they name.
    """

    readers: tuple[str, ...]
    to_all: bool
    to_master: bool
    anonymous: bool
    text: str
    line: str
    unknown: tuple[str, ...] = ()
    closed: bool = True
    inner: str = ""
    addressed: tuple[tuple[int, tuple[str, ...]], ...] = ()


class _Heading(NamedTuple):
    """A line that may begin press: its ``heading``, the text after it, and its recipients;
    ``certain`` if the word for press is spelt right and in its place, ``likely`` if the line looks
    like a heading and not like a sentence."""

    heading: str
    rest: str
    recipients: mime.Recipients
    certain: bool
    likely: bool


class PressFinder:
    """Finds the pieces of press in the lines of one text."""

    def __init__(self, lines: Sequence[str], board: Board, words: mime.Vocabulary) -> None:
        self.lines = lines
        self.board = board
        self.words = words

    def find_piece(self, at: int) -> tuple[PressPiece, int] | None:
        """Return the piece that begins at a line, and the line after it; None if none begins."""
        if (heading := self._find_heading(self.lines[at])) is None:
            return None
        end, closed = self._ends[at + 1]
        recipients = heading.recipients
        is_marked = recipients.is_known or _is_loud(self.lines[at])
        if not closed and not (heading.certain and is_marked):
            return None  # a sentence that begins like press
        body = [*filter(None, (heading.rest,)), *self.lines[at + 1 : end]]
        text = "\n".join(line.rstrip() for line in body).strip("\n")
        inner = list(self._find_inner(text, recipients))
        headings = [text.split("\n")[i] for i, _, is_heading in inner if is_heading]
        piece = PressPiece(
            readers=recipients.powers,
            to_all=recipients.everybody,
            to_master=recipients.master,
            anonymous=recipients.anonymous,
            text=text,
            line=heading.heading,
            unknown=recipients.unknown,
            closed=closed,
            inner="".join(headings[:1]).partition(":")[0].strip(),
            addressed=tuple((i, powers) for i, powers, _ in inner),
        )
        return piece, end + closed

    def _find_inner(
        self, text: str, recipients: mime.Recipients
    ) -> Iterator[tuple[int, tuple[str, ...], bool]]:
        """Yield the lines of press that may begin another piece, with the powers that they name,
        and whether they look like its heading: ``TO ROME:``."""
        begin, to = self.words.get("press", "begin"), self.words.get("press", "to")
        for at, line in enumerate(text.split("\n")):
            listed = _list_words(line) if len(line) <= MAX_HEADING else []
            typed = [word.rstrip(",") for word in listed]
            has_link, is_loud = not to.isdisjoint(typed[:-1]), _is_loud(line)
            names = listed if has_link or is_loud else []
            named = mime.read_recipients(names, self.board, self.words)
            is_named = named.is_known and is_loud and names[0] in to and not named.unknown
            heading = self._find_heading(line)
            is_heading = heading.likely if heading else is_named
            is_sure = len(named.unknown) <= has_link or not begin.isdisjoint(typed)
            is_other = not set(named.powers) <= set(recipients.powers)
            if is_heading or (is_sure and is_other and not line.partition(":")[2].strip()):
                yield at, named.powers, is_heading

    def is_end(self, line: str) -> bool:
        """Tell whether a line ends press.

        Slips in it are forgiven, so that the lines after it do not reach the other players.
        """
        phrase = " ".join(re.findall(r"\w+", mime.fold_phrase(line[:MAX_HEADING])))
        return mime.is_near_phrase(phrase, self.words.get("press", "end"), 2)

    def _find_heading(self, line: str) -> _Heading | None:
        head, _, rest = line.partition(":")
        listed = _list_words(head) if len(head) <= MAX_HEADING else []
        typed = [word.rstrip(",") for word in listed]
        press_words = self.words.get("press", "begin")
        manners = self.words.get("press", "anonymous") | self.words.get("press", "signed")
        for i, word in enumerate(typed[:_MAX_WORDS_BEFORE]):
            if not mime.is_near_phrase(word, press_words, 1):
                continue
            names = [*listed[:i], *listed[i + 1 :]]
            certain = word in press_words and bool(names) and manners.issuperset(typed[:i])
            recipients = mime.read_recipients(names, self.board, self.words)
            is_named = recipients.is_known and len(recipients.unknown) < 2
            has_link = not self.words.get("press", "to").isdisjoint(typed[i + 1 : i + 2])
            likely = is_named or has_link or _is_loud(line)
            return _Heading(head.strip(), rest.strip(), recipients, certain, likely)
        return None

    @cached_property
    def _ends(self) -> list[tuple[int, bool]]:
        """Return for each line where a piece that contains it ends (a line that says so, the next
        heading, or the end of the text), and whether its end is written.  One pass is enough for a
        text with thousands of headings."""
        ends = [(len(self.lines), False)] * (len(self.lines) + 1)
        for i in range(len(self.lines) - 1, -1, -1):
            heading = self._find_heading(self.lines[i])
            if self.is_end(self.lines[i]):
                ends[i] = i, True
            elif heading and heading.certain and heading.recipients.is_known:
                ends[i] = i, False
            else:
                ends[i] = ends[i + 1]
        return ends


def _list_words(text: str) -> list[str]:
    """Return the words of a heading, each with the comma behind it."""
    return _LISTED.findall(_JOINT.sub(", ", mime.fold_phrase(text)))


def _is_loud(line: str) -> bool:
    return line.isupper() or line.rstrip().endswith(":")


# Commands that players write on lines of their own, such as ``STATUS`` or ``ABSENCE 24/12-6/1``.
#
# :func:`read_requests` splits the text of a mail into commands, press and the rest, which are
# orders.


_MAX_WORDS = 6  # words of a command

UNREADABLE, STRAY_END = "unread", "stray-end"
"""The kinds of lines that look like a command, or like the end of press, but are not."""

DRAW, ASK_DRAW = "draw", "ask-draw"
"""The kinds of a vote for a draw, and of a sentence that may be one: the answer asks."""

_CHANGING = frozenset(
    {"clear", DRAW, "no-draw", "concede", "no-concede", "wait", "ready", "absence", "no-absence"}
)
"""The kinds of commands that do not only ask."""

_HEADING = "orders"  # the kind of a command that many people write as a heading above their orders


@dataclass(frozen=True, slots=True)
class Command:
    """A command in a mail.

    ``kind`` is a key of the tables' section ``[commands]``. ``argument`` is the dates of an absence
    or the phase of a history as written, ids of powers with blanks between them, or ``all``
    where orders for later phases are withdrawn too. ``unknown`` are
    names among the powers that mean none. ``line`` is the line as written.

    A line that looks like a command but is none has the kind ``UNREADABLE`` or ``STRAY_END``, and
    the line as its argument.
    """

    kind: str
    argument: str
    line: str
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Requests:
    """The commands and the press in a mail, and the text that is left without them."""

    orders_text: str
    commands: tuple[Command, ...] = ()
    press: tuple[PressPiece, ...] = ()


def read_requests(text: str, board: Board, words: mime.Vocabulary | None = None) -> Requests:
    """Take commands and press out of a text; all other lines keep their places.

    A command counts only if it is alone on its line. Lines of press are neither commands nor
    orders, even if the end of the press is missing.
    """
    words = words or mime.load_vocabulary()
    lines = text.split("\n")
    press_finder = PressFinder(lines, board, words)
    reader = _CommandReader(lines, board, words, press_finder)
    commands, press, rest = [], [], [""] * len(lines)
    at = 0
    while at < len(lines):
        if found := press_finder.find_piece(at):
            piece, at = found
            press.append(piece)
            continue
        if (command := reader.read(at)) and not reader.is_heading_of_orders(command, at):
            commands.append(command)
        if command is None or command.kind == ASK_DRAW or reader.is_heading_of_orders(command, at):
            rest[at] = lines[at]
        at += 1
    return Requests("\n".join(rest).rstrip(), tuple(commands), tuple(press))


class _CommandReader:
    """Reads the lines of one text as commands."""

    def __init__(
        self, lines: Sequence[str], board: Board, words: mime.Vocabulary, press_finder: PressFinder
    ) -> None:
        self.lines = lines
        self.board = board
        self.words = words
        self.press_finder = press_finder
        self.kinds = words.kinds

    def read(self, at: int) -> Command | None:
        """Return the command on a line; one with a question mark only asks, and changes nothing."""
        command = self._read(at)
        if command is None or "?" not in command.line or command.kind not in _CHANGING:
            return command
        return Command(ASK_DRAW if command.kind == DRAW else UNREADABLE, command.line, command.line)

    def _read(self, at: int) -> Command | None:
        line = self.lines[at].strip()
        if not (phrase := self._strip(line)) or len(phrase) > MAX_HEADING:
            return self._read_vote(at)
        if self.press_finder.is_end(line):
            return Command(STRAY_END, line, line)
        start = read_fresh_start(line, self.board) or read_fresh_start(phrase, self.board)
        if start is not None:
            scope = start.scope if start.scope == EVERYTHING else ""
            return Command("clear", scope, line) if start.cancels and not start.rest else None
        typed = phrase.split(" ")
        for length in range(min(len(typed), _MAX_WORDS), 0, -1):
            if not (kind := self.kinds.get(" ".join(typed[:length]), "")):
                continue
            if length == len(typed):
                return Command(kind, "", line)
            if command := self._read_argument(kind, " ".join(typed[length:]), line):
                return command
        if self._is_attempt(line, typed):
            return Command(UNREADABLE, line, line)
        return self._read_vote(at)

    def _read_vote(self, at: int) -> Command | None:
        """Read a sentence about a draw: a vote if it says nothing else, else a line to ask about;
        lines beside it may take it back (``Patta per me va bene``, ``ma solo se ...``)."""
        line = self.lines[at].strip()
        said = _spell(line)
        if (without := _remove_phrases(said, self.words.get("votes", "draw"))) == said:
            return None
        beside = [text for text in self.lines[max(at - 1, 0) : at + 2] if text.strip()]
        agreed = _remove_phrases(without, self.words.get("votes", "agree"))
        is_alone = not _remove_phrases(agreed, self.words.get("votes", "links")).strip()
        is_sure = is_alone and agreed != without and not any(map(self._has_doubt, beside))
        return Command(DRAW if is_sure else ASK_DRAW, "", line)

    def _has_doubt(self, line: str) -> bool:
        doubts = self.words.get("votes", "doubts")
        return "?" in line or _remove_phrases(_spell(line), doubts) != _spell(line)

    def is_heading_of_orders(self, command: Command, at: int) -> bool:
        """Tell whether a command is a heading above orders: many people write ``Ordini`` there."""
        line = command.line
        if command.kind != _HEADING or " " in self._strip(line) or "?" in line:
            return False
        below = "".join(self.lines[at + 1 : at + 2]).strip()
        return line.endswith(":") or (bool(below) and not self.read(at + 1))

    def _is_attempt(self, line: str, typed: Sequence[str]) -> bool:
        """Tell whether a line in capitals begins with a command, or is nearly one."""
        if not line.isupper() or len(typed) > _MAX_WORDS:
            return False
        if len(typed) == 1:
            is_place = (typed[0],) in province_names(self.board, lexicon()).names
            return mime.is_near_phrase(typed[0], self.kinds, 1) and not is_place
        kinds = (self.kinds.get(" ".join(typed[:i]).strip(","), "") for i in range(1, len(typed)))
        return any(kind not in ("", _HEADING) for kind in kinds)

    def _strip(self, line: str) -> str:
        phrase = mime.fold_phrase(line).strip(
            " *_.,:;!?#-\u2022\u00b7\"'\u00ab\u00bb\u201c\u201d[]()<"
        )
        phrase = re.sub(r": ", " ", phrase)
        for polite in self.words.get("courtesy", "words"):
            phrase = phrase.removesuffix(f" {polite}").removeprefix(f"{polite} ").strip(" ,")
        return phrase

    def _read_argument(self, kind: str, rest: str, line: str) -> Command | None:
        """Return a command with what follows it on its line; None if it takes no such argument."""
        has_dates = kind == "absence" and self._has_dates(rest)
        if has_dates or (kind == "history" and re.search(r"\d", rest) and len(rest.split()) <= 4):
            return Command(kind, rest, line)
        if kind in ("draw", "concede", "no-concede"):
            recipients = mime.read_recipients(_list_words(rest), self.board, self.words)
            if recipients.powers or line.isupper():
                return Command(kind, " ".join(recipients.powers), line, recipients.unknown)
        return None

    def _has_dates(self, rest: str) -> bool:
        """Tell whether a figure comes first, but for words such as ``dal``, ``Monday``, ``Dec``."""
        links = self.words.get("dates", "links")
        words = re.findall(r"\w+", rest)
        return next((w for w in words if w not in links and not parse_month(w)), "-")[0].isdigit()


def _spell(text: str) -> str:
    """Return the folded words of a text, with single blanks between and around them."""
    return f" {' '.join(_LETTERS.findall(mime.fold_phrase(text)))} "


def _remove_phrases(spelt: str, phrases: Collection[str]) -> str:
    """Return spelt words without some phrases, the longest first."""
    for phrase in _sort_phrases(frozenset(phrases)):
        spelt = spelt.replace(phrase, " ")
    return spelt


@lru_cache(maxsize=16)
def _sort_phrases(phrases: frozenset[str]) -> list[str]:
    return sorted(map(_spell, phrases), key=len, reverse=True)


# Commands of the game master: ``PROCESS 319-spring``, ``EXTEND 1 day BECAUSE Bruno is ill``.


REPLY, CONFIRM = "reply", "confirm"
_ALONE = frozenset({"status", "help", "remind", CONFIRM})
"""Commands of the game master with nothing behind them on their line."""


@dataclass(frozen=True, slots=True)
class MasterCommand:
    """A line of the game master: ``kind`` is a key of the tables' section ``[master]`` or
    ``UNREADABLE``; ``verb``, ``argument`` (with lines below a reply), ``reason`` are as written."""

    kind: str
    line: str
    verb: str = ""
    argument: str = ""
    reason: str = ""


def read_master_commands(text: str) -> tuple[MasterCommand, ...]:
    """Read the lines of the game master's own text.

    A reply has the lines below it, until one that begins with a command in capitals, or as it does
    itself.
    """
    read: list[MasterCommand] = []
    for line in map(str.strip, text.split("\n")):
        command = _read_master_command(line)
        begins = command.kind not in (UNREADABLE, CONFIRM) and command.verb.isupper()
        if read and read[-1].kind == command.kind == REPLY and command.argument[:1].isdecimal():
            begins = begins or command.verb.lower() == read[-1].verb.lower()  # "Reply 2"
        if read and read[-1].kind == REPLY and not begins:
            read[-1] = replace(read[-1], argument=f"{read[-1].argument}\n{line}")
        elif line:
            read.append(command)
    return tuple(read)


def _read_master_command(line: str) -> MasterCommand:
    words = mime.load_vocabulary()
    kinds = {phrase: kind for kind in words.keys("master") for phrase in words.get("master", kind)}
    typed = line.lstrip(" -*_.#\u2022\"'([)0123456789").split()
    folded = [mime.fold_phrase(word).strip("*_,.:;!?\"')]") for word in typed]
    length = next((n for n in (3, 2, 1) if " ".join(folded[:n]) in kinds), 0)
    kind = kinds.get(" ".join(folded[:length]), UNREADABLE)
    marks = () if kind == REPLY else words.get("behind", "because")
    end = next((at for at in range(length, len(typed)) if folded[at] in marks), len(typed))
    argument, reason = " ".join(typed[length:end]), " ".join(typed[end + 1 :])
    if kind != REPLY:
        argument = argument.strip(" ,:;.!?")
    is_courtesy = mime.fold_phrase(argument) in words.get("courtesy", "words")
    if (argument and kind in _ALONE and not is_courtesy) or (kind == CONFIRM and "?" in line):
        kind = UNREADABLE
    return MasterCommand(kind, line, typed[0] if typed else "", argument, reason)


# Search for orders in a subject, and in text that was taken for quotation or signature: ``>`` may
# also stand for a move, and some people write below their signature.


def find_orders(text: str, position: Position, power: str) -> tuple[Order, ...]:
    """Return the orders of a power in a text, whose lines may be marked as quoted, or stand below
    the name of another power."""
    lines = [line.text for line in mime.split_lines(text[:MAX_ORDERS])]
    texts = {"\n".join(lines): None, "\n".join(line for line in lines if ":" not in line): None}
    found = (read_orders(each, position, power).orders.get(power, ()) for each in texts)
    return tuple(dict.fromkeys(order for orders in found for order in orders))


def find_orders_in_sentences(text: str, position: Position, power: str) -> tuple[str, ...]:
    """Return the lines, but for those marked as quoted, that have an order within a sentence."""
    own = "\n".join(line.text for line in mime.split_lines(text[:MAX_ORDERS]) if not line.depth)
    read = read_orders(own, position, power).lines
    return tuple(line.text for line in read if line.error and line.error.code == "in-sentence")


_AND = re.compile(r"(?i)(?<!no)-|[^\w\s'\u2019-]|\b(?:and|with|plus|ed?|con)\b")  # in a subject
_SECRET = frozenset({"draw", "no-draw", "concede", "no-concede", "clear"})


def find_votes(text: str, board: Board) -> tuple[str, ...]:
    """Return the lines of a text with commands that are secret: votes, and to begin anew."""
    return tuple(one.line for one in read_requests(text, board).commands if one.kind in _SECRET)


def find_votes_in_subject(subject: str, board: Board) -> tuple[str, ...]:
    """Return the secret commands of a subject, alone or among others: ``Draw and orders``."""
    return find_votes(subject, board) or find_votes("\n".join(_AND.split(subject)), board)


# The kinds of mail. Only mail that a person wrote to the game is answered.


PERSON, AUTO_REPLY, BOUNCE, LIST = "person", "auto-reply", "bounce", "list"
OWN, OWN_PERSON, LOOP = "own", "own-person", "loop"
"""The kinds. ``OWN`` is mail that the game sent, ``OWN_PERSON`` what a person wrote at its address;
``LOOP`` is mail that goes round in circles."""

LOOP_HEADER = "X-Alexmagnum"
"""The field on every mail of the game. A reply never carries it, only a copy does."""

_MAX_HOPS = 50
_AUTO_REPLY_FIELDS = (
    "x-autoreply", "x-autoreply-from", "x-autorespond", "x-autoresponder", "x-auto-reply",
    "x-autogenerated", "x-mail-autoreply", "x-vacation",
)  # fmt: skip
_LIST_FIELDS = (
    "list-id", "list-post", "list-help", "list-unsubscribe", "mailing-list", "x-mailing-list",
)  # fmt: skip
_AUTOMATIC_PRECEDENCES = frozenset({"bulk", "junk", "auto_reply"})
_DAEMONS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mdaemon"})


class Classification(NamedTuple):
    """The kind of a mail.

    ``bounced`` and ``delayed`` are the addresses that a bounce reports as failed for good and for
    now.
    """

    kind: str
    bounced: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()


def classify(
    message: Message, headers: mime.Headers, own: Collection[str], words: mime.Vocabulary
) -> Classification:
    """Return the kind of a mail; ``own`` are the addresses of the game, without tags."""
    game_addresses = {mime.remove_tag(lower_ascii(address)) for address in own}
    senders = {mime.remove_tag(address) for address in mime.find_addresses(headers.raw("from"))}
    loops = {mime.remove_tag(address) for address in mime.find_addresses(headers.raw("x-loop"))}
    is_from_game = bool(senders & game_addresses)
    came_back = headers.count(LOOP_HEADER) and not is_from_game
    if headers.count("received") > _MAX_HOPS or came_back or loops & game_addresses:
        return Classification(LOOP)
    subject = mime.fold_phrase(headers.get("subject"))
    if is_from_game:
        is_person = _classify_letter(message, headers, subject, words).kind == PERSON
        return Classification(OWN if headers.count(LOOP_HEADER) or not is_person else OWN_PERSON)
    if _is_bounce(message, headers, senders, subject, words):
        return _classify_bounce(message)
    return _classify_letter(message, headers, subject, words)


def _is_bounce(
    message: Message,
    headers: mime.Headers,
    senders: Collection[str],
    subject: str,
    words: mime.Vocabulary,
) -> bool:
    is_report = message.get_content_type() == "multipart/report"
    report_type = _content_type_parameter(message, "report-type")
    return (
        (is_report and report_type != "disposition-notification")
        or headers.count("x-failed-recipients") > 0
        or any(address.partition("@")[0] in _DAEMONS for address in senders)
        or (_has_empty_return_path(headers) and _has_subject(subject, words, "bounces"))
    )


def _content_type_parameter(message: Message, name: str) -> str:
    """Return a parameter of the content type; "" if it is missing or broken."""
    try:
        return str(message.get_param(name, "") or "").casefold()
    except (ValueError, TypeError, LookupError):
        return ""


def _classify_bounce(message: Message) -> Classification:
    from flufl.bounce import all_failures  # dozens of modules, for few letters

    logging.getLogger("flufl.bounce").disabled = True  # it prints what breaks it
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # some reports break the library in ways that cannot be listed
        temporary = permanent = frozenset()
    return Classification(BOUNCE, _sort_addresses(permanent), _sort_addresses(temporary))


def _sort_addresses(failed: Collection[bytes | str]) -> tuple[str, ...]:
    texts = (a.decode("ascii", "replace") if isinstance(a, bytes) else a for a in failed)
    return tuple(sorted({address for text in texts for address in mime.find_addresses([text])}))


def _classify_letter(
    message: Message, headers: mime.Headers, subject: str, words: mime.Vocabulary
) -> Classification:
    """Tell an automatic reply, a copy from a mailing list and a person's mail apart."""
    precedence = headers.get("precedence").strip().casefold()
    if precedence == "list" or any(headers.count(name) for name in _LIST_FIELDS):
        return Classification(LIST)
    looks_automatic = (
        headers.get("auto-submitted").partition(";")[0].strip().casefold() not in ("", "no")
        or precedence in _AUTOMATIC_PRECEDENCES
        or any(headers.count(name) for name in _AUTO_REPLY_FIELDS)
        or message.get_content_type() == "multipart/report"
        or _has_empty_return_path(headers)
        or _has_subject(subject, words, "automatic")
        # A calendar accepts the entry of a deadline; its owner may have written above.
        or any(
            part.get_content_type() == "text/calendar"
            and _content_type_parameter(part, "method") in ("reply", "counter")
            for part in message.walk()
        )
    )
    return Classification(AUTO_REPLY if looks_automatic else PERSON)


def _has_empty_return_path(headers: mime.Headers) -> bool:
    """Tell whether the return path is ``<>``, with which machines prevent an answer."""
    return any(path.replace(" ", "") == "<>" for path in headers.all("return-path"))


def _has_subject(subject: str, words: mime.Vocabulary, section: str) -> bool:
    """Tell whether the subject is one of the phrases, alone or followed by a sign."""
    return any(
        subject.startswith(phrase)
        and re.match(r" *(?:[:(\u2013-]|re:|$)", subject[len(phrase) :]) is not None
        for phrase in words.get(section, "subjects")
    )
