"""Reading a mail: from its bytes to what a person wrote, asked for, and told others.

The corpus shows whole messages; the other tests show one claim each, many of them by the texts in
``reading.yaml``.
"""

import email
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.game.people import LEFT_OUT
from alexmagnum.mail import parsing
from alexmagnum.mail.answers import _NOTES_FOR_WRITERS
from alexmagnum.mail.parsing import commands, mime
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.own_text import find_quotation, find_signature_lines
from alexmagnum.mail.parsing.passages import Words
from alexmagnum.notation.names import province_names
from alexmagnum.notation.words import lexicon
from alexmagnum.orders import Move
from tests.case_library import read_yaml
from tests.each import cells, check_each, check_results
from tests.mail.clients import TOP, Letter
from tests.mail.corpus_reader import CODES, CORPUS, EXPECTED, FOLDER, outcome, position
from tests.mail.dovecot import Dovecot
from tests.mail.game_by_mail import PEOPLE, WHO, MailboxGame, Played, answer
from tests.mail.mime import message, multi, text
from tests.mail.people import GAME, TOL
from tests.mail.smtp_server import run_smtp_server

WORDS = mime.load_vocabulary()
CASES = read_yaml(Path(__file__).with_name("reading.yaml"))
ALEX, STANDARD = load_board("alexmagnum"), load_board("standard")

# -- the corpus ------------------------------------------------------------------------------------

_LISTS = ("orders", "unread", "commands", "press", "bounced")
DEFAULTS: dict[str, Any] = {"kind": "person", **{name: [] for name in _LISTS}}
"""What is so for every message whose entry does not say otherwise."""


def test_the_corpus_is_large_and_every_message_has_an_entry() -> None:
    machines = [name for name, entry in EXPECTED.items() if entry.get("kind", "person") != "person"]
    assert {path.stem for path in FOLDER.glob("*.eml")} == EXPECTED.keys()
    assert len(EXPECTED) >= 120
    assert len(machines) >= 12


def test_every_message_comes_to_what_was_meant() -> None:
    def check(name: str) -> None:
        wanted = {**DEFAULTS, **EXPECTED[name]}
        if "text" in wanted:
            wanted["text"] = " ".join(wanted["text"].split())
        found = outcome(CORPUS[name], EXPECTED[name])
        checked = found.keys() & wanted.keys()
        assert {key: found[key] for key in checked} == {key: wanted[key] for key in checked}

    check_each([(name,) for name in EXPECTED], check)


BOTH_NEEDED = set(
    cells("""
plain-empty|plain-stub|plain-tells-not-what-is-quoted|plain-tells-not-what-is-struck-out
""")
)
"""Messages whose plain text or page alone says something else, on purpose."""


def test_the_plain_text_and_the_page_alone_come_to_the_same() -> None:
    """Read each alone, so that neither depends on the other."""

    def check(name: str) -> None:
        head = CORPUS[name].partition(b"MIME-Version")[0]
        for part in email.message_from_bytes(CORPUS[name]).walk():
            if part.get_content_type() in ("text/plain", "text/html"):
                raw = head + b"MIME-Version: 1.0\r\n" + part.as_bytes()
                assert outcome(raw, EXPECTED[name])["orders"] == EXPECTED[name]["orders"]

    kinds = {name: email.message_from_bytes(raw).get_content_type() for name, raw in CORPUS.items()}
    both = [name for name, kind in kinds.items() if kind == "multipart/alternative"]
    check_each([(name,) for name in both if name not in BOTH_NEEDED], check)


# -- characters and fields -------------------------------------------------------------------------


def test_bytes_are_read_whatever_is_declared() -> None:
    cases = [
        (b"A MEN \x96 TEB", "iso-8859-1", ("A MEN – TEB", "")),
        (b"A MEN \x96 TEB", "us-ascii", ("A MEN – TEB", "")),
        ("però".encode(), "utf-8", ("però", "")),
        ("però".encode(), "iso-8859-1", ("però", "utf-8")),
        (b"per\xf2", "utf-8", ("però", "windows-1252")),
        (b"per\xf2", "no-such-charset", ("però", "windows-1252")),
        (b"per\xf2", "", ("però", "windows-1252")),
        (b"plain", "no-such-charset", ("plain", "us-ascii")),
        (b"plain", "", ("plain", "")),
        (b"+AOg-", "utf-7", ("è", "")),
        (b"nyrk", "rot13", ("nyrk", "us-ascii")),
        (b"\x81\x8d", "iso-8859-1", ("\ufffd\ufffd", "")),
    ]
    check_results(mime.decode, cases)


def test_a_long_field_is_cut_and_its_bytes_are_read() -> None:
    assert mime.decode_field("per\udcf2") == "però"
    assert len(mime.to_one_line("x" * 10_000)) == 300


# -- the writer's own lines ------------------------------------------------------------------------


def own(said: str) -> str:
    """Return the writer's own lines of a plain text, without signatures, joined by bars."""
    lines = mime.split_lines(said)
    found = find_quotation(lines, WORDS).own
    rows = zip(lines, found, find_signature_lines(lines, found, WORDS), strict=True)
    return "|".join(line.text for line, keep, sign in rows if keep and not sign and line.text)


def test_what_says_when_and_who_stands_above_a_quotation_whatever_its_language() -> None:
    heads = [f"A MEN H\n\n{head}\n\nA ISR - DAM" for head in CASES["heads"]]
    check_results(own, [(head, "A MEN H") for head in heads])
    said = [f"{line}\nA ISR - DAM" for line in CASES["no heads"]]
    check_results(own, [(line, line.replace("\n", "|")) for line in said])


def test_the_rest_of_a_quoted_line_that_was_broken_is_no_answer() -> None:
    """Expect a quotation: it is unmarked, between two marked lines, one of which was full."""
    long = "> Gli ordini presi dal tuo messaggio sono A ISR - DAM, F TIR - FEN e"
    found = find_quotation(mime.split_lines(f"{long}\nF FOC H\n> e basta\nA MEN H"), WORDS)
    assert found.own == [False, False, False, True]
    assert found.wrapped_ends == "F FOC H"
    assert own("> Ordini?\nF FOC H\n> e poi?\nA MEN H") == "F FOC H|A MEN H"


CLAIMS: dict[str, Callable[..., object]] = {
    "a field is one line that steers nothing": mime.decode_field,
    "addresses are told apart before names are decoded": lambda said: list(
        mime.find_addresses([said])
    ),
    "characters are made plain": mime.clean_text,
    "flowed lines go on within one depth of quotation and never into a signature": (
        lambda said, delsp: mime.unflow(said, delsp=delsp)
    ),
    "what is quoted is not the writer's own": own,
    "a signature is not among the writer's own lines": own,
    "a page is read as lines": (
        lambda source: [line.text for line in read_page(source, WORDS).lines if line.text]
    ),
    "how deep the lines of a page are quoted": (
        lambda source: [line.depth for line in read_page(source, WORDS).lines if line.text]
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_each_text_comes_to_what_is_meant(claim: str) -> None:
    check_results(CLAIMS[claim], CASES[claim])


# -- messages --------------------------------------------------------------------------------------

FIELDS = [("From", "Bruno <b@example.org>"), ("Date", "Fri, 20 Nov 2026 18:12:13 +0100")]


def test_the_same_mail_without_an_id_has_the_same_key() -> None:
    """From two folders it comes with other fields of transport, and other line ends."""
    first = message([*FIELDS, ("X-Folder", "a")], text("A MEN H\n\nciao"))
    second = message([("Received", "x"), *FIELDS], text("A MEN H\n\nciao", encoding="base64"))
    third = message(FIELDS, text("A MEN - TEB\n\nciao"))
    second = second.replace(b"\r\n", b"\n").replace(b": base64", b": base64;")
    keys = [read_message(raw).key for raw in (first, second, third)]
    assert keys[0] == keys[1] != keys[2]
    assert keys[0].startswith("digest:")


def test_who_wrote_to_whom_and_when() -> None:
    fields = [
        ("From", "=?utf-8?Q?Andr=C3=A9?= <A@Example.org>"),
        ("Reply-To", "Other <other@example.org>"),
        ("To", "GM <gm+am-k7@example.net>, b@example.org"),
        ("Cc", "c@example.org"),
        ("X-Original-To", "gm+am-k7@example.net"),
        ("Message-ID", " <1@example.org> "),
        ("In-Reply-To", "<0@example.net>"),
        ("References", "<r@example.net> <0@example.net>"),
        ("Date", "Fri, 20 Nov 2026 18:12:13 +0100"),
    ]
    incoming = read_message(message(fields, text("x")))

    assert (incoming.name, incoming.senders) == ("André", ("a@example.org",))
    assert incoming.reply_to == "other@example.org"
    assert incoming.to == ("gm+am-k7@example.net", "b@example.org", "c@example.org")
    assert incoming.key == incoming.message_id == "<1@example.org>"
    assert incoming.references == ("<r@example.net>", "<0@example.net>")
    assert incoming.date == datetime(2026, 11, 20, 17, 12, 13, tzinfo=UTC)


def test_tags_and_capitals_do_not_matter_in_an_address() -> None:
    raw = message([("From", "GM <Perdicca+X@Example.net>")], text("x"))
    assert mime.remove_tag("gm+am-k7@example.net") == "gm@example.net"
    assert mime.find_addresses(["gm+am-k7@example.net"]) == ("gm+am-k7@example.net",)
    assert read_message(raw, own=(GAME.upper(),)).kind == "own-person"
    assert mime.find_addresses(["A@X.org, maß@x.org"]) == ("a@x.org", "maß@x.org")
    assert read_message(raw).kind == "person"


@pytest.mark.parametrize(
    ("phase", "said", "others"),
    [
        ("spring", "we go to teb now|Sto fermo qui e aspetto|Keep my units put", "Why is Teb red?"),
        ("retreats", "Sbando|torno in aria|back to car|aria", "Con calma, grazie"),
        ("winter", "Due a Men|passo una costruzione|men, teb|Men e Teb", "I am ill"),
        ("retreats", "Siw|tiro|in tiro|sciolgo|OTB please", "Mando tutto tra poco"),
        ("spring", "sposto men a teb|attacco tiro|hold all|tutti in hold", "Get well, it moves on"),
    ],
)
def test_what_may_be_an_order_in_a_phase_is_kept_from_the_game_master(
    phase: str, said: str, others: str
) -> None:
    words = Words.of((), position(phase), ["TOL"])
    assert [one for one in said.split("|") if words.show(one) != LEFT_OUT] == []
    assert words.show(others) == others


def test_in_winter_a_place_behind_a_letter_for_a_unit_is_a_build() -> None:
    words = Words.of((), position("winter"), ["TOL"])
    assert words.is_courtesy("Ciao, ecco le costruzioni")
    assert words.show("A new general, in G!") == "A new general, in G!"
    said = ("Let it be A Men!", "With b a men", "My build is A-Men", "I want F.Men", "An A in Men")
    assert {*map(words.show, said)} == {"[…]"}


def test_orders_in_what_was_taken_out_can_be_told() -> None:
    """``>`` is a sign for a move too: perhaps it was no quotation."""
    said = read_message(message(Letter(TOL, 1, TOP).fields(), text("> A MEN - ALE")))
    assert commands.find_orders(said.removed, position("spring"), "TOL") == (Move("A MEN", "ALE"),)


def test_what_the_page_alone_shows_can_be_told() -> None:
    """The plain text was cut."""
    page = text("<p>A MEN - ALE<p>F TIR - FEN<p>G ALE - MAM", "html")
    body = multi("alternative", text("A MEN - ALE\n[...]"), page, boundary="b")
    said = read_message(message(Letter(TOL, 1, TOP).fields(), body))
    assert (said.text, said.unsent) == ("A MEN - ALE\n[...]", "F TIR - FEN\nG ALE - MAM")


def test_every_sentence_on_a_mail_is_that_of_a_note() -> None:
    folder = Path(parsing.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    assert {code for code in CODES if f'"{code}"' not in sources} == set()
    assert _NOTES_FOR_WRITERS < CODES


# -- commands --------------------------------------------------------------------------------------


def requests_in(said: str) -> commands.Requests:
    return commands.read_requests(said, ALEX)


def test_a_line_with_a_command_is_one() -> None:
    def check(line: str, kind: str, argument: str) -> None:
        (command,) = requests_in(line).commands
        assert (command.kind, command.argument, command.line) == (kind, argument, line)

    check_each(CASES["commands"], check)


def test_a_sentence_is_no_command() -> None:
    lines = cells("""
Mi mandi la mappa?|Attendi una risposta|Pronto a tutto, come sempre
Assenza di notizie da 3 giorni|Aiuto, Lisimaco mi attacca|Che storia!|Clear as mud
History repeats itself|Draw me a map|I concede nothing|A MEN - TEB|Stampa la mappa|Press on!
press to win the day|Aiuto: Lisimaco mi attacca|The press to Ptolemy was fun|La stampa dice:
Presso Tolomeo:|SPARTA|ORDINI TOLOMEO PRIMAVERA 318
""")
    check_results(requests_in, [(line, commands.Requests(line)) for line in lines])


def test_a_heading_is_no_command() -> None:
    """``Ordini`` stands above orders in half of all letters."""
    assert not requests_in("Ordini\nA MEN - TEB").commands
    assert not requests_in("Ordini:\nA MEN - TEB").commands
    assert requests_in("ORDINI").commands
    assert requests_in("Ordini?\nA MEN - TEB").commands


def test_lines_stay_where_they_stood() -> None:
    """The numbers of lines are those of the letter."""
    said = "STATO\nA MEN - TEB\nSTAMPA A TOL\nciao\nFINE STAMPA\nA TEB H"
    assert requests_in(said).orders_text.split("\n") == ["", "A MEN - TEB", "", "", "", "A TEB H"]


def test_no_phrase_is_two_commands_and_none_is_a_place() -> None:
    """Over all languages, which mix freely; a centre alone on a line is a pick."""
    kinds = [
        (phrase, kind) for kind in WORDS.keys("commands") for phrase in WORDS.get("commands", kind)
    ]
    assert len({phrase for phrase, _ in kinds}) == len(set(kinds))
    for board in (ALEX, STANDARD):
        places = {" ".join(spelt) for spelt in province_names(board, lexicon()).names}
        assert not places & {phrase for phrase, _ in kinds}


@pytest.mark.parametrize("board", [ALEX, STANDARD], ids=lambda board: board.id)
def test_no_place_is_taken_for_a_misspelt_command(board: Board) -> None:
    """Read picks, where a centre may stand alone on a line."""
    names = (name for province in board.provinces.values() for name in province.names.values())
    assert not [name for name in names if commands.read_requests(name.upper(), board).commands]


def test_a_further_language_is_a_file(tmp_path: Path) -> None:
    """Sections that it has not stay as they are in the others."""
    path = tmp_path / "es.toml"
    path.write_text('lang = "es"\n[commands]\nstatus = ["Situación"]\n', encoding="utf-8")
    clients = resources.files("alexmagnum.mail.parsing").joinpath("clients.toml")
    spanish = mime.Vocabulary.load([*mime.find_word_tables(), path], clients)
    assert commands.read_requests("situacion", ALEX, spanish).commands[0].kind == "status"
    assert commands.read_requests("stato", ALEX, spanish).commands[0].kind == "status"
    assert mime.fold_phrase("Situación") == "situacion"


def test_lines_of_the_game_master_are_read() -> None:
    def check(line: str, wanted: str) -> None:
        (one, *_) = commands.read_master_commands(line)
        found = " ".join(f"{one.kind} {one.argument}".split()) if one.kind != "unread" else "unread"
        assert found + (f" / {one.reason}" if one.reason else "") == wanted

    check_each(CASES["lines of the game master"], check)


# -- press -----------------------------------------------------------------------------------------


def _press(heading: str, end: str = "ENDPRESS") -> commands.PressPiece:
    (piece,) = requests_in(f"{heading}\nciao\n{end}").press
    return piece


def test_readers_are_named_in_any_language() -> None:
    def check(heading: str, *readers: str) -> None:
        piece = _press(heading)
        assert (piece.readers, piece.to_all, piece.to_master) == (readers, False, False)
        assert (piece.text, piece.anonymous) == ("ciao", False)
        assert (piece.unknown, piece.closed) == ((), True)

    check_each(CASES["readers of press"], check)


def test_the_italian_article_is_not_everybody() -> None:
    """Check that a letter to the arbiter never goes to all because an apostrophe is missing."""

    def check(heading: str, everybody: bool, master: bool) -> None:
        piece = _press(heading)
        assert (piece.to_all, piece.to_master, piece.readers) == (everybody, master, ())

    check_each(CASES["everybody"], check)


def test_press_may_be_anonymous() -> None:
    def check(heading: str) -> None:
        piece = _press(heading)
        assert (piece.readers, piece.anonymous) == (("TOL",), True)

    headings = cells("""
STAMPA ANONIMA A TOL|STAMPA A TOL ANONIMA|Stampa grigia a Tolomeo|ANONYMOUS PRESS TO TOL
anonima stampa a TOL|GREY PRESS TO Ptolemy:
""")
    check_each([(heading,) for heading in headings], check)


def test_a_name_is_never_taken_letter_by_letter_and_an_unknown_reader_is_told() -> None:
    """``PRESS TO Turkey`` is to Turkey where there is one, and to nobody elsewhere."""
    (here,) = commands.read_requests("PRESS TO Turkey, FRA, I\nhi\nENDPRESS", STANDARD).press
    elsewhere, among_others = _press("PRESS TO Turkey"), _press("STAMPA A TOL, Pippo")
    assert here.readers == ("Turkey", "France", "Italy")  # "fra" and "i" are words as well
    doubt, vote = commands.read_requests("DRAW FRA ENG\nPATTA TRA FRA & ENG E I", STANDARD).commands
    assert (doubt.unknown, vote.argument) == (("fra",), "France England Italy")
    assert commands.find_votes_in_subject("Orders (draw) & clear", STANDARD) == ("draw", "clear")
    assert (elsewhere.readers, elsewhere.unknown) == ((), ("turkey",))
    assert (among_others.readers, among_others.unknown) == (("TOL",), ("pippo",))


def test_a_word_that_leaves_a_doubt_of_who_is_meant_is_told() -> None:
    def check(heading: str, *unknown: str) -> None:
        asked = commands.read_requests(f"{heading}\nciao\nENDPRESS", STANDARD)
        doubts = [piece.unknown for piece in asked.press] or [asked.commands[0].unknown]
        assert doubts == [unknown]

    check_each(CASES["readers in doubt"], check)
    france = replace(STANDARD.powers["France"], aliases=("All",))
    board = replace(STANDARD, powers={**STANDARD.powers, "France": france})
    (piece,) = commands.read_requests("PRESS TO ALL\nciao\nENDPRESS", board).press
    assert piece.unknown == ("all",)  # nobody knows who is meant


def test_press_without_an_end_swallows_no_order_silently() -> None:
    """It goes on to the end, which is said; the next press ends it too, or leaves a doubt."""
    first, second = requests_in("STAMPA A TOL\nA MEN - TEB\nSTAMPA A SEL\nciao").press
    assert (first.text, first.closed) == ("A MEN - TEB", False)
    assert (second.text, second.closed) == ("ciao", False)

    def check(line: str, inner: str) -> None:
        (piece,) = requests_in(f"STAMPA A TOL\nA MEN - TEB\n{line}\nciao\nFINE STAMPA").press
        assert (piece.closed, piece.inner) == (True, inner)

    check_each(CASES["press in press"], check)


def test_an_end_may_be_misspelt() -> None:
    """Otherwise the orders below would go to the other players."""

    def check(end: str) -> None:
        requests = requests_in(f"STAMPA A TOL\nciao\n{end}\nA MEN - TEB")
        assert requests.press[0].closed
        assert requests.orders_text.strip() == "A MEN - TEB"

    ends = cells("""
FINE STAMPA|fine stampa.|FINESTAMPA|ENDPRESS|end press
FINE STANPA|FNE STAMPA|-- Fine della stampa --
""")
    check_each([(end,) for end in ends], check)


def test_what_press_says_is_kept_as_it_stands() -> None:
    said = "STAMPA A TOL: ciao,\n\n  come va?\nSTATO\nA MEN - TEB\n\nFINE STAMPA"
    (piece,) = requests_in(said).press
    assert piece.text == "ciao,\n\n  come va?\nSTATO\nA MEN - TEB"


# Mails that are no plain list of orders, on real servers: sentences, tables, escapes, nothing.


TABLE = (
    "<p>Dear all,</p><table><tr><th>Order</th><th>Centre</th></tr>"
    "<tr><td><p>Pick</p></td><td><p>Babylon</p></td></tr></table>"
)
PRESS = "STAMPA A PTO, ANTIGONUS\nA SAR per tutti? Scelgo Tebe.\nFINE STAMPA\n"
FORWARDED = (
    "---------- Forwarded message ---------\nFrom: Sven <sven@example.org>\n"
    "Date: Fri, 20 Nov 2026\nSubject: Re: peace\nTo: Anand <a@example.org>\n\nPick TAX\n"
)


def _answer(game: Played, power: str, text: str, page: str = "", **fields: str) -> bytes:
    """Return an answer to the last mail of a power's player."""
    who = WHO[power]
    return answer(game.last(power), f"{who.name} <{who.address}>", text, page, **fields)


def _last_text(game: Played, power: str) -> str:
    """Return the text of the last mail to a power's player, on one line."""
    body = game.last(power).get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


@pytest.mark.proof
def test_nothing_that_a_player_writes_is_dropped_in_silence(
    imap_server: Dovecot, tmp_path: Path
) -> None:
    with run_smtp_server() as post:
        game = Played(MailboxGame(tmp_path / "perdicca", imap_server, post))
        box = game.mailbox
        box.create(PEOPLE)
        box.run("outbox", "remind", "--all")
        box.run("outbox", "send")
        game.arrive(
            _answer(game, "SEL", "Dear all,\n\nOrder\n\nCentre\n\nPick\n\nBabylon\n", TABLE),
            _answer(game, "TOL", "Ciao! A Tebe ci penso da ieri. Bruno"),
            _answer(game, "LIS", "\x1b[1;32mPick SAR\x1b[0m\n", Reply_To="sven@work.example.net"),
            _answer(game, "AUT", ""),
            _answer(game, "CAS", PRESS),
            _answer(game, "CAN", FORWARDED),
        )
        box.run("inbox", "fetch")
        box.run("outbox", "send")
        waiting = box.run("inbox", "list")
        with box.desk() as desk:
            orders = desk.pending(reason="a test")
            receipts = {power: desk.receipt(power) for power in WHO}

    assert {power: texts for power, texts in orders.items() if texts} == {
        "SEL": ("Pick BAB",),
        "LIS": ("Pick SAR",),
    }
    assert [power for power, receipt in receipts.items() if receipt is None] == [
        "TOL",
        "AUT",
        "CAS",
        "CAN",
    ]
    assert "«A Tebe ci penso da ieri.» — se è un ordine" in _last_text(game, "TOL")
    assert "Sceglie TEB" in _last_text(game, "TOL")
    assert "è vuota" in waiting
    assert "contiene solo una mail inoltrata" in waiting
    assert "niente da leggere: è vuota" in _last_text(game, "AUT")
    assert "nothing to read: there is nothing in it but a forwarded mail" in _last_text(game, "CAN")
    assert "Stampa" in str(game.last("CAS")["Subject"]) or "STAMPA" in _last_text(game, "CAS")
    readers = {address for mail in post.taken for address in mail.rcpt_tos}
    assert readers == {person.address for person in PEOPLE} - {GAME}
