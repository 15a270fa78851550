"""Replies that repeat orders of the letter they answer: what a person wrote now always counts.

Players write orders that stand in the letter before them, letter for letter or in their own
manner, above it, below it or between its lines.  All of these count, and none that only the quoted
letter has, whichever program wrote the reply and whatever it did to the quotation.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from alexmagnum.board import load_board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.game.game import Player
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.message import add_subject, read_message
from alexmagnum.notation import read_orders, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.document import quote_lines
from alexmagnum.workflow.publish import process_phase
from tests.case_library import read_yaml
from tests.game.desks import new_desk
from tests.mail.clients import BETWEEN, PROGRAMS, TOP, Letter
from tests.mail.mail_desk import GAME, fetch, mail, reply
from tests.mail.manners import write_canonical, write_in_lower_case, write_on_one_line, write_prose
from tests.mail.mime import message, text
from tests.mail.people import Person
from tests.sizes import sampled, sized

BOARDS = ("standard", "alexmagnum")
CASES = read_yaml(Path(__file__).with_name("reading.yaml"))


@dataclass(frozen=True)
class Played:
    """The orders of a player in a phase, and the letters that followed, the last first."""

    position: Position
    who: Person
    orders: tuple[Order, ...]
    letters: tuple[str, ...]

    def read(self, said: str) -> Counter[Order]:
        """Return the orders of the player's power in a text."""
        found = read_orders(said, self.position, self.who.power)
        return Counter(found.orders.get(self.who.power, ()))

    def receive(self, raw: bytes) -> Counter[Order]:
        """Return the orders of a mail of the player, as the inbox reads them."""
        incoming = read_message(raw, own=(GAME,), sent=self.letters)
        return self.read(add_subject(incoming, self.position, self.who.power).text)


def play_by_mail(board: str, seed: int) -> Iterator[Played]:
    """Play a game of random orders by mail; yield every player's part of each phase."""
    chance = Random(seed)
    people = [
        Person(power, f"{power} Rossi", f"{power.lower()}@example.org", ("it", "en")[at % 2])
        for at, power in enumerate(load_board(board).powers)
    ]
    players = [Player(who.power, who.name, who.address, who.lang) for who in people]
    settings = {"mail_address": GAME, "pictures": "no", "sandbox": "no"}
    with (
        TemporaryDirectory() as home,
        new_desk(Path(home) / "game", board, players=players, settings=settings) as desk,
    ):
        while not desk.head().is_over:
            position = desk.position
            ordered = random_orders(position, chance)
            ordering = [who for who in people if ordered.get(who.power)]
            for who in ordering:
                said = "\n".join(map(write_order, ordered[who.power]))
                fetch(desk, reply(desk, who.power, said, sender=who.address))
            process_phase(desk, desk.head().name, allow_missing=True)
            outbox = Inbox(desk).outbox
            for who in ordering:
                letters = tuple(map(outbox.text, outbox.recent(who.power, 5)))
                yield Played(position, who, tuple(ordered[who.power]), letters)


def send_with(program: str, place: str = TOP) -> Callable[[Played, str, str], bytes]:
    """Return a function that answers a letter with a program."""

    def send(played: Played, said: str, old: str) -> bytes:
        return PROGRAMS[program](Letter(played.who, 1, place, said, old))

    return send


def send_without_marks(played: Played, said: str, old: str) -> bytes:
    return mail(f"{said}\n\n{old}", played.who.address)


def send_without_accents(played: Played, said: str, old: str) -> bytes:
    """Return an answer by a program that has question marks for letters it does not know."""
    return send_without_marks(played, said, old.encode("ascii", "replace").decode())


def send_as_subject(played: Played, said: str, old: str) -> bytes:
    subject = "; ".join(said.splitlines())
    letter = Letter(played.who, 1, TOP, said, old)
    fields = [(name, value) for name, value in letter.fields() if name != "Subject"]
    return message([*fields, ("Subject", f"Re: {subject}")], text("\n"))


Write = Callable[[Position, str, tuple[Order, ...]], str]
Send = Callable[[Played, str, str], bytes]
MANNERS: Mapping[str, tuple[Write, Send]] = {
    "in lower case": (write_in_lower_case, send_with("gmail_app")),
    "in prose": (write_prose, send_with("k9")),
    "on one line": (write_on_one_line, send_with("libero")),
    "above the whole letter, marked": (write_in_lower_case, send_with("thunderbird")),
    "above the whole letter, unmarked": (write_in_lower_case, send_without_marks),
    "above the whole letter, its accents lost": (write_canonical, send_without_accents),
    "between quoted lines": (write_in_lower_case, send_with("roundcube", BETWEEN)),
    "in a page of Gmail": (write_in_lower_case, send_with("gmail_web")),
    "in a page of Outlook": (write_in_lower_case, send_with("outlook_web")),
    "in a page of Apple Mail": (write_canonical, send_with("apple_mail", BETWEEN)),
    "in a page of an iPhone": (write_in_lower_case, send_with("iphone_html")),
    "in a page of Thunderbird": (write_canonical, send_with("thunderbird_html", BETWEEN)),
    "in the subject only": (write_in_lower_case, send_as_subject),
}


@pytest.fixture(scope="module")
def all_played() -> list[Played]:
    """Parts of players in phases of each map."""
    wanted = sized(2, 20)
    return [played for board in BOARDS for played in islice(play_by_mail(board, wanted), wanted)]


@sampled
def test_all_repeated_orders_count_and_no_quoted_one(all_played: list[Played]) -> None:
    missed: dict[str, list[str]] = {}
    for number, played in enumerate(all_played):
        chance = Random(number)
        repeated = tuple(chance.sample(played.orders, chance.randint(1, len(played.orders))))
        old = chance.choice(played.letters[:2])
        for name, (write, send) in MANNERS.items():
            said = write(played.position, played.who.lang, repeated)
            wanted = played.read(said)
            if (found := played.receive(send(played, said, old))) != wanted:
                missed.setdefault(name, []).append(f"{said!r}: {found} instead of {wanted}")
    assert missed == {}


@sampled
def test_no_order_is_read_from_a_quotation(all_played: list[Played]) -> None:
    found = {}
    for number, played in enumerate(all_played):
        for name, (_, send) in MANNERS.items():
            old = played.letters[number % 2 % len(played.letters)]
            if read := played.receive(send(played, "Ci penso ancora, a presto.", old)):
                found[name, number] = read
    assert found == {}


RECEIPT = """\
Francia, Autunno 1901, movimenti (1901-autumn): ricevuta 1
Ricevuto: venerdì 20 novembre 2026, ore 13:00 (Europe/Rome) = 12:00 UTC

  A PIC - BUR
      armata (Piccardia): muove; destinazione: Borgogna
  F BRE H
      flotta (Brest): tiene

Puoi cambiare idea fino a venerdì 27 novembre 2026, ore 23:59 (Europe/Rome) =
22:59 UTC.
"""


@pytest.mark.parametrize(("said", "above"), CASES["an order between unmarked lines"])
@pytest.mark.parametrize("lose", [str, lambda old: old.encode("ascii", "replace").decode()])
def test_an_order_between_unmarked_lines_counts_once(
    said: str, above: str, lose: Callable[[str], str]
) -> None:
    answer = lose(RECEIPT).replace(f"\n{above}", f"\n{said}\n{above}")
    text = read_message(mail(answer), sent=(RECEIPT,)).text
    counting = [line.strip() for line in text.casefold().splitlines() if line.strip()]
    assert sorted(counting) == sorted(said.casefold().splitlines())


_ASKED = (
    "Could we please have two more days?",
    "Più tardi va bene a te?",
    "„A“ «and “b”» c d e f g?",
)


@pytest.mark.parametrize("said", _ASKED)
def test_a_sentence_that_a_receipt_cites_is_the_players_again(said: str) -> None:
    """A question was taken for a quotation: in a text without accents no words were cited."""
    own = f"{said}\n{said}"
    for sent in (f"The game master will read: “{said}”\n", f"  | {said}\n  | {said}\n"):
        assert read_message(mail(own), sent=(sent,), said=(own,)).text == own


def test_press_of_others_is_no_own_text_and_a_row_of_a_table_no_press() -> None:
    """Proposals of another player became orders (a seventeenth attack)."""
    press = "My proposal for all of your armies is:\nA Par - Bur\nTell me what you think of that"
    sent = "Italy to France:\n" + quote_lines(press)
    assert read_message(mail(f"Is that allowed?\n{press}"), sent=(sent,)).text == "Is that allowed?"
    assert read_message(mail("| Bye."), sent=("| Bye.",), said=("Bye.",)).text == ""
    assert read_message(mail("| A Rom H |\n| F Nap H"), sent=("A ROM H\nF NAP H",)).text
