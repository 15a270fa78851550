"""Receipts for players, written as drafts."""

from __future__ import annotations

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
from alexmagnum.workflow.letters import writes_letters


def write_receipt(desk: Desk, receipt: Receipt) -> Path:
    """Write the receipt for the player, in his language, into the folder of drafts: as a letter, if
    the game writes some and he can be written to."""
    player = next((p for p in desk.players if p.power == receipt.power), Player(receipt.power, ""))
    sentences = load_sentences(player.lang or desk.lang)
    text = "\n".join(receipt_lines(desk.game, receipt, sentences)) + "\n"
    if writes_letters(desk) and can_be_written_to(player):
        outbox = Outbox(desk.game)
        key = LetterKey(RECEIPT, receipt.power, seal=receipt.digest)
        letter = Letter(sentences.format("subject-receipt"), text, lang=sentences.lang)
        return outbox.path(outbox.find(outbox.draft(key, letter)))
    name = f"receipt-{receipt.phase}-{receipt.power}-{receipt.number}.{sentences.lang}.txt"
    path = desk.folder / "drafts" / name
    write_whole(path, text, private=True)
    return path


def write_new_receipts(desk: Desk) -> None:
    """Write the receipts of a phase that has just opened: of orders that had been sent before and
    count from now on, so that their player has the seal."""
    for power in desk.board.powers:
        receipt = desk.receipt(power) if desk.phase is not None else None
        if receipt is not None:
            write_receipt(desk, receipt)
