"""Bots in a game by mail: what they get, what people hear of them, and how a player comes back."""

from __future__ import annotations

import json
from pathlib import Path

from alexmagnum.game import Desk
from alexmagnum.game.game import RETURN, Player
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.inbox import format_why
from alexmagnum.mail.notices import draft_reminders
from alexmagnum.report.context import GM, gather_past_phase
from alexmagnum.report.formats import format_report
from alexmagnum.workflow.changes import play_by_bot, replace_player, set_player, withdraw_bot
from alexmagnum.workflow.letters import open_outbox
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
        play_by_bot(desk, "Italy", "dumb")
        done = process_phase(desk, SPRING, allow_missing=True, sends=False)
        reminded = draft_reminders(open_outbox(desk), "2026-11-26")

        assert _mails_to(desk, BRUNO) == []
        assert _mails_to(desk, ANNA, "report")
        assert done.published.letters.unaddressed == ["Turkey"]  # a person without an address
        assert reminded.unaddressed == ["Turkey"]
        assert done.published.receipts == ()


def test_a_bot_gets_no_order_sheet(tmp_path: Path) -> None:
    with mail_desk(tmp_path) as desk:
        play_by_bot(desk, "Italy", "dumb")
        play_by_bot(desk, "France", "dumb", stand_in=RETURN)
        names = {path.name.partition(".")[0] for path in write_sheets(Materials(desk))}

        assert "Italy" not in names
        assert {"France", "Turkey"} <= names


def test_a_mail_that_waits_for_a_player_is_withdrawn_when_a_bot_takes_over(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        assert _mails_to(desk, BRUNO, "report")
        play_by_bot(desk, "Italy", "dumb")

        assert _mails_to(desk, BRUNO) == []


def test_drafts_to_the_others_say_that_a_bot_came_and_went(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        changed = play_by_bot(desk, "Italy", "dumb", stand_in=RETURN)
        assert len(changed.letters.renewed) == len({ANNA, BRUNO})
        assert "per ora un bot (dumb)" in _mails_to(desk, ANNA, "report")[0]

        desk.submit("Italy", "A Ven H")
        assert "per ora un bot" not in _mails_to(desk, ANNA, "report")[0]

        play_by_bot(desk, "Italy", "dumb")
        assert "Italia un bot (dumb)" in _mails_to(desk, ANNA, "report")[0]
        set_player(desk, Player("France", "Chiara"))
        assert "Francia Chiara" in _mails_to(desk, ANNA, "report")[0]


def test_a_draft_that_the_game_master_has_edited_stays_when_a_bot_comes(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        box = open_outbox(desk)
        (draft,) = [one for one in box.list_letters(("draft",)) if one.address == ANNA]
        box.path(draft).write_bytes(box.raw(draft).replace(b"Ciao", b"Salve"))
        play_by_bot(desk, "Italy", "dumb")

        assert _mails_to(desk, ANNA)[0].startswith("Salve")


def test_the_report_of_a_player_who_left_and_came_back_says_who_plays_now(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        play_by_bot(desk, "Italy", "dumb")
        withdraw_bot(desk, "Italy")
        play_by_bot(desk, "France", "dumb")

        (report,) = _mails_to(desk, BRUNO, "report")
        assert "a bot (dumb)" in report


def test_reports_say_that_a_bot_played_and_which_one(tmp_path: Path) -> None:
    with _desk(tmp_path) as desk:
        play_by_bot(desk, "Italy", "dumb")
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        process_phase(desk, AUTUMN, allow_missing=True, sends=False)
        withdraw_bot(desk, "Italy")

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
        play_by_bot(desk, "Italy", "dumb")
        process_phase(desk, SPRING, allow_missing=True, sends=False)
        write_site(desk, tmp_path / "site", None, load_sentences("it"))

    page = (tmp_path / "site" / "powers" / "Italy.html").read_text(encoding="utf-8")
    assert "un bot (dumb)" in page
    assert "un bot (dumb)" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_where_names_are_hidden_reports_say_only_that_a_bot_plays(tmp_path: Path) -> None:
    with _desk(tmp_path, names="hidden") as desk:
        play_by_bot(desk, "Italy", "dumb")
        play_by_bot(desk, "Turkey", "random", stand_in=RETURN)
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
        play_by_bot(desk, "Italy", "dumb")
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
        play_by_bot(desk, "Italy", "dumb", stand_in=RETURN)
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
        play_by_bot(desk, "Italy", "dumb")
        withdraw_bot(desk, "Italy")
        receipt = desk.receipt("Italy")
        (welcome,) = _mails_to(desk, BRUNO, "welcome")

        assert receipt is not None
        assert "given by a bot (dumb) before you came: " + "; ".join(receipt.orders) in welcome


def test_a_mail_of_somebody_whose_power_a_bot_plays_waits_and_says_the_way_back(
    tmp_path: Path,
) -> None:
    with _desk(tmp_path) as desk:
        play_by_bot(desk, "Italy", "dumb")
        (waiting,) = fetch(desk, mail("A VEN - TYR", BRUNO))
        (why, *_) = waiting.why
        said = format_why(why, desk, load_sentences("en"))

        assert (waiting.state, why.code) == ("waiting", "waits-before-bot")
        assert "alexmagnum player replace Italy --back" in said
        receipt = desk.receipt("Italy")
        assert receipt is not None
        assert receipt.bot == "dumb"


def test_a_mail_of_somebody_who_played_before_the_last_person_says_the_way_back(
    tmp_path: Path,
) -> None:
    with _desk(tmp_path) as desk:
        replace_player(desk, Player("Italy", "Carla", "carla@example.org"))
        play_by_bot(desk, "Italy", "dumb")
        (waiting,) = fetch(desk, mail("A VEN - TYR", BRUNO))
        said = format_why(waiting.why[0], desk, load_sentences("en"))

        assert f'alexmagnum player replace Italy "Bruno Bianchi <{BRUNO}>"' in said


def test_whoever_writes_to_a_bot_is_told_that_nobody_reads_it(tmp_path: Path) -> None:
    for press in ("held", "relay"):
        with _desk(tmp_path / press, press=press) as desk:
            play_by_bot(desk, "Italy", "dumb")
            text = "STAMPA A Italy, Turkey\npace?\nFINE STAMPA"
            fetch(desk, reply(desk, "France", text))
            (answer,) = _mails_to(desk, ANNA)

            assert "Turchia. Italia: gioca un bot, non la leggerà nessuno." in answer
