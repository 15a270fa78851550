"""What each request brings about, and that an answer tells its reader's own affairs alone."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board.model import list_examples
from alexmagnum.game import Desk
from alexmagnum.game.mail_sections import EVERYTHING, FreshStart, read_fresh_start
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.parsing.commands import STRAY_END, UNREADABLE, read_requests
from tests.board.test_examples import find_names_of_alex_magnum
from tests.game.desks import Clock
from tests.mail.mail_desk import BRUNO, answers, fetch, mail, mail_desk, reply
from tests.sizes import drawn


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with mail_desk(tmp_path / "game", now=Clock()) as opened:
        yield opened


def _answer(desk: Desk, text: str, power: str = "France") -> str:
    """Return the answer to a mail as one line, because its line breaks do not matter."""
    number = len(answers(desk))
    raw = reply(desk, power, text, Message_ID=f"<{number}.{power}@example.org>")
    (message,) = fetch(desk, raw)
    assert message.state == "taken", message.why
    return " ".join(answers(desk)[-1][1].split())


# -- orders ----------------------------------------------------------------------------------------


def test_an_answer_has_every_order_in_canonical_form_and_in_words(desk: Desk) -> None:
    text = _answer(desk, "Caro arbitro,\narmata Parigi va in Borgogna\nciao")

    assert "A PAR - BUR" in text
    assert "armata (Parigi): muove; destinazione: Borgogna" in text
    assert "scritto così: «armata Parigi va in Borgogna»" in text


def test_it_is_in_the_players_language(desk: Desk) -> None:
    assert "army (Rome): holds" in _answer(desk, "A ROM tiene", "Italy")


def test_one_bad_line_never_blocks_the_rest(desk: Desk) -> None:
    """What cannot be read is named with what may be meant, what cannot be with the reason."""
    text = _answer(desk, "A PAR - BUR\nA MAR va verso Atlantide\nF BRE - MUN\nF LON H")

    assert "A PAR - BUR" in text
    assert re.search(r"Non capito: - «A MAR va verso Atlantide» — .*Forse .*\?", text)
    assert re.search(r"Impossibile: - «F BRE - MUN» — ", text)
    assert "«F LON H»" in text


def test_what_is_legal_but_hardly_meant_is_pointed_out(desk: Desk) -> None:
    """The supported unit is ordered to do something else."""
    text = _answer(desk, "A PAR S A MAR - BUR\nA MAR H")

    assert "Legale, ma forse non è quello che volevi: - «A PAR S A MAR - BUR»" in text


def test_units_without_an_order_the_deadline_and_the_seal_are_told(desk: Desk) -> None:
    text = _answer(desk, "A PAR - BUR")
    receipt = desk.receipt("France")

    assert "Senza ordine: F BRE, A MAR" in text
    assert "venerdì 27 novembre 2026, ore 23:59 (Europe/Rome) = 22:59 UTC" in text
    assert receipt is not None
    assert receipt.digest in text


@pytest.mark.parametrize(("rule", "kept"), [("replace", False), ("merge", True)])
def test_a_later_mail_replaces_or_merges_and_the_answer_shows_it(
    desk: Desk, rule: str, kept: bool
) -> None:
    desk.set("second_mail", rule)
    _answer(desk, "A PAR - BUR\nA MAR H")
    text = _answer(desk, "A PAR - PIC")

    assert "A PAR - PIC armata (Parigi): muove; destinazione: Piccardia (nuovo)" in text
    assert ("A MAR H" in text.partition("Non più in vigore:")[0]) == kept
    lost = "Non più in vigore: - «A PAR - BUR»" + ("" if kept else " - «A MAR H»")
    assert lost in text
    assert ("Sostituisce tutto" in text) != kept
    assert ("Si aggiunge a quello che avevi" in text) == kept


@pytest.mark.parametrize(
    ("rule", "text"),
    [("merge", "Annulla tutto\nA PAR - BUR"), ("replace", "A PAR - BUR")],
)
def test_an_answer_says_that_a_mail_replaces_though_an_order_stays(
    desk: Desk, rule: str, text: str
) -> None:
    desk.set("second_mail", rule)
    _answer(desk, "A PAR - BUR\nA MAR H")
    answer = _answer(desk, text)

    assert "Sostituisce tutto" in answer
    assert "Si aggiunge" not in answer
    assert "Non più in vigore: - «A MAR H»" in answer


def test_of_two_orders_for_a_unit_the_answer_says_which_counts(desk: Desk) -> None:
    text = _answer(desk, "A PAR - BUR\nA PAR - PIC")

    assert "Non contato, perché al suo posto vale un'altra riga: - «A PAR - BUR»" in text


def test_a_mail_without_anything_in_it_is_answered_and_changes_nothing(desk: Desk) -> None:
    _answer(desk, "A PAR - BUR")
    text = _answer(desk, "Grazie, ci vediamo domenica!")

    assert "non ci sono ordini" in text
    assert "A PAR - BUR" in text
    assert desk.pending(reason="t")["France"] == ("A PAR - BUR",)
    receipt = desk.receipt("France")
    assert receipt is not None
    assert receipt.number == 1


PROSE_ORDERS = (
    "L'armata di Marsiglia muove verso la Borgogna\n"
    "La flotta di Brest muove verso il Medio Atlantico\n"
    "L'armata di Parigi appoggia l'armata di Marsiglia verso la Borgogna"
)


def test_orders_sent_again_in_the_same_words_count(desk: Desk) -> None:
    """The sample game, spring 321: the receipt repeats them, and the player sends all again."""
    _answer(desk, PROSE_ORDERS)
    _answer(desk, "A MAR H")
    text = _answer(desk, f"Ecco di nuovo tutto:\n\n{PROSE_ORDERS}")

    assert "A PAR S A MAR - BUR" in text
    assert len(desk.pending(reason="t")["France"]) == 3


@pytest.mark.parametrize("mark", ["", "  ", "| "])
def test_a_receipt_quoted_without_a_mark_does_not_count(desk: Desk, mark: str) -> None:
    """Ignore even the orders in the receipt that are as the player wrote them."""
    _answer(desk, PROSE_ORDERS)
    sent = answers(desk)[-1][1]
    _answer(desk, "ANNULLA")
    quoted = "\n".join(mark + line for line in sent.splitlines())
    _answer(desk, f"Ci penso ancora.\n\n{quoted}")

    assert desk.pending(reason="t").get("France", ()) == ()


def test_orders_only_in_the_quotation_do_not_count(desk: Desk) -> None:
    text = _answer(desk, "Il giorno 19/11 Anna ha scritto:\n> A PAR - BUR\n> A MAR H\n")

    assert "non ci sono ordini" in text
    assert "A PAR - BUR, A MAR H" in text.partition("ordini, che non contano")[2]
    assert desk.receipt("France") is None


def test_orders_below_a_signature_do_not_count_and_are_named(desk: Desk) -> None:
    text = _answer(desk, "Ciao\n-- \nAnna\n\nA PAR - BUR")

    assert "che non contano: A PAR - BUR" in text
    assert desk.receipt("France") is None


def test_a_mail_with_orders_of_its_own_means_no_others(desk: Desk) -> None:
    text = _answer(desk, "A PAR - BUR\n\nIl giorno 19/11 Anna ha scritto:\n> A MAR H\n")

    assert "non contano" not in text


def test_a_quotation_of_the_orders_that_count_is_not_remarked_upon(desk: Desk) -> None:
    _answer(desk, "A PAR - BUR\nA MAR H")
    text = _answer(desk, "Grazie!\n\nIl giorno 19/11 Anna ha scritto:\n> A PAR - BUR\n> A MAR H\n")

    assert "non contano" not in text


def test_the_game_master_hears_of_what_may_be_meant_for_him(desk: Desk) -> None:
    """Point it out: the game master looks at no accepted mail without a reason."""
    raws = [
        reply(desk, "France", "Possiamo avere una proroga?", Message_ID="<q@x>"),
        reply(desk, "France", "STAMPA ALL'ARBITRO\nciao\nFINE STAMPA", Message_ID="<p@x>"),
        reply(desk, "France", "A PAR - BUR", Message_ID="<o@x>"),
    ]
    told = [[why.code for why in message.why] for message in fetch(desk, *raws)]

    assert told == [["taken-nothing"], ["taken-press"], []]


# -- commands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["STATO", "STATUS", "  status  ", "Stato."])
def test_status_tells_counts_alone(desk: Desk, text: str) -> None:
    desk.submit("Italy", "A ROM H\nA VEN H\nF NAP H")
    told = _answer(desk, text)

    assert "1901-spring" in told
    assert "Potenze con gli ordini completi: 1 su 7" in told
    assert "I tuoi ordini: 0 su 3" in told
    assert not re.search("Ital|ROM|Bruno", told)


def test_my_orders_are_those_that_count(desk: Desk) -> None:
    assert "non hai mandato ordini" in _answer(desk, "ORDINI")
    desk.submit("France", "A PAR - BUR\n\nCostruzioni:\nA PAR")
    text = _answer(desk, "I miei ordini?")

    assert "A PAR - BUR" in text
    assert "Build A PAR" in text
    assert "Senza ordine: F BRE, A MAR" in text


def test_my_orders_say_again_what_cannot_be_and_what_is_hardly_meant(desk: Desk) -> None:
    _answer(desk, "A PAR S A MAR - BUR\nA MAR H\nF BRE - MUN")
    text = _answer(desk, "ORDINI")

    assert "Impossibile: - «F BRE - MUN»" in text
    assert "Legale, ma forse non è quello che volevi: - «A PAR S A MAR - BUR»" in text


def test_a_status_without_a_deadline_says_what_there_is_none_of(desk: Desk) -> None:
    desk.set_deadline(None)
    assert "Scadenza: non fissata" in _answer(desk, "STATO")


def test_to_ask_for_ones_orders_is_no_opening_by_the_game_master(desk: Desk) -> None:
    _answer(desk, "A PAR - BUR")
    _answer(desk, "ORDINI")

    assert not [entry for entry in desk.history() if entry.action.startswith("open")]


def test_history_has_ones_own_past(desk: Desk) -> None:
    desk.submit("France", "A PAR - BUR")
    desk.submit("Italy", "A VEN - TYR")
    desk.process("1901-spring", allow_missing=True)
    text = _answer(desk, "STORIA")

    assert "A PAR - BUR: riesce" in text
    assert "VEN" not in text
    assert _answer(desk, "STORIA 1901").count("(1901-spring)") == 1
    assert "Nessuna fase risolta" in _answer(desk, "STORIA 1907")


@pytest.mark.parametrize("text", ["storia primavera 1901", "HISTORY 1901-spring"])
def test_a_phase_of_it_can_be_named(desk: Desk, text: str) -> None:
    desk.process("1901-spring", allow_missing=True)
    assert "(1901-spring)" in _answer(desk, text)


def test_the_map_comes_as_a_picture(desk: Desk) -> None:
    _answer(desk, "MAPPA")
    outbox = Inbox(desk).outbox
    (picture,) = outbox.message(outbox.list_letters()[-1].id).iter_attachments()

    assert picture.get_filename() == "map-1901-spring.png"
    assert picture.get_content().startswith(b"\x89PNG")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_the_help_lists_can_be_written(desk: Desk, lang: str) -> None:
    examples = list_examples(desk.board, "France")
    text = load_sentences(lang).format("answer-help-text", **examples)
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


def test_help_lists_what_can_be_asked(desk: Desk) -> None:
    assert "ASSENZA 24/12-6/1" in _answer(desk, "AIUTO")
    assert "ABSENCE 24/12-6/1" in _answer(desk, "help", "Italy")


def test_an_absence_is_noted(desk: Desk) -> None:
    text = _answer(desk, "ASSENZA 24/12-6/1")
    player = next(player for player in desk.players if player.power == "France")

    assert (player.absent_from, player.absent_until) == ("2026-12-24", "2027-01-06")
    assert "dal 24 dicembre 2026 al 6 gennaio 2027" in text
    assert "24 dicembre 2026" in _answer(desk, "ASSENZA")


def test_an_absence_is_taken_back(desk: Desk) -> None:
    _answer(desk, "ASSENZA 24/12-6/1")
    assert "annullata" in _answer(desk, "NIENTE ASSENZA")

    assert not next(player for player in desk.players if player.power == "France").absent_from


@pytest.mark.parametrize("line", ["ANNULLA A PAR", "STATO, ORDINI", "STAUTS", "PRONTO O QUASI"])
def test_what_looks_like_a_request_and_is_none_is_named(desk: Desk, line: str) -> None:
    text = _answer(desk, f"A PAR - BUR\n{line}")

    assert f"NON CAPITO «{line}»" in text
    assert "A PAR - BUR" in text


def test_an_end_of_press_that_nothing_began_is_named(desk: Desk) -> None:
    assert "nessuna riga ha aperto" in _answer(desk, "Lettera a Italia:\nciao\nFINE STAMPA")


def test_an_absence_that_cannot_be_is_refused_and_the_orders_stand(desk: Desk) -> None:
    text = _answer(desk, "A PAR - BUR\nASSENZA 99/99")

    assert "ASSENZA" in text
    assert "non è un'assenza" in text
    assert "A PAR - BUR" in text


@pytest.mark.parametrize(("text", "pace"), [("ATTENDI", "wait"), ("ready", "ready")])
def test_wait_and_ready_are_seen_by_the_game_master(desk: Desk, text: str, pace: str) -> None:
    _answer(desk, text)
    assert {p.power: p.pace for p in desk.status().powers if p.pace} == {"France": pace}


def test_votes_are_counted_and_can_be_taken_back(desk: Desk) -> None:
    _answer(desk, "PATTA")
    _answer(desk, "DRAW\nCONCEDE TO Turkey", "Italy")
    assert desk.status().tally == {"draw": 2, "concede Turkey": 1}
    _answer(desk, "NIENTE PATTA")
    assert desk.status().tally == {"draw": 1, "concede Turkey": 1}


def test_to_concede_wants_one_power(desk: Desk) -> None:
    assert "indica una sola potenza" in _answer(desk, "CONCEDO")
    assert desk.status().tally == {}


def test_clear_withdraws_ones_orders(desk: Desk) -> None:
    _answer(desk, "A PAR - BUR")
    text = _answer(desk, "ANNULLA")

    assert "ritirati" in text
    assert desk.pending(reason="t")["France"] == ()
    assert "Senza ordine: F BRE, A MAR, A PAR" in text


def test_orders_in_the_same_mail_count_wherever_it_stands(desk: Desk) -> None:
    desk.set("second_mail", "merge")
    _answer(desk, "A PAR - BUR")
    _answer(desk, "A MAR H\nCLEAR")

    assert desk.pending(reason="t")["France"] == ("A MAR H",)


def test_the_same_request_is_answered_once(desk: Desk) -> None:
    assert _answer(desk, "STATO\nSTATUS\nstato").count("Fase aperta") == 1


# -- nothing of the others -------------------------------------------------------------------------

SECRETS = ("VEN", "TYR", "NAP", "ION")
ASKED = (
    "STATO",
    "ORDINI",
    "STORIA",
    "STORIA 1901",
    "AIUTO",
    "ASSENZA 24/12-6/1",
    "ATTENDI",
    "PATTA",
    "ANNULLA",
    "STAMPA A Italy\nciao\nFINE STAMPA",
    "A PAR - BUR",
    "A MAR ?",
)
SENDERS = ("eve@example.net", BRUNO, "anna@example.org, eve@example.net", "Anna anna@example.org")


@drawn(10, 80)
@given(st.lists(st.sampled_from(ASKED), min_size=1, max_size=6))
def test_no_answer_holds_what_is_anothers(asked: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, mail_desk(Path(folder)) as desk:
        desk.submit("Italy", "A VEN - TYR\nF NAP - ION\n\nCostruzioni:\nF NAP")
        desk.vote("Italy", "draw")
        fetch(desk, reply(desk, "France", "\n".join(asked)))
        for _, text in answers(desk):
            assert not re.search(rf"\b({'|'.join(SECRETS)})\b", text)
            assert "bruno@" not in text


@drawn(10, 80)
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
            registered = {p.power: p.address for p in desk.players}
            assert mailing.address == registered[mailing.power]
        for _, text in answers(desk):
            assert not re.search(r"MAO|BRE|1901|Potenze|Scadenza", text)


@pytest.mark.parametrize("power", ["France", "Italy"])
def test_no_answer_names_what_only_another_map_has(desk: Desk, power: str) -> None:
    """Everything that can be asked is asked, the wrong way as well; Italian first, then English."""
    lines = "HELP;HISTORY 1899;CONCEDE;ENDPRESS;STATUS;RULES;ABSENCE;ORDERS;PRESS TO;x;ENDPRESS"

    for text in (lines.replace(";", "\n"), "hello there"):
        assert find_names_of_alex_magnum(_answer(desk, text, power)) == set()
