"""A letter becomes a mail that every program reads the same, and that nobody can bend."""

import re
from codecs import BOM_UTF8
from dataclasses import fields, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail import composition
from alexmagnum.mail.composition import Attachment, compose, encode_mail, read_draft, write_draft
from alexmagnum.mail.parsing.commands import LOOP_HEADER
from alexmagnum.report.document import Code, PhaseReport, Prose, Section
from tests.each import check_each
from tests.mail.smtp_server import parse_mail
from tests.sizes import drawn, sized

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20

LETTER = composition.Letter(
    subject="[AM-g] Rapporto, Primavera 322 a.C. – perché no (TOL-7h2k9mqx)",
    text="Ciao Zoë,\n\nA MEN → TEB: è respinta\n.\n..due\nFrom you nothing.\n" + "lunga " * 300,
    html="<html><body><p>È respinta</p><img src='cid:map@alexmagnum'></body></html>",
    inline=(composition.Inline("map@alexmagnum", "image/png", PNG),),
    attachments=(
        Attachment("map.png", "image/png", PNG),
        Attachment("orders.html", "text/html", "<p>è\r\n</p>\n".encode()),
        Attachment("deadline.ics", "text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
    ),
    lang="it",
    to_name="Zoë Blanc",
    to="zoe@example.org",
    sender_name="Perdìcca",
    sender="game@example.net",
    reply_to="game+g-7h2k9mqx@example.net",
    message_id="<one@example.net>",
    in_reply_to="<two@example.net>",
    references=("<root@example.net>", "<two@example.net>"),
    date=datetime(2026, 11, 20, 13, tzinfo=ZoneInfo("Europe/Rome")),
)


def _encode_and_parse(letter: composition.Letter) -> EmailMessage:
    return parse_mail(encode_mail(compose(letter)))


def _shape(part: EmailMessage) -> object:
    """Return the types of the parts, nested."""
    if not part.is_multipart():
        return part.get_content_type()
    inner = [_shape(p) for p in part.iter_parts() if isinstance(p, EmailMessage)]
    return part.get_content_type(), inner


def test_the_parts_lie_where_mail_programs_look_for_them_as_they_were_put_in() -> None:
    page_shape = ("multipart/related", ["text/html", "image/png"])
    body = ("multipart/alternative", ["text/plain", page_shape])
    files = ["image/png", "text/html", "text/calendar"]
    plain = composition.Letter("Word", "Hello", to="a@b.org", sender="g@b.org")
    message = _encode_and_parse(LETTER)
    assert _shape(message) == ("multipart/mixed", [body, *files])
    assert _shape(_encode_and_parse(plain)) == "text/plain"
    page = message.get_body(("html",))
    assert composition.read_text(message).rstrip() == LETTER.text.rstrip()
    assert page is not None
    assert page.get_content().rstrip() == LETTER.html
    attached = {p.get_filename(): p.get_payload(decode=True) for p in message.iter_attachments()}
    assert attached == {name: data for name, _, data in LETTER.attachments}
    related = next(p for p in message.walk() if p.get_content_type() == "multipart/related")
    picture = list(related.iter_parts())[1]
    assert picture["Content-ID"] == "<map@alexmagnum>"
    assert picture.get_content() == PNG


def test_the_fields_tell_who_writes_to_whom_and_what_it_follows() -> None:
    message = _encode_and_parse(LETTER)
    assert str(message["To"]) == "Zoë Blanc <zoe@example.org>"
    assert str(message["From"]) == "Perdìcca <game@example.net>"
    assert message["Reply-To"].addresses[0].addr_spec == "game+g-7h2k9mqx@example.net"
    assert message["Subject"] == LETTER.subject
    assert message["References"] == "<root@example.net> <two@example.net>"
    assert message["In-Reply-To"] == "<two@example.net>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message[LOOP_HEADER] == "game@example.net"  # by which a copy of it is known
    assert str(message["Date"]) == "Fri, 20 Nov 2026 13:00:00 +0100"  # on the game's clocks
    utc = replace(LETTER, date=datetime(2026, 11, 20, 12, tzinfo=UTC))
    assert str(_encode_and_parse(utc)["Date"]).endswith("+0000")


def test_what_is_sent_is_ascii_in_lines_that_every_server_takes() -> None:
    data = encode_mail(compose(LETTER))
    assert data.isascii()
    assert max(map(len, data.split(b"\r\n"))) <= 998
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_bounds_and_names_depend_on_what_is_in_the_letter() -> None:
    """So no line of a text ends a part of another letter, and the same letter is the same mail."""
    assert encode_mail(compose(LETTER)) == encode_mail(compose(LETTER))
    first = compose(LETTER).get_boundary()
    assert compose(replace(LETTER, text=f"--{first}--\n")).get_boundary() != first
    salts = (b"salt", b"salt", b"pepper")
    names = [composition.make_message_id("report:1:TOL", salt, "example.net") for salt in salts]
    assert names[0] == names[1] != names[2]
    assert "TOL" not in names[0]  # a name tells nothing of its key


def test_odd_names_and_addresses_are_written_as_one_address_in_ascii() -> None:
    """Encoded, some programs read a comma in a name and take the rest for an address."""
    name = "Rossi, Mario <spy@example.org> è lungo " + "x" * 80
    (named,) = _encode_and_parse(replace(LETTER, to_name=name))["To"].addresses
    (accented,) = _encode_and_parse(replace(LETTER, to="anna@città.it"))["To"].addresses
    assert named.addr_spec == "zoe@example.org"
    assert accented.domain == "xn--citt-3na.it"
    with pytest.raises(GameError, match="mail-field"):  # strasse.de is somebody else's
        _encode_and_parse(replace(LETTER, to="anna@straße.de"))


def test_a_subject_is_read_as_it_was_written() -> None:
    """Check that no blank is added wherever its lines break, and that no line is empty."""
    check_each(product(range(20, 90, sized(14, 3)), "eè"), _check_subject)


def _check_subject(length: int, accent: str) -> None:
    words = f"[AM-perdicca] Rapporto {'x' * (length % 17)} p{accent}rch{accent} no, "
    letter = replace(LETTER, subject=(words + "Primavera 1901, movimenti " * 3)[:length] + " (TOL)")

    for way, data in {
        "sent": encode_mail(compose(letter)),
        "drafted": write_draft(letter),
        "drafted anew": composition.rewrite_as_draft(compose(letter)),
        "sent as drafted": encode_mail(
            read_draft(write_draft(letter), composition.enclose_files(letter))
        ),
    }.items():
        assert parse_mail(data)["Subject"] == " ".join(letter.subject.split()), way
        assert b"Subject:\r\n" not in data, way
        assert b"Subject: \r\n" not in data, way


FILES = composition.enclose_files(LETTER)


# -- drafts ----------------------------------------------------------------------------------------


def test_a_draft_can_be_read_by_people() -> None:
    text = write_draft(LETTER).decode()
    assert "Subject: [AM-g] Rapporto, Primavera 322 a.C. – perché no (TOL-7h2k9mqx)\n" in text
    assert "\nA MEN → TEB: è respinta\n" in text
    assert "\r" not in text


def test_a_draft_that_nobody_touched_is_sent_as_it_was_composed_and_comes_back_the_same() -> None:
    """A letter that has gone becomes a draft out of what was sent."""
    again = read_draft(write_draft(LETTER), composition.enclose_files(LETTER))
    plain = replace(LETTER, inline=(), attachments=())
    assert encode_mail(again) == encode_mail(compose(LETTER))
    assert composition.rewrite_as_draft(compose(plain)) == write_draft(plain)


@pytest.mark.parametrize(("line_end", "mark"), [(b"\n", b""), (b"\r\n", b""), (b"\n", BOM_UTF8)])
def test_a_draft_that_was_changed_is_sent_as_changed(line_end: bytes, mark: bytes) -> None:
    """Whatever ends the lines of the editor, and what it puts before the first."""
    data = write_draft(LETTER)
    data = data.replace("Ciao Zoë,".encode(), "Ciao Zoé, c'è un'aggiunta → qui,".encode())
    data = data.replace("perché no".encode(), "però sì".encode())
    message = parse_mail(encode_mail(read_draft(mark + data.replace(b"\n", line_end), FILES)))
    assert composition.read_text(message).startswith("Ciao Zoé, c'è un'aggiunta → qui,\n")
    assert "– però sì (TOL" in message["Subject"]
    assert encode_mail(read_draft(data, FILES)).isascii()


def test_a_draft_that_was_broken_is_refused() -> None:
    cases = [
        ("Ciao Zoë".encode(), "Ciao Zoë".encode("cp1252")),
        ("– perché".encode(), "– perché".encode("cp1252", "replace")),
        (b'charset="utf-8"', b'charset="utf-99"'),
        (b"multipart/alternative; boundary=", b"multipart/alternative; border="),
        (b"X-Draft-Files: ", b"X-Draft-Files: letter-to-my-aunt.txt, "),
        (b"Content-Type: text/plain", b"Content-Type: text/x-plain"),
        (b"Subject:", b"cc : bruno@example.org\nSubject:"),
        (b"Subject:", b"Subject: another\nSubject:"),
        (b"Subject:", b"X-Subject:"),
    ]
    data, whole = write_draft(LETTER), composition.rewrite_as_draft(compose(LETTER))
    assert all(old in data for old, _ in cases)
    broken = [data.replace(old, new) for old, new in cases]
    for each in (*broken, whole[: len(whole) // 2]):  # of the last the end is missing
        with pytest.raises(GameError, match="draft-unreadable"):
            read_draft(each, FILES)


def _attached(data: bytes) -> list[str | None]:
    """Return the names of the files with which a draft is sent."""
    message = parse_mail(encode_mail(read_draft(data, FILES)))
    return [part.get_filename() for part in message.iter_attachments()]


def test_a_draft_names_its_files_and_is_sent_with_those_that_it_names() -> None:
    """A mail program that writes it anew drops the field: it keeps all."""
    names = [file.name for file in LETTER.attachments]
    data = write_draft(LETTER)
    field = f"X-Draft-Files: {', '.join(names)}\n".encode()
    assert b"\n" + field in data
    assert b"base64" not in data
    assert _attached(data) == _attached(data.replace(field, b"")) == names
    assert _attached(data.replace(f"Files: {names[0]}, ".encode(), b"Files: ")) == names[1:]


def test_where_the_text_alone_was_changed_the_page_shows_it_but_keeps_changes_of_its_own() -> None:
    """Most people read the page.  A text with other line ends is the same text."""
    data = composition.rewrite_as_draft(compose(LETTER))
    edited = data.replace("Ciao Zoë,".encode(), "Ciao <Zoë> & tutti,".encode())
    page = _page(read_draft(edited))
    assert "Ciao &lt;Zoë&gt; &amp; tutti," in page
    assert "cid:map@alexmagnum" in page
    both = _page(read_draft(edited.replace("<p>È".encode(), "<p>Oggi è".encode())))
    assert "<p>Oggi è respinta</p>" in both
    assert "Ciao &lt;Zoë&gt;" not in both
    assert "<p>È respinta</p>" in _page(read_draft(data.replace(b"\n", b"\r\n")))


def _page(message: EmailMessage) -> str:
    body = parse_mail(encode_mail(message)).get_body(("html",))
    assert body is not None
    return str(body.get_content())


# -- nobody can bend it ----------------------------------------------------------------------------

TEXTS = st.text(min_size=1, max_size=60) | st.text('\r\n\x00\x0b\u2028 :<>@,;"\\=?é–', min_size=1)
NAMES = tuple(
    name
    for name in (field.name for field in fields(composition.Letter))
    if isinstance(getattr(LETTER, name), str) and name not in ("text", "html", "about", "phase")
)


@drawn(3, 400)
@given(name=st.sampled_from(NAMES), value=TEXTS)
def test_whatever_stands_in_a_field_no_other_field_comes_of_it(name: str, value: str) -> None:
    """It is refused, or the mail has the fields, the readers and the parts that it had."""
    before = _encode_and_parse(LETTER)
    try:
        message = _encode_and_parse(replace(LETTER, **{name: value}))  # type: ignore[arg-type]
    except GameError as error:
        assert error.code == "mail-field"  # noqa: PT017 - either is right
        return
    assert set(message.keys()) <= set(before.keys())
    assert [len(message[field].addresses) for field in ("From", "To", "Reply-To")] == [1, 1, 1]
    if name != "to":
        assert message["To"].addresses[0].addr_spec == LETTER.to
    assert _shape(message) == _shape(before)
    assert composition.read_text(message).rstrip() == LETTER.text.rstrip()


@drawn(3, 400)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_whatever_stands_in_the_text_is_text(text: str) -> None:
    message = _encode_and_parse(replace(LETTER, text=text))
    assert _shape(message) == _shape(_encode_and_parse(LETTER))
    plain = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    assert composition.read_text(message).rstrip("\n") == plain


EVIL = "x\r\nBcc: spy@example.org"
PARTS: tuple[tuple[str, Any], ...] = (
    ("attachments", (Attachment(EVIL, "image/png", PNG),)),
    ("attachments", (Attachment("map.png", f"image/{EVIL}", PNG),)),
    ("attachments", (Attachment("../map.png", "image/png", PNG),)),  # a path for a name
    ("inline", (composition.Inline(f"map@{EVIL}", "image/png", PNG),)),
    ("inline", (composition.Inline("map@alexmagnum", f"image/{EVIL}", PNG),)),
    ("references", (f"<1@{EVIL}>",)),
)
BREAKS = ("\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\x00", "\x1b")


def test_a_break_in_a_field_or_in_what_names_a_part_is_refused() -> None:
    def check(name: str, value: Any) -> None:
        with pytest.raises(GameError, match="mail-field"):
            compose(replace(LETTER, **{name: value}))

    end = "Bcc: spy@example.org"
    fields = [(n, f"{getattr(LETTER, n)}{br}{end}") for n, br in product(NAMES, BREAKS)]
    check_each([*fields, *PARTS], check)


# -- the page --------------------------------------------------------------------------------------


def _season(*sections: Section) -> PhaseReport:
    return PhaseReport("Alex Magnum", "g", "Spring", "322-spring", 1, "en", "TOL", (), sections)


def _compose(*said: str, **more: Any) -> str:
    return composition.compose_page(said or ["Hello"], load_sentences("en"), title="x", **more)


def test_styles_stand_at_the_elements_and_nothing_is_run_or_fetched() -> None:
    season = _season(Section("orders", "<script>x</script>", Prose(("<img src=http://x>",))))
    plain, page = (
        _compose(),
        _compose("<b>Hello</b>", season=season, picture=composition.inline_picture(PNG)),
    )

    (kept,) = re.findall("<style>(.*?)</style>", plain, re.DOTALL)
    assert kept.startswith("@media (prefers-color-scheme: dark)")
    assert kept.count("@media") == 1
    assert '<p class="said" style=' in plain
    assert "<script" not in page
    assert "<b>" not in page
    assert "http" not in page.replace("&lt;img src=http://x&gt;", "")
    assert f'src="cid:{composition.inline_picture(PNG).cid}"' in page


def test_what_is_to_be_copied_stands_line_by_line() -> None:
    season = _season(Section("turn", "Turn file", Code("map: standard\nunits:\n  Italy: [A VEN]")))
    assert ">map: standard\nunits:\n  Italy: [A VEN]</pre>" in _compose(season=season)


def test_a_page_that_webmail_would_cut_leaves_parts_out_and_says_so() -> None:
    """The position and the seals are the last that it leaves out."""
    long = Prose(("è" * 5000,) * 8)
    parts = [Section(key, f"Part {key}", long) for key in ("one", "two", "three")]
    page = _compose(season=_season(*parts, Section("turn", "Turn file", Code("map: standard"))))
    assert "map: standard" in page
    left_out = page.partition("Only in the text of this mail, to keep the page short")[2]
    assert "Part three" in left_out
    season = _season(*parts[:2], Section("seals", "Part seals", long))
    letter = composition.Letter("x", "y", _compose(season=season), to="a@b.org", sender="g@b.org")
    body = _encode_and_parse(letter).get_body(("html",))
    assert body is not None
    assert len(str(body.get_payload())) < composition.HTML_LIMIT
    assert "Part seals" in body.get_content()
