"""Submitting orders, and the receipt that tells the player how they were read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import RECEIPT, LetterKey
from alexmagnum.game.values import Player, Receipt
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.letters.composition import Letter
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.letters.receipts import receipt_lines
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.workflow.materials import writes_letters


@dataclass(frozen=True, slots=True)
class Submitted:
    """Orders that were entered: their receipt, and the draft that tells the player."""

    receipt: Receipt
    draft: Path


def submit_orders(
    desk: Desk, power: str, text: str, *, source: str = "-", reason: str = ""
) -> Submitted:
    """Enter a power's orders for the open phase, as the player wrote them, and draft the receipt.

    Raises:
        GameError: ``game-is-over``, ``cannot-write``, or the power may not order.
    """
    receipt = desk.submit(power, text, source=source, reason=reason)
    return Submitted(receipt, write_receipt(desk, receipt))


def write_receipt(desk: Desk, receipt: Receipt) -> Path:
    """Write a receipt in the player's language into the folder of drafts and return its file.

    It is a letter if the game writes letters and the player has an address, else a text.
    """
    player = next((p for p in desk.players if p.power == receipt.power), Player(receipt.power, ""))
    sentences = load_sentences(player.lang or desk.lang)
    text = "\n".join(receipt_lines(desk.game, receipt, sentences)) + "\n"
    if writes_letters(desk) and can_be_written_to(player):
        outbox = Outbox(desk.game)
        reconcile(outbox)
        key = LetterKey(RECEIPT, receipt.power, seal=receipt.digest)
        letter = Letter(sentences.format("subject-receipt"), text, lang=sentences.lang)
        return outbox.path(outbox.find(outbox.draft(key, letter)))
    name = f"receipt-{receipt.phase}-{receipt.power}-{receipt.number}.{sentences.lang}.txt"
    path = desk.folder / "drafts" / name
    write_whole(path, text, private=True)
    return path


def write_new_receipts(desk: Desk) -> tuple[Path, ...]:
    """Write the receipts of a phase that has just opened and return their files.

    They are about orders sent in advance that count from now on, so that their players have the
    seal.
    """
    if desk.phase is None:
        return ()
    receipts = desk.open_receipts().values()
    return tuple(write_receipt(desk, receipt) for receipt in receipts if not receipt.bot)
