"""Messages with one thing in them that has gone wrong for somebody: how they are encoded, what
is quoted and how, who they are from."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from tests.mail.clients import NEW, Letter
from tests.mail.command_mails import command_mails
from tests.mail.corpus_entries import Mail, expected
from tests.mail.mime import Part, attached, forwarded, message, multi, page, quoted, text, wrapped
from tests.mail.people import GAME, GM, TOL

MEN, ALE, PAN = "A MEN - ALE", "G ALE - MAM", "F PAN - ICA"
SAID = "Caro arbitro,\n\nA MEN – ALE\nG ALE va in Marmarica\n\nCosì è più sicuro.\nBruno"
ORDERS = (MEN, ALE)
OLD = TOL.old
HEAD = f"Il giorno ven 20 nov 2026 alle ore 18:12 {GM} <{GAME}> ha scritto:"


def traps() -> Iterator[Mail]:
    """Return all tricky mails, numbered on from the answers."""
    builders = (*_charsets(), *_texts(), *_pages(), *_attachments(), *_quotations(), *_senders())
    for i, (name, body, entry, fields) in enumerate(builders):
        letter = Letter(TOL, 200 + i, NEW if "re" not in entry else "top")
        wanted = {key: value for key, value in entry.items() if key != "re"}
        head = [pair for pair in letter.fields() if pair[0] not in dict(fields)]
        raw = body if isinstance(body, bytes) else message([*head, *fields], body)
        yield Mail(name, raw, wanted)
    yield from command_mails()


Trap = tuple[str, Part | bytes, dict[str, Any], list[tuple[str, str]]]


def _trap(name: str, body: Part | bytes, said: str = SAID, orders: tuple[str, ...] = ORDERS,
          fields: tuple[tuple[str, str], ...] = (), **more: Any) -> Trap:  # fmt: skip
    entry = expected(TOL, said, orders) if orders else {"power": "TOL", "text": said, "orders": []}
    return name, body, {**entry, **more}, list(fields)


def _charsets() -> Iterator[Trap]:
    eight = "8bit"
    guessed = ["charset-guessed"]
    yield _trap(
        "charset-latin1-is-windows",
        text(SAID, charset="iso-8859-1", really="cp1252", encoding=eight),
        notes=[],
    )
    yield _trap("charset-windows-qp", text(SAID, charset="Windows-1252"), notes=[])
    yield _trap(
        "charset-unknown-utf8", text(SAID, charset="x-unknown", really="utf-8"), notes=guessed
    )
    yield _trap(
        "charset-unknown-windows",
        text(SAID, charset="utf-8-mac-special", really="cp1252"),
        notes=guessed,
    )
    yield _trap(
        "charset-none-windows", text(SAID, charset="", really="cp1252", encoding=eight), notes=[]
    )
    yield _trap(
        "charset-none-utf8", text(SAID, charset="", really="utf-8", encoding=eight), notes=[]
    )
    yield _trap(
        "charset-utf8-is-windows",
        text(SAID, charset="utf-8", really="cp1252", encoding=eight),
        notes=guessed,
    )
    yield _trap(
        "charset-latin1-is-utf8",
        text(SAID, charset="ISO-8859-1", really="utf-8", encoding=eight),
        notes=guessed,
    )
    yield _trap(
        "charset-ascii-is-utf8",
        text(SAID, charset="us-ascii", really="utf-8", encoding=eight),
        notes=guessed,
    )
    yield _trap("charset-utf16", text(SAID, charset="utf-16", encoding="base64"))
    yield _trap("charset-utf7", text(SAID, charset="utf-7", encoding="7bit"))
    yield _trap("charset-mac", text(SAID, charset="macintosh", really="mac-roman"))
    yield _trap("charset-controls-for-dashes", text(SAID.replace("–", "\x96"), charset="utf-8"))
    yield _trap("charset-is-no-charset", text(SAID, charset="rot13", really="utf-8"), notes=guessed)
    padded = base64.b64encode(SAID.encode()).rstrip(b"=")[:-1] + b"\r\n!!"
    broken = Part('text/plain; charset="utf-8"', padded, (("Content-Transfer-Encoding", "base64"),))
    yield _trap("base64-broken", broken, SAID[:-1])
    torn = SAID.replace("–", "=E2=80=93").replace("Così è più", "Cos=C3=AC =C3=A8 pi=C3=B9")
    torn = torn.replace("\n", "\r\n") + "=\r\n=XY ="
    yield _trap("quoted-printable-torn", Part('text/plain; charset="utf-8"', torn.encode(), (("Content-Transfer-Encoding", "quoted-printable"),)), SAID + "=XY")  # fmt: skip


def _texts() -> Iterator[Trap]:
    order = (
        "3. L'armata nel Nilo occidentale appoggia il movimento dell'armata di Menfi in Alessandria"
    )
    both = (MEN, "A NOC S A MEN - ALE")
    said = f"{MEN}\n{order}"
    flowed = said.replace("movimento ", "movimento \n")
    yield _trap("flowed", text(flowed, encoding="7bit", more="; format=flowed"), said, both)
    cut = said.replace("occidentale", "occid \nentale")
    yield _trap(
        "flowed-delsp", text(cut, encoding="7bit", more="; format=flowed; delsp=yes"), said, both
    )
    marked = f"{HEAD}\n> I tuoi ordini erano: A ISR - DAM; \n> F TIR - FEN\n>> F FOC H e poi \n>> F SIS - SUE\n\n{flowed}"
    yield _trap("flowed-quoted", text(marked, more="; format=flowed"), said, both, re=True)
    yield _trap("hard-wrapped", text(wrapped(said)), wrapped(said), both)
    arrows = "A MENàALE\nG ALE à MAM\nF PAN \uf0e0 ICA\nF TIR è FEN\nA ISR\u00a0\u2212\u00a0DAM\nF EGI#1à CRE"
    seen = "A MEN → ALE\nG ALE → MAM\nF PAN → ICA\nF TIR → FEN\nA ISR − DAM\nF EGI#1 → CRE"
    yield _trap(
        "arrows", text(arrows), seen, (*ORDERS, PAN, "F TIR - FEN", "A ISR - DAM", "F EGI#1 - CRE")
    )
    unseen = "\ufeffA M\u00adEN - A\u200bLE\n\u202eG ALE\u202c - MAM\x07\x1b[31m\n"
    yield _trap("unseen-characters", text(unseen), "A MEN - ALE\nG ALE - MAM")
    bullets = "• A MEN - ALE;  2) G ALE -> MAM\n  *   *F PAN – ICA*\n_A ISR H_ 👍"
    yield _trap("bullets-and-emphasis", text(bullets), bullets, (*ORDERS, PAN, "A ISR H"))
    letter = """Ciao a tutti,
A presto rivederci in Egitto! A dire il vero, F. Ferraris non ha dormito.
Se Cassandro fa A SIW - MEN lo distruggo, e se tu attacchi Menfi con A TEB - MEN anche te.
Non farò mai F EGI#1 - CRE, te lo giuro: G. Rossi mi è testimone.
Per Cassandro: attento a te.
A MEN - ALE
Forse F TIR - CIP, ma non quest'anno.
G ALE - MAM
A domani
Bruno"""
    lines = letter.split("\n")
    yield _trap("greetings-and-threats", text(letter), letter, unread=[lines[3], lines[6]])
    told = "Cassandro mi ha scritto:\nvieni in pace, A SIW ti aspetta\n\nA MEN - ALE\nG ALE - MAM"
    yield _trap("told-by-another", text(told), told, unread=["A SIW ti aspetta"])
    twice = "A MEN - TEB\nA MEN - ALE\nG ALE - MAM"
    yield _trap("second-thoughts", text(twice), twice)
    body = text(SAID, encoding="8bit")
    raw = message(Letter(TOL, 290, NEW).fields(), body)
    yield _trap("lf-alone", raw.replace(b"\r\n", b"\n"))
    yield _trap("cr-alone", raw.replace(b"\r\n", b"\r"))
    yield _trap("blank-lines-and-bom-before", b"\r\n\r\n" + raw)
    yield _trap("bom-before", b"\xef\xbb\xbf" + raw)
    yield _trap("mbox-line-before", b"From b.ferraris@example.org Fri Nov 20 18:12:13 2026\n" + raw)
    armour = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{SAID}\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----"
    yield _trap("pgp-inline", text(armour))
    seal = Part(
        "application/pgp-signature; name=signature.asc", b"-----BEGIN PGP SIGNATURE-----\r\n"
    )
    signed = multi("signed", text(SAID), seal, boundary="sig", more="micalg=pgp-sha512; ")
    yield _trap("pgp-mime", signed, notes=[])
    notice = f"{SAID}\n\nA norma del D.Lgs. 196/2003 - le informazioni sono riservate\nQuesto messaggio e i suoi allegati sono riservati a:\nA ISR - TIR"
    yield _trap(
        "disclaimer",
        text(notice),
        f"{SAID}\n\nA norma del D.Lgs. 196/2003 - le informazioni sono riservate",
    )


def _pages() -> Iterator[Trap]:
    orders = f"{MEN}\n{ALE}"

    def html(source: str, **more: str) -> Part:
        return text(f"<html><body>{source}</body></html>", "html", **more)  # type: ignore[arg-type]

    only = ["html-only"]
    yield _trap(
        "html-entities",
        html("Ecco:<br>A&nbsp;MEN &ndash; ALE<br/>G ALE &rarr; MAM<BR>"),
        "Ecco:\nA MEN – ALE\nG ALE → MAM",
        notes=only,
    )
    wing = "<p class=MsoNormal>A MEN <span style='font-family:Wingdings'>à</span> ALE</p><p>G Alessandria<font face=\"Wingdings\">&agrave;</font>Marmarica</p>"
    yield _trap(
        "html-outlook-arrow",
        html(wing, charset="windows-1252"),
        "A MEN → ALE\nG Alessandria→Marmarica",
    )
    hidden = f'<div style="display:none">A ISR - DAM<br>F FOC H</div><div style="font-size:0px">F TIR - FEN</div>{page(orders)}<p hidden>F SIS - SUE</p><!-- A NOC H -->'
    yield _trap("html-hidden", html(hidden), orders)
    struck = "<p>A MEN - <s>TEB</s> ALE</p><p><del>A ISR - DAM</del></p><p>G ALE - MAM</p>"
    yield _trap("html-struck-out", html(struck), orders, notes=["html-only", "struck-out"])
    both = multi(
        "alternative", text("A MEN - ALE\nA ISR - DAM\nG ALE - MAM"), html(struck), boundary="st"
    )
    yield _trap("plain-tells-not-what-is-struck-out", both, orders, notes=["struck-out"])
    indent = f'<div>Ecco:</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px">{page(orders)}</blockquote>'
    yield _trap("html-indent-is-no-quotation", html(indent), f"Ecco:\n{orders}")
    table = "<table><tr><th>Unità</th><th>Ordine</th></tr><tr><td>A MEN</td><td>-</td><td>ALE</td></tr><tr><td>G ALE<td>va in<td>Marmarica</table>"
    yield _trap(
        "html-table", html(table), "Unità | Ordine\nA MEN | - | ALE\nG ALE | va in | Marmarica"
    )
    items = "<ol><li>A MEN - ALE</li><li>G ALE - MAM</ol><style>p{}</style><script>var a='A ISR - DAM';</script>"
    yield _trap("html-list", html(items), orders)
    yield _trap("html-pre", html(f"<pre>{orders}\n</pre>"), orders)
    loose = "<div><p>A MEN - ALE<p>G ALE - MAM<div><b><i>Bruno</b></i> <3 > 2 <- ok"
    yield _trap("html-untidy", html(loose), f"{orders}\nBruno <3 > 2 <- ok")
    nested = f"<div>{orders.replace(chr(10), '<br>')}</div><blockquote>a<blockquote>A ISR - DAM</blockquote>F FOC H</blockquote>"
    yield _trap("html-nested-quotations", html(nested), orders)
    page_part = html(page(orders))
    empty = multi("alternative", text(" \n\n"), page_part, boundary="em")
    yield _trap("plain-empty", empty, orders, notes=only)
    stub = multi(
        "alternative",
        text("Il tuo programma di posta non supporta i messaggi HTML."),
        page_part,
        boundary="sb",
    )
    yield _trap("plain-stub", stub, orders, notes=only)
    unmarked = multi(
        "alternative",
        text(f"{orders}\n\nEl vie, 20 nov 2026, Arbitro escribió:\n\n{OLD}"),
        html(
            f"{page(orders)}<blockquote>El vie, 20 nov 2026, Arbitro escribió:<br>{page(OLD)}</blockquote>"
        ),
        boundary="un",
    )
    yield _trap(
        "plain-tells-not-what-is-quoted",
        unmarked,
        f"{orders} L'arbitro",
        re=True,
    )
    yield _trap(
        "html-called-plain", text(f"<html><body>{page(orders)}</body></html>"), orders, notes=only
    )
    related = multi("related", multi("alternative", text(orders), page_part, boundary="in"),
                    Part("image/png; name=logo.png", b"x", (("Content-ID", "<logo@x>"),)), boundary="re")  # fmt: skip
    yield _trap("related-with-logo", related, orders, notes=[])
    invite = Part("text/calendar; method=REQUEST", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    calendar = multi("alternative", text(orders), page_part, invite, boundary="ca")
    yield _trap("alternative-with-calendar", calendar, orders)


def _attachments() -> Iterator[Trap]:
    orders = f"{MEN}\n{ALE}"
    data = f"\ufeff{orders}\n".encode()
    hello = text("In allegato gli ordini.\nBruno")
    said = f"In allegato gli ordini.\nBruno\n\n{orders}"
    read = ["attachment-read"]
    yield _trap(
        "attached-text",
        multi(
            "mixed", hello, attached("ordini.txt", data, "text/plain; charset=utf-8"), boundary="at"
        ),
        said,
        notes=read,
    )
    yield _trap(
        "attached-octets",
        multi("mixed", hello, attached("ORDINI.TXT", data), boundary="ao"),
        said,
        notes=read,
    )
    utf16 = attached("ordini.txt", orders.encode("utf-16"), "text/plain; charset=utf-16")
    yield _trap("attached-notepad", multi("mixed", hello, utf16, boundary="an"), said)
    word = attached(
        "ordini.docx",
        b"PK\x03\x04",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    )
    yield _trap(
        "attached-word",
        multi("mixed", hello, word, boundary="aw"),
        "In allegato gli ordini.\nBruno",
        (),
        notes=["attachment-ignored"],
    )
    yield _trap(
        "attached-winmail",
        multi(
            "mixed",
            text(SAID),
            attached("winmail.dat", b'x\x9f>"', "application/ms-tnef"),
            boundary="wm",
        ),
        notes=["attachment-ignored"],
    )
    photo = attached("foto.jpg", b"\xff\xd8\xff", "image/jpeg")
    around = multi("mixed", text(MEN), photo, text(ALE), boundary="ph")
    yield _trap("text-around-a-picture", around, orders, notes=["attachment-ignored"])
    other = message(Letter(TOL, 291, NEW).fields(), text(SAID))
    game = message([("From", f"{GM} <{GAME}>"), ("Subject", "Resoconto")], text(OLD))
    only = multi("mixed", text("\n"), forwarded(other), boundary="fo")
    yield _trap("own-mail-forwarded-alone", only, notes=["forwarded-own"])
    with_text = multi(
        "mixed", text(orders), forwarded(other.replace("–".encode(), b"-")), boundary="fw"
    )
    yield _trap("own-mail-forwarded-below", with_text, orders, notes=["forwarded-ignored"])
    foreign = multi("mixed", text(""), forwarded(game), boundary="fg")
    yield _trap(
        "game-mail-forwarded", foreign, "", (), notes=["forwarded-ignored", "only-quotation"]
    )
    deep = text(SAID)
    for i in range(8):
        deep = multi("mixed", deep, boundary=f"deep{i}")
    yield _trap("parts-in-parts", deep)
    for i in range(8, 40):
        deep = multi("mixed", deep, boundary=f"deep{i}")
    yield _trap("too-many-parts-in-parts", deep, "", (), notes=["too-many-parts"])
    whole = multi("mixed", text(SAID), attached("x.bin", b"x" * 600), boundary="tr")
    torn = Part(whole.kind, whole.body[:-400])
    yield _trap("torn-off", torn)
    yield _trap(
        "boundary-missing",
        Part("multipart/mixed", text(SAID, encoding="8bit").body),
        "",
        (),
        re=True,
    )


def _quotations() -> Iterator[Trap]:
    orders = f"{MEN}\n{ALE}"
    marked = quoted(OLD)
    yield _trap(
        "nothing-but-quotation",
        text(f"{HEAD}\n\n{marked}"),
        "",
        (),
        notes=["only-quotation"],
        re=True,
    )
    yield _trap(
        "signs-for-bullets", text("> A MEN - ALE\n> G ALE - MAM"), "", (), notes=["only-quotation"]
    )
    deep = quoted(f"Il 19/11/26 10:00, Bruno ha scritto:\n{quoted(OLD)}\n\nNo.")
    yield _trap("quoted-twice", text(f"{orders}\n\n{HEAD}\n{deep}"), orders, re=True)
    tight = marked.replace("> ", ">")
    yield _trap("marks-without-blanks", text(f"{orders}\n{HEAD}\n{tight}"), orders, re=True)
    unlabelled = f"{orders}\n\n{marked}"
    yield _trap("no-line-above", text(unlabelled), orders, re=True)
    below = f"---------- Forwarded message ---------\nDa: {GM} <{GAME}>\nDate: ven 20 nov 2026\nSubject: Resoconto\nTo: <x@example.org>\n\n\n{OLD}"
    yield _trap(
        "forwarded-by-gmail", text(f"\n\n{below}"), "", (), notes=["forwarded", "only-quotation"]
    )
    apple = f"Guarda qui.\n\nInizio messaggio inoltrato:\n\nDa: {GM} <{GAME}>\nOggetto: Resoconto\nData: 20 novembre 2026\nA: x@example.org\n\n{OLD}"
    yield _trap("forwarded-by-apple", text(apple), "Guarda qui.", (), notes=["forwarded"])
    bold = f"{orders}\n\n*Da:* {GM}\n*Inviato:* venerdì 20 novembre 2026\n*A:* Bruno Ferraris; Luigi Manca;\n Sven Lindqvist\n*Oggetto:* Resoconto\n\n{OLD}"
    yield _trap("head-in-bold-and-folded", text(bold), orders, re=True)
    three = f"{orders}\n\nIl giorno venerdì 20 novembre 2026\nalle ore 18:12 {GM}\n<{GAME}>\nha scritto:\n\n{marked}"
    yield _trap("line-above-on-four-lines", text(three), orders, re=True)
    red = f"Vedi sotto, in rosso\n\nDa: {GM}\nInviato: ieri\nA: Bruno\nOggetto: Resoconto\n\nI tuoi ordini:\nA ISR - DAM\nqui ho cambiato idea: A MEN - ALE\nF TIR - FEN"
    yield _trap("answers-in-red", text(red), "Vedi sotto, in rosso", (), re=True)
    sent = [OLD]
    again = ["repeats-sent"]
    yield _trap(
        "unmarked-but-sent", text(f"{orders}\n\n{OLD}"), orders, notes=again, sent=sent, re=True
    )
    yield _trap(
        "unmarked-but-sent-above",
        text(f"{OLD}\n\n{orders}\nciao"),
        f"{orders}\nciao",
        notes=again,
        sent=sent,
        re=True,
    )
    yield _trap(
        "unmarked-but-sent-and-wrapped",
        text(f"{orders}\n\n{wrapped(OLD, 40)}"),
        orders,
        notes=again,
        sent=sent,
        re=True,
    )
    received = f"Ordini di TOL ricevuti e capiti:\n{orders}\nMancano ordini per F PAN, A ISR e altre sei unità.\nScadenza domenica."
    yield _trap(
        "orders-copied-from-a-receipt",
        text(f"Confermo:\n{orders}"),
        f"Confermo:\n{orders}",
        notes=[],
        sent=[received],
    )
    yield _trap(
        "receipt-sent-back",
        text(f"{PAN}\n\n{received}"),
        PAN,
        (PAN,),
        notes=again,
        sent=[received],
        re=True,
    )
    wrote = f"{orders}\n\nOn 20 Nov 2026 18:12, {GM} said:\n\n{OLD}"
    yield _trap("unmarked-below-a-line", text(wrote), orders, notes=["cut-below"], re=True)


def _senders() -> Iterator[Trap]:
    body = text(SAID)

    def by(name: str, *fields: tuple[str, str], **more: Any) -> Trap:
        return _trap(name, body, fields=fields, **more)

    two = ("From", "Bruno <b.ferraris@example.org>"), ("From", "Eva <eva@example.com>")
    both = ["b.ferraris@example.org", "eva@example.com"]
    yield by("from-two-fields", *two, notes=["from-several"], senders=both)
    yield by(
        "from-two-people",
        ("From", "Bruno <B.Ferraris@Example.org>, eva@example.com"),
        notes=["from-several"],
        senders=both,
    )
    yield by(
        "from-malformed",
        ("From", "Bruno Ferraris b.ferraris@example.org"),
        notes=["from-malformed"],
        senders=[],
    )
    yield by("from-empty", ("From", ""), notes=["from-missing"], senders=[])
    yield by(
        "from-name-is-an-address",
        ("From", '"b.ferraris@example.org" <eva@example.com>'),
        notes=["address-in-name"],
        senders=["eva@example.com"],
    )
    yield by(
        "from-comma-in-name",
        ("From", '"Ferraris, Bruno" <b.ferraris@example.org>'),
        notes=[],
        senders=["b.ferraris@example.org"],
    )
    yield by(
        "from-comment",
        ("From", "b.ferraris@example.org (Bruno Ferraris)"),
        notes=[],
        senders=["b.ferraris@example.org"],
    )
    yield by(
        "from-raw-bytes",
        ("From", "Bruno Ferràris <b.ferraris@example.org>"),
        notes=[],
        senders=["b.ferraris@example.org"],
    )
    yield by(
        "subject-with-escapes",
        ("Subject", "=?utf-8?Q?ordini=1B]0;x=07=E2=80=AE_=0D=0ABcc:_eva@example.com?="),
        subject="ordini Bcc: eva@example.com",
    )
    yield by(
        "subject-folded-in-pieces",
        ("Subject", "=?utf-8?Q?pi=C3?=\r\n =?utf-8?Q?=B9_ordini?= da =?iso-8859-1?Q?me_=96?="),
        subject="più ordini da me –",
    )
    yield by("message-id-missing", ("Message-ID", ""), notes=["no-message-id"])
    yield by("date-nonsense", ("Date", "ieri sera verso le 25:61"), notes=[])
