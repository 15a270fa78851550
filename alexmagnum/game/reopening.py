"""Submissions for a phase that count again when the same phase is opened again.

An undo or an amendment gives a phase a second row in the file.  Open this to see which submissions
go over as they are, and which mails are read again.
"""

from __future__ import annotations

from alexmagnum.game.advance_orders import apply_advance_orders, find_advance_orders
from alexmagnum.game.fresh_start import PHASE
from alexmagnum.game.records import MailRow, PhaseRow, PositionRow, SubmissionRow
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import AMEND, CLEAR, MAIL
from alexmagnum.game.submissions import read_mail_for_phase, store_submission, store_withdrawal


def carry_over_mails(game: Game, old: int, new: PhaseRow) -> None:
    """Take the mails of a phase over to another row of it, whose position may differ.

    Where the position is the same, receipts stay as they were, unless other advance orders were
    sent meanwhile.  Otherwise the mails are read again, after the advance orders.
    """
    rows = game.file.select(
        SubmissionRow, f"WHERE phase = ? AND kind != '{AMEND}' ORDER BY id", old
    )
    alike = _find_powers_alike(game, old, new)
    apply_advance_orders(game, new, alike)
    for row in rows:
        if row.power in alike:
            _copy_submission(game, row.id, new.id)
        elif row.kind == MAIL:
            _read_mail_again(game, new, row)
        elif row.kind == CLEAR:
            store_withdrawal(game, new, row.power, row.received, row.fresh or PHASE)


def _find_powers_alike(game: Game, old: int, new: PhaseRow) -> frozenset[str]:
    """Return the powers whose advance orders are the same for both rows of a phase.

    If the positions differ, there are none.
    """
    if _read_position_text(game, old) != _read_position_text(game, new.id):
        return frozenset()
    before, after = (find_advance_orders(game, phase, new.kind) for phase in (old, new.id))
    return frozenset(p for p in game.base.powers if before.get(p) == after.get(p))


def _read_position_text(game: Game, phase: int) -> str:
    row = game.file.find(PositionRow, "WHERE positions.phase = ?", phase)
    return row.data if row else ""


def _read_mail_again(game: Game, phase: PhaseRow, row: SubmissionRow) -> None:
    """Read the mail of a submission again; its time of arrival stays."""
    mail = game.file.find(MailRow, "WHERE id = ?", row.mail)
    if mail is not None:
        read = read_mail_for_phase(game, phase, row.power, mail.text, row.fresh)
        store_submission(game, phase, row.power, read, MAIL, row.mail, received=mail.received)


def copy_submissions(game: Game, old: int, new: int) -> None:
    """Copy all submissions of a phase to another row of it, which is resolved with the same."""
    for row in game.file.select(SubmissionRow, "WHERE phase = ? ORDER BY id", old):
        _copy_submission(game, row.id, new)


def _copy_submission(game: Game, submission: int, phase: int) -> None:
    columns = (
        "power, number, kind, mail, received, effective, missing, replaces, fresh, salt, digest"
    )
    key = game.file.change(
        "submissions",
        f"""INSERT INTO submissions (phase, {columns})
            SELECT ?, {columns} FROM submissions WHERE id = ?""",
        phase,
        submission,
    ).lastrowid
    columns = "text, canonical, verdict, code, data, ahead"
    game.file.change(
        "orders",
        f"""INSERT INTO orders (submission, {columns})
            SELECT ?, {columns} FROM orders WHERE submission = ? ORDER BY id""",
        key,
        submission,
    )
