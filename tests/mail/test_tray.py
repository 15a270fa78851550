"""The tray: what players say to the game master, the letters that tell it, and the answers."""

import json
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path
from unittest.mock import Mock

import pytest
from yaml import safe_load

from alexmagnum.errors import GameError
from alexmagnum.game.create import export_game
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.mail_store import ASIDE, TAKEN, InboxStore, LetterKey, Occasion, find_automatic
from alexmagnum.game.records import Passage
from alexmagnum.game.settings import SETTINGS
from alexmagnum.mail.composition import Letter
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import read_requests
from alexmagnum.mail.parsing.passages import Words, find_parts, is_urgent
from alexmagnum.mail.transport import NotSent
from alexmagnum.mail.tray import answer_passage, close_passages, find_writer
from alexmagnum.workflow import master
from alexmagnum.workflow.master import tell_what_was_said
from alexmagnum.workflow.publish import open_outbox, process_phase
from alexmagnum.workflow.situation import read_situation
from tests.commands import data_of, run_command
from tests.each import check_each
from tests.game.desks import Clock, open_desk
from tests.mail.mail_desk import ANNA, BRUNO, GAME, answers, fetch, mail, mail_desk, reply
from tests.mail.smtp_server import list_letters_to_master, parse_mail

CASES = safe_load(Path(__file__).with_name("tray.yaml").read_text(encoding="utf-8"))
GM = "master@example.net"


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Iterator[Desk]:
    settings = {"gm_address": GM, "pictures": "no", "lang": "en"}
    with mail_desk(tmp_path / "game", settings=settings, now=clock) as desk:
        yield desk


def _say(desk: Desk, text: str, power: str = "France", **fields: str) -> int:
    """Let a player answer a mail of the game; return the number of the mail."""
    name = f"<{len(InboxStore(desk.file).find_all())}@x>"
    (message,) = fetch(desk, reply(desk, power, text, Message_ID=name, **fields))
    return message.id


def _passages(desk: Desk, *, closed: bool = False) -> tuple[Passage, ...]:
    return InboxStore(desk.file).find_passages(closed=closed)


def _said(desk: Desk) -> list[tuple[int, list[str]]]:
    """Return the number of each mail in the tray with the words in it."""
    return [(one.message, [text for _, text in one.parts]) for one in _passages(desk)]


@pytest.mark.parametrize("title", CASES)
def test_what_a_mail_says_to_the_game_master(title: str, tmp_path: Path) -> None:
    settings = {name: setting.default for name, setting in SETTINGS.items()}
    with mail_desk(tmp_path / "game") as desk:
        position = desk.position
        names = [
            "Anna Neri",
            *(p.name(lang) for p in desk.base.powers.values() for lang in ["it", "en"]),
        ]

    def check(text: str, wanted: str) -> None:
        asked = read_requests(text, position.board)
        read = read_mail(position, "France", asked.orders_text, settings, writers=["Anna Neri"])
        press = [piece.text for piece in asked.press if piece.to_master]
        parts = list(
            find_parts(asked, read.lines, press, (), Words.of(names, position, ["France"]))
        )
        said = "; ".join(f"{kind}: {text}" * (kind != "text") or text for kind, text in parts)
        found = "! " * any(is_urgent(part.text) for part in parts) + said
        assert found == wanted, found

    check_each(CASES[title], check)


def test_no_order_is_in_the_tray_however_it_is_written(desk: Desk) -> None:
    """Neither as a question, nor in prose, nor under a heading, nor in a resignation."""
    frames = ("{}", "{}?", "Mi ritiro, ma {}", "Posso fare {}?", "Urgent! {}", "{}, va bene?")
    for order in ("A PAR - BUR", "armata da Parigi in Borgogna", "Paris moves to Burgundy"):
        for frame in frames:
            _say(desk, f"{frame.format(order)}\nF BRE - MAO")
    told = json.dumps([one.parts for one in _passages(desk)], ensure_ascii=False)
    assert [word for word in ("BUR", "Borgogna", "Burgundy", "MAO") if word in told] == []


def test_a_mail_is_taken_and_answered_and_its_words_wait_once(desk: Desk) -> None:
    number = _say(desk, "A PAR - BUR\nPosso avere una proroga?")
    _say(desk, "A PAR - BUR\nPosso avere una proroga?")
    receipt = " ".join(answers(desk)[0][1].split())
    assert _said(desk) == [(number, ["Posso avere una proroga?"])]
    assert "Lo leggerà l'arbitro: «Posso avere una proroga?»" in receipt
    assert "Una domanda all'arbitro: scrivila e basta, o usa STAMPA ALL'ARBITRO." in receipt
    assert InboxStore(desk.file).find(number).state == TAKEN


def test_press_to_the_game_master_needs_no_press_and_no_end(desk: Desk) -> None:
    """But where orders stand below it without its end, nobody gets them."""
    desk.set("press", "off")
    first = _say(desk, "STAMPA ALL'ARBITRO\nChi gioca?")
    for orders in ("A PAR - BUR", "A PAR BUR", "Vado a Monaco", "Costruzioni:\nA PAR"):
        _say(desk, f"STAMPA ALL'ARBITRO\nEcco:\n{orders}")
    assert _said(desk) == [(first, ["Chi gioca?"])]
    assert "la sua fine manca" in answers(desk)[-1][1] or "manca" in answers(desk)[-1][1]


def test_a_document_that_cannot_be_read_is_named(desk: Desk) -> None:
    message = parse_mail(reply(desk, "Italy", "A VEN - TYR", Message_ID="<doc@x>"))
    for name in ("orders.pdf", "A Ven - Tri.pdf"):
        message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename=name)
    (row,) = fetch(desk, message.as_bytes())
    assert list(map(list, _passages(desk)[0].parts)) == [["file", "orders.pdf"], ["file", "[…]"]]
    assert row.state == TAKEN


def test_automatic_replies_are_told_with_their_words_once(desk: Desk) -> None:
    away = {"Auto_Submitted": "auto-replied", "Subject": "Fuori sede"}
    first = _say(desk, "Sono in ferie fino al 7 gennaio.", **away)
    _say(desk, "Sono in ferie fino al 7 gennaio.", **away)
    assert InboxStore(desk.file).find(first).state == ASIDE
    more = _say(desk, "Sono assente fino al 7 gennaio.", **away)
    last = _say(desk, "Sono assente fino al 7 gennaio. F BRE - MAO", **away)
    said = [(first, ["Sono in ferie fino al 7 gennaio."]), (last, ["[…]"])]
    assert _said(desk) == [said[0], (more, ["Sono assente fino al 7 gennaio."]), said[1]]
    assert [kind for kind, _ in _passages(desk)[0].parts] == ["automatic"]


def test_a_new_mail_of_a_player_is_read_whoever_owns_the_mailbox(desk: Desk) -> None:
    for number, (gm_address, said) in enumerate((("", "Posso venire?"), (GAME, "Come prima!"))):
        desk.set("gm_address", gm_address)
        (message,) = fetch(desk, mail(said, Message_ID=f"<{number}@x>"))
        assert message.state == ASIDE
        assert (message.id, [said]) in _said(desk)


# -- the letters to the game master ----------------------------------------------------------------


def test_letters_go_at_once_and_then_once_an_hour_urgent_ones_first(
    desk: Desk, clock: Clock
) -> None:
    _say(desk, "Quando riprende la partita?\nA PAR - BUR")
    _say(desk, "I resign.\nA VEN - TYR", "Italy")
    tell_what_was_said(desk)
    first, second = list_letters_to_master(desk)

    assert [parseaddr(str(one["Reply-To"]))[1] for one in (first, second)] == [BRUNO, ANNA]
    assert str(first["Subject"]) == "[AM-prova] Urgent: for you, from Italy (Bruno Bianchi)"
    assert "  I resign." in first.get_content()
    assert "alexmagnum inbox reply 2" in first.get_content()
    assert "BUR" not in second.get_content()

    _say(desk, "Una cosa ancora: che giorno è?")
    _say(desk, "Altra domanda: sei vivo?")
    tell_what_was_said(desk)
    clock.pass_by(minutes=59)
    tell_what_was_said(desk)
    assert len(list_letters_to_master(desk)) == 2
    clock.pass_by(minutes=1)
    tell_what_was_said(desk)
    tell_what_was_said(desk)
    text = list_letters_to_master(desk)[2].get_content()
    assert "che giorno è?" in text
    assert "sei vivo?" in text
    clock.pass_by(days=-99)  # it was ahead
    _say(desk, "E adesso?")
    tell_what_was_said(desk)
    assert len(list_letters_to_master(desk)) == 4


def test_refused_words_go_as_a_mark(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    carry = Mock(side_effect=[NotSent("mail-refused", why="spam"), NotSent("mail-later", why="")])
    monkeypatch.setattr(master, "choose_carrier", lambda _: Mock(carry=carry))
    _say(desk, "I resign, buy gold.")
    with pytest.raises(NotSent, match="mail-later"):
        tell_what_was_said(desk)
    assert [b"gold" in call.args[1] for call in carry.call_args_list] == [True, False]


@pytest.mark.parametrize("name", ["gm_address", "gm_letters"])
def test_no_letter_goes_if_the_settings_want_none(name: str, desk: Desk) -> None:
    desk.set(name, "no" if name == "gm_letters" else "")
    _say(desk, "I resign.")
    tell_what_was_said(desk)
    assert list_letters_to_master(desk) == []


# -- answers ---------------------------------------------------------------------------------------


def _answer_letter(desk: Desk, text: str, sender: str = GM, **more: str) -> list[str]:
    """Answer the last letter to the game master from a mail program; return what the mail did."""
    letter = list_letters_to_master(desk)[-1]
    quoted = "\n".join(f"> {line}" for line in letter.get_content().splitlines())
    fields = {"Subject": f"Re: {letter['Subject']}", "Message_ID": f"<{hash(text)}@gm>", **more}
    raw = mail(f"{text}\n\n{quoted}", sender, parseaddr(str(letter["Reply-To"]))[1], **fields)
    (message,) = fetch(desk, raw)
    return [message.state, *(why.code for why in message.why)]


def test_in_an_anonymous_game_an_answer_goes_through_the_game(desk: Desk) -> None:
    desk.set("names", "hidden")
    _say(desk, "Posso avere una proroga?")
    tell_what_was_said(desk)
    (letter,) = list_letters_to_master(desk)
    assert ANNA not in letter.as_string()
    address = parseaddr(str(letter["Reply-To"]))[1]
    assert address.startswith("game+prova-")

    said = f"Due giorni, va bene.\nIl tuo arbitro, {GM}\nRe: {address}"
    assert _answer_letter(desk, said) == [ASIDE, "aside-answer"]
    box = Outbox(desk)
    sent = box.list_letters()[-1]
    text = box.message(sent.id).as_string()
    assert (sent.occasion, sent.power, sent.answers) == (Occasion.LETTER, "France", 1)
    assert "Due giorni, va bene." in text
    assert "Re: game+prova-********@" in text
    assert (GM in text, ">" in box.text(sent), _passages(desk)) == (False, False, ())
    assert find_automatic(box, desk.settings) == (sent.id,)


def test_nobody_else_can_answer_through_the_game(desk: Desk) -> None:
    desk.set("names", "hidden")
    _say(desk, "Posso avere una proroga?")
    tell_what_was_said(desk)
    assert "aside-answer" not in _answer_letter(desk, "Ecco la mia risposta.", "eve@example.com")
    assert "aside-answer" not in _answer_letter(desk, "A VEN - TYR", BRUNO)
    forged = {"Authentication_Results": "mx; spf=fail; dmarc=fail"}
    assert _answer_letter(desk, "No.", **forged) == ["waiting", "waits-forged"]
    assert [
        letter for letter in Outbox(desk).list_letters() if letter.occasion == Occasion.LETTER
    ] == []


def test_an_answer_to_somebody_who_has_left_is_not_passed_on(desk: Desk, clock: Clock) -> None:
    desk.set("names", "hidden")
    number = _say(desk, "Posso avere una proroga?")
    tell_what_was_said(desk)
    clock.pass_by(hours=2)
    desk.replace_player(Player("France", "Zeno", "zeno@example.com"))
    assert _answer_letter(desk, "Sì.") == ["waiting", "waits-answer"]
    with pytest.raises(GameError, match="tray-former"):
        answer_passage(Outbox(desk), number, "Sì.")
    told = run_command("inbox", "list", "--tray", "--lang", "en", cwd=desk.folder).out
    assert ("the former player of France" in told, "Zeno" in told) == (True, False)


def test_who_took_over_while_the_clock_was_ahead_is_no_former_player(
    desk: Desk, clock: Clock
) -> None:
    """The phase was resolved without their orders (a sixteenth attack)."""
    clock.pass_by(hours=30)
    desk.replace_player(Player("France", "Zeno", "zeno@example.com"))
    clock.pass_by(hours=-29)
    (orders,) = fetch(desk, reply(desk, "France", "A PAR - BUR\nUna proroga?", sender="z@work.com"))
    assert [one.id for one in read_situation(desk).mails] == [orders.id]
    assert [one.power for one in _passages(desk) if find_writer(desk, one)] == ["France"]


def test_what_is_done_is_done_and_kept_by_an_export(desk: Desk, tmp_path: Path) -> None:
    first, second = _say(desk, "Prima domanda?"), _say(desk, "Seconda domanda?")
    close_passages(desk, [first])
    export_game(desk.file, tmp_path / "export.json")
    with Desk.import_game(tmp_path / "export.json", tmp_path / "again") as again:
        kept = _passages(again, closed=True)
        assert [(one.message, bool(one.done)) for one in kept] == [(second, False), (first, True)]
        assert kept == _passages(desk, closed=True)
    assert [finding.code for finding in desk.verify()] == []
    with pytest.raises(GameError, match="tray-nothing"):
        close_passages(desk, [99])


def test_a_restored_copy_gets_the_words_from_the_mails_again(desk: Desk) -> None:
    folder = desk.folder
    desk.process("1901-spring", allow_missing=True)
    _say(desk, "Mi ritiro.", Subject="Re: [AM-prova]")
    desk.close()
    run_command("restore", "1", cwd=folder)
    with open_desk(folder) as restored:
        fetch(restored)
        states = [message.state for message in InboxStore(restored.file).find_all()]
        assert _said(restored) == [(1, ["Mi ritiro."])] or states == ["waiting"]


def test_the_commands_show_answer_and_put_away(desk: Desk) -> None:
    folder = desk.folder
    first = _say(desk, "A PAR - BUR\nQuando riprende la partita?")
    second = _say(desk, "I resign.", "Italy")
    desk.close()
    said = run_command("status", cwd=folder).out
    assert said.index("I resign.") < said.index("Quando riprende la partita?")
    assert "urgent: Italy (Bruno Bianchi)" in said
    assert "BUR" not in said
    assert [one["message"] for one in data_of("status", cwd=folder)["tray"]] == [second, first]
    (line,) = data_of("games", str(folder.parent), cwd=folder)
    assert (line["tray"], line["urgent"]) == (2, 1)
    assert "for you: 2" in run_command("games", str(folder.parent), cwd=folder).out

    run_command("inbox", "done", str(first), cwd=folder)
    run_command("inbox", "reply", str(second), "--text", "What a pity!", cwd=folder)
    assert data_of("inbox", "list", "--tray", cwd=folder) == []
    closed = data_of("inbox", "list", "--tray", "--all", cwd=folder)
    assert {one["message"] for one in closed} == {first, second}
    assert "For you:" not in run_command("status", cwd=folder).out
    assert "From the game master" in run_command("outbox", "list", "--all", cwd=folder).out


@pytest.mark.parametrize(
    ("subject", "text", "said"),
    [
        ("I resign from the game, sorry", "A PAR - BUR", "I resign from the game, sorry"),
        ("SOS: May I have two more days?", "", "SOS: May I have two more days?"),
        ("FYI - I am away till Friday", "", "FYI - I am away till Friday"),
        ("Re: {letter} - I am ill, sorry", "> old", "I am ill, sorry"),
        ("Moves for France, Spring 1901", "A PAR - BUR", ""),
        ("Re: {letter}", "A PAR - BUR", ""),
        ("Re: our treaty with Germany", "A PAR - BUR", ""),
        ("DRAW and A PAR - BUR", "", ""),
        ("Draw and more time, please", "A MAR - SPA", "[…] and more time, please"),
        ("A Par - Bur ok?", "", "[…]?"),
        ("Travelling from Rome to London, back on Monday", "", "[…]"),
        ("prova: Primavera 1901, movimenti", "A MAR - SPA", ""),  # of an order sheet
    ],
)
def test_words_in_the_subject_reach_the_game_master(
    desk: Desk, subject: str, text: str, said: str
) -> None:
    box, key = Outbox(desk), LetterKey(Occasion.LETTER, "France", opened=1)
    letter = box.find(box.draft(key, Letter("Report", "Dear Anna\n")))
    _say(desk, text, Subject=subject.format(letter=box.subject(letter)))
    assert [words for _, words in _said(desk)] == [[said]] * bool(said)


def test_words_that_only_look_like_an_order_reach_the_game_master(desk: Desk) -> None:
    said = "Last season I should have won. Ask A Neri - she knows me - please."
    _say(desk, "A PAR - BUR\nA MAR S A PAR - BUR\nF BRE H")
    _say(desk, "I hope that A Par - Bur works! Good idea of Dora.")
    assert [words for _, words in _said(desk)] == [["[…]\nGood idea of Dora."]]
    close_passages(desk, [one.message for one in _passages(desk)])
    _say(desk, f"{said}\nA Xxx to Yyy\nA hug to all")
    assert [words for _, words in _said(desk)] == [[f"{said}\n[…]\nA hug to all"]]


def test_words_between_the_lines_of_an_unmarked_quotation_are_told_back(desk: Desk) -> None:
    _say(desk, "A VEN - TYR", "Italy")
    quoted = Outbox(desk).text(Outbox(desk).list_letters()[-1])
    line = next(line for line in quoted.split("\n") if line.startswith("Without an order"))
    asked = "Could I have two more days?\nMy father is ill."
    head = "_" * 32 + "\nFrom: prova\nSent: Friday, November 20, 2026 12:00 PM\nSubject: x\n\n"
    below = quoted.replace(line, f"{line}\n{asked}\n")
    for _ in range(2):
        _say(desk, f"See below.\n\n{head}{below}", "Italy")
        told = " ".join(answers(desk)[-1][1].split())
        assert "What you wrote between the lines of the mail that you quote" in told
        assert "“Could I have two more days? / My father is ill.”" in told
    _say(desk, asked, "Italy")
    assert asked in str(_passages(desk)[-1].parts[0][1])


def test_a_file_of_a_letter_that_comes_back_is_no_mail_of_the_player(desk: Desk) -> None:
    _say(desk, "A PAR - PIC\nA MAR H\nF BRE H")
    process_phase(desk, "1901-spring", allow_missing=True)
    box = open_outbox(desk)
    number = next(one.id for one in box.list_letters() if one.kind == "report")
    (appendix,) = (p for p in box.message(number).iter_attachments() if "appendix" in str(p))
    message = parse_mail(reply(desk, "France", "F BRE - ENG\n", Message_ID="<back@x>"))
    message.add_attachment(appendix.get_content(), filename=appendix.get_filename())
    fetch(desk, message.as_bytes())
    assert list(map(str, desk.pending(reason="test")["France"])) == ["F BRE - ENG"]
