"""What becomes of letters that are sent, and of those about which nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import Desk
from alexmagnum.game.letters import DRAFT, SENT, UNCERTAIN, find_automatic
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import send
from alexmagnum.mail.transport import DeliveryUnknown, NotSent, Seal, hold_lock
from tests.game.desks import Clock
from tests.mail.smtp_server import desk_with_address, draft_letter


class Interrupted(BaseException):
    """Somebody pulled the plug."""


class Postman:
    """A carrier that keeps what it carries, and stumbles as it is told: ``before`` or ``after``
    it is too late."""

    def __init__(
        self, before: BaseException | None = None, after: BaseException | None = None
    ) -> None:
        self.before = before
        self.after = after
        self.carried: list[str] = []
        self.closed = False

    def carry(self, name: str, data: bytes, sender: str, to: str, seal: Seal) -> None:
        if self.before:
            raise self.before
        seal()
        if self.after:
            raise self.after
        self.carried.append(to)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_with_address(tmp_path / "g") as desk:
        yield desk


@pytest.fixture
def box(desk: Desk) -> Outbox:
    return Outbox(desk)


def test_a_letter_is_sent_once(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    postman = Postman()
    first, second = list(send(box, carrier=postman)), list(send(box, carrier=postman))

    assert ([d.state for d in first], second) == ([SENT], [])
    assert postman.carried == ["anna@example.org"]
    assert box.find(1).sent == "2026-11-20T12:00:00Z"


def test_the_draft_of_a_letter_sent_is_gone(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    list(send(box, carrier=Postman()))

    assert list((box.folder / "drafts").glob("*.eml")) == []


def test_only_the_letters_named_are_sent(desk: Desk, box: Outbox) -> None:
    draft_letter(desk, "Austria")
    number = draft_letter(desk, "England")
    postman = Postman()
    list(send(box, [number], postman))

    assert postman.carried == ["bruno@example.org"]


def test_interrupted_before_it_was_too_late_a_letter_is_a_draft(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    postman = Postman(before=Interrupted())
    with pytest.raises(Interrupted):
        list(send(box, carrier=postman))
    assert postman.closed
    assert [d.state for d in send(box, carrier=Postman())] == [SENT]


def test_interrupted_when_it_was_too_late_a_letter_is_uncertain(desk: Desk, box: Outbox) -> None:
    """It is never sent again by itself."""
    number = draft_letter(desk)
    with pytest.raises(Interrupted):
        list(send(box, carrier=Postman(after=Interrupted())))
    postman = Postman()

    assert list(send(box, carrier=postman)) == []
    assert postman.carried == []
    uncertain = box.find(number)
    assert uncertain.state == UNCERTAIN
    assert uncertain.problem is not None
    assert uncertain.problem.code == "mail-interrupted"


def test_of_an_uncertain_letter_the_game_master_decides(desk: Desk, box: Outbox) -> None:
    for key in ("one", "two", "three"):
        draft_letter(desk, key=key)
    list(send(box, carrier=Postman(after=DeliveryUnknown("mail-unsure", why="x"))))
    box.mark_sent(1)
    box.drop(2)
    box.put_back(3)
    postman = Postman()
    list(send(box, carrier=postman))

    assert [mailing.state for mailing in box.list_letters()] == [SENT, "dropped", SENT]
    assert len(postman.carried) == 1


def test_told_that_it_was_not_taken_a_letter_is_a_draft_again(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    (delivery,) = send(box, carrier=Postman(after=NotSent("mail-later", why="full")))

    assert (delivery.state, box.find(number).state) == (DRAFT, DRAFT)
    assert box.find(number).attempts == 1
    assert [d.state for d in send(box, carrier=Postman())] == [SENT]


def test_two_do_not_send_at_once(desk: Desk, box: Outbox) -> None:
    draft_letter(desk)
    with hold_lock(box.folder, "send"), pytest.raises(GameError) as refused:
        list(send(box, carrier=Postman()))

    assert refused.value.code == "mail-busy"
    assert "send, pid " in refused.value.data["holder"]


def test_a_letter_dropped_meanwhile_does_not_go(desk: Desk, box: Outbox) -> None:
    """Drop a letter by another command while this one sends."""
    draft_letter(desk, "Austria")
    second = draft_letter(desk, "England")
    postman = Postman()
    sending = send(box, carrier=postman)
    next(sending)
    box.drop(second)
    list(sending)

    assert postman.carried == ["anna@example.org"]
    assert box.find(second).state == "dropped"


# -- without being asked for -----------------------------------------------------------------------


def test_nothing_goes_by_itself_unless_it_is_set(desk: Desk, box: Outbox) -> None:
    number = draft_letter(desk)
    assert find_automatic(box.store, box.game.settings) == ()
    desk.set("receipts", "send")

    assert find_automatic(box.store, box.game.settings) == (number,)


def test_what_was_refused_for_good_is_not_tried_by_itself_again(desk: Desk, box: Outbox) -> None:
    """Nor does a server hear of it every ten minutes; 'outbox send' tries."""
    desk.set("receipts", "send")
    draft_letter(desk)
    list(send(box, carrier=Postman(before=NotSent("mail-refused", why="550"))))
    assert find_automatic(box.store, box.game.settings) == ()

    assert [d.state for d in send(box, carrier=Postman())] == [SENT]


def test_what_was_refused_for_now_is_tried_again(desk: Desk, box: Outbox) -> None:
    desk.set("receipts", "send")
    number = draft_letter(desk)
    list(send(box, carrier=Postman(before=NotSent("mail-later", why="451"))))

    assert find_automatic(box.store, box.game.settings) == (number,)


def test_files_left_for_another_program_go_when_letters_of_the_next_phase_are_left(
    tmp_path: Path,
) -> None:
    clock = Clock()
    with desk_with_address(
        tmp_path / "g", {"missing": "hold", "receipts": "draft"}, now=clock
    ) as desk:
        box = Outbox(desk)
        first = box.find(draft_letter(desk, key="one"))
        list(send(box))
        clock.pass_by(days=1)
        desk.process("1901-spring")
        clock.pass_by(hours=1)
        second = box.find(draft_letter(desk, key="two"))
        list(send(box))

        assert [path.name for path in (box.folder / "outbox").iterdir()] == [second.file]
        box.put_back(first.id)
        list(send(box))
        assert (box.folder / "outbox" / first.file).exists()
