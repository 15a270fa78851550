"""The commands ``status`` and ``history``: how a game stands, and what was done with it.

The game master does not see orders: only their numbers are shown.  Neither command loads the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from alexmagnum.cli import Command
from alexmagnum.cli.base import print_answer, style, table_lines
from alexmagnum.cli.game_options import (
    deadline_line,
    end_lines,
    format_agreement,
    local_stamp,
    phase_words,
    process_command,
    read_phase,
)
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player, PowerStatus, Status, parse_power
from alexmagnum.game.records import Entry
from alexmagnum.game.status import (
    BY_BOT,
    IN_TIME,
    LATE,
    MISSED,
    OVERDUE,
    PARTIAL,
    Account,
)
from alexmagnum.i18n.dates import format_distance, parse_iso
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.notation.names import power_name
from alexmagnum.report.words import describe_bot_faults, name_bot, name_player, name_stand_in
from alexmagnum.workflow.situation import Situation, list_letters, read_situation


@click.command(cls=Command)
@click.option("--people", is_flag=True, help="The players, with addresses, absences and notes.")
@click.option("--past", is_flag=True, help="With --people: those who played before, too.")
def status(desk: Desk, sentences: Sentences, people: bool, past: bool, as_json: bool) -> None:
    """Show the phase, the deadline, whose orders are in or doubtful, and what blocks the phase.

    Only counts are shown, so that the game master can stay impartial.

    \b
    Example:
      alexmagnum status
      alexmagnum status --people
    """
    if people or past:
        listed = (*desk.past_players, *desk.players) if past else desk.players
        lines = [format_player(one, desk, sentences) for one in listed]
        print_answer(as_json, [asdict(one) for one in listed], lines)
        return
    now_ = desk.status()
    situation = read_situation(desk)
    waiting = len(situation.mails) + len(situation.other_mails)
    data = {
        **asdict(now_),
        "waiting": waiting,
        "returned": [letter.message.id for letter in situation.returned],
        "letters": [mailing.id for mailing in situation.stuck],
    }
    print_answer(as_json, data, _status_lines(desk, now_, situation, sentences))


def _status_lines(
    desk: Desk, now_: Status, situation: Situation, sentences: Sentences
) -> Iterator[str]:
    board = desk.board
    yield style(f"{now_.game} — {board.name(sentences.lang)}", bold=True)
    if now_.over:
        yield from end_lines(desk, sentences)
        for line in list_letters(situation, desk, sentences):
            yield style(line, "yellow")
        return
    yield sentences.format("desk-open-phase", phase=phase_words(now_.phase, board, sentences))
    yield deadline_line(desk, sentences) + "\n"
    for line in table_lines([_row(desk, power, sentences) for power in now_.powers]):
        yield f"  {line}".rstrip()
    yield ""
    if now_.tally:
        votes = _count_votes(desk, now_, sentences)
        yield sentences.format("desk-tally-of", count=len(now_.voters), votes=votes)
    waiting = len(situation.mails) + len(situation.other_mails)
    for line in (
        *([sentences.format("desk-mail-waits", count=waiting)] if waiting else []),
        *list_letters(situation, desk, sentences),
        *([format_agreement(desk, now_, sentences)] if now_.agreed else []),
        *describe_bot_faults(now_.powers, board, sentences),
        *(sentences.format("desk-blocked", why=sentences.format(c)) for c in now_.blocks),
    ):
        yield style(line, "yellow")
    if not now_.agreed:
        yield sentences.format("desk-next", command=process_command(now_))


def format_player(one: Player, desk: Desk, sentences: Sentences) -> str:
    """Return a player in a line."""
    text = (
        f"{power_name(desk.board, one.power, sentences)}: {one.name or name_player(one, sentences)}"
    )
    text += "".join(f"{',' * (n > 0)} <{each}>" for n, each in enumerate(one.addresses))
    if one.lang:
        text += f" ({one.lang})"
    if one.bot and one.name:
        bot = name_stand_in(name_bot(one.bot, sentences), one.stand_in, sentences)
        text += "; " + sentences.format("orders-of-bot", bot=bot)
    if one.absent_from:
        text += "; " + sentences.format("desk-away", first=one.absent_from, last=one.absent_until)
    if one.until:
        text += "; " + sentences.format("desk-until", day=one.until[:10])
    return text + (f"; {one.note}" if one.note else "")


def _count_votes(desk: Desk, status: Status, sentences: Sentences) -> str:
    """Return the number of votes for each ending; the voters stay secret."""
    counts = []
    for vote, count in status.tally.items():
        kind, *powers = vote.split()
        named = ", ".join(power_name(desk.board, power, sentences) for power in powers)
        code = f"desk-vote-{kind}" + ("-among" if kind == "draw" and powers else "")
        counts.append(f"{sentences.format(code, powers=named)}: {count}")
    return "; ".join(counts)


def _row(desk: Desk, power: PowerStatus, sentences: Sentences) -> list[str]:
    doubtful = sentences.format("desk-doubtful", count=power.doubtful) if power.doubtful else ""
    return [
        power_name(desk.board, power.power, sentences),
        name_player(Player("", power.player, bot=power.bot), sentences) or "–",
        _share(power, sentences),
        doubtful,
        _last_mail(desk, power, sentences),
        sentences.format("desk-absent") if power.absent else "",
        sentences.format(f"desk-pace-{power.pace}") if power.pace else "",
    ]


def _share(power: PowerStatus, sentences: Sentences) -> str:
    if power.state != "playing":
        return sentences.format(
            "state-out" if power.state == "eliminated" else f"state-{power.state}"
        )
    if not power.wanted:
        return sentences.format("desk-owes-nothing")
    code = "desk-not-in" if power.is_lacking else "desk-in"
    return sentences.format(code, given=power.given, wanted=power.wanted)


def _last_mail(desk: Desk, power: PowerStatus, sentences: Sentences) -> str:
    if not power.last or power.bot_has_ordered:
        return ""
    ago = format_distance(parse_iso(power.last), desk.now(), sentences)
    return sentences.format("desk-mails", count=power.submissions, ago=ago)


# ``history --people``: who sent their orders in time, late, in part or not at all.


def print_ledger(
    accounts: Sequence[Account], desk: Desk, sentences: Sentences, as_json: bool
) -> None:
    """Print an account for each person, and what the settings do about late and missing orders."""
    settings = desk.settings
    data = {
        "people": [_account_json(account) for account in accounts],
        "settings": {name: settings[name] for name in ("missing", "reminders", "reminder_hours")},
    }
    known = [line for each in accounts for line in _account_lines(each, desk, sentences)]
    hours = settings["reminder_hours"]
    lines = (
        *(known or [sentences.format("ledger-nobody")]),
        "",
        sentences.format(f"ledger-missing-{settings['missing']}"),
        sentences.format("ledger-late-counts"),
        sentences.format(f"ledger-reminders-{settings['reminders']}", hours=hours),
        sentences.format("ledger-replace"),
    )
    print_answer(as_json, data, lines)


def _account_lines(account: Account, desk: Desk, sentences: Sentences) -> Iterator[str]:
    player = account.player
    name = f"{power_name(desk.board, player.power, sentences)}: {player.name}"
    if player.until:
        name += f" ({sentences.format('desk-until', day=player.until[:10])})"
    figures = {
        "owed": account.owed,
        "sent": account.count(IN_TIME),
        "late": account.count(LATE),
        "partial": account.count(PARTIAL),
        "missed": account.count(MISSED),
    }
    line = f"{name}. {sentences.format('ledger-figures', **figures)}"
    if by_bot := account.count(BY_BOT):
        line += " " + sentences.format("ledger-by-bot", count=by_bot)
    yield style(line, "red" if account.count(MISSED, OVERDUE) else None)
    for owed in account.phases:
        if owed.state != IN_TIME:
            stamps = {"deadline": owed.deadline, "at": owed.complete}
            times = {name: local_stamp(desk, at) if at else "–" for name, at in stamps.items()}
            yield "  " + sentences.format(f"ledger-{owed.state}", phase=owed.phase, **times)


def _account_json(account: Account) -> dict[str, object]:
    player = account.player
    return {
        "power": player.power,
        "player": player.name,
        "since": player.since,
        "until": player.until,
        "owed": account.owed,
        "in_time": account.count(IN_TIME),
        "late": account.count(LATE),
        "partial": account.count(PARTIAL),
        "missed": account.count(MISSED),
        "by_bot": account.count(BY_BOT),
        "overdue": bool(account.count(OVERDUE)),
        "phases": [asdict(owed) for owed in account.phases],
    }


# The command ``history``: the journal of a game, and the orders of a unit over its phases.


@click.command(cls=Command)
@click.argument("phase", required=False)
@click.option("--power", help="Only entries about this power.")
@click.option("--unit", help="The orders of a unit and why they went as they did: 'F EGE#2'.")
@click.option(
    "-n", "last", type=click.IntRange(1), metavar="COUNT", help="Only the last COUNT entries."
)
@click.option(
    "--people", is_flag=True, help="Who sent orders in time, late, in part or not at all."
)
def history(
    desk: Desk,
    sentences: Sentences,
    phase: str | None,
    power: str | None,
    unit: str | None,
    last: int | None,
    people: bool,
    as_json: bool,
) -> None:
    """List what was done with the game, oldest first, or the orders of a unit with the reasons.

    --people counts, for each person, the phases for which they owed orders, and says what the
    settings do about late and missing orders.

    \b
    Example:
      alexmagnum history 323-1 --power TOL
      alexmagnum history 322-spring --unit "F EGE#2"
      alexmagnum history --people
    """
    if people:
        asked = parse_power(desk.board, power) if power else ""
        accounts = [one for one in desk.ledger() if asked in ("", one.player.power)]
        print_ledger(accounts, desk, sentences, as_json)
        return
    entries = desk.history(
        read_phase(phase) if phase else None,
        parse_power(desk.board, power) if power else None,
        unit,
    )
    shown = entries[-last:] if last else entries
    data = list(map(asdict, shown))
    lines = [line for entry in shown for line in _lines(entry, desk, sentences)]
    print_answer(as_json, data, lines or [sentences.format("desk-no-history")])


def _lines(entry: Entry, desk: Desk, sentences: Sentences) -> Iterator[str]:
    if entry.action == "resolved":  # the order of a unit and its result
        yield _fate_line(entry, desk, sentences)
        return
    action = sentences.templates.get(f"action-{entry.action}", entry.action)
    about = [entry.phase, power_name(desk.board, entry.power, sentences) if entry.power else ""]
    place = ", ".join(filter(None, about))
    text = _describe_detail(entry, desk, sentences)
    stamp = local_stamp(desk, entry.at)
    head = f"{stamp}  {entry.actor}  {action}" + (f" ({place})" if place else "")
    yield replace_unprintable(f"{head}: {text}" if text else head)
    if entry.reason:
        yield replace_unprintable(f"{'':<18}{sentences.format('desk-reason', reason=entry.reason)}")


def _describe_detail(entry: Entry, desk: Desk, sentences: Sentences) -> str:
    """Return the details of an entry in a few words; empty if it has none to show."""
    detail = entry.detail
    if detail.get("stand_in"):
        return name_stand_in(str(detail["bot"]), str(detail["stand_in"]), sentences)
    if "digest" in detail:
        given = sentences.format(
            "history-orders", count=detail.get("orders", 0), digest=detail["digest"]
        )
        if "back_from" in detail:
            given += "; " + sentences.format("history-bot-ends", bot=detail["back_from"])
        return f"{detail['bot']}: {given}" if "bot" in detail else given
    if "version" in detail:
        return sentences.format("history-version", version=detail["version"])
    if "value" in detail:
        return f"{detail.get('name')}: {detail.get('before') or '–'} → {detail['value']}"
    if detail.get("deadline"):
        return local_stamp(desk, str(detail["deadline"]))
    if detail.get("from"):
        return f"{detail['from']} – {detail.get('until')}"
    return str(detail.get("name") or detail.get("path") or detail.get("bot") or "")


def _fate_line(entry: Entry, desk: Desk, sentences: Sentences) -> str:
    detail = entry.detail
    order = str(detail.get("order") or f"{detail.get('unit')} {sentences.format('no-order')}")
    power = power_name(desk.board, entry.power, sentences)
    text = f"{entry.phase}  {power}  {order}: {detail.get(sentences.lang)}"
    if detail.get("current", True):
        return text
    return style(
        sentences.format("desk-superseded", told=text, version=detail.get("version")), "yellow"
    )
