"""Bots in a game by mail: what they get, what people hear of them, and how a player comes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.game.game import RETURN, Player
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.inbox import format_why
from alexmagnum.report.context import GM, gather_past_phase
from alexmagnum.report.formats import format_report
from alexmagnum.workflow.letters import open_outbox, update_letters
from alexmagnum.workflow.materials import Materials, write_sheets
from alexmagnum.workflow.publish import process_phase, write_site
from tests.mail.mail_desk import ANNA, BRUNO, fetch, mail, mail_desk, reply

SPRING, AUTUMN = "1901-spring", "1901-autumn"
PLAIN = {"pictures": "no"}


def _desk(folder: Path, **settings: str) -> Desk:
    return mail_desk(folder, settings={**PLAIN, **settings})


def _mails_to(desk: Desk, address: str, kind: str = "") -> list[str]:
    """Return the texts of the letters to an address that may still go, each on one line."""
    box = open_outbox(desk)
    return [
        " ".join(read_text(box.message(letter.id)).split())
        for letter in box.list_letters()
        if letter.address == address and letter.state != "dropped" and kind in ("", letter.kind)
    ]


def _report(desk: Desk, phase: str, reader: str | None, form: str = "text") -> str:
    context = gather_past_phase(desk, phase)
    return format_report(context, reader, form, load_sentences("en"), pictures=False)


# -- what a bot gets, and what others hear ---------------------------------------------------------


def test_a_bot_gets_no_mail_and_nobody_is_asked_for_its_address(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        desk.play_by_bot("Italy", "dumb")
        _, done = process_phase(desk, SPRING, allow_missing=True, sends=False)
        reminded = update_drafts(open_outbox(desk), day="2026-11-26")

        assert _mails_to(desk, BRUNO) == []
        assert _mails_to(desk, ANNA, "report")
        assert done.letters.unaddressed == ["Turkey"]  # a person without an address
        assert reminded.unaddressed == ["Turkey"]
        assert done.receipts == ()


def test_a_bot_gets_no_order_sheet(desk: Desk) -> None:
    desk.play_by_bot("Italy", "dumb")
    desk.play_by_bot("France", "dumb", stand_in=RETURN)
    names = {path.name.partition(".")[0] for path in write_sheets(Materials(desk))}

    assert "Italy" not in names
    assert {"France", "Turkey"} <= names


def test_a_mail_that_waits_for_a_player_is_withdrawn_while_a_bot_plays(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        assert _mails_to(desk, BRUNO, "report")
        desk.play_by_bot("Italy", "dumb")
        assert _mails_to(desk, BRUNO) == []
        desk.withdraw_bot("Italy")
        desk.play_by_bot("France", "dumb")
        (report,) = _mails_to(desk, BRUNO, "report")
        assert "a bot (dumb)" in report  # it says who plays now


def test_drafts_to_the_others_say_that_a_bot_came_and_went(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        desk.play_by_bot("Italy", "dumb", stand_in=RETURN)
        assert len(update_letters(desk).renewed) == len({ANNA, BRUNO})
        assert "per ora un bot (dumb)" in _mails_to(desk, ANNA, "report")[0]

        desk.submit("Italy", "A Ven H")
        assert "per ora un bot" not in _mails_to(desk, ANNA, "report")[0]

        desk.play_by_bot("Italy", "dumb")
        assert "Italia un bot (dumb)" in _mails_to(desk, ANNA, "report")[0]
        desk.set_player("France", name="Chiara")
        assert "Francia Chiara" in _mails_to(desk, ANNA, "report")[0]


def test_a_draft_that_the_game_master_has_edited_stays_when_a_bot_comes(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        box = open_outbox(desk)
        (draft,) = [one for one in box.list_letters(("draft",)) if one.address == ANNA]
        box.path(draft).write_bytes(box.mail(draft.id).replace(b"Ciao", b"Salve"))
        desk.play_by_bot("Italy", "dumb")

        assert _mails_to(desk, ANNA)[0].startswith("Salve")


def test_reports_say_that_a_bot_played_and_which_one(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        desk.play_by_bot("Italy", "dumb")
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        process_phase(desk, AUTUMN, allow_missing=True, sends=False)
        desk.withdraw_bot("Italy")

        for form, marked in (
            ("text", "Italy – played by a bot (dumb)"),
            ("md", "#### Italy – played by a bot (dumb)"),
            ("html", "– played by a bot (dumb)</span></h3>"),
        ):
            assert marked in _report(desk, SPRING, None, form)
        groups = json.loads(_report(desk, SPRING, "France", "json"))["sections"]["orders"]
        assert {g["power"]: g.get("bot") for g in groups["content"]}["Italy"] == "dumb"
        assert [g for g in groups["content"] if "bot" in g] == [
            g for g in groups["content"] if g["power"] == "Italy"
        ]
        (letter,) = [text for text in _mails_to(desk, ANNA) if "Autunno 1901" in text][-1:]
        assert "gioca un bot (dumb)" in letter


def test_the_site_says_that_a_bot_plays(tmp_path: Path) -> None:
    with _desk(tmp_path / "game") as desk:
        desk.play_by_bot("Italy", "dumb")
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        write_site(desk, tmp_path / "site", None, load_sentences("it"))

    page = (tmp_path / "site" / "powers" / "Italy.html").read_text(encoding="utf-8")
    assert "un bot (dumb)" in page
    assert "un bot (dumb)" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_where_names_are_hidden_reports_say_only_that_a_bot_plays(tmp_path: Path) -> None:
    with _desk(tmp_path, names="hidden") as desk:
        desk.play_by_bot("Italy", "dumb")
        desk.play_by_bot("Turkey", "random", stand_in=RETURN)
        process_phase(desk, SPRING, allow_missing=True, sends=False)

        for reader in (None, "France", "Turkey"):
            for form in ("text", "json"):
                report = _report(desk, SPRING, reader, form)
                for hidden in ("dumb", "random", "Carla", "Bruno", "Anna"):
                    assert hidden not in report
        assert "Italy – played by a bot\n" in _report(desk, SPRING, None)
        assert "Turkey – played by a bot\n" in _report(desk, SPRING, None)
        assert "Turkey – played by a bot (random)" in _report(desk, SPRING, GM)


def test_no_order_of_a_bot_is_told_before_its_phase_is_processed(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        desk.play_by_bot("Italy", "dumb")
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        resolved = set(desk.receipts(SPRING)["Italy"].orders)
        secret = [order for order in desk.open_receipts()["Italy"].orders if order not in resolved]
        told = [*_mails_to(desk, ANNA), _report(desk, SPRING, None), str(desk.history())]

        assert secret
        assert not any(order in text for order in secret for text in told)


# -- the player comes back -------------------------------------------------------------------------


def test_a_player_for_whom_a_bot_stands_in_is_told_and_comes_back_by_a_mail(
    tmp_path: Path,
) -> None:
    with _desk(tmp_path) as desk:
        desk.play_by_bot("Italy", "dumb", stand_in=RETURN)
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        (report,) = _mails_to(desk, BRUNO, "report")
        assert "Until you send orders, a bot (dumb) gives them in your place." in report
        (taken,) = fetch(desk, reply(desk, "Italy", "A VEN - TYR"))
        (answer,) = _mails_to(desk, BRUNO, "receipt")

        assert taken.state == "taken"
        assert "takes the place of all orders that a bot (dumb) had given" in answer
        assert not any(player.bot for player in desk.players)
        assert desk.open_receipts()["Italy"].orders == ("A VEN - TYR",)
        assert desk.verify() == ()


def test_the_welcome_of_a_player_who_takes_over_from_a_bot_has_its_orders(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        desk.play_by_bot("Italy", "dumb")
        desk.withdraw_bot("Italy")
        receipt = desk.receipt("Italy")
        (welcome,) = _mails_to(desk, BRUNO, "welcome")

        assert receipt is not None
        assert "given by a bot (dumb) before you came: " + "; ".join(receipt.orders) in welcome


@pytest.mark.parametrize("replaced", [False, True])
def test_a_mail_of_somebody_whose_power_a_bot_plays_waits_and_says_the_way_back(
    tmp_path: Path, replaced: bool
) -> None:
    """Also of somebody who played before the last person."""
    with _desk(tmp_path) as desk:
        if replaced:
            desk.replace_player(Player("Italy", "Carla", "carla@example.org"))
        desk.play_by_bot("Italy", "dumb")
        (waiting,) = fetch(desk, mail("A VEN - TYR", BRUNO))
        said = format_why(waiting.why[0], desk, load_sentences("en"))
        back = f'"Bruno Bianchi <{BRUNO}>"' if replaced else "--back"
        assert f"alexmagnum player replace Italy {back}" in said
        if not replaced:
            assert (waiting.state, waiting.why[0].code) == ("waiting", "waits-before-bot")
            receipt = desk.receipt("Italy")
            assert receipt is not None
            assert receipt.bot == "dumb"


def test_whoever_writes_to_a_bot_is_told_that_nobody_reads_it(tmp_path: Path) -> None:
    for press in ("held", "relay"):
        with _desk(tmp_path / press, press=press) as desk:
            desk.play_by_bot("Italy", "dumb")
            text = "STAMPA A Italy, Turkey\npace?\nFINE STAMPA"
            fetch(desk, reply(desk, "France", text))
            (answer,) = _mails_to(desk, ANNA)

            assert "Turchia. Italia: gioca un bot, non la leggerà nessuno." in answer
