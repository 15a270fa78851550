"""The letters that commands make on the way: reports, deadlines; what may go by itself is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from alexmagnum.draw import render_png
from alexmagnum.game.desk import Desk
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.phase_section import Enclosed, Made
from alexmagnum.mail.notices import clock_changed, draft_deadline
from alexmagnum.mail.outbox import DRAFT, DROPPED, Outbox
from alexmagnum.mail.reconcile import reconcile, untold
from alexmagnum.mail.report_letters import draft_opening, draft_reports, draft_taken_back
from alexmagnum.mail.schedule import told_otherwise, unreported
from alexmagnum.mail.sending import Delivery, by_itself, send
from alexmagnum.report.map_pictures import Studio
from alexmagnum.report.phase_context import gather_open_phase, gather_past_phase
from alexmagnum.report.views import View
from alexmagnum.workflow.reports import makes_pictures
from alexmagnum.workflow.sheets import sheets_of


def writes_letters(desk: Desk) -> bool:
    """Has the game an address, so that letters are made?"""
    return bool(desk.settings["mail_address"])


# -- making them -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Enclosing:
    """Makes what goes with letters; a map is drawn once for all who may see the same."""

    desk: Desk
    _studio: Studio = field(default_factory=Studio)
    _drawn: dict[str, bytes] = field(default_factory=dict)

    def __call__(self, view: View, sentences: Sentences, power: str) -> Enclosed:
        if not makes_pictures(self.desk):
            return Enclosed()
        drawn = self._studio.alone(view, sentences)
        if drawn not in self._drawn:
            self._drawn[drawn] = render_png(drawn)
        return Enclosed(self._drawn[drawn], self._sheet(power, sentences))

    def _sheet(self, power: str, sentences: Sentences) -> str:
        """The order sheet for the open phase, "" for a power that owes nothing."""
        if self.desk.phase is None or power not in find_required_orders(self.desk.position):
            return ""
        _, page = sheets_of(self.desk, (power,), sentences.lang)[power]
        return page


def write_report_letters(desk: Desk, *phases: str, renew: bool = False) -> Made:
    """Draft the reports of phases processed, if the game writes letters.

    Raises:
        GameError: ``cannot-write``.
    """
    made = Made()
    if writes_letters(desk):
        reconcile(Outbox(desk.game))
        for phase in phases:
            context = gather_past_phase(desk, phase)
            made.add(draft_reports(Outbox(desk.game), context, _Enclosing(desk), renew=renew))
    return made


def write_letters_told_otherwise(desk: Desk) -> Made:
    """Draft, after phases were taken back or put back, what those have to know whom a report has
    reached: that it counts no more, or a new one."""
    made, outbox = Made(), Outbox(desk.game)
    if writes_letters(desk):
        made.add(write_report_letters(desk, *told_otherwise(outbox)))
        if desk.phase is not None:
            made.add(draft_taken_back(outbox, gather_open_phase(desk), _Enclosing(desk)))
    return made


def write_readdressed_letters(desk: Desk) -> Made:
    """Draft anew, after a player has changed, what waited for him at the address of before."""
    made, outbox = Made(), Outbox(desk.game)
    if not writes_letters(desk):
        return made
    waiting = outbox.listed((DRAFT,))
    reconcile(outbox)
    lost = {mailing.kind for mailing in waiting if outbox.find(mailing.id).state == DROPPED}
    if "report" in lost:
        made.add(write_report_letters(desk, *unreported(outbox)))
    if "phase" in lost and desk.phase is not None:
        made.add(write_opening_letters(desk))
    return made


def write_opening_letters(desk: Desk) -> Made:
    """Draft what the open phase asks for, for everybody who plays."""
    outbox = Outbox(desk.game)
    reconcile(outbox)
    return draft_opening(outbox, gather_open_phase(desk), _Enclosing(desk))


def write_deadline_letters(desk: Desk) -> Made:
    """Draft letters about a deadline that has changed, if the game writes such.

    Reports that are still drafts are composed anew instead: they tell the deadline.
    """
    made, outbox = Made(), Outbox(desk.game)
    if not writes_letters(desk):
        return made
    reconcile(outbox)
    changed = clock_changed(desk.game)
    if changed is not None:
        made.add(_renewed(desk, changed.at))
    if desk.settings["announcements"] != "no":
        made.add(draft_deadline(outbox))
    return made


def _renewed(desk: Desk, at: str) -> Made:
    """Compose anew the drafts that tell the deadline as it was before an instant."""
    outbox, made = Outbox(desk.game), Made()
    kinds = {mailing.kind for mailing in outbox.listed((DRAFT,)) if mailing.created <= at}
    done = [record.name for record in desk.phases() if record.state == "processed"]
    if "report" in kinds and done:
        made.add(write_report_letters(desk, done[-1], renew=True))
    if "phase" in kinds:
        context, enclose = gather_open_phase(desk), _Enclosing(desk)
        made.add(draft_opening(outbox, context, enclose, renew=True))
        made.add(draft_taken_back(outbox, context, enclose, renew=True))
    return made


def phases_to_tell(desk: Desk, amended: str, changed: Iterator[str]) -> list[str]:
    """The phases whose reports go out anew after a correction: the one that was corrected, those
    that came out otherwise, and those whose reports had not gone yet."""
    outbox = Outbox(desk.game)
    reconcile(outbox)
    wanted = {amended, *changed, *untold(outbox)}
    return [r.name for r in desk.phases() if r.state == "processed" and r.name in wanted]


# -- sending ---------------------------------------------------------------------------------------


def send_by_itself(desk: Desk) -> Iterator[Delivery]:
    """Send the drafts that the settings let go without being asked for.

    Raises:
        GameError: ``mail-busy``; no mail can be sent as things are.
    """
    outbox = Outbox(desk.game)
    numbers = by_itself(outbox)
    if numbers:
        yield from send(outbox, numbers)
