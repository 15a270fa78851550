"""Servers of mail that fail once, at a step that a test names, and then answer as they should."""

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from socket import SHUT_WR
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread

DROP, SILENT = "drop", "silent"
"""The server hangs up, or says nothing more."""

ENDLESS = {"drip": 0.03, "flood": 0.0}
"""The server says a line again and again, with so many seconds between."""


class HungUp(Exception):
    """The server has ended the conversation."""


@dataclass
class ScriptedServer:
    """A server for SMTP, or for IMAP with some ``mails``; ``taken`` are the mails that it took,
    and ``fetched`` the numbers of those that it gave.

    ``faults`` are its wrong answers by step, each given once; one with ``drop`` behind it is the
    last.  One that begins with ``*`` stands before a right last line.  ``hidden`` has the answers
    that a step always has if it asks for a certain mail, by step and number.
    """

    faults: dict[str, str]
    mails: Sequence[bytes] = ()
    taken: list[bytes] = field(default_factory=list)
    fetched: list[int] = field(default_factory=list)
    hidden: Mapping[tuple[str, int], str] = field(default_factory=dict)
    port: int = 0
    ended: Event = field(default_factory=Event)

    @property
    def settings(self) -> Mapping[str, str]:
        address = f"127.0.0.1:{self.port}"
        if self.mails:
            return {"imap_server": f"imap-open://gm@{address}"}
        return {"transport": "smtp", "smtp_server": f"smtp-open://{address}"}


class _Conversation(StreamRequestHandler):
    script: ScriptedServer
    disable_nagle_algorithm = True

    def say(self, step: str, answer: str, tag: str = "") -> None:
        """Give the answer of a step, or the fault in its place."""
        fault = self.script.faults.pop(step, "")
        text = fault.removesuffix(DROP).strip() if fault != SILENT else ""
        word, _, kind = fault.rpartition(" ")
        if kind in ENDLESS:
            while not self.script.ended.wait(ENDLESS[kind]):
                self.wfile.write(f"{word}\r\n".encode())
        elif fault == SILENT:
            self.script.ended.wait(20)
        elif not fault or text:
            if not text.startswith("*"):
                text = f"{tag}{text or answer}"
            elif not fault.endswith(DROP):
                text += f"\r\n{tag}{answer}"
            self.wfile.write(f"{text}\r\n".encode())
        if fault == SILENT or fault.endswith(DROP):
            raise HungUp
        if fault:
            raise ValueError(fault)

    def step(self, step: str, answer: str, tag: str = "") -> bool:
        """Say something; tell whether it was the right answer."""
        try:
            self.say(step, answer, tag)
        except ValueError:
            return False
        return True

    def handle(self) -> None:
        try:
            self.converse()
        except (HungUp, OSError):
            return

    def lines(self) -> Iterator[str]:
        while line := self.rfile.readline():
            yield line.decode().strip()

    @abstractmethod
    def converse(self) -> None:
        """Play the part of the server until the line ends."""


class _Smtp(_Conversation):
    def converse(self) -> None:
        self.step("greeting", "220 here")
        for line in self.lines():
            verb = line[:4].upper()
            match verb:
                case "DATA":
                    if self.step(verb, "354 go on"):
                        self.take()
                case "EHLO":
                    self.step(verb, "250-here\r\n250 SIZE 9000000")
                case "QUIT":
                    self.step(verb, "221 bye")
                    return
                case _:
                    self.step(verb, "250 OK")

    def take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
            if not line or "transfer" in self.script.faults:
                if not self.step("transfer", ""):  # it has spoken: read on, or that may be lost
                    self.connection.shutdown(SHUT_WR)
                    self.rfile.read()
                raise HungUp
        if "." not in self.script.faults:
            self.script.taken.append(b"".join(lines))
        self.step(".", "250 taken")


_FETCH = re.compile(r"FETCH (\S+) .*<(\d+)\.")


class _Imap(_Conversation):
    def converse(self) -> None:
        self.step("greeting", "* OK here")
        for line in self.lines():
            tag, verb, *_ = line.split()
            verb = verb.upper().removeprefix("UID")
            found, step = _FETCH.search(line), verb or line.split()[2].upper()
            if found and "HEADER" in found[0]:
                step = "HEADS"
            for number in found[1].split(",") if found else ():
                if (step, int(number)) in self.script.hidden:
                    self.script.faults[step] = self.script.hidden[step, int(number)]
            if step not in self.script.faults:
                self.tell(step, *(found.groups() if found else ()))
            self.step(step, "OK done", f"{tag} ")
            if verb == "LOGOUT":
                return

    def tell(self, step: str, numbers: str = "", start: str = "0") -> None:
        """Say what stands before the last line of an answer."""
        mails = self.script.mails
        told = {
            "CAPABILITY": "* CAPABILITY IMAP4rev1",
            "EXAMINE": f"* {len(mails)} EXISTS\r\n* OK [UIDVALIDITY 7] always",
            "LOGOUT": "* BYE",
        }
        if mails:  # some servers say nothing where nothing is found
            told["SEARCH"] = f"* SEARCH {' '.join(str(n + 1) for n in range(len(mails)))}"
        if step in told:
            self.wfile.write(f"{told[step]}\r\n".encode())
        for number in map(int, filter(None, numbers.split(","))):
            mail = mails[number - 1]
            fields = mail.partition(b"\r\n\r\n")[0].splitlines(keepends=True)
            names = [line for line in fields if line.lower().startswith(b"message-id:")]
            data = b"".join([*names, b"\r\n"]) if step == "HEADS" else mail
            data = data[int(start) :]
            self.script.fetched += [number] * (step == "FETCH")
            about = f"* {number} FETCH (UID {number} RFC822.SIZE {len(mail)} BODY[]<{start}>"
            self.wfile.write(f"{about} {{{len(data)}}}\r\n".encode() + data + b")\r\n")


class _Server(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False


@contextmanager
def run_scripted_server(
    faults: Mapping[str, str], mails: Sequence[bytes] = ()
) -> Iterator[ScriptedServer]:
    """Run a server on a port of its own."""
    script = ScriptedServer(dict(faults), mails)
    kind = type("Conversation", (_Imap if mails else _Smtp,), {"script": script})
    with _Server(("127.0.0.1", 0), kind) as server:
        script.port = server.server_address[1]
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield script
        finally:
            script.ended.set()
            server.shutdown()
