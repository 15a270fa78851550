"""The command ``end``: close the game, with its final report."""

from __future__ import annotations

import click

from alexmagnum.cli.game_lines import print_end
from alexmagnum.cli.game_options import desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import format_delivery, print_drafted_letters
from alexmagnum.cli.output import print_json, style
from alexmagnum.cli.site_lines import print_site_failure, print_site_update
from alexmagnum.errors import GameError
from alexmagnum.game.declared_ends import ABANDON, CONCEDE, DRAW, SOLO, Declaration
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import SENT
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.workflow.end import EndedGame, end_game
from alexmagnum.workflow.publish import Published


@click.command()
@click.option("--draw", is_flag=True, help="A draw among the powers that have a vote.")
@click.option("--among", metavar="POWERS", help="With --draw: only among these (TOL,SEL).")
@click.option("--concede", metavar="POWER", help="The others concede the game to this power.")
@click.option("--solo", metavar="POWER", help="This power wins alone.")
@click.option("--abandon", is_flag=True, help="The game is given up: nobody wins.")
@json_option
@reason_option
@desk_command
def end(
    desk: Desk,
    sentences: Sentences,
    draw: bool,
    among: str | None,
    concede: str | None,
    solo: str | None,
    abandon: bool,
    as_json: bool,
    reason: str,
) -> None:
    """End the game: seal it, write its final report, and draft a mail with it to every player.

    Say how it ends with one of --draw, --concede, --solo and --abandon; the reason is in the report
    and in the mails.  After that no orders, votes, deadlines or phases are taken; orders that wait
    stay closed.  The digest of the whole game file goes into the journal, and 'alexmagnum verify'
    checks it.  'alexmagnum undo' opens the game again, and tells the players so.

    A game that is won, or whose last year is over, is closed in the same way by itself.

    \b
    Example:
      alexmagnum end --draw --reason "all six voted for it"
      alexmagnum end --concede TOL
    """
    declared = _read_declaration(draw, concede, solo, abandon, among)
    ended = end_game(desk, declared, reason)
    if as_json:
        print_json(_ended_json(ended, desk))
        print_site_failure(ended.published.site, sentences)
    else:
        click.echo(style(sentences.format("desk-ended"), bold=True))
        print_end(desk, sentences)
        print_final_report(desk, ended.published, sentences)
        print_site_update(ended.published.site, sentences)
        print_drafted_letters(desk, ended.published.letters, sentences)
        for delivery in ended.published.deliveries:
            click.echo(format_delivery(delivery, desk, sentences))
    if ended.published.unsent is not None:
        raise ended.published.unsent


def _read_declaration(
    draw: bool, concede: str | None, solo: str | None, abandon: bool, among: str | None
) -> Declaration:
    """Return the end that the options declare.

    Raises:
        GameError: ``end-how``, ``end-among``.
    """
    given = {DRAW: draw, CONCEDE: concede, SOLO: solo, ABANDON: abandon}
    chosen = [kind for kind, value in given.items() if value]
    if len(chosen) != 1:
        raise GameError("end-how")
    if among and not draw:
        raise GameError("end-among")
    named = among.replace(";", ",").split(",") if among else [concede or solo or ""]
    return Declaration(chosen[0], tuple(filter(None, (name.strip() for name in named))))


def _ended_json(ended: EndedGame, desk: Desk) -> dict[str, object]:
    published = ended.published
    return {
        "end": ended.end.kind,
        "winners": list(ended.end.winners),
        "reason": ended.end.reason,
        "report": str(published.final or ""),
        "closing_seal": desk.closing_seal,
        "letters": published.letters.drafted,
        "sent": [d.mailing.id for d in published.deliveries if d.state == SENT],
    }


def print_final_report(desk: Desk, published: Published, sentences: Sentences) -> None:
    """Print where the final report lies and the seal of the game file, if the game is over."""
    if published.final is not None:
        click.echo(sentences.format("desk-final", path=published.final))
        click.echo(sentences.format("desk-closing-seal", digest=desk.closing_seal))
