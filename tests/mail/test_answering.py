"""What each mail of a player brings about, and that an answer tells its reader's own affairs alone.

Orders, requests, the house rules, and press: held or relayed, never to anybody else, and never by
accident.
"""

import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.board.model import list_examples
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import Mailing, subject_tag
from alexmagnum.game.people import drop_press, read_press
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.answers import LONGEST
from alexmagnum.mail.composition import read_text
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import STRAY_END, UNREADABLE, read_requests
from alexmagnum.mail.sending import check_draft, send
from alexmagnum.notation import read_orders
from alexmagnum.notation.sections import EVERYTHING, FreshStart, read_fresh_start
from alexmagnum.orders import Pick
from alexmagnum.report.context import gather_past_phase
from alexmagnum.report.formats import format_report, format_report_in_all
from tests.board.test_maps import find_names_of_alex_magnum
from tests.case_library import read_yaml
from tests.commands import run_command
from tests.each import check_each
from tests.game.desks import dump, new_desk
from tests.mail.mail_desk import BRUNO, answers, composing_outbox, fetch, mail, mail_desk, reply
from tests.mail.mime import quoted
from tests.sizes import drawn

SPRING = "1901-spring"


def _answer(desk: Desk, text: str, power: str = "France") -> str:
    """Return the answer to a mail as one line, because its line breaks do not matter."""
    raw = reply(desk, power, text, Message_ID=f"<{len(answers(desk))}.{power}@example.org>")
    (message,) = fetch(desk, raw)
    assert message.state == "taken", message.why
    told = next(said for kind, said in reversed(answers(desk)) if kind == "receipt")
    return " ".join(told.split())


def _orders(desk: Desk, power: str = "France") -> tuple[str, ...]:
    return desk.pending(reason="t").get(power, ())


# -- orders and requests ---------------------------------------------------------------------------

CONVERSATIONS: dict[str, list[dict[str, Any]]] = read_yaml(
    Path(__file__).with_name("answering.yaml")
)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_each_mail_is_answered_as_it_should_be(desk: Desk, name: str) -> None:
    """No mail is an opening of orders by the game master."""
    for step in CONVERSATIONS[name]:
        for setting, value in step.get("set", {}).items():
            desk.set(setting, value)
        for entered, orders in step.get("enters", {}).items():
            desk.submit(entered, orders)
        power = step.get("from", "France")
        told, receipt = _answer(desk, step["mail"], power), desk.receipt(power)
        for text in step.get("says", ()):
            assert text in told
        for text in step.get("silent", ()):
            assert text not in told
        for pattern in step.get("matches", ()):
            assert re.search(pattern, told)
        if "orders" in step:
            assert (receipt and list(receipt.orders)) == step["orders"]
        assert not step.get("sealed") or (receipt and receipt.digest in told)
        assert desk.status().tally == step.get("tally", desk.status().tally)
    assert not [entry for entry in desk.history() if entry.action.startswith("open")]


def test_status_tells_that_there_is_no_deadline(desk: Desk) -> None:
    desk.set_deadline(None)
    assert "Scadenza: non fissata" in _answer(desk, "STATO")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Grazie, ci vediamo domenica!", "non ci sono ordini"),
        # A sentence that may be an order is answered with what to write.
        (
            "Ciao! Direi che Marsiglia vada in Spagna. Anna",
            "«Direi che Marsiglia vada in Spagna.» — se è un ordine",
        ),
        # Press is delivered, and its words are no orders.
        ("STAMPA A ITALY\nA MAR - SPA? Oppure A PAR H.\nFINE STAMPA\n\nA presto\nAnna", ""),
        ("Ciao!\n\nPRESS TO ITALY\nA MAR - SPA? Oppure A PAR H.\nFINE STAMPA\n", ""),
    ],
)
def test_a_mail_without_orders_is_answered_and_changes_nothing(
    desk: Desk, text: str, said: str
) -> None:
    """It is no mail with orders: what was sent before stays, and no receipt is counted."""
    _answer(desk, "A PAR - BUR")
    told = _answer(desk, text)
    receipt = desk.receipt("France")
    assert said in told
    assert ("A PAR - BUR" in told) == bool(said)
    assert ("Nessun ordine" in told, "A MAR - SPA" in told) == (False, "Direi" in said)
    assert receipt is not None
    assert (receipt.number, receipt.orders) == (1, ("A PAR - BUR",))


PROSE_ORDERS = (
    "L'armata di Marsiglia muove verso la Borgogna\n"
    "La flotta di Brest muove verso il Medio Atlantico\n"
    "L'armata di Parigi appoggia l'armata di Marsiglia verso la Borgogna"
)


@pytest.mark.parametrize("mark", ["", "  ", "| "])
def test_a_receipt_quoted_without_a_mark_does_not_count(desk: Desk, mark: str) -> None:
    """Ignore even the orders in the receipt that are as the player wrote them."""
    _answer(desk, PROSE_ORDERS)
    quoted = "\n".join(mark + line for line in answers(desk)[-1][1].splitlines())
    _answer(desk, "ANNULLA")
    _answer(desk, f"Ci penso ancora.\n\n{quoted}")
    assert _orders(desk) == ()
    _answer(desk, f"A PAR - PIC\n\n{quoted}")
    assert _orders(desk) == ("A PAR - PIC",)


def test_an_order_repeated_above_an_unmarked_receipt_counts_and_its_answer_says_so(
    desk: Desk,
) -> None:
    _answer(desk, "A PAR - BUR\nF BRE - MAO")
    told = _answer(desk, f"Tutti gli ordini:\na par - bur\n\n{answers(desk)[-1][1]}")
    assert _orders(desk) == ("A PAR - BUR",)
    assert "sono state lette come tue: a par - bur" in told


def test_the_answer_lists_quoted_orders_unless_a_letter_of_the_game_has_them(desk: Desk) -> None:
    _answer(desk, "A MAR - BUR")
    sent = quoted(answers(desk)[-1][1])
    told = _answer(desk, f"F BRE - MAO\n\n> A PAR - PIC\n> F BRE - ENG\n\n{sent}")
    assert _orders(desk) == ("A MAR - BUR", "F BRE - MAO")
    assert "contiene ordini o voti, che non contano: A PAR - PIC. Se" in told


@pytest.mark.parametrize(
    ("subject", "text", "counting", "shown"),
    [
        ("a par - bur; f bre - mao", "", ("A PAR - BUR", "F BRE - MAO"), False),
        ("Re: a par - bur", "", ("A PAR - BUR",), False),
        ("a par - bur", "F BRE - MAO", ("A PAR - BUR", "F BRE - MAO"), False),
        # It may be the subject of an older mail.
        ("Re: a par - bur", "F BRE - MAO", ("F BRE - MAO",), True),
        ("R: a par - bur", "Ciao, Anna", (), True),
        ("Re: [AM-prova] i miei A PAR - BUR", "F BRE - MAO", ("F BRE - MAO",), True),
        ("A PAR - BUR", "A PAR - PIC", ("A PAR - PIC",), False),
    ],
)
def test_orders_in_the_subject_count_or_are_shown(
    desk: Desk, subject: str, text: str, counting: tuple[str, ...], shown: bool
) -> None:
    tag = subject_tag(desk, "France", str(desk.head().name))
    fetch(desk, reply(desk, "France", text, Subject=f"{subject} {tag}"))

    assert _orders(desk) == counting
    assert ("A PAR - BUR. Se" in " ".join(answers(desk)[-1][1].split())) == shown


def test_history_has_ones_own_past(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR")
    desk.submit("Italy", "A VEN - TYR")
    desk.process(SPRING, allow_missing=True)
    text = _answer(desk, "STORIA")
    assert "A PAR - BUR: riesce" in text
    assert "VEN" not in text
    assert "Nessuna fase risolta" in _answer(desk, "STORIA 1907")
    for request in ("STORIA 1901", "storia primavera 1901", "HISTORY 1901-spring"):
        assert _answer(desk, request).count("(1901-spring)") == 1


def test_the_map_comes_as_a_picture(desk: Desk) -> None:
    _answer(desk, "MAPPA")
    outbox = Inbox(desk).outbox
    (picture,) = outbox.message(outbox.list_letters()[-1].id).iter_attachments()
    assert picture.get_filename() == "map-1901-spring.png"
    assert picture.get_content().startswith(b"\x89PNG")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_the_help_lists_can_be_written(desk: Desk, lang: str) -> None:
    text = load_sentences(lang).format("answer-help-text", **list_examples(desk.board, "France"))
    listed = [
        re.split(r"  +| / ", line.strip())[0] for line in text.splitlines() if line[:2] == "  "
    ]
    (whole,) = (line for line in listed if line in ("ALL ORDERS", "TUTTI GLI ORDINI"))
    assert read_fresh_start(whole, desk.board) == FreshStart(EVERYTHING, cancels=False, rest="")
    asked = [
        read_requests(f"{line}\n", desk.board) for line in listed if line not in ("...", whole)
    ]

    assert len(asked) == 13
    kinds = [{command.kind for command in each.commands} for each in asked]
    assert kinds.pop() == {STRAY_END}
    assert not [each for each in kinds[:-1] if not each or each & {STRAY_END, UNREADABLE}]
    assert asked[-2].press


def test_an_absence_is_noted_and_taken_back(desk: Desk) -> None:
    def absence() -> tuple[str, str]:
        player = next(player for player in desk.players if player.power == "France")
        return player.absent_from, player.absent_until

    assert "dal 24 dicembre 2026 al 6 gennaio 2027" in _answer(desk, "ASSENZA 24/12-6/1")
    assert absence() == ("2026-12-24", "2027-01-06")
    assert "24 dicembre 2026" in _answer(desk, "ASSENZA")
    assert "annullata" in _answer(desk, "NIENTE ASSENZA")
    assert not absence()[0]


@pytest.mark.parametrize(("text", "pace"), [("ATTENDI", "wait"), ("ready", "ready")])
def test_wait_and_ready_are_seen_by_the_game_master(desk: Desk, text: str, pace: str) -> None:
    _answer(desk, text)
    assert {p.power: p.pace for p in desk.status().powers if p.pace} == {"France": pace}


# -- nothing of the others -------------------------------------------------------------------------

SECRETS = ("VEN", "TYR", "NAP", "ION")
_WORDS = "STATO|ORDINI|STORIA|STORIA 1901|AIUTO|ATTENDI|PATTA|ANNULLA|A PAR - BUR|A MAR ?"
ASKED = (*_WORDS.split("|"), "ASSENZA 24/12-6/1", "STAMPA A Italy\nciao\nFINE STAMPA")
SENDERS = ("eve@example.net", BRUNO, "anna@example.org, eve@example.net", "Anna anna@example.org")


@drawn(3, 80)
@given(st.lists(st.sampled_from(ASKED), min_size=1, max_size=6))
def test_no_answer_holds_what_is_anothers(asked: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, mail_desk(Path(folder)) as desk:
        desk.submit("Italy", "A VEN - TYR\nF NAP - ION\n\nCostruzioni:\nF NAP")
        desk.vote("Italy", "draw")
        fetch(desk, reply(desk, "France", "\n".join(asked)))
        for _, text in answers(desk):
            assert not re.search(rf"\b({'|'.join(SECRETS)})\b", text)
            assert "bruno@" not in text


@drawn(3, 80)
@given(st.sampled_from(SENDERS), st.lists(st.sampled_from(ASKED), min_size=1, max_size=6))
def test_who_is_not_sure_is_told_nothing_and_changes_nothing(sender: str, asked: list[str]) -> None:
    """Whatever is asked from whatever address: at most a note goes to the registered one."""
    with tempfile.TemporaryDirectory() as folder, mail_desk(Path(folder)) as desk:
        desk.submit("France", "F BRE - MAO")
        before = desk.status(), desk.players
        raws = [
            reply(desk, "France", "\n".join(asked), sender=sender),
            mail("\n".join(asked), sender=sender, Message_ID="<2@x>"),
        ]
        assert {message.state for message in fetch(desk, *raws)} == {"waiting"}
        assert (desk.status(), desk.players) == before
        for mailing in Inbox(desk).outbox.list_letters():
            assert mailing.kind == "note"
            assert mailing.address == {p.power: p.address for p in desk.players}[mailing.power]
        for _, text in answers(desk):
            assert not re.search(r"MAO|BRE|1901|Potenze|Scadenza", text)


@pytest.mark.parametrize("power", ["France", "Italy"])
def test_no_answer_names_what_only_another_map_has(desk: Desk, power: str) -> None:
    """Everything that can be asked is asked, the wrong way as well; Italian first, then English."""
    lines = "HELP;HISTORY 1899;CONCEDE;ENDPRESS;STATUS;RULES;ABSENCE;ORDERS;PRESS TO;x;ENDPRESS"

    for text in (lines.replace(";", "\n"), "hello there"):
        assert find_names_of_alex_magnum(_answer(desk, text, power)) == set()


# -- house rules -----------------------------------------------------------------------------------

RULE = {"en": "Of two orders for one unit", "it": "Di due ordini per la stessa unità"}


def _texts(box: Outbox, numbers: list[int]) -> dict[str, str]:
    """Return the text of some letters by power, each as one line."""
    texts = {box.find(n).power: read_text(box.message(n)) for n in numbers}
    return {power: " ".join(text.split()) for power, text in texts.items()}


@pytest.mark.proof
def test_the_first_letter_and_a_welcome_list_the_house_rules_and_reports_do_not(desk: Desk) -> None:
    box = composing_outbox(desk)
    opening = _texts(box, update_drafts(box, opening=True).drafted)
    desk.process(SPRING, allow_missing=True)
    report = _texts(box, update_drafts(box).drafted)
    desk.replace_player(Player("France", "Dora", "dora@example.org", "en"))
    welcome = _texts(box, update_drafts(box).drafted)
    assert RULE["it"] in opening["France"]
    assert RULE["en"] in opening["Italy"]
    assert RULE["en"] in welcome["France"]
    assert not [text for text in report.values() for rule in RULE.values() if rule in text]
    assert "scrivi REGOLE" in report["France"]
    assert "write RULES" in report["Italy"]


def test_without_mail_the_first_report_lists_the_house_rules_and_data_always_does(
    tmp_path: Path,
) -> None:
    with new_desk(tmp_path) as desk:
        desk.process(SPRING, allow_missing=True)
        second = str(desk.phase)
        desk.process(second, allow_missing=True)
        contexts = [gather_past_phase(desk, phase) for phase in (SPRING, second)]
    for lang, rule in RULE.items():
        first, later = (format_report_in_all(c, None, load_sentences(lang), None) for c in contexts)
        assert [form for form, text in first.items() if rule not in text] == []
        assert [form for form, text in later.items() if rule in text] == ["json"]


def test_a_player_who_asks_for_the_house_rules_gets_those_in_force(desk: Desk) -> None:
    desk.set("two_orders", "first")
    for power, asked, lang in (("France", "REGOLE", "it"), ("Italy", "house rules", "en")):
        text = _answer(desk, asked, power)
        assert load_sentences(lang).format("house-two-orders-first") in text
        assert "example.org" not in text


@pytest.mark.proof
@pytest.mark.parametrize("lang", RULE)
def test_the_first_letter_of_the_cyprus_year_shows_a_pick_that_can_be_sent_as_it_stands(
    tmp_path: Path, lang: str
) -> None:
    """Each power is shown a centre that it may pick: India alone, for Candragrupta."""
    board = load_board("alexmagnum")
    players = [Player(power, power, f"{power}@example.org", lang) for power in board.powers]
    settings = {"mail_address": "game@example.org"}
    with new_desk(tmp_path, "alexmagnum", players=players, settings=settings) as desk:
        box = composing_outbox(desk)
        letters = _texts(box, update_drafts(box, opening=True).drafted)
        position = desk.position

    assert letters.keys() == board.powers.keys()
    for power, text in letters.items():
        shown = text.partition("«" if lang == "it" else "“")[2]
        example = shown.partition("»" if lang == "it" else "”")[0]
        (pick,) = read_orders(example, position, power).orders[power]
        assert isinstance(pick, Pick)
        assert (power == "CAN") == (board.provinces[pick.centre].area == "india")


# -- press -----------------------------------------------------------------------------------------


def _press_receipt(desk: Desk, text: str) -> str:
    """Send a mail with press, and return what its receipt says of the press."""
    return _answer(desk, text).partition("STAMPA ")[2]


def _report(desk: Desk, recipient: str | None) -> str:
    return format_report(gather_past_phase(desk, SPRING), recipient, "text", load_sentences("it"))


def _relayed(desk: Desk) -> list[Mailing]:
    return [each for each in Inbox(desk).outbox.list_letters() if each.kind == "press"]


def test_press_is_held_for_the_report_of_its_readers(desk: Desk) -> None:
    """It is neither an order nor a command."""
    piece = "STAMPA A Italia\nAndiamo in Baviera.\nA PAR - PIC\nPATTA\nFINE STAMPA\nA PAR - BUR"
    told = _press_receipt(desk, piece)
    assert ("tenuta" in told, "ordini tuoi (A PAR - PIC)" in told) == (True, True)
    assert [mailing.kind for mailing in Inbox(desk).outbox.list_letters()] == ["receipt"]
    assert _orders(desk) == ("A PAR - BUR",)
    assert desk.status().tally == {}
    desk.process(SPRING, allow_missing=True)
    assert [piece.state for piece in read_press(desk)] == ["published"]
    readers = {r: "Baviera" in _report(desk, r) for r in ("France", "Italy", "Turkey", None)}
    assert readers == {"France": True, "Italy": True, "Turkey": False, None: False}
    # No report comes of the phase in which a game is ended, nor later.
    told = _press_receipt(desk, "STAMPA A Italia\nAddio\nFINE STAMPA")
    desk.end("draw")
    update_drafts(Inbox(desk).outbox)
    assert ("tenuta" in told, [letter.power for letter in _relayed(desk)]) == (True, ["Italy"])
    assert "— inoltrata" in _press_receipt(desk, "STAMPA A Italia\nCiao\nFINE STAMPA")


def test_press_beyond_what_one_mail_may_bring_is_counted_for_its_writer(desk: Desk) -> None:
    pieces = "\n".join(f"STAMPA A Italia\nCiao {n}\nFINE STAMPA" for n in range(22))
    told = " ".join(_press_receipt(desk, pieces).split())
    assert (len(read_press(desk)), "perché sono troppi: 2." in told) == (20, True)
    told = _answer(desk, "\n".join(f"STORIA {year}" for year in range(1801, 1824)))
    assert "perché sono troppi: 3." in " ".join(told.split())


def test_press_whose_phase_a_correction_does_away_with_is_passed_on(desk: Desk) -> None:
    _press_receipt(desk, "STAMPA A Italia\nciao\nFINE STAMPA")
    desk.process(SPRING, allow_missing=True)
    desk.file.update("press", 1, state="held")  # as if its phase had never been resolved
    update_drafts(Inbox(desk).outbox)
    assert [letter.power for letter in _relayed(desk)] == ["Italy"]


def test_press_stays_with_a_phase_resolved_anew_and_a_piece_can_be_kept_out(desk: Desk) -> None:
    _press_receipt(desk, "STAMPA A TUTTI\nCiao a tutti\nFINE STAMPA")
    _press_receipt(desk, "STAMPA A TUTTI\nInsulti\nFINE STAMPA")
    number = read_press(desk)[1].id
    assert drop_press(desk, number, "insults").text == "Insulti"
    with pytest.raises(GameError, match="no-press"):
        drop_press(desk, number, "")
    desk.process(SPRING, allow_missing=True)
    desk.undo()
    desk.process(SPRING, allow_missing=True)
    assert "Ciao a tutti" in _report(desk, None)
    assert "Insulti" not in _report(desk, None) + _report(desk, "gm")
    assert [row[7] for row in dump(desk.folder)["press"]] == ["published", "dropped"]


def test_press_of_a_phase_that_ends_the_game_waits_for_an_address(desk: Desk) -> None:
    """It was lost for a reader without one (an eleventh attack)."""
    _press_receipt(desk, "STAMPA A Italia, Turchia\nAndiamo in Baviera.\nFINE STAMPA")
    desk.end("abandon", (), "")
    for _ in range(2):
        update_drafts(Inbox(desk).outbox)
    assert [(one.power, piece.state) for one in _relayed(desk) for piece in read_press(desk)] == [
        ("Italy", "held")
    ]
    assert "Baviera" in run_command("inbox", "list", "--press", cwd=desk.folder).out
    desk.set_player("Turkey", address="carla@example.org")
    update_drafts(Inbox(desk).outbox)
    assert [one.power for one in _relayed(desk)] == ["Italy", "Turkey"]
    assert [piece.state for piece in read_press(desk)] == ["relayed"]


def test_press_is_relayed_at_once_where_the_table_wants_that(desk: Desk) -> None:
    """One letter to each reader who has an address; the writer hears who has none."""
    desk.set("press", "relay")
    told = _press_receipt(desk, "STAMPA A Italia, Turchia\nAndiamo in Baviera.\nFINE STAMPA")
    (letter,) = _relayed(desk)
    assert (letter.power, letter.address) == ("Italy", BRUNO)
    assert "France to Italy, Turkey:\n\n| Andiamo in Baviera." in Inbox(desk).outbox.text(letter)
    assert "Non inoltrata a Turchia" in told
    desk.set_player("Italy", address="bruno@new.example.com")
    update_drafts(Inbox(desk).outbox)
    (letter,) = _relayed(desk)
    assert str(Inbox(desk).outbox.message(letter.id)["To"]).endswith(f"<{letter.address}>")
    assert letter.address == "bruno@new.example.com"
    desk.replace_player(Player("Italy", "Yan", "yan@example.org"))  # may Yan read it?
    update_drafts(Inbox(desk).outbox)
    with pytest.raises(GameError, match="draft-address"):
        check_draft(Inbox(desk).outbox, *_relayed(desk))
    assert "l'arbitro" in _press_receipt(desk, "STAMPA ALL'ARBITRO\nSono in ritardo\nFINE STAMPA")
    desk.process(SPRING, allow_missing=True)
    assert "Baviera" not in _report(desk, "Italy")
    # The game master alone may be written to.
    assert "Sono in ritardo" in _report(desk, "gm")
    assert "Sono in ritardo" not in _report(desk, None) + _report(desk, "Italy")


@pytest.mark.proof
def test_where_it_is_not_sure_who_is_to_read_what_nobody_does(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(setting: str, text: str, why: str) -> None:
        desk.set("press", setting)
        told = _press_receipt(desk, text)
        assert "non accettata" in told or setting == "off"
        assert why in told
        assert read_press(desk) == ()
        assert {mailing.kind for mailing in Inbox(desk).outbox.list_letters()} == {"receipt"}

    cases = [
        ("STAMPA A Atlantide, Italia\nciao\nFINE STAMPA", "atlantide"),
        ("STAMPA A TUTTI\nciao\n\nA PAR - BUR", "manca la fine"),
        ("STAMPA ANONIMA A TUTTI\nciao\nFINE STAMPA", "è firmata"),
        ("STAMPA A TUTTI\n\nFINE STAMPA", "è vuota"),
        ("STAMPA A Italia\nciao\nPoi stampa a Carla\nciao\nFINE STAMPA", "l'inizio di un'altra"),
        ("STAMPA A TUTTI\n" + "lungo\n" * (LONGEST // 5) + "FINE STAMPA", "supera i"),
    ]
    check_each([(way, *case) for way in ("held", "relay") for case in cases], check)
    check("off", "STAMPA A TUTTI\nciao\nFINE STAMPA", "non c'è stampa")
    monkeypatch.setattr("alexmagnum.mail.answers.MOST_IN_PHASE", 3)
    check("held", "STAMPA A TUTTI\nciao\nFINE STAMPA", "più di 3 caratteri")


def test_who_writes_without_a_name_is_named_nowhere(desk: Desk) -> None:
    """Check signatures too."""
    desk.set("press_anonymous", "yes")
    names = "Anna|Anna Neri|— Anna Neri|France|Francia.|anna|Anna Neri (Francia)|-- \nAnna"
    for number, name in enumerate((*names.split("|"), "*Anna*\nFrancia")):
        _press_receipt(desk, f"STAMPA ANONIMA A TUTTI\nFantasma {number}.\n\n{name}\nFINE STAMPA")
        piece = read_press(desk)[-1]
        assert (piece.text, piece.manner) == (f"Fantasma {number}.", "anonymous"), name
    desk.set("press", "relay")
    _press_receipt(desk, "STAMPA ANONIMA A Italia\nUn fantasma.\n\nAnna\nFINE STAMPA")
    (letter,) = _relayed(desk)
    message = Inbox(desk).outbox.message(letter.id).as_string()
    assert "Somebody to Italy:" in message
    assert "anna" not in message.casefold()
    assert "France" not in message
    assert [one.mailing.kind for one in send(Inbox(desk).outbox)][-2:] == ["receipt", "press"]


def test_who_betrays_themselves_is_told_and_nobody_reads_it(desk: Desk) -> None:
    desk.set("press_anonymous", "yes")
    for text in ("Un fantasma.\n\nSaluti da Anna", "Neri vince\nsempre"):
        told = _press_receipt(desk, f"STAMPA ANONIMA A TUTTI\n{text}\nFINE STAMPA")
        assert "contiene il tuo nome" in told
    assert read_press(desk) == ()


@pytest.mark.parametrize("heading", ["STAMPA", "LETTERA DI STAMPA A Italia", "STANPA A Italia"])
def test_an_order_in_press_does_not_count_however_press_begins(desk: Desk, heading: str) -> None:
    _answer(desk, f"{heading}\nA PAR - PIC\nFINE STAMPA\nA PAR - BUR")
    assert _orders(desk) == ("A PAR - BUR",)
