"""A game survives its computer: the file is lost at any instant of a season, and nobody notices."""

import shutil
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import SMTP
from pathlib import Path
from random import Random

import pytest

from alexmagnum.game import file
from alexmagnum.game.copies import find_newest_sound_copy
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, HOLDER
from alexmagnum.game.game import Surroundings
from alexmagnum.game.mail_store import ASIDE, TAKEN
from alexmagnum.mail import transport
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport import Carrier, Seal
from alexmagnum.workflow.publish import process_phase, restore, submit_orders
from tests.game.desks import NOON, Clock, dump, salts
from tests.mail.mail_desk import ANNA, BRUNO, fetch, mail, mail_desk
from tests.mail.test_restored_game import SENDS, tick
from tests.sizes import sampled, sized

Step = Callable[[Desk], object]

APART = 4  # transactions between two crashes: a mail over which the computer stopped twice waits


class Crash(BaseException):
    """The computer stops."""


class Season(Carrier):
    """A season of a game by mail, with the letters that its players get; the computer stops before
    the transactions numbered in ``crashes``, and the file, lost or damaged, is restored."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.rng, self.clock = home, Random(str(home)), Clock()
        self.around = Surroundings(self.clock, salts(7))
        self.letters: list[EmailMessage] = []
        self.count, self.restored = 0, 0
        self.crashes: set[int] = set()
        self.orders: dict[str, object] = {}
        self.folder = home / "0"
        mail_desk(self.folder, settings=SENDS | {"announcements": "send"}, now=self.clock).close()
        monkeypatch.setattr(file, "_sign", self.sign)
        monkeypatch.setattr(transport, "choose_carrier", lambda *_: self)

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        seal()
        self.letters.append(BytesParser(policy=SMTP).parsebytes(data))

    def sign(self, holder: Path, command: str) -> None:
        """Count the transactions, each of which signs the file."""
        self.count += holder.name == HOLDER
        if holder.name == HOLDER and self.count in self.crashes:
            raise Crash

    def take(self, hours: float, step: Step) -> None:
        """Take a step at an instant; after a crash the file is restored and the step repeated."""
        self.clock.at = NOON + timedelta(hours=hours)
        while True:
            try:
                with Desk.open(self.folder, self.around) as desk:
                    try:
                        step(desk)
                    except Crash:
                        # What is on the disk now is all there is.
                        shutil.copytree(self.folder, self.home / str(self.count))
                        raise
                return
            except Crash:
                self.folder = self.home / str(self.count)
                self.lose_and_restore()

    def lose_and_restore(self) -> None:
        witness = self.home / f"{self.count}-as-it-was"
        shutil.copytree(self.folder, witness)
        self.damage()
        copy = find_newest_sound_copy(self.folder)
        number = copy.number if copy and self.rng.random() < 0.5 else None
        count, crashes, self.crashes = self.count, self.crashes, set()
        done = restore(self.folder, number, self.around)
        self.count, self.crashes = count, crashes
        self.restored += 1
        assert (done.copy, done.held) == (None, False)
        before, after = dump(witness), dump(self.folder)
        assert after["journal"].pop()[3] == "restore"
        assert after == before

    def damage(self) -> None:
        file, rng = self.folder / FILE, self.rng
        way = rng.randrange(3)
        if rng.random() < 0.5:
            (self.folder / f"{FILE}-wal").unlink(missing_ok=True)
        data = bytearray(file.read_bytes())
        if way == 0:
            file.unlink()
        elif way == 1:
            file.write_bytes(data[: rng.randrange(len(data))])
        else:
            at = rng.choice((0, rng.randrange(len(data))))
            data[at:] = rng.randbytes(len(data) - at)
            file.write_bytes(data)

    def answer(self, address: str, text: str, number: int) -> bytes:
        """Return the answer of a player to the last letter that they got."""
        last = next(one for one in reversed(self.letters) if address in one["To"])
        about = {"Subject": f"Re: {last['Subject']}", "Message_ID": f"<{number}@example.org>"}
        return mail(text, address, str(last["Reply-To"]), **about)

    def fetch(self, hours: float, *mails: tuple[str, str, int]) -> None:
        """Let mails come, and the tick answer them."""
        raws = [self.answer(*each) for each in mails]
        at = NOON + timedelta(hours=hours)
        self.take(hours, lambda desk: fetch(desk, *raws, at=at))
        self.take(hours, tick)

    def process(self, hours: float, phase: str) -> None:
        def process(desk: Desk) -> None:
            if str(desk.phase) == phase:
                receipts = map(desk.receipt, ("France", "Italy", "Turkey"))
                self.orders[phase] = [receipt and receipt.orders for receipt in receipts]
                process_phase(desk, phase, allow_missing=True)

        self.take(hours, process)
        self.take(hours, tick)

    def play(self) -> None:
        self.take(0, tick)
        self.fetch(1, (ANNA, "A PAR - BUR\nA MAR H", 1))
        self.fetch(2, (BRUNO, "A ROM - APU", 2), (ANNA, "F BRE - MAO", 3))
        stranger = mail("Buy now", "eve@example.com", Message_ID="<spam@example.com>")
        self.take(3, lambda desk: fetch(desk, stranger))
        self.take(4, lambda desk: submit_orders(desk, "Turkey", "A CON - BUL\nF ANK - BLA"))
        self.process(5, "1901-spring")
        self.fetch(30, (ANNA, "A BUR - BEL", 4), (BRUNO, "A APU - TUN", 5))
        self.take(31, lambda desk: submit_orders(desk, "Turkey", "A BUL - GRE"))
        self.take(32, lambda desk: desk.set_player("Turkey", name="Carla Blu"))
        self.fetch(33, (BRUNO, "A APU H\nF NAP - TYS", 6))
        self.process(34, "1901-autumn")
        self.take(50, tick)

    def look(self) -> tuple[object, Counter[str], object, str]:
        """Return what everybody got and what is in force."""
        with Desk.open(self.folder, self.around) as desk:
            states = Counter(message.state for message in Inbox(desk).store.find_all())
            assert desk.verify() == ()
            got = Counter((str(one["To"]), str(one["Subject"])) for one in self.letters)
            return got, states, self.orders, str(desk.phase)


@sampled
def test_a_game_survives_the_loss_of_its_file_at_any_instant_of_a_season(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spared = Season(tmp_path / "spared", monkeypatch)
    spared.play()
    expected = spared.look()
    assert expected[1] == {TAKEN: 6, ASIDE: 1}
    instants, number = 0, 0
    while instants < sized(6, 80):
        season = Season(tmp_path / f"season-{number}", monkeypatch)
        numbers = range(season.rng.randint(1, APART), spared.count, APART)
        season.crashes = set(season.rng.sample(numbers, sized(6, len(numbers))))
        season.play()
        assert season.look() == expected
        instants, number = instants + season.restored, number + 1
        shutil.rmtree(season.home)
