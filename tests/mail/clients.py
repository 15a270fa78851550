"""How mail programs write an answer: the parts, the line above the quotation, the marks.

A table, a row for each program.  Modelled on what these programs send; what matters for reading is
kept, the bulk of their styles is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from html import escape

from tests.mail.mime import message, multi, page, quoted, text, word, wrapped
from tests.mail.people import GAME, GM, Person

SENT = datetime(2026, 11, 20, 18, 12, 13, tzinfo=timezone(timedelta(hours=1)))
SUBJECT = {
    "it": "[AM-perdicca] Resoconto, autunno 319 a.C. ({power}-k7q2)",
    "en": "[AM-perdicca] Report, autumn 319 BC ({power}-k7q2)",
}
RE = {"it": "R: ", "en": "RE: "}
NEW, TOP, BOTTOM, BETWEEN = "new", "top", "bottom", "between"


@dataclass(frozen=True, slots=True)
class Letter:
    """What a player wrote with a program, and where: above, below or between what is quoted."""

    who: Person
    number: int
    place: str = TOP
    said: str = ""
    old: str = ""
    re: str = "Re: "

    @property
    def own(self) -> str:
        return self.said or self.who.said

    @property
    def quoted(self) -> str:
        return self.old or self.who.old

    @property
    def it(self) -> bool:
        return self.who.lang == "it"

    @property
    def tag(self) -> str:
        """Return a number for boundaries and ids; the same text always gives the same number."""
        return f"{self.number * 7919 + 104_729:010x}"

    def fields(self, *more: tuple[str, str]) -> list[tuple[str, str]]:
        """Return the header fields that all programs write, as a mail server delivers them."""
        when = format_datetime(SENT + timedelta(hours=3, minutes=self.number))
        host = self.who.address.partition("@")[2]
        subject = self.re + SUBJECT[self.who.lang].format(power=self.who.power)
        tag = f"perdicca+{self.who.power.lower()}-k7q2@example.net"
        fields = [
            ("Return-Path", f"<{self.who.address}>"),
            ("Delivered-To", GAME),
            ("Received", f"from mx.{host} by mail.example.net with ESMTPS; {when}"),
            ("From", f"{self.who.name} <{self.who.address}>"),
            ("To", f"{GM} <{tag}>"),
            ("Subject", subject if self.place != NEW else word("Ordini / orders")),
            ("Date", when),
            ("Message-ID", f"<{self.tag}.{self.number}@{host}>"),
        ]
        if self.place != NEW:
            fields += [
                ("In-Reply-To", "<report-319-autumn.k7q2@example.net>"),
                ("References", "<report-319-autumn.k7q2@example.net>"),
            ]
        return fields + list(more)

    def arranged(self, head: str, said: Callable[[str], str], old: Callable[[str], str]) -> str:
        """Put the pieces in order, the writer's own and the quoted ones, below the ``head``."""
        if self.place == NEW:
            return said(self.own)
        if self.place == TOP:
            return f"{said(self.own)}\n\n{head}\n{old(self.quoted)}"
        if self.place == BOTTOM:
            return f"{head}\n{old(self.quoted)}\n\n{said(self.own)}"
        mine, theirs = self.own.split("\n"), self.quoted.split("\n")
        half, rest = len(mine) // 2, len(theirs) // 2
        pieces = [head, old("\n".join(theirs[:rest])), "", said("\n".join(mine[:half])), ""]
        pieces += [old("\n".join(theirs[rest:])), "", said("\n".join(mine[half:]))]
        return "\n".join(pieces)


Change = Callable[[str], str]
Words = str | tuple[str, str]
"""A text, or one in Italian and one in English."""


def same(said: str) -> str:
    return said


def _marked_flush(lines: str) -> str:
    return quoted(lines, ">")


def _marked_and_broken(lines: str) -> str:
    """Mark lines as Outlook Express does: their ends stand on lines without a mark."""
    return "\n".join(wrapped(f"> {line}") for line in lines.split("\n"))


def _wrapped_and_marked(lines: str) -> str:
    return quoted(wrapped(lines))


def _flowed(lines: str) -> str:
    rows = wrapped(lines).split("\n")
    whole = set(lines.split("\n"))
    ends = [row in whole or any(w.endswith(row) for w in whole) for row in rows]
    return "\n".join(row + ("" if end else " ") for row, end in zip(rows, ends, strict=True))


def _flowed_and_marked(lines: str) -> str:
    return quoted(_flowed(lines))


def _after_a_blank(lines: str) -> str:
    return f" {lines}"


DIVS = ("<div>{}</div>", "<div><br></div>")
BREAKS = ("{}<br>", "<br>")
PARAGRAPHS = ("<p>{}</p>", "<p><br></p>")


@dataclass(frozen=True, slots=True)
class Program:
    """A mail program: how it puts together what its user writes and what is quoted.

    ``above`` stands above the quotation; ``advert`` is the program's own line.  ``plain`` is the
    head in the plain text, None if there is none, where ``said`` and ``old`` are written so;
    ``page`` is the head in the page, None if there is none, with elements for each line, ``around``
    the quotation and ``whole`` around all.
    """

    name: str
    above: Words
    advert: Words = ""
    plain: str | None = "{above}"
    said: Change = same
    old: Change = quoted
    end: str = "\n"
    page: str | None = None
    lines: tuple[str, str] = DIVS
    old_lines: tuple[str, str] = DIVS
    before: str = ""
    around: str = "{}"
    whole: Words = "<html><body>{}</body></html>"
    charset: str = "utf-8"
    really: str = ""
    encoding: str = "quoted-printable"
    more: str = ""
    field: tuple[str, str] | None = None
    re: bool = False

    def __call__(self, letter: Letter) -> bytes:
        """Return a letter as the program writes it."""

        def fill(form: Words, **words: str) -> str:
            filled = form if isinstance(form, str) else form[not letter.it]
            for key, value in words.items():
                filled = filled.replace(f"{{{key}}}", value)
            return filled

        day = (
            ("ven", "nov", "venerdì", "novembre")
            if letter.it
            else ("Fri", "Nov", "Friday", "November")
        )
        above = fill(
            self.above,
            **dict(zip(("short", "month", "day", "long"), day, strict=True)),
            name=GM,
            address=GAME,
            writer=letter.who.name,
            own=letter.who.address,
            subject=SUBJECT[letter.who.lang].format(power=letter.who.power),
        )
        advert = fill(self.advert)
        parts = []
        if self.plain is not None:
            head = fill(self.plain, above=above, advert=advert, marked=quoted(above))
            plain = letter.arranged(head, self.said, self.old)
            plain += fill(self.end, writer=letter.who.name)
            parts.append(text(plain, "plain", *self._coding, really=self.really, more=self.more))
        if self.page is not None:
            rows = above.strip().split("\n")
            labels = (row.strip().partition(": ") for row in rows)
            head = fill(
                self.page,
                advert=advert,
                above=escape(above),
                bare=escape(above.strip()),
                rows="<br>".join(map(escape, rows)),
                labels="<br>".join(f"<b>{escape(a)}:</b> {escape(b)}" for a, _, b in labels),
                bold="<br>".join(f"<b>{escape(row.strip())}</b>" for row in rows),
                divs="".join(f"<div>{escape(row)} </div>" for row in rows),
            )
            html = letter.arranged(
                head,
                lambda said: self.before + page(said, *self.lines),
                lambda old: self.around.replace("{}", page(old, *self.old_lines)),
            )
            closed = "" if letter.place == NEW else "</div>"
            html = fill(self.whole, close=closed).replace("{}", html)
            parts.append(text(html, "html", *self._coding, really=self.really))
        both = multi("alternative", *parts, boundary=f"000000000000{letter.tag}")
        if self.re:
            letter = replace(letter, re=RE[letter.who.lang])
        fields = letter.fields(*((self.field,) if self.field else ()))
        return message(fields, both if len(parts) == 2 else parts[0])

    @property
    def _coding(self) -> tuple[str, str]:
        return self.charset, self.encoding


OUTLOOK = (
    "Da: {name} <{address}>\nInviato: venerdì 20 novembre 2026 18:12\nA: {writer} <{own}>\n"
    "Oggetto: {subject}\n",
    "From: {name} <{address}>\nSent: Friday, November 20, 2026 6:12 PM\nTo: {writer} <{own}>\n"
    "Subject: {subject}\n",
)
APPLE = (
    "Il giorno 20 nov 2026, alle ore 18:12, {name} <{address}> ha scritto:\n",
    "On 20 Nov 2026, at 18:12, {name} <{address}> wrote:\n",
)
IPHONE = ("Inviato da iPhone", "Sent from my iPhone")
THUNDERBIRD = ("Il 20/11/26 18:12, {name} ha scritto:", "On 20/11/2026 18:12, {name} wrote:")
ROUNDCUBE = ("Il 2026-11-20 18:12 {name} ha scritto:", "On 2026-11-20 18:12, {name} wrote:")
BAR = 'style="padding:0 0.4em;border-left:#1010ff 2px solid;margin:0"'
MSO = (
    "<p class=MsoNormal><span lang=IT style='font-size:11.0pt;font-family:\"Calibri\",sans-serif'>"
    "{}<o:p></o:p></span></p>",
    "<p class=MsoNormal><o:p>&nbsp;</o:p></p>",
)
APTOS = 'style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;" class="elementToProof"'

MARKED = (
    Program(
        "gmail_web",
        (
            "Il giorno {short} 20 {month} 2026 alle ore 18:12 {name} <\n{address}> ha scritto:\n",
            "On {short}, 20 {month} 2026 at 18:12, {name} <{address}> wrote:\n",
        ),
        said=wrapped,
        old=_wrapped_and_marked,
        page='<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        "{above}<br></div>",
        around='<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
        'border-left:1px solid rgb(204,204,204);padding-left:1ex">{}</blockquote>',
        whole='<div dir="ltr">{}{close}</div>\n',
    ),
    Program(
        "gmail_app",
        (
            "Il Ven 20 Nov 2026, 18:12 {name} <{address}> ha\nscritto:\n",
            "On {short}, 20 {month} 2026, 18:12 {name}, <{address}>\nwrote:\n",
        ),
        said=wrapped,
        old=_wrapped_and_marked,
        page='<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{above}<br></div>',
        lines=('<div dir="auto">{}</div>', '<div dir="auto"><br></div>'),
        old_lines=BREAKS,
        around='<blockquote class="gmail_quote">{}</blockquote>',
        whole="{}{close}",
    ),
    Program(
        "apple_mail",
        APPLE,
        page='<div><br><blockquote type="cite"><div>{above}</div></blockquote>',
        around='<blockquote type="cite"><div>{}</div></blockquote>',
        whole='<html><body style="overflow-wrap: break-word;">{}</body></html>',
        field=("X-Mailer", "Apple Mail (2.3826.200.121)"),
    ),
    Program(
        "iphone_html",
        APPLE,
        IPHONE,
        plain=None,
        page='<br><div dir="ltr">{advert}</div><div dir="ltr"><br>'
        '<blockquote type="cite">{bare}<br><br></blockquote></div>',
        lines=('<div dir="ltr">{}</div>', '<div dir="ltr"><br></div>'),
        around='<blockquote type="cite"><div dir="ltr">{}</div></blockquote>',
        whole='<html><head><meta http-equiv="content-type"></head><body dir="auto">{}</body></html>',
        encoding="base64",
    ),
    Program(
        "thunderbird",
        THUNDERBIRD,
        said=_flowed,
        old=_flowed_and_marked,
        encoding="8bit",
        more="; format=flowed",
        field=("User-Agent", "Mozilla Thunderbird"),
    ),
    Program(
        "thunderbird_html",
        THUNDERBIRD,
        plain=None,
        page='<div class="moz-cite-prefix">{above}<br></div>',
        lines=BREAKS,
        old_lines=("{}", ""),
        around='<blockquote type="cite" cite="mid:report-319-autumn.k7q2@example.net">\n'
        '<pre wrap="" class="moz-quote-pre">{}</pre></blockquote>',
        whole="<html><head></head><body>\n<p>{}</p>\n</body></html>",
        encoding="8bit",
    ),
    Program(
        "evolution",
        (
            "Il giorno {short}, 20/11/2026 alle 18.12 +0100, {name} ha scritto:",
            "On {short}, 2026-11-20 at 18:12 +0100, {name} wrote:",
        ),
        charset="ISO-8859-15",
    ),
    # The terminal program: its attribution names only the writer.
    Program(
        "mutt",
        ("{name} ha scritto:", "{name} <{address}> wrote:"),
        end="\n\n-- \n{writer}\nA Roma piove - sempre\n",
        encoding="8bit",
    ),
    Program(
        "k9",
        (
            "Il 20 novembre 2026 18:12:13 CET, {name} <{address}> ha scritto:",
            "On 20 November 2026 18:12:13 CET, {name} <{address}> wrote:",
        ),
        (
            "Inviato dal mio dispositivo Android con K-9 Mail. Perdonate la brevità.",
            "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        ),
        plain="-- \n{advert}\n\n{above}",
        old=_marked_flush,
        field=("User-Agent", "K-9 Mail for Android"),
    ),
    # Windows Live Mail and its forebears: a dashed line, marks, and long lines broken off.
    Program(
        "outlook_express",
        OUTLOOK,
        ("Messaggio originale", "Original Message"),
        plain="----- {advert} ----- \n{above}",
        old=_marked_and_broken,
        charset="iso-8859-1",
        really="cp1252",
        encoding="8bit",
        field=("X-Mailer", "Microsoft Windows Live Mail 16.4"),
    ),
    # Libero's webmail of today: the line above is quoted too.
    Program(
        "libero",
        (
            "Il 20/11/2026 18:12 CET {name} <{address}> ha scritto:\n",
            "On 11/20/2026 6:12 PM CET {name} <{address}> wrote:\n",
        ),
        plain="\n> {above}>",
        end="",
        page='<blockquote type="cite"><div>{above}</div><div><br></div></blockquote>',
        lines=('<div class="default-style">{}</div>', "<div><br></div>"),
        old_lines=("<p>{}</p>", "<div><br></div>"),
        around='<blockquote type="cite">{}</blockquote>',
        whole='<!doctype html><html><head><meta charset="UTF-8"></head><body>{}</body></html>',
    ),
    # Aruba's webmail and many a provider's.
    Program(
        "roundcube",
        ROUNDCUBE,
        charset="US-ASCII",
        really="utf-8",
        encoding="8bit",
        more="; format=flowed",
        field=("User-Agent", "Roundcube Webmail/1.6.9"),
    ),
    Program(
        "roundcube_html",
        ROUNDCUBE,
        end="",
        page='<p id="reply-intro">{above}</p>',
        lines=("<p>{}</p>", "<p><br /></p>"),
        around=f'<blockquote type="cite" {BAR}><div id="replybody1">{{}}</div></blockquote>',
    ),
    Program(
        "horde",
        ("Citazione da {name} <{address}>:\n", "Quoting {name} <{address}>:\n"),
        more="; format=flowed; DelSp=Yes",
    ),
)
"""Programs that mark each quoted line or element: answers may stand anywhere."""

UNMARKED = (
    Program(
        "outlook_desktop",
        OUTLOOK,
        old=same,
        page="<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;"
        "padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{labels}<o:p></o:p></p></div></div>",
        lines=MSO,
        old_lines=MSO,
        whole='<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>'
        "<style><!--\np.MsoNormal {margin:0cm; font-size:11.0pt;}\n--></style>"
        "<!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head>"
        '<body lang=IT link="#0563C1"><div class=WordSection1>{}</div></body></html>\n',
        charset="windows-1252",
        field=("X-Mailer", "Microsoft Outlook 16.0"),
        re=True,
    ),
    Program(
        "outlook_web",
        OUTLOOK,
        plain="________________________________\n{above}",
        old=same,
        page='<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" '
        'tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">'
        "{labels}</font>\n<div>&nbsp;</div>\n</div>\n<div>",
        lines=(f"<div {APTOS}>{{}}</div>", f"<div {APTOS}><br></div>"),
        old_lines=BREAKS,
        whole='<html><head><style>P {margin-top:0;}</style></head><body dir="ltr">{}</body></html>',
        charset="iso-8859-1",
        really="cp1252",
        field=("X-Auto-Response-Suppress", "DR, OOF, AutoReply"),
        re=True,
    ),
    Program(
        "outlook_mobile",
        OUTLOOK,
        ("Ottieni Outlook per Android", "Get Outlook for iOS"),
        plain="{advert}<https://aka.ms/AAb9ysg>\n________________________________\n{above}",
        old=same,
        page='<div id="ms-outlook-mobile-body-separator-line"><br></div>'
        '<div id="ms-outlook-mobile-signature">{advert}</div>'
        '<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{rows}</div>',
        old_lines=("<p>{}</p>", "<p>&nbsp;</p>"),
        whole="{}",
        re=True,
    ),
    # The program of Windows 10: its advert is a sentence.
    Program(
        "windows_mail",
        OUTLOOK,
        ("Inviato da Posta per Windows", "Sent from Mail for Windows"),
        plain="{advert}\n\n{above}",
        old=same,
        encoding="base64",
    ),
    Program(
        "iphone",
        APPLE,
        IPHONE,
        plain="{advert}\n\n{marked}\n> ",
        field=("X-Mailer", "iPhone Mail (23A341)"),
    ),
    Program(
        "fairemail",
        (
            "20 nov 2026 18:12:13 {name} <{address}>:",
            "20 Nov 2026 18:12:13 {name} <{address}>:",
        ),
        end="",
        page='<div class="fairemail_quote"><p>{above}</p>',
        lines=PARAGRAPHS,
        around='<blockquote style="border-left:3px solid #ccc">{}</blockquote>',
    ),
    # Libero as it was for twenty years, and still is in some corners: no marks at all.
    Program(
        "libero_old",
        '---------- Initial Header -----------\n\nFrom      : "{name}" {address}\n'
        'To          : "{writer}" {own}\nCc          : \n'
        "Date      : Fri, 20 Nov 2026 18:12:13 +0100\nSubject : Resoconto\n",
        old=same,
        charset="iso-8859-1",
        really="cp1252",
        field=("X-SenderIP", "151.44.0.1"),
    ),
    # Virgilio and Alice: short labels, without marks.
    Program(
        "virgilio",
        "\n----Messaggio originale----\nDa: {address}\nData: 20-nov-2026 18.12\n"
        'A: "{writer}"<{own}>\nOgg: Resoconto, autunno 319 a.C.\n',
        old=same,
        charset="windows-1252",
        encoding="8bit",
    ),
    # TIM's webmail: a page alone.
    Program(
        "tim",
        'Da: "{name}" <{address}>\nData: 20 novembre 2026 18:12\nA: {own}\n'
        "Oggetto: Resoconto, autunno 319 a.C.",
        plain=None,
        page="<br><br>{rows}<br><br>",
        lines=BREAKS,
        old_lines=BREAKS,
        around=f"<blockquote {BAR}>{{}}</blockquote>",
        whole=("{}", "<html><body>Inviato da TIM Mail<br>{}</body></html>"),
        charset="iso-8859-15",
    ),
    # Yahoo: the plain text has the line above and no marks; the page has an element.
    Program(
        "yahoo",
        (
            "    Il {day} 20 {long} 2026 alle ore 18:12:13 CET, {name} <{address}> ha scritto:  \n ",
            "    On {day}, {long} 20, 2026 at 06:12:13 PM GMT+1, {name} <{address}> wrote:  \n ",
        ),
        said=_after_a_blank,
        old=same,
        end="\n  ",
        page='<div><br></div></div><div id="ydp4a7b2yahoo_quoted_123456" '
        'class="ydp4a7b2yahoo_quoted"><div style="font-size:13px;color:#26282a;">'
        "<div>{bare}</div><div><br></div>",
        lines=('<div dir="ltr">{}</div>', "<div><br></div>"),
        before='<div class="ydp1e6wrap">',
        around="<div>{}</div></div></div>",
        whole="<html><head></head><body>{}</body></html>",
    ),
    Program(
        "yahoo_app",
        (
            "  Il {short}, 20 {month} 2026 alle ore 18:12, {name}<{address}> ha scritto:   ",
            "  On {short}, 20 {month} 2026 at 18:12, {name}<{address}> wrote:   ",
        ),
        ("Inviato da Yahoo Mail su Android", "Sent from Yahoo Mail on Android"),
        plain="\n{advert} \n \n{above}",
        old=same,
        end="",
        page='<br><div id="ymail_android_signature"><a href="https://mail.onelink.me">{advert}</a>'
        '</div><blockquote style="margin:0 0 20px 0"><div>{above}</div>',
        lines=BREAKS,
        around="{}</blockquote>",
        whole="{}",
    ),
    Program(
        "samsung",
        (
            "-------- Messaggio originale --------\nDa: {name} <{address}>\n"
            "Data: 20/11/26 18:12 (GMT+01:00)\nA: {own}\nOggetto: AM-perdicca\n",
            "-------- Original message --------\nFrom: {name} <{address}>\n"
            "Date: 20/11/26 18:12 (GMT+01:00)\nTo: {own}\nSubject: AM-perdicca\n",
        ),
        ("Inviato dal mio smartphone Samsung Galaxy.", "Sent from my Galaxy"),
        plain="\n{advert}\n\n{above}",
        old=same,
        page='<div><br></div><div id="composer_signature"><div>{advert}</div></div><div><br></div>'
        "{divs}<div><br></div>",
        old_lines=BREAKS,
        whole='<html><body dir="auto">{}</body></html>',
    ),
    Program(
        "protonmail",
        (
            "venerdì 20 novembre 2026 18:12, {name} <{address}> ha scritto:\n",
            "On Friday, November 20th, 2026 at 6:12 PM, {name} <{address}> wrote:\n",
        ),
        ("Inviato con l'email sicura Proton Mail.", "Sent with Proton Mail secure email."),
        plain="{advert}\n\n{above}",
        end="",
        page='<div class="protonmail_signature_block"><div>{advert}</div></div>'
        '<div class="protonmail_quote">{above}<br>',
        lines=('<div style="font-family: Arial">{}</div>', "<div><br></div>"),
        around='<blockquote class="protonmail_quote" type="cite">{}</blockquote></div>',
        whole="{}",
    ),
    # Providers and universities with Zimbra: a rule with an id, then the head, unmarked.
    Program(
        "zimbra",
        (
            'Da: "{name}" <{address}>\nA: {own}\nInviato: 20 Nov 2026 18:12:13\n'
            "Oggetto: AM-perdicca\n",
            'From: "{name}" <{address}>\nTo: {own}\nSent: 20 Nov 2026 18:12:13\n'
            "Subject: AM-perdicca\n",
        ),
        old=same,
        end="",
        page='<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">{rows}</div>',
    ),
)
"""Programs that do not, or whose users write above."""

FOREIGN = (
    # A German webmail, whatever language its user writes.
    Program(
        "gmx",
        '\n Gesendet: Freitag, 20. November 2026 um 18:12 Uhr\n Von: "{name}" <{address}>\n'
        " An: {own}\n Betreff: AM-perdicca\n",
        plain=None,
        page='<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
        'border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;">{bold}</div>',
        around='<div name="quoted-content">{}</div></div>',
    ),
    Program(
        "thunderbird_german",
        "Am 20.11.26 um 18:12 schrieb {name}:",
        said=wrapped,
        old=_wrapped_and_marked,
        charset="iso-8859-1",
        really="cp1252",
        encoding="8bit",
    ),
    Program(
        "orange",
        '\n> Message du 20/11/26 18:12\n> De : "{name}" <{address}>\n> A : {own}\n'
        "> Objet : AM-perdicca\n> ",
    ),
    Program(
        "apple_french",
        "Le 20 nov. 2026 à 18:12, {name} <{address}> a écrit :\n",
        plain="Envoyé de mon iPhone\n\n{above}",
    ),
    # A language that no table has: quotes are marked, below an attribution.
    Program("spanish", "El vie, 20 nov 2026 a las 18:12, {name} (<{address}>) escribió:\n"),
)

PROGRAMS = {program.name: program for program in (*MARKED, *UNMARKED, *FOREIGN)}
