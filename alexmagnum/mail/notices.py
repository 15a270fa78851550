"""Short letters: changes of the deadline, and reminders of missing orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from alexmagnum.game.deadlines import find_clock_change, read_deadline, read_seconds_left
from alexmagnum.game.letter_grounds import DEADLINE_CHANGED, read_clock
from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.outbox_store import (
    DEADLINE,
    DRAFT,
    DROPPED,
    REMINDER,
    SENDING,
    SENT,
    UNCERTAIN,
    LetterKey,
    Mailing,
)
from alexmagnum.game.players import read_people, read_players
from alexmagnum.game.stored_orders import find_last_submission
from alexmagnum.i18n.zones import parse_iso
from alexmagnum.mail.letters.composition import Attachment, Letter, parse_mail, read_text
from alexmagnum.mail.letters.deadline_sentences import ClockReading, reword_deadline
from alexmagnum.mail.letters.envelope import can_be_written_to, letter_address
from alexmagnum.mail.letters.html_letter import compose_page
from alexmagnum.mail.letters.phase_section import (
    DraftedLetters,
    PhaseSection,
    calendar_file,
    describe_files,
    join_text,
    load_player_sentences,
)
from alexmagnum.mail.letters.receipts import describe_missing
from alexmagnum.mail.outbox import Outbox

SUPERSEDED = "letter-superseded"
"""Why a draft was dropped that a later one replaces."""

# -- deadlines -------------------------------------------------------------------------------------


def draft_deadline(outbox: Outbox) -> DraftedLetters:
    """Draft, once for every change of the deadline, a letter to each player who owes orders.

    Players who have a later letter with the deadline get none, and nor do players who had no letter
    about the phase: the first one tells them the deadline.
    """
    game, made = outbox.game, DraftedLetters()
    change = find_clock_change(game)
    if change is None:
        return made
    for player in read_people(game):
        key = LetterKey(DEADLINE, player.power, letter_address(player), act=change.id)
        desk = PhaseSection(game, player, load_player_sentences(game, player))
        knows = _later_letter(outbox, player.power, change.at)
        has_letter = _has_letter(outbox, player.power, key.address)
        if knows or not has_letter or outbox.by_key(key) or not desk.demand():
            continue
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
            continue
        _supersede(outbox, "deadline", player.power)
        made.drafted.append(outbox.draft(key, _deadline_letter(desk)))
    return made


def _has_letter(outbox: Outbox, power: str, address: str) -> bool:
    """Return whether a letter about the open phase was sent to a player."""
    phase = str(outbox.game.head().name)
    return any(
        mailing.power == power and mailing.phase == phase and mailing.address == address
        for mailing in outbox.list_letters((SENT, SENDING, UNCERTAIN))
    )


def _later_letter(outbox: Outbox, power: str, at: str) -> bool:
    """Return whether a letter with the deadline was drafted for a power after an instant."""
    open_now_ = str(outbox.game.head().name)
    return any(
        mailing.power == power
        and mailing.phase == open_now_
        and mailing.kind in ("report", "phase", "welcome")
        and mailing.state != DROPPED
        and mailing.created >= at
        for mailing in outbox.list_letters()
    )


def _supersede(outbox: Outbox, kind: str, power: str) -> None:
    """Drop the drafts of a kind to a power, because a later one replaces them."""
    old = [m for m in outbox.list_letters((DRAFT,)) if m.kind == kind and m.power == power]
    outbox.withdraw(old, SUPERSEDED)


def _deadline_letter(desk: PhaseSection) -> Letter:
    sentences = desk.sentences
    if read_seconds_left(desk.game) is not None:
        code = "letter-deadline-stopped"
    else:
        code = "letter-deadline-is" if read_deadline(desk.game) else "letter-deadline-none"
    said = sentences.format(code, phase=desk.phase, deadline=desk.deadline())
    return _short(
        desk, "letter-deadline", [said, *desk.deadline_reason(), desk.due()], calendar_file(desk)
    )


# -- reminders -------------------------------------------------------------------------------------


def draft_reminders(outbox: Outbox, day: str) -> DraftedLetters:
    """Draft, once for every ``day`` and phase, a reminder to each player whose orders are missing.

    Raises:
        GameError: ``game-is-over``.
    """
    game, made = outbox.game, DraftedLetters()
    lacking = read_open_phase(game).lacking
    for player in read_people(game):
        missing = lacking.get(player.power, ())
        key = LetterKey(
            REMINDER,
            player.power,
            letter_address(player),
            opened=int(game.head().id),
            day=day,
        )
        if not missing or outbox.by_key(key):
            continue
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
            continue
        desk = PhaseSection(game, player, load_player_sentences(game, player))
        _supersede(outbox, "reminder", player.power)
        letter = _reminder(desk, describe_missing(missing, desk.sentences))
        made.drafted.append(outbox.draft(key, letter))
    return made


def renew_reminders(outbox: Outbox, drafts: Sequence[Mailing]) -> None:
    """Compose anew the reminders among drafts whose missing orders or deadline have changed since.

    What somebody has changed by hand is kept aside.
    """
    waiting = [mailing for mailing in drafts if mailing.kind == "reminder"]
    lacking = read_open_phase(outbox.game).lacking if waiting else {}
    people = {player.power: player for player in read_players(outbox.game)} if waiting else {}
    for mailing in waiting:
        player = people[mailing.power]
        desk = PhaseSection(outbox.game, player, load_player_sentences(outbox.game, player))
        letter = _reminder(desk, describe_missing(lacking.get(mailing.power, ()), desk.sentences))
        text = read_text(parse_mail(outbox.store.source(mailing.id)))
        if letter.text.split() != text.split() or outbox.find_lost_ground(mailing):
            outbox.renew(mailing.key, letter)


def renew_deadlines(outbox: Outbox, drafts: Sequence[Mailing]) -> None:
    """Name the deadline in force in those drafts of answers that were made before it changed."""
    game = outbox.game
    zone = game.settings()["timezone"]
    for mailing in drafts:
        grounds = mailing.grounds
        if mailing.kind != "receipt" or outbox.find_lost_ground(mailing) != DEADLINE_CHANGED:
            continue
        before = ClockReading(grounds.deadline or "", parse_iso(mailing.created), zone)
        now = ClockReading(read_clock(game), game.now(), zone)
        reword = partial(reword_deadline, before=before, now=now, seal=grounds.orders or "")
        outbox.reword(mailing, reword, replace(grounds, deadline=now.clock))


def _reminder(desk: PhaseSection, missing: str) -> Letter:
    said = [desk.sentences.format("letter-missing", phase=desk.phase, things=missing)]
    if read_deadline(desk.game):
        said.append(desk.sentences.format("letter-missing-deadline", deadline=desk.deadline()))
    said += [*_orders_in_force(desk), desk.how_to_answer()]
    return _short(desk, "letter-reminder", said, {})


def _orders_in_force(desk: PhaseSection) -> Iterator[str]:
    """Return the orders of the player that are in force, and whether an answer adds to them."""
    phase = desk.game.head()
    row = find_last_submission(desk.game, int(phase.id), desk.player.power)
    if row and row.orders:
        rule = desk.game.settings()["second_mail"]
        orders = "; ".join(row.orders)
        yield desk.sentences.format("letter-in-force", orders=orders)
        yield desk.sentences.format(f"letter-answer-{rule}")


def _short(
    desk: PhaseSection, subject: str, said: Sequence[str], files: Mapping[str, Attachment]
) -> Letter:
    """Return a letter of a few sentences."""
    sentences = desk.sentences
    opening = [
        sentences.format("letter-hello", name=desk.player.name),
        *said,
        *describe_files(files, sentences),
    ]
    return Letter(
        subject=sentences.format(subject),
        text=join_text(opening),
        html=compose_page(opening, sentences, title=sentences.format(subject)),
        attachments=tuple(files.values()),
        lang=sentences.lang,
    )
