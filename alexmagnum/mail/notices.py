"""Short letters: changes of the deadline, and reminders of missing orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.game.deadlines import find_clock_change, read_deadline, read_seconds_left
from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.outbox_store import (
    DEADLINE,
    DRAFT,
    DROPPED,
    REMINDER,
    LetterKey,
)
from alexmagnum.game.players import read_players
from alexmagnum.mail.letters.composition import Attachment, Letter, parse_mail, read_text
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

    Players who have a later letter with the deadline get none.
    """
    game, made = outbox.game, DraftedLetters()
    change = find_clock_change(game)
    if change is None:
        return made
    for player in read_players(game):
        key = LetterKey(DEADLINE, player.power, letter_address(player), act=change.id)
        desk = PhaseSection(game, player, load_player_sentences(game, player))
        knows = _later_letter(outbox, player.power, change.at)
        if knows or outbox.by_key(key) or not desk.demand():
            continue
        if not can_be_written_to(player):
            made.unaddressed.append(player.power)
            continue
        _supersede(outbox, "deadline", player.power)
        made.drafted.append(outbox.draft(key, _deadline_letter(desk)))
    return made


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
    for player in read_players(game):
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


def renew_reminders(outbox: Outbox) -> None:
    """Compose anew the reminders whose missing orders or deadline have changed since.

    Those that somebody has changed by hand stay.
    """
    waiting = [mailing for mailing in outbox.list_letters((DRAFT,)) if mailing.kind == "reminder"]
    lacking = read_open_phase(outbox.game).lacking if waiting else {}
    people = {player.power: player for player in read_players(outbox.game)}
    for mailing in waiting:
        player = people[mailing.power]
        desk = PhaseSection(outbox.game, player, load_player_sentences(outbox.game, player))
        letter = _reminder(desk, describe_missing(lacking.get(mailing.power, ()), desk.sentences))
        if letter.text.split() != read_text(parse_mail(outbox.store.source(mailing.id))).split():
            outbox.renew(mailing.key, letter)


def _reminder(desk: PhaseSection, missing: str) -> Letter:
    said = [desk.sentences.format("letter-missing", phase=desk.phase, things=missing)]
    if read_deadline(desk.game):
        said.append(desk.sentences.format("letter-missing-deadline", deadline=desk.deadline()))
    said.append(desk.how_to_answer())
    return _short(desk, "letter-reminder", said, {})


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
