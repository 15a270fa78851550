"""How mail programs write an answer: the parts, the line above the quotation, the marks.

Modelled on what these programs send; what matters for reading is kept, the bulk of their styles
is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from html import escape

from tests.mail.mime import Part, message, multi, page, quoted, text, word, wrapped
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


def same(said: str) -> str:
    return said


def attribution(letter: Letter, form: str) -> str:
    """Return a line above a quotation, with the day in the words of the writer's language."""
    words = {
        "it": ("ven", "nov", "venerdì", "novembre"),
        "en": ("Fri", "Nov", "Friday", "November"),
    }
    short, month, day, long = words[letter.who.lang]
    return form.format(
        name=GM, address=GAME, short=short, month=month, day=day, long=long, SHORT=short.title(),
        MONTH=month.title(),
    )  # fmt: skip


def alternative(letter: Letter, plain: str, html: str, charset: str = "utf-8") -> Part:
    really = "cp1252" if charset == "iso-8859-1" else ""
    return multi(
        "alternative",
        text(plain, charset=charset, really=really),
        text(html, "html", charset, really=really),
        boundary=f"000000000000{letter.tag}",
    )


# -- Google ----------------------------------------------------------------------------------------


def gmail_web(letter: Letter) -> bytes:
    form = (
        "Il giorno {short} 20 {month} 2026 alle ore 18:12 {name} <\n{address}> ha scritto:\n"
        if letter.it
        else "On {SHORT}, 20 {MONTH} 2026 at 18:12, {name} <{address}> wrote:\n"
    )
    head = attribution(letter, form)
    plain = letter.arranged(head, wrapped, lambda old: quoted(wrapped(old)))
    above = f'<div dir="ltr" class="gmail_attr">{escape(head)}<br></div>'
    style = (
        'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"'
    )
    html = letter.arranged(
        f'<div class="gmail_quote gmail_quote_container">{above}',
        page,
        lambda old: f'<blockquote class="gmail_quote" {style}>{page(old)}</blockquote>',
    )
    html = f'<div dir="ltr">{html}{"</div>" if letter.place != NEW else ""}</div>\n'
    return message(letter.fields(), alternative(letter, plain + "\n", html))


def gmail_app(letter: Letter) -> bytes:
    form = (
        "Il {SHORT} 20 {MONTH} 2026, 18:12 {name} <{address}> ha\nscritto:\n"
        if letter.it
        else "On {SHORT}, 20 {MONTH} 2026, 18:12 {name}, <{address}>\nwrote:\n"
    )
    head = attribution(letter, form)
    plain = letter.arranged(head, wrapped, lambda old: quoted(wrapped(old)))
    html = letter.arranged(
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(head)}<br></div>',
        lambda said: page(said, '<div dir="auto">{}</div>', '<div dir="auto"><br></div>'),
        lambda old: f'<blockquote class="gmail_quote">{page(old, "{}<br>", "<br>")}</blockquote>',
    )
    html += "</div>" if letter.place != NEW else ""
    return message(letter.fields(), alternative(letter, plain + "\n", html))


# -- Microsoft -------------------------------------------------------------------------------------


def _block(letter: Letter, form: str = "{}: {}") -> list[str]:
    """Return the head of a message as Outlook repeats it above a quotation."""
    labels = ("Da", "Inviato", "A", "Oggetto") if letter.it else ("From", "Sent", "To", "Subject")
    when = "venerdì 20 novembre 2026 18:12" if letter.it else "Friday, November 20, 2026 6:12 PM"
    subject = SUBJECT[letter.who.lang].format(power=letter.who.power)
    values = (f"{GM} <{GAME}>", when, f"{letter.who.name} <{letter.who.address}>", subject)
    return [form.format(*pair) for pair in zip(labels, values, strict=True)]


def outlook_desktop(letter: Letter) -> bytes:
    head = "\n".join(_block(letter)) + "\n"
    plain = letter.arranged(head, same, same)
    paragraph = "<p class=MsoNormal><span lang=IT style='font-size:11.0pt;font-family:\"Calibri\",sans-serif'>{}<o:p></o:p></span></p>"
    blank = "<p class=MsoNormal><o:p>&nbsp;</o:p></p>"
    rows = "<br>".join(
        f"<b>{escape(label)}:</b> {escape(value)}"
        for label, _, value in (row.partition(": ") for row in _block(letter))
    )
    html = letter.arranged(
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{rows}<o:p></o:p></p></div></div>",
        lambda said: page(said, paragraph, blank),
        lambda old: page(old, paragraph, blank),
    )
    style = "<style><!--\np.MsoNormal {margin:0cm; font-size:11.0pt;}\n--></style>"
    html = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>'
        f"{style}<!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head>"
        f'<body lang=IT link="#0563C1"><div class=WordSection1>{html}</div></body></html>\n'
    )
    body = alternative(letter, plain + "\n", html, "windows-1252")
    letter = replace(letter, re=RE[letter.who.lang])
    return message(letter.fields(("X-Mailer", "Microsoft Outlook 16.0")), body)


def outlook_web(letter: Letter) -> bytes:
    head = "________________________________\n" + "\n".join(_block(letter)) + "\n"
    plain = letter.arranged(head, same, same)
    style = (
        'style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt;" class="elementToProof"'
    )
    rows = "<br>\n".join(
        f"<b>{escape(label)}:</b> {escape(value)}"
        for label, _, value in (row.partition(": ") for row in _block(letter))
    )
    html = letter.arranged(
        '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">{rows}</font>\n'
        "<div>&nbsp;</div>\n</div>\n<div>",
        lambda said: page(said, f"<div {style}>{{}}</div>", f"<div {style}><br></div>"),
        lambda old: page(old, "{}<br>", "<br>"),
    )
    html = (
        f'<html><head><style>P {{margin-top:0;}}</style></head><body dir="ltr">{html}</body></html>'
    )
    letter = replace(letter, re=RE[letter.who.lang])
    more = ("X-Auto-Response-Suppress", "DR, OOF, AutoReply")
    return message(letter.fields(more), alternative(letter, plain + "\n", html, "iso-8859-1"))


def outlook_mobile(letter: Letter) -> bytes:
    advert = "Ottieni Outlook per Android" if letter.it else "Get Outlook for iOS"
    link = f"{advert}<https://aka.ms/AAb9ysg>"
    head = f"{link}\n________________________________\n" + "\n".join(_block(letter)) + "\n"
    plain = letter.arranged(head, same, same)
    rows = "<br>".join(escape(row) for row in _block(letter))
    html = letter.arranged(
        '<div id="ms-outlook-mobile-body-separator-line"><br></div>'
        f'<div id="ms-outlook-mobile-signature">{advert}</div>'
        f'<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{rows}</div>',
        page,
        lambda old: page(old, "<p>{}</p>", "<p>&nbsp;</p>"),
    )
    letter = replace(letter, re=RE[letter.who.lang])
    return message(letter.fields(), alternative(letter, plain + "\n", html))


def windows_mail(letter: Letter) -> bytes:
    """Write a mail as the program of Windows 10 does; its advert is a sentence."""
    advert = "Inviato da Posta per Windows" if letter.it else "Sent from Mail for Windows"
    head = f"{advert}\n\n" + "\n".join(_block(letter)) + "\n"
    plain = letter.arranged(head, same, same)
    return message(letter.fields(), text(plain + "\n", encoding="base64"))


def outlook_express(letter: Letter) -> bytes:
    """Windows Live Mail and its forebears: a dashed line, marks, and long lines broken off."""
    said = "Messaggio originale" if letter.it else "Original Message"
    rows = [row.replace(": ", ": ", 1) for row in _block(letter)]
    head = f"----- {said} ----- \n" + "\n".join(rows) + "\n"

    def old(lines: str) -> str:
        return "\n".join(wrapped(f"> {line}") for line in lines.split("\n"))

    plain = letter.arranged(head, same, old)
    return message(
        letter.fields(("X-Mailer", "Microsoft Windows Live Mail 16.4")),
        text(plain + "\n", charset="iso-8859-1", really="cp1252", encoding="8bit"),
    )


# -- Apple -----------------------------------------------------------------------------------------


def apple_mail(letter: Letter) -> bytes:
    form = (
        "Il giorno 20 nov 2026, alle ore 18:12, {name} <{address}> ha scritto:\n"
        if letter.it
        else "On 20 Nov 2026, at 18:12, {name} <{address}> wrote:\n"
    )
    head = attribution(letter, form)
    plain = letter.arranged(head, same, quoted)
    html = letter.arranged(
        f'<div><br><blockquote type="cite"><div>{escape(head)}</div></blockquote>',
        lambda said: page(said, "<div>{}</div>"),
        lambda old: f'<blockquote type="cite"><div>{page(old)}</div></blockquote>',
    )
    html = f'<html><body style="overflow-wrap: break-word;">{html}</body></html>'
    return message(
        letter.fields(("X-Mailer", "Apple Mail (2.3826.200.121)")),
        alternative(letter, plain + "\n", html),
    )


def iphone(letter: Letter) -> bytes:
    advert = "Inviato da iPhone" if letter.it else "Sent from my iPhone"
    form = (
        "Il giorno 20 nov 2026, alle ore 18:12, {name} <{address}> ha scritto:\n"
        if letter.it
        else "On 20 Nov 2026, at 18:12, {name} <{address}> wrote:\n"
    )
    head = f"{advert}\n\n" + quoted(attribution(letter, form)) + "\n> "
    plain = letter.arranged(head, same, quoted)
    return message(
        letter.fields(("X-Mailer", "iPhone Mail (23A341)")),
        text(plain.replace("\n> \n", "\n> \n") + "\n"),
    )


def iphone_html(letter: Letter) -> bytes:
    """Write an answer as an iPhone does that sends only an HTML page."""
    advert = "Inviato da iPhone" if letter.it else "Sent from my iPhone"
    head = "Il giorno 20 nov 2026, alle ore 18:12, " if letter.it else "On 20 Nov 2026, at 18:12, "
    head += f"{GM} &lt;{GAME}&gt; " + ("ha scritto:" if letter.it else "wrote:")
    html = letter.arranged(
        f'<br><div dir="ltr">{advert}</div><div dir="ltr"><br>'
        f'<blockquote type="cite">{head}<br><br></blockquote></div>',
        lambda said: page(said, '<div dir="ltr">{}</div>', '<div dir="ltr"><br></div>'),
        lambda old: f'<blockquote type="cite"><div dir="ltr">{page(old)}</div></blockquote>',
    )
    html = (
        f'<html><head><meta http-equiv="content-type"></head><body dir="auto">{html}</body></html>'
    )
    return message(letter.fields(), text(html, "html", encoding="base64"))


# -- programs that put text first ------------------------------------------------------------------


def thunderbird(letter: Letter) -> bytes:
    form = (
        "Il 20/11/26 18:12, {name} ha scritto:"
        if letter.it
        else "On 20/11/2026 18:12, {name} wrote:"
    )

    def flowed(lines: str) -> str:
        rows = wrapped(lines).split("\n")
        whole = set(lines.split("\n"))
        ends = [row in whole or any(w.endswith(row) for w in whole) for row in rows]
        return "\n".join(row + ("" if end else " ") for row, end in zip(rows, ends, strict=True))

    plain = letter.arranged(
        attribution(letter, form), flowed, lambda old: quoted(flowed(old), "> ")
    ).replace("\n> \n", "\n>\n")
    return message(
        letter.fields(("User-Agent", "Mozilla Thunderbird")),
        text(plain + "\n", encoding="8bit", more="; format=flowed"),
    )


def thunderbird_html(letter: Letter) -> bytes:
    form = (
        "Il 20/11/26 18:12, {name} ha scritto:"
        if letter.it
        else "On 20/11/2026 18:12, {name} wrote:"
    )
    head = attribution(letter, form)
    html = letter.arranged(
        f'<div class="moz-cite-prefix">{escape(head)}<br></div>',
        lambda said: page(said, "{}<br>", "<br>"),
        lambda old: (
            '<blockquote type="cite" cite="mid:report-319-autumn.k7q2@example.net">\n'
            f'<pre wrap="" class="moz-quote-pre">{escape(old)}</pre></blockquote>'
        ),
    )
    html = f"<html><head></head><body>\n<p>{html}</p>\n</body></html>"
    return message(letter.fields(), text(html, "html", encoding="8bit"))


def evolution(letter: Letter) -> bytes:
    form = (
        "Il giorno {short}, 20/11/2026 alle 18.12 +0100, {name} ha scritto:"
        if letter.it
        else "On {SHORT}, 2026-11-20 at 18:12 +0100, {name} wrote:"
    )
    plain = letter.arranged(attribution(letter, form), same, quoted)
    return message(letter.fields(), text(plain + "\n", charset="ISO-8859-15"))


def mutt(letter: Letter) -> bytes:
    """Write a mail as the terminal program mutt does: its attribution names only the writer."""
    form = "{name} ha scritto:" if letter.it else "{name} <{address}> wrote:"
    plain = letter.arranged(attribution(letter, form), same, quoted)
    signature = f"\n\n-- \n{letter.who.name}\nA Roma piove - sempre\n"
    return message(letter.fields(), text(plain + signature, encoding="8bit"))


def k9(letter: Letter) -> bytes:
    advert = (
        "Inviato dal mio dispositivo Android con K-9 Mail. Perdonate la brevità."
        if letter.it
        else "Sent from my Android device with K-9 Mail. Please excuse my brevity."
    )
    form = (
        "Il 20 novembre 2026 18:12:13 CET, {name} <{address}> ha scritto:"
        if letter.it
        else "On 20 November 2026 18:12:13 CET, {name} <{address}> wrote:"
    )
    head = attribution(letter, form)
    plain = letter.arranged(f"-- \n{advert}\n\n{head}", same, lambda old: quoted(old, ">"))
    return message(letter.fields(("User-Agent", "K-9 Mail for Android")), text(plain + "\n"))


def fairemail(letter: Letter) -> bytes:
    form = (
        "20 nov 2026 18:12:13 {name} <{address}>:"
        if letter.it
        else "20 Nov 2026 18:12:13 {name} <{address}>:"
    )
    plain = letter.arranged(attribution(letter, form), same, quoted)
    html = letter.arranged(
        f'<div class="fairemail_quote"><p>{escape(attribution(letter, form))}</p>',
        lambda said: page(said, "<p>{}</p>", "<p><br></p>"),
        lambda old: f'<blockquote style="border-left:3px solid #ccc">{page(old)}</blockquote>',
    )
    return message(letter.fields(), alternative(letter, plain, f"<html><body>{html}</body></html>"))
