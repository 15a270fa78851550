"""How webmail and the programs of telephones write an answer; all programs by how they quote."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tests.mail import clients
from tests.mail.clients import Letter, alternative, attribution, same
from tests.mail.mime import message, page, quoted, text, wrapped
from tests.mail.people import GAME, GM

BAR = 'style="padding:0 0.4em;border-left:#1010ff 2px solid;margin:0"'


def libero(letter: Letter) -> bytes:
    """Libero's webmail of today: the line above is quoted too."""
    form = (
        "Il 20/11/2026 18:12 CET {name} <{address}> ha scritto:\n"
        if letter.it
        else "On 11/20/2026 6:12 PM CET {name} <{address}> wrote:\n"
    )
    head = attribution(letter, form)
    plain = letter.arranged(f"\n> {head}>", same, quoted)
    html = letter.arranged(
        f'<blockquote type="cite"><div>{escape(head)}</div><div><br></div></blockquote>',
        lambda said: page(said, '<div class="default-style">{}</div>'),
        lambda old: f'<blockquote type="cite">{page(old, "<p>{}</p>")}</blockquote>',
    )
    html = f'<!doctype html><html><head><meta charset="UTF-8"></head><body>{html}</body></html>'
    return message(letter.fields(), alternative(letter, plain, html))


def libero_old(letter: Letter) -> bytes:
    """Libero as it was for twenty years, and still is in some corners: no marks at all."""
    head = (
        "---------- Initial Header -----------\n\n"
        f'From      : "{GM}" {GAME}\nTo          : "{letter.who.name}" {letter.who.address}\n'
        f"Cc          : \nDate      : Fri, 20 Nov 2026 18:12:13 +0100\nSubject : Resoconto\n"
    )
    plain = letter.arranged(head, same, same)
    return message(
        letter.fields(("X-SenderIP", "151.44.0.1")),
        text(plain + "\n", charset="iso-8859-1", really="cp1252", encoding="quoted-printable"),
    )


def virgilio(letter: Letter) -> bytes:
    """Virgilio and Alice: short labels, without marks."""
    head = (
        f"\n----Messaggio originale----\nDa: {GAME}\nData: 20-nov-2026 18.12\n"
        f'A: "{letter.who.name}"<{letter.who.address}>\nOgg: Resoconto, autunno 319 a.C.\n'
    )
    plain = letter.arranged(head, same, same)
    return message(letter.fields(), text(plain + "\n", charset="windows-1252", encoding="8bit"))


def tim(letter: Letter) -> bytes:
    """TIM's webmail: a page alone."""
    html = letter.arranged(
        "<br><br>Da: "
        f'"{GM}" &lt;{GAME}&gt;<br>Data: 20 novembre 2026 18:12<br>A: {letter.who.address}<br>'
        "Oggetto: Resoconto, autunno 319 a.C.<br><br>",
        lambda said: page(said, "{}<br>", "<br>"),
        lambda old: f"<blockquote {BAR}>{page(old, '{}<br>', '<br>')}</blockquote>",
    )
    html = f"<html><body>Inviato da TIM Mail<br>{html}</body></html>" if not letter.it else html
    return message(letter.fields(), text(html, "html", charset="iso-8859-15"))


def yahoo(letter: Letter) -> bytes:
    """Yahoo: the plain text has the line above and no marks; the page has an element."""
    form = (
        "    Il {day} 20 {long} 2026 alle ore 18:12:13 CET, {name} <{address}> ha scritto:  \n "
        if letter.it
        else "    On {day}, {long} 20, 2026 at 06:12:13 PM GMT+1, {name} <{address}> wrote:  \n "
    )
    head = attribution(letter, form)
    plain = letter.arranged(head, lambda said: f" {said}", same)
    above = f"<div>{escape(head.strip())}</div><div><br></div>"
    html = letter.arranged(
        '<div><br></div></div><div id="ydp4a7b2yahoo_quoted_123456" class="ydp4a7b2yahoo_quoted">'
        f'<div style="font-size:13px;color:#26282a;">{above}',
        lambda said: '<div class="ydp1e6wrap">' + page(said, '<div dir="ltr">{}</div>'),
        lambda old: f"<div>{page(old)}</div></div></div>",
    )
    html = f"<html><head></head><body>{html}</body></html>"
    return message(letter.fields(), alternative(letter, plain + "\n  ", html))


def yahoo_app(letter: Letter) -> bytes:
    advert = "Inviato da Yahoo Mail su Android" if letter.it else "Sent from Yahoo Mail on Android"
    form = (
        "  Il {short}, 20 {month} 2026 alle ore 18:12, {name}<{address}> ha scritto:   "
        if letter.it
        else "  On {SHORT}, 20 {MONTH} 2026 at 18:12, {name}<{address}> wrote:   "
    )
    head = f"\n{advert} \n \n{attribution(letter, form)}"
    plain = letter.arranged(head, same, same)
    html = letter.arranged(
        f'<br><div id="ymail_android_signature"><a href="https://mail.onelink.me">{advert}</a></div>'
        f'<blockquote style="margin:0 0 20px 0"><div>{escape(attribution(letter, form))}</div>',
        lambda said: page(said, "{}<br>", "<br>"),
        lambda old: f"{page(old)}</blockquote>",
    )
    return message(letter.fields(), alternative(letter, plain, html))


def samsung(letter: Letter) -> bytes:
    advert = "Inviato dal mio smartphone Samsung Galaxy." if letter.it else "Sent from my Galaxy"
    labels = ("Da", "Data", "A", "Oggetto") if letter.it else ("From", "Date", "To", "Subject")
    line = "Messaggio originale" if letter.it else "Original message"
    values = (f"{GM} <{GAME}>", "20/11/26 18:12 (GMT+01:00)", letter.who.address, "AM-perdicca")
    rows = [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
    head = f"\n{advert}\n\n-------- {line} --------\n" + "\n".join(rows) + "\n"
    plain = letter.arranged(head, same, same)
    html = letter.arranged(
        f'<div><br></div><div id="composer_signature"><div>{advert}</div></div><div><br></div>'
        f"<div>-------- {line} --------</div>"
        + "".join(f"<div>{escape(row)} </div>" for row in rows)
        + "<div><br></div>",
        page,
        lambda old: page(old, "{}<br>", "<br>"),
    )
    html = f'<html><body dir="auto">{html}</body></html>'
    return message(letter.fields(), alternative(letter, plain + "\n", html))


def roundcube(letter: Letter) -> bytes:
    """Aruba's webmail and many a provider's."""
    form = (
        "Il 2026-11-20 18:12 {name} ha scritto:"
        if letter.it
        else "On 2026-11-20 18:12, {name} wrote:"
    )
    plain = letter.arranged(attribution(letter, form), same, quoted)
    return message(
        letter.fields(("User-Agent", "Roundcube Webmail/1.6.9")),
        text(
            plain + "\n",
            charset="US-ASCII",
            really="utf-8",
            encoding="8bit",
            more="; format=flowed",
        ),
    )


def roundcube_html(letter: Letter) -> bytes:
    form = (
        "Il 2026-11-20 18:12 {name} ha scritto:"
        if letter.it
        else "On 2026-11-20 18:12, {name} wrote:"
    )
    plain = letter.arranged(attribution(letter, form), same, quoted)
    html = letter.arranged(
        f'<p id="reply-intro">{escape(attribution(letter, form))}</p>',
        lambda said: page(said, "<p>{}</p>", "<p><br /></p>"),
        lambda old: (
            f'<blockquote type="cite" {BAR}><div id="replybody1">{page(old)}</div></blockquote>'
        ),
    )
    return message(letter.fields(), alternative(letter, plain, f"<html><body>{html}</body></html>"))


def horde(letter: Letter) -> bytes:
    form = "Citazione da {name} <{address}>:\n" if letter.it else "Quoting {name} <{address}>:\n"
    plain = letter.arranged(attribution(letter, form), same, quoted)
    return message(letter.fields(), text(plain + "\n", more="; format=flowed; DelSp=Yes"))


def protonmail(letter: Letter) -> bytes:
    advert = (
        "Inviato con l'email sicura Proton Mail."
        if letter.it
        else "Sent with Proton Mail secure email."
    )
    form = (
        "venerdì 20 novembre 2026 18:12, {name} <{address}> ha scritto:\n"
        if letter.it
        else "On Friday, November 20th, 2026 at 6:12 PM, {name} <{address}> wrote:\n"
    )
    head = f"{advert}\n\n{attribution(letter, form)}"
    plain = letter.arranged(head, same, quoted)
    html = letter.arranged(
        f'<div class="protonmail_signature_block"><div>{advert}</div></div>'
        f'<div class="protonmail_quote">{escape(attribution(letter, form))}<br>',
        lambda said: page(said, '<div style="font-family: Arial">{}</div>'),
        lambda old: (
            f'<blockquote class="protonmail_quote" type="cite">{page(old)}</blockquote></div>'
        ),
    )
    return message(letter.fields(), alternative(letter, plain, html))


def zimbra(letter: Letter) -> bytes:
    """Providers and universities with Zimbra: a rule with an id, then the head, unmarked."""
    labels = ("Da", "A", "Inviato", "Oggetto") if letter.it else ("From", "To", "Sent", "Subject")
    values = (f'"{GM}" <{GAME}>', letter.who.address, "20 Nov 2026 18:12:13", "AM-perdicca")
    rows = [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
    plain = letter.arranged("\n".join(rows) + "\n", same, same)
    html = letter.arranged(
        '<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">'
        + "<br>".join(escape(row) for row in rows)
        + "</div>",
        page,
        page,
    )
    return message(letter.fields(), alternative(letter, plain, f"<html><body>{html}</body></html>"))


def gmx(letter: Letter) -> bytes:
    """Write a mail as a German webmail does, whatever language its user writes."""
    head = (
        f'\n Gesendet: Freitag, 20. November 2026 um 18:12 Uhr\n Von: "{GM}" <{GAME}>\n'
        f" An: {letter.who.address}\n Betreff: AM-perdicca\n"
    )
    html = letter.arranged(
        '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
        'border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;">'
        + "<br>".join(f"<b>{escape(row.strip())}</b>" for row in head.strip().split("\n"))
        + "</div>",
        page,
        lambda old: f'<div name="quoted-content">{page(old)}</div></div>',
    )
    return message(letter.fields(), text(f"<html><body>{html}</body></html>", "html"))


def thunderbird_german(letter: Letter) -> bytes:
    head = f"Am 20.11.26 um 18:12 schrieb {GM}:"
    plain = letter.arranged(head, wrapped, lambda old: quoted(wrapped(old)))
    return message(
        letter.fields(), text(plain + "\n", "plain", "iso-8859-1", "8bit", really="cp1252")
    )


def orange(letter: Letter) -> bytes:
    """Write a mail as a French webmail does."""
    head = (
        f'\n> Message du 20/11/26 18:12\n> De : "{GM}" <{GAME}>\n> A : {letter.who.address}\n'
        "> Objet : AM-perdicca\n> "
    )
    plain = letter.arranged(head, same, quoted)
    return message(letter.fields(), text(plain + "\n"))


def apple_french(letter: Letter) -> bytes:
    head = f"Le 20 nov. 2026 à 18:12, {GM} <{GAME}> a écrit :\n"
    plain = letter.arranged(f"Envoyé de mon iPhone\n\n{head}", same, quoted)
    return message(letter.fields(), text(plain + "\n"))


def spanish(letter: Letter) -> bytes:
    """Write a mail in a language that no table has: quotes are marked, below an attribution."""
    head = f"El vie, 20 nov 2026 a las 18:12, {GM} (<{GAME}>) escribió:\n"
    plain = letter.arranged(head, same, quoted)
    return message(letter.fields(), text(plain + "\n"))


MARKED: tuple[Callable[[Letter], bytes], ...] = (
    clients.gmail_web,
    clients.gmail_app,
    clients.apple_mail,
    clients.iphone_html,
    clients.thunderbird,
    clients.thunderbird_html,
    clients.evolution,
    clients.mutt,
    clients.k9,
    clients.outlook_express,
    libero,
    roundcube,
    roundcube_html,
    horde,
)
"""Programs that mark each quoted line or element: answers may stand anywhere."""

UNMARKED: tuple[Callable[[Letter], bytes], ...] = (
    clients.outlook_desktop,
    clients.outlook_web,
    clients.outlook_mobile,
    clients.windows_mail,
    clients.iphone,
    clients.fairemail,
    libero_old,
    virgilio,
    tim,
    yahoo,
    yahoo_app,
    samsung,
    protonmail,
    zimbra,
)
"""Programs that do not, or whose users write above."""

FOREIGN = (gmx, thunderbird_german, orange, apple_french,
           spanish)  # fmt: skip
