"""Lines about letters for the terminal: one letter, new drafts, the result of sending."""

from __future__ import annotations

import click

from alexmagnum.cli.output import print_json, style
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import SENT, UNCERTAIN, Mailing
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.reconcile import Reconciled
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.transport.outbox_folder import FOLDER
from alexmagnum.report.names import power_name


def format_letter_label(mailing: Mailing, sentences: Sentences) -> str:
    """Return a letter as one line: ``12 report TOL anna@example.org``."""
    code = f"outbox-kind-{mailing.kind}"
    kind = sentences.format(code) if code in sentences.templates else mailing.kind
    reader = mailing.power or sentences.format("outbox-standby")
    return f"{mailing.id} {kind} {reader} {mailing.address}"


def _reader_name(desk: Desk, mailing: Mailing, sentences: Sentences) -> str:
    """Return the power that gets a letter, or the address if its reader plays none."""
    power = mailing.power
    return power_name(desk.board, power, sentences) if power else mailing.address


def print_letters_json(desk: Desk, letters: DraftedLetters) -> None:
    """Print new drafts as JSON data, and the powers that have no address."""
    outbox = Outbox(desk.game)
    drafted = outbox.store.find_several(letters.drafted)
    print_json(
        {
            "drafted": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "power": one.power,
                    "standby": one.key.standby,
                    "address": one.address,
                    "file": f"{DRAFTS}/{one.file}",
                }
                for one in drafted
            ],
            "unaddressed": letters.unaddressed,
        }
    )


def print_drafted_letters(desk: Desk, letters: DraftedLetters, sentences: Sentences) -> None:
    """Print which letters were drafted or renewed, and for which powers an address is missing."""
    outbox = Outbox(desk.game)
    for code, numbers in (
        ("outbox-drafted", letters.drafted),
        ("outbox-renewed", letters.renewed),
        ("outbox-naming", letters.withdrawn),
    ):
        if numbers:
            found = outbox.store.find_several(numbers)
            readers = ", ".join(dict.fromkeys(_reader_name(desk, m, sentences) for m in found))
            click.echo(sentences.format(code, count=len(numbers), powers=readers))
    if letters.unaddressed and (letters.drafted or letters.renewed):
        powers = dict.fromkeys(letters.unaddressed)
        text = sentences.format("outbox-unaddressed", powers=_power_names(desk, powers, sentences))
        click.echo(style(text, "yellow"))


def print_reconciled_letters(letters: Reconciled, sentences: Sentences) -> None:
    """Print how many drafts an undo withdrew and how many a redo brought back."""
    for code, count in (("outbox-withdrawn", letters.dropped), ("outbox-back", letters.back)):
        if count:
            click.echo(sentences.format(code, count=count))


def _power_names(desk: Desk, powers: dict[str, None], sentences: Sentences) -> str:
    return ", ".join(power_name(desk.board, power, sentences) for power in powers)


def format_delivery(delivery: Delivery, desk: Desk, sentences: Sentences) -> str:
    """Return a line that says whether a letter was sent, and if not, why."""
    letter = format_letter_label(delivery.mailing, sentences)
    if delivery.state == SENT:
        if desk.settings["transport"] == "files":
            return sentences.format(
                "outbox-left", letter=letter, path=f"{FOLDER}/{delivery.mailing.file}"
            )
        return sentences.format("outbox-sent", letter=letter)
    assert delivery.problem is not None, "a letter that was not sent has a reason"
    why = sentences.error(delivery.problem)
    code = "outbox-unsure" if delivery.state == UNCERTAIN else "outbox-kept"
    return style(sentences.format(code, letter=letter, why=why), "red")
