"""The commands ``status`` and ``history``: how a game stands, and what was done with it.

The game master does not see orders: only their numbers are shown.  Neither command loads the judge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from textwrap import indent

import click

from alexmagnum.cli import GameCommand, game_options
from alexmagnum.cli.base import pick, style, table_lines
from alexmagnum.game.game import Player, PowerStatus, Status
from alexmagnum.game.late_orders import BY_BOT, IN_TIME, LATE, MISSED, OVERDUE, PARTIAL, Account
from alexmagnum.game.records import Entry, Passage
from alexmagnum.i18n.dates import format_distance, parse_iso
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.notation.sections import read_phase
from alexmagnum.report import words
from alexmagnum.workflow import situation as situations

_LONGEST_QUOTE = 200  # characters of each thing that a player said


@click.command(cls=GameCommand)
@click.option("--people", is_flag=True, help="The players, with addresses, absences and notes.")
@click.option("--past", is_flag=True, help="With --people: those who played before, too.")
def status(call: game_options.GameCall, people: bool, past: bool) -> None:
    """Show the phase, the deadline, whose orders are in or doubtful, and what blocks the phase.

    Of orders only counts are shown, so that the game master can stay impartial.  What players
    said to you is shown in their words.

    \b
    Example:
      alexmagnum status
      alexmagnum status --people
    """
    if people or past:
        listed = (*call.desk.past_players, *call.desk.players) if past else call.desk.players
        call.answer([asdict(one) for one in listed], [format_player(call, one) for one in listed])
        return
    situation = situations.read_situation(call.desk)
    data = {
        **asdict(situation.status),
        "waiting": len(situation.mails) + len(situation.other_mails),
        "returned": [letter.message.id for letter in situation.returned],
        "letters": [mailing.id for mailing in situation.stuck],
        "tray": list(map(asdict, situation.tray)),
        "late": list(map(asdict, situation.late)),
        "failed": [failure.code for failure in situation.failures],
    }
    call.answer(data, _status_lines(call, situation))


def _status_lines(call: game_options.GameCall, situation: situations.Situation) -> Iterator[str]:
    board, now_ = call.desk.board, situation.status
    yield style(f"{now_.game} — {board.name(call.sentences.lang)}", bold=True)
    waiting = len(situation.mails) + len(situation.other_mails)
    always = (
        *([call.format("desk-mail-waits", count=waiting)] if waiting else []),
        *situations.list_letters(situation, call.desk, call.sentences),
        *(call.format("desk-tick-failed", why=call.sentences.error(f)) for f in situation.failures),
    )
    if now_.over:
        yield from game_options.end_lines(call)
        yield from (style(line, "yellow") for line in always)
        yield from tray_lines(call, situation.tray, most=_LONGEST_QUOTE)
        return
    yield call.format("desk-open-phase", phase=call.name_phase(now_.phase))
    yield game_options.deadline_line(call) + "\n"
    for line in table_lines([_row(call, power) for power in now_.powers]):
        yield f"  {line}".rstrip()
    yield ""
    if now_.tally:
        yield call.format("desk-tally-of", count=len(now_.voters), votes=_count_votes(call, now_))
    for line in (
        *always,
        *([game_options.format_agreement(call, now_)] if now_.agreed else []),
        *words.describe_bot_faults(now_.powers, board, call.sentences),
        *situations.describe_late_powers(situation, call.desk, call.sentences),
        *(call.format("desk-blocked", why=call.format(c)) for c in now_.blocks),
    ):
        yield style(line, "yellow")
    yield from tray_lines(call, situation.tray, most=_LONGEST_QUOTE)
    if not now_.agreed:
        yield call.format("desk-next", command=game_options.process_command(now_))


def tray_lines(
    call: game_options.GameCall, tray: Sequence[Passage], most: int = 0
) -> Iterator[str]:
    """Yield what players said to the game master, and what to do with it."""
    if tray:
        yield style(call.format("tray-for-you"), bold=True)
    for passage in tray:
        head, *said = situations.describe_passage(passage, call.desk, call.sentences, most)
        yield style(f"  {head}", "red" if passage.urgent and not passage.done else "yellow")
        yield from (indent(replace_unprintable(text), " " * 6) for text in said)
    if tray:
        yield call.format("inbox-next-answer")


def format_player(call: game_options.GameCall, one: Player) -> str:
    """Return a player in a line."""
    text = f"{call.name_power(one.power)}: {one.name or words.name_player(one, call.sentences)}"
    text += "".join(f"{',' * (n > 0)} <{each}>" for n, each in enumerate(one.addresses))
    if one.lang:
        text += f" ({one.lang})"
    if one.bot and one.name:
        bot = words.name_stand_in(
            words.name_bot(one.bot, call.sentences), one.stand_in, call.sentences
        )
        text += "; " + call.format("orders-of-bot", bot=bot)
    if one.absent_from:
        text += "; " + call.format("desk-away", first=one.absent_from, last=one.absent_until)
    if one.until:
        text += "; " + call.format("desk-until", day=one.until[:10])
    return text + (f"; {one.note}" if one.note else "")


def _count_votes(call: game_options.GameCall, status: Status) -> str:
    """Return the number of votes for each ending; the voters stay secret."""
    counts = []
    for vote, count in status.tally.items():
        kind, *powers = vote.split()
        code = f"desk-vote-{kind}" + ("-among" if kind == "draw" and powers else "")
        counts.append(f"{call.format(code, powers=call.name_powers(powers))}: {count}")
    return "; ".join(counts)


def _row(call: game_options.GameCall, power: PowerStatus) -> list[str]:
    return [
        call.name_power(power.power),
        words.name_player(Player("", power.player, bot=power.bot), call.sentences) or "–",
        _share(power, call.sentences),
        call.format("desk-doubtful", count=power.doubtful) if power.doubtful else "",
        _last_mail(call, power),
        call.format("desk-absent") if power.absent else "",
        call.format(f"desk-pace-{power.pace}") if power.pace else "",
    ]


def _share(power: PowerStatus, sentences: Sentences) -> str:
    if power.state != "playing":
        return sentences.format(f"state-{'out' if power.state == 'eliminated' else power.state}")
    if not power.wanted:
        return sentences.format("desk-owes-nothing")
    code = "desk-not-in" if power.is_lacking else "desk-in"
    return sentences.format(code, given=power.given, wanted=power.wanted)


def _last_mail(call: game_options.GameCall, power: PowerStatus) -> str:
    if not power.last or power.bot_has_ordered:
        return ""
    ago = format_distance(parse_iso(power.last), call.desk.now(), call.sentences)
    return call.format("desk-mails", count=power.submissions, ago=ago)


# ``history --people``: who sent their orders in time, late, in part or not at all.


def print_ledger(call: game_options.GameCall, accounts: Sequence[Account]) -> None:
    """Print an account for each person, and what the settings do about late and missing orders."""
    settings = call.desk.settings
    data = {
        "people": [_account_json(account) for account in accounts],
        "settings": {name: settings[name] for name in ("missing", "reminders", "reminder_hours")},
    }
    known = [line for each in accounts for line in _account_lines(call, each)]
    missing, _, bot = settings["missing"].partition(":")
    lines = (
        *(known or [call.format("ledger-nobody")]),
        "",
        call.format(f"ledger-missing-{missing}", bot=bot),
        *words.format_late_rules(settings, call.sentences),
        call.format("ledger-late-counts"),
        call.format(f"ledger-reminders-{settings['reminders']}", hours=settings["reminder_hours"]),
        *([] if missing == "standby" or settings["misses"] else [call.format("ledger-replace")]),
    )
    call.answer(data, lines)


def _account_lines(call: game_options.GameCall, account: Account) -> Iterator[str]:
    player = account.player
    name = f"{call.name_power(player.power)}: {player.name}"
    if player.until:
        name += f" ({call.format('desk-until', day=player.until[:10])})"
    counts = _count_states(account)
    line = f"{name}. {call.format('ledger-figures', sent=counts['in_time'], **counts)}"
    if counts["by_bot"]:
        line += " " + call.format("ledger-by-bot", count=counts["by_bot"])
    yield style(line, "red" if account.count(MISSED, OVERDUE) else None)
    for owed in account.phases:
        if owed.state != IN_TIME:
            stamps = {"deadline": owed.deadline, "at": owed.complete}
            times = {name: call.stamp(at) if at else "–" for name, at in stamps.items()}
            yield "  " + call.format(f"ledger-{owed.state}", phase=owed.phase, **times)


def _account_json(account: Account) -> dict[str, object]:
    player = account.player
    return {
        "power": player.power,
        "player": player.name,
        **pick(player, "since", "until"),
        **_count_states(account),
        "overdue": bool(account.count(OVERDUE)),
        "phases": [asdict(owed) for owed in account.phases],
    }


def _count_states(account: Account) -> dict[str, int]:
    """Return for how many phases a person owed orders, and for how many these came how."""
    states = {"in_time": IN_TIME, "late": LATE, "partial": PARTIAL, "missed": MISSED}
    counts = {name: account.count(state) for name, state in states.items()}
    return {"owed": account.owed, **counts, "by_bot": account.count(BY_BOT)}


# The command ``history``: the journal of a game, and the orders of a unit over its phases.


@click.command(cls=GameCommand)
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
    call: game_options.GameCall,
    phase: str | None,
    power: str | None,
    unit: str | None,
    last: int | None,
    people: bool,
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
        asked = call.parse_power(power) if power else ""
        print_ledger(call, [one for one in call.desk.ledger() if asked in ("", one.player.power)])
        return
    entries = call.desk.history(
        read_phase(phase) if phase else None, call.parse_power(power) if power else None, unit
    )
    shown = entries[-last:] if last else entries
    lines = [line for entry in shown for line in _lines(call, entry)]
    call.answer(list(map(asdict, shown)), lines or [call.format("desk-no-history")])


def _lines(call: game_options.GameCall, entry: Entry) -> Iterator[str]:
    if entry.action == "resolved":  # an entry about one order
        yield _fate_line(call, entry)
        return
    action = call.sentences.templates.get(f"action-{entry.action}", entry.action)
    about = [entry.phase, call.name_power(entry.power) if entry.power else ""]
    place = ", ".join(filter(None, about))
    text = _describe_detail(call, entry)
    head = f"{call.stamp(entry.at)}  {entry.actor}  {action}" + (f" ({place})" if place else "")
    yield replace_unprintable(f"{head}: {text}" if text else head)
    if entry.reason:
        yield replace_unprintable(f"{'':<18}{call.format('desk-reason', reason=entry.reason)}")


def _describe_detail(call: game_options.GameCall, entry: Entry) -> str:
    """Return the details of an entry in a few words; empty if it has none to show."""
    if "choice" in (detail := entry.detail):
        return words.describe_late_power(call.sentences, **detail)
    if detail.get("stand_in"):
        return words.name_stand_in(str(detail["bot"]), str(detail["stand_in"]), call.sentences)
    if "digest" in detail:
        given = call.format(
            "history-orders", count=detail.get("orders", 0), digest=detail["digest"]
        )
        if "back_from" in detail:
            given += "; " + call.format("history-bot-ends", bot=detail["back_from"])
        return f"{detail['bot']}: {given}" if "bot" in detail else given
    if "version" in detail:
        return call.format("history-version", version=detail["version"])
    if "value" in detail:
        return f"{detail.get('name')}: {detail.get('before') or '–'} → {detail['value']}"
    if detail.get("deadline"):
        return call.stamp(str(detail["deadline"]))
    if detail.get("from"):
        return f"{detail['from']} – {detail.get('until')}"
    mails = [detail[name] for name in ("letter", "message") if name in detail]
    for several in (detail.get("letters"), detail.get("messages")):
        mails += [n for n in several if isinstance(n, int)] if isinstance(several, list) else []
    if mails:
        kind = call.sentences.templates.get(f"outbox-kind-{detail.get('kind')}", "mail")
        return f"{kind} {', '.join(map(str, mails))}"
    return str(detail.get("name") or detail.get("path") or detail.get("bot") or "")


def _fate_line(call: game_options.GameCall, entry: Entry) -> str:
    detail = entry.detail
    order = str(detail.get("order") or f"{detail.get('unit')} {call.format('no-order')}")
    power = call.name_power(entry.power)
    text = f"{entry.phase}  {power}  {order}: {detail.get(call.sentences.lang)}"
    if detail.get("current", True):
        return text
    return style(call.format("desk-superseded", told=text, version=detail.get("version")), "yellow")
