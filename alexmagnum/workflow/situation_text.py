"""Sentences about what a game waits for: for ``tick`` and the game master's letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import Message
from alexmagnum.game.outbox_store import UNCERTAIN
from alexmagnum.game.votes import DRAW
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.why_text import format_why
from alexmagnum.position import parse_phase
from alexmagnum.report.bot_faults import describe_bot_faults
from alexmagnum.report.names import name_player, phase_name, power_name
from alexmagnum.workflow.situation import ORDERS_MISSING, Situation


def list_waits(situation: Situation, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    """Return what the game waits for, a line for each thing; failures are not among them."""
    is_ready = situation.is_past and not situation.is_held and not situation.processes
    return (
        *((sentences.format("situation-ready"),) if is_ready else ()),
        *_list_people(situation, desk, sentences),
        *_list_mails(situation.mails, "situation-mail", desk, sentences),
        *_list_letters(situation, desk, sentences),
        *describe_bot_faults(situation.bots, desk.board, sentences),
    )


def describe_phase(situation: Situation, desk: Desk, sentences: Sentences) -> str:
    """Return the open phase and its deadline on one line."""
    if situation.is_over:
        return sentences.format("desk-over")
    name = name_phase(situation.phase, desk, sentences)
    if not situation.deadline:
        return sentences.format("situation-phase-open", phase=name)
    zone = desk.settings["timezone"]
    at = format_instant(situation.deadline, zone, sentences, desk.game.now())
    code = "situation-phase-past" if situation.is_past else "situation-phase"
    return sentences.format(code, phase=name, deadline=at)


def name_phase(phase: str, desk: Desk, sentences: Sentences) -> str:
    """Return a phase in words: ``Spring 322 BC, movement``."""
    return phase_name(parse_phase(phase, desk.board.rules.picks), desk.board, sentences)


def name_players(powers: Sequence[str], desk: Desk, sentences: Sentences) -> str:
    """Return powers with the names of their players: ``Ptolemy (Bruno), Seleucus``."""
    who = {p.power: to_one_line(name_player(p, sentences)) for p in desk.players}
    return ", ".join(
        f"{power_name(desk.board, power, sentences)} ({who[power]})"
        if who.get(power)
        else power_name(desk.board, power, sentences)
        for power in powers
    )


def _list_people(situation: Situation, desk: Desk, sentences: Sentences) -> Iterator[str]:
    if situation.missing and (situation.is_past or ORDERS_MISSING in situation.blocks):
        code = "situation-missing"
        if ORDERS_MISSING not in situation.blocks:
            code = "situation-missing-hold"
        yield sentences.format(code, powers=name_players(situation.missing, desk, sentences))
    for block in situation.blocks:
        if block != ORDERS_MISSING:
            yield sentences.format(block)
    if situation.asking:
        named = name_players(situation.asking, desk, sentences)
        yield sentences.format("situation-asking", powers=named)


def _list_mails(
    mails: Sequence[Message], code: str, desk: Desk, sentences: Sentences
) -> Iterator[str]:
    for message in mails:
        reasons = "; ".join(format_why(why, desk.game, sentences) for why in message.why)
        yield sentences.format(
            code,
            number=message.id,
            sender=to_one_line(message.sender) or "?",
            power=power_name(desk.board, message.power, sentences) if message.power else "–",
            why=reasons,
        )


def _list_letters(situation: Situation, desk: Desk, sentences: Sentences) -> Iterator[str]:
    for letter in situation.returned:
        yield sentences.format(
            "situation-returned",
            number=letter.message.id,
            addresses=to_one_line(letter.addresses),
            powers=name_players(letter.powers, desk, sentences),
        )
    for mailing in situation.stuck:
        why = sentences.error(mailing.problem) if mailing.problem else ""
        yield sentences.format(
            "situation-uncertain" if mailing.state == UNCERTAIN else "situation-unsent",
            number=mailing.id,
            power=power_name(desk.board, mailing.power, sentences),
            why=why,
        )
    if situation.drafts:
        yield sentences.format("situation-drafts", count=len(situation.drafts))


def list_other_mails(situation: Situation, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    """Return the mails that wait and hold nothing back, a line for each."""
    return tuple(_list_mails(situation.other_mails, "situation-other-mail", desk, sentences))


def list_advice(situation: Situation, sentences: Sentences) -> tuple[str, ...]:
    """Return the commands with which the game master lets the game go on."""
    found = []
    if situation.mails or situation.other_mails:
        first = (*situation.mails, *situation.other_mails)[0].id
        found.append(sentences.format("situation-do-mail", number=first))
    if situation.agreed:
        kind, *powers = situation.agreed.split()
        option = f"--draw --among {','.join(powers)}" if kind == DRAW else f"--{kind} {powers[0]}"
        found.append(sentences.format("situation-do-end", command=f"alexmagnum end {option}"))
    if situation.is_past:
        more = " --allow-missing" if ORDERS_MISSING in situation.blocks else ""
        more += " --anyway" if situation.agreed else ""
        command = f"alexmagnum process {situation.phase}{more}"
        found.append(sentences.format("situation-do-process", command=command))
    if situation.stuck or situation.drafts:
        found.append(sentences.format("situation-do-letters"))
    return tuple(found)
