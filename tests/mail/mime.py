"""Writing messages byte by byte, as mail programs do, well or badly.

The standard library would write them all alike, and right.
"""

import base64
import quopri
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

Fields = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A part: the value of its Content-Type, further fields, and its bytes."""

    kind: str
    body: bytes
    fields: tuple[tuple[str, str], ...] = ()

    def written(self, *, version: bool = False) -> bytes:
        fields = (("MIME-Version", "1.0"),) if version else ()
        fields = (*fields, *((("Content-Type", self.kind),) if self.kind else ()), *self.fields)
        head = "".join(f"{name}: {value}\r\n" for name, value in fields)
        return head.encode("ascii") + b"\r\n" + self.body


def text(
    said: str,
    kind: str = "plain",
    charset: str = "utf-8",
    encoding: str = "quoted-printable",
    *,
    really: str = "",
    more: str = "",
    fields: Fields = (),
) -> Part:
    """Return a text part; ``really`` is its true charset if that is not the declared one."""
    data = said.replace("\n", "\r\n").encode(really or charset, "xmlcharrefreplace")
    declared = f'text/{kind}; charset="{charset}"' if charset else f"text/{kind}"
    transfer = (("Content-Transfer-Encoding", encoding),) if encoding else ()
    return Part(declared + more, _encoded(data, encoding), (*transfer, *fields))


def _encoded(data: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        lines = data.split(b"\r\n")
        return b"\r\n".join(quopri.encodestring(x).replace(b"\n", b"\r\n") for x in lines)
    if encoding == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    return data


def multi(kind: str, *parts: Part, boundary: str, more: str = "") -> Part:
    """Several parts in one."""
    mark = boundary.encode("ascii")
    body = b"".join(b"--" + mark + b"\r\n" + part.written() + b"\r\n" for part in parts)
    return Part(f'multipart/{kind}; {more}boundary="{boundary}"', body + b"--" + mark + b"--\r\n")


def message(fields: Fields, body: Part) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return head.encode("utf-8") + body.written(version=True)


def word(said: str, charset: str = "utf-8", how: str = "B") -> str:
    """Return a text for a header field, in encoded words if it is not plain ASCII."""
    if said.isascii():
        return said
    pieces = [said[i : i + 16] for i in range(0, len(said), 16)]
    return " ".join(f"=?{charset}?{how}?{_word(piece.encode(charset), how)}?=" for piece in pieces)


def _word(data: bytes, how: str) -> str:
    if how == "B":
        return base64.b64encode(data).decode("ascii")
    return "".join(
        "_" if b == 32 else chr(b) if chr(b).isalnum() and b < 128 else f"={b:02X}" for b in data
    )


def page(lines: str, each: str = "<div>{}</div>", blank: str = "<div><br></div>") -> str:
    """Lines as HTML, one element each."""
    shown = (each.format(escape(line)) if line.strip() else blank for line in lines.split("\n"))
    return "\n".join(shown)


def quoted(lines: str, mark: str = "> ") -> str:
    """Lines with a mark before each; a blank one has the mark alone."""
    return "\n".join((mark + line).rstrip() for line in lines.split("\n"))


def wrapped(lines: str, width: int = 72) -> str:
    """Lines broken where a program breaks them, the rest without a mark."""
    broken = []
    for line in lines.split("\n"):
        rest = line
        while len(rest) > width and " " in rest[:width]:
            cut = rest[:width].rindex(" ")
            broken.append(rest[:cut])
            rest = rest[cut + 1 :]
        broken.append(rest)
    return "\n".join(broken)
