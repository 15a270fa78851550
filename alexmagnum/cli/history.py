"""The command ``history``: the journal of a game, and the orders of a unit over its phases."""

from __future__ import annotations

from collections.abc import Iterator

import click

from alexmagnum.cli.arguments import read_phase, read_power
from alexmagnum.cli.game_lines import local_stamp
from alexmagnum.cli.game_options import desk_command, json_option
from alexmagnum.cli.ledger import print_ledger
from alexmagnum.cli.output import print_json, style
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import RETURN, Entry
from alexmagnum.i18n.sentences import Sentences, replace_unprintable
from alexmagnum.report.names import power_name

RESOLVED = "resolved"
"""The action of entries about the order of a unit and its result."""


@click.command()
@click.argument("phase", required=False)
@click.option("--power", help="Only entries about this power.")
@click.option("--unit", help="The orders of a unit and why they went as they did: 'F EGE#2'.")
@click.option(
    "-n", "last", type=click.IntRange(1), metavar="COUNT", help="Only the last COUNT entries."
)
@click.option(
    "--people", is_flag=True, help="Who sent orders in time, late, in part or not at all."
)
@json_option
@desk_command
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
        asked = read_power(power, desk.board) if power else ""
        accounts = [one for one in desk.ledger() if asked in ("", one.player.power)]
        print_ledger(accounts, desk, sentences, as_json)
        return
    entries = desk.history(
        read_phase(phase) if phase else None,
        read_power(power, desk.board) if power else None,
        unit,
    )
    shown = entries[-last:] if last else entries
    if as_json:
        print_json([{**entry._asdict(), "detail": dict(entry.detail)} for entry in shown])
        return
    for entry in shown:
        click.echo("\n".join(_lines(entry, desk, sentences)))
    if not shown:
        click.echo(sentences.format("desk-no-history"))


def _lines(entry: Entry, desk: Desk, sentences: Sentences) -> Iterator[str]:
    if entry.action == RESOLVED:
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
        code = "history-until-back" if detail["stand_in"] == RETURN else "history-once"
        return sentences.format(code, bot=detail["bot"])
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
    """Return a line with a unit's order in a phase and the reason for its result."""
    detail = entry.detail
    order = str(detail.get("order") or f"{detail.get('unit')} {sentences.format('no-order')}")
    power = power_name(desk.board, entry.power, sentences)
    text = f"{entry.phase}  {power}  {order}: {detail.get(sentences.lang)}"
    if detail.get("current", True):
        return text
    return style(
        sentences.format("desk-superseded", told=text, version=detail.get("version")), "yellow"
    )
