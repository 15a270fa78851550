"""An order sheet in the browser: orders are clicked together, and their text reads back.

The ways to an order are those of :mod:`alexmagnum.report.sheet`; whatever is ordered here
is ordered with buttons, as with a keyboard or a reader of the screen, or with taps on the map.
"""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Page, expect

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import order_in, read_order, read_orders
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.formats import MapPictures
from alexmagnum.report.sheet import Choice, Sandbox, SheetHeading, list_subjects, render_order_sheet
from tests.browser import chromium
from tests.sizes import one_in
from tools.pictures import sample_turn

BOARD = load_board("alexmagnum")
OCCASION = SheetHeading(
    "Cipro & <dintorni>", "arbitro+cipro@example.org", "domenica 22 novembre", "22 nov 23:59", "m1"
)


SAMPLE, _ = sample_turn()
TURN = (
    "G ALE - CRE",
    "F EGI#1 C G ALE - CRE",
    "F PAN S G ALE - CRE",
    "F FOC - TEB",
    "F SIS - SUE",
    "A MEN H",
    "A NOC S A MEN",
    "F FEN#1 - EGI#2",
    "F TIR - FEN",
    "A ISR - TIR via convoy",
)
"""An order for every unit of Tolomeo: each kind, and each special rule of the moves."""


@dataclass
class Desk:
    """A sheet that is open, and the player before it."""

    page: Page
    position: Position
    power: str
    lang: str
    touch: bool = False

    # -- what he does -----------------------------------------------------------------------------

    def press(self, name: str, within: str = "body") -> None:
        self.page.locator(within).get_by_role("button", name=name, exact=True).first.click()

    def take(self, subject: str) -> None:
        """Choose what to order from the list, by the beginning of its name."""
        rows = self.page.locator("#subjects .subject")
        rows.filter(has_text=re.compile(f"^{re.escape(subject)}")).first.click()

    def order(self, *texts: str) -> None:
        """Give canonical orders with the buttons alone, before the map is painted again."""
        self.page.evaluate(_PRESS, [self._way(order_in(text, self.lang)) for text in texts])

    def order_slowly(self, *texts: str) -> None:
        """Give canonical orders with the buttons alone, each clicked with the mouse."""
        for text in texts:
            steps = self._way(order_in(text, self.lang))
            self.take(steps[0])
            for step in steps[1:]:
                self.press(step, "#choices")

    def _way(self, text: str) -> list[str]:
        """List the buttons and places to press for an order."""
        for subject in list_subjects(self.position, self.power, load_sentences(self.lang)):
            if way := _way_to(subject.then, text):
                return [subject.label, *way]
        raise AssertionError(text)

    def tap(self, *, unit: str = "", province: str = "") -> None:
        """Tap a unit, or a province where no unit is near; if need be, show the whole map."""
        ((x, y),) = self._find_spots((unit, province))
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def _find_spots(self, *wanted: tuple[str, str]) -> list[tuple[float, float]]:
        """Return where units and provinces are; if not all are in sight, on the whole map."""
        self.page.evaluate(_DRAWN)
        spots = [self.page.evaluate(_SPOT, list(each)) for each in wanted]
        if None in spots:
            self.page.locator("[data-zoom=whole]").click()
            self.page.evaluate(_DRAWN)
            spots = [self.page.evaluate(_SPOT, list(each)) for each in wanted]
        assert None not in spots, wanted
        return spots

    def tap_between(self, one: str, other: str) -> None:
        """Put a finger down between two units."""
        (x1, y1), (x2, y2) = self._find_spots((one, ""), (other, ""))
        self.page.touchscreen.tap((x1 + x2) / 2, (y1 + y2) / 2)

    # -- what he sees -----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.page.locator("#text").input_value()

    @property
    def lines(self) -> list[str]:
        """Return the orders in the text, without the heading."""
        return self.text.splitlines()[1:]

    @property
    def choices(self) -> list[str]:
        return self.page.locator("#choices button").all_inner_texts()

    @property
    def aims(self) -> set[str]:
        """Return the possible targets on the map: shapes of provinces by number, units by name."""
        return set(self.page.locator(".unit:has(.ring:not(.here))").evaluate_all(_UNITS))

    @property
    def read(self) -> Sequence[Order]:
        """Read the text back, and return its orders."""
        reading = read_orders(self.text, self.position)
        assert [line.error for line in reading.lines if line.error] == []
        assert [line.notices for line in reading.lines if line.notices] == []
        assert set(reading.orders) <= {self.power}
        return reading.orders.get(self.power, ())


Opening = Callable[..., Desk]

_MAPS = MapPictures()  # each map is drawn once for all sheets

_UNITS = "marks => marks.map(mark => mark.dataset.unit)"

HERE = Path(__file__).parent

_PRESS = (HERE / "press_buttons.js").read_text(encoding="utf-8")

_DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the map shows what it was told to."""

_SPOT = (HERE / "find_spot.js").read_text(encoding="utf-8")


def _way_to(choices: Iterable[Choice], text: str) -> list[str]:
    for choice in choices:
        if choice.order == text:
            return [choice.label]
        if further := _way_to(choice.then, text):
            return [choice.label, *further]
    return []


@pytest.fixture
def opened(visitor: chromium.Visitor, tmp_path: Path) -> Opening:
    """Opens the sheet of a power."""

    def open_sheet(
        position: Position,
        power: str = "TOL",
        lang: str = "it",
        *,
        size: tuple[int, int] = (1280, 900),
        scheme: chromium.Scheme = "light",
        touch: bool = False,
        permissions: Sequence[str] = (),
        judge: bool = False,
    ) -> Desk:
        path = tmp_path / f"{power}.html"
        sentences = load_sentences(lang)
        drawn = _MAPS.position_svg(position, sentences, OCCASION.game)
        sandbox = Sandbox("yes" if judge else "no")
        sheet = render_order_sheet(position, power, sentences, OCCASION, drawn, sandbox)
        path.write_text(sheet, encoding="utf-8", newline="\n")
        page = visitor.open(path, size=size, scheme=scheme, touch=touch, permissions=permissions)
        return Desk(page, position, power, lang, touch)

    return open_sheet


def _reads_back(desk: Desk, *texts: str) -> None:
    """Check that the text of a sheet is read to the orders that are written so."""
    assert set(desk.read) == {read_order(text, desk.position, desk.power) for text in texts}


# -- a turn ---------------------------------------------------------------------------------------


@pytest.mark.proof
@pytest.mark.parametrize("lang", ["it", "en"])
def test_a_whole_turn_is_clicked_together_and_reads_back(opened: Opening, lang: str) -> None:
    """Move, support, convoy, express, portage, a named fleet, a convoy beside a way on foot, hold:
    the text of the mail is read to the same orders."""
    desk = opened(SAMPLE, lang=lang)
    desk.order_slowly(*TURN)

    assert len(desk.read) == len(TURN) == len(SAMPLE.units_of("TOL"))
    _reads_back(desk, *TURN)


TAPS = {
    ("A MEN", "TEB"): "A MEN - TEB",
    ("F PAN", "EGI", "Moves: Egyptian Sea", "against F EGI#2 Egyptian Sea (Cassander)"): (
        "F PAN - EGI#2"
    ),  # which fleet in a sea is meant (R11)
    ("A MEN", "Supports", "A NOC", "where it stands"): "A MEN S A NOC",
    ("A NOC", "A MEN", "Order A MEN Memphis instead", "Holds"): "A MEN H",
    ("F EGI#2", "F PAN Pamphylian Sea · Moves: against F EGI#2 Egyptian Sea (Cassander)"): (
        "F PAN - EGI#2"
    ),  # what one's own can do about another's unit
    ("TEB", "A MEN Memphis · Moves: Thebes"): "A MEN - TEB",
}
"""Taps on units and provinces and presses of buttons, with the order that they give."""

ASKED = {
    ("A NOC", "A MEN"): ("Which one?", ["Supports: A MEN Memphis"]),
    ("F EGI#2",): ("F EGI#2, Egyptian Sea: which of your units?", []),
    ("TEB",): ("", ["F FOC Nile Mouths · Moves: Thebes", "A MEN Memphis · Moves: Thebes"]),
    ("A ISR", "TEB"): (
        "Thebes: out of reach for A ISR Israel. Others can act there:",
        ["A MEN Memphis · Moves: Thebes"],
    ),
}
"""Taps, with what they ask and choices that they offer, in this order."""


def test_taps_on_the_map_lead_to_orders(opened: Opening) -> None:
    desk = opened(SAMPLE, lang="en")
    for steps, line in TAPS.items():
        _tap_and_press(desk, steps)
        assert desk.lines == [line], steps
        desk.press("Start again")
    for steps, (asked, wanted) in ASKED.items():
        _tap_and_press(desk, steps)
        assert asked in desk.page.inner_text(".choose"), steps
        assert [choice for choice in desk.choices if choice in wanted] == wanted, steps
        desk.page.keyboard.press("Escape")
    for province in ("TEB", "LAH", "ION"):
        desk.tap(province=province)
        answer = desk.page.locator("#said").inner_text()
        assert desk.choices or answer.endswith("Tap one of your units, on the map or in the list.")
        desk.page.keyboard.press("Escape")


def _tap_and_press(desk: Desk, steps: Iterable[str]) -> None:
    for step in steps:
        if step in SAMPLE.names:
            desk.tap(unit=step)
        elif step in BOARD.provinces:
            desk.tap(province=step)
        else:
            desk.press(step, "#choices")


def test_the_map_points_at_what_can_be_tapped_and_draws_orders_as_they_are_entered(
    opened: Opening,
) -> None:
    """First at one's own units, then at where one of them can go."""
    desk = opened(SAMPLE)
    assert desk.aims == {SAMPLE.name(unit) for unit in SAMPLE.units_of("TOL")}
    desk.tap(unit="A MEN")
    subjects = {s.id: s for s in list_subjects(SAMPLE, "TOL", load_sentences("it"))}
    assert desk.aims == set()
    assert desk.page.locator("#board .aimed").count() == len(subjects["A MEN"].then[0].then)

    desk.page.keyboard.press("Escape")
    drawn = desk.page.locator("#board .order")
    desk.order("A NOC - ALE", "A MEN S A NOC - ALE")
    assert drawn.evaluate_all(_UNITS) == ["A NOC - ALE", "A MEN S A NOC - ALE"]
    desk.press("Togli l'ordine: A NOC - ALE")
    assert drawn.evaluate_all(_UNITS) == ["A MEN S A NOC - ALE"]
    assert desk.page.locator("#board .order .nothing").count() == 1


def test_only_legal_choices_are_there_and_lead_back_out(opened: Opening) -> None:
    desk = opened(SAMPLE, lang="en")
    desk.take("A MEN")
    assert desk.choices == ["Moves", "Holds", "Supports", "Never mind"]
    desk.tap(province="PAN")
    assert desk.lines == []

    desk.take("A MEN")
    desk.press("Moves", "#choices")
    desk.press("Back", "#choices")
    assert "Holds" in desk.choices
    desk.press("Never mind", "#choices")
    assert desk.choices == []
    desk.take("A MEN")
    desk.page.keyboard.press("Escape")
    assert (desk.choices, desk.lines) == ([], [])


@pytest.mark.proof
def test_units_without_orders_are_listed_and_warnings_stand_beside_their_orders(
    opened: Opening,
) -> None:
    """Orders can be changed and removed; a warning stands until it is met."""
    desk = opened(SAMPLE, lang="en", judge=True)
    missing, warnings = desk.page.locator("#missing"), desk.page.locator("#subjects .warning")
    desk.order("A NOC S A MEN - ALE")
    expect(warnings).to_have_text(["no effect: A MEN was not ordered to do that"], timeout=60_000)
    assert "no effect" in desk.page.locator("#said").inner_text()
    assert desk.page.locator("#warned").inner_text().startswith("Warnings: 1.")
    desk.order("A MEN - ALE", "G ALE - CRE")
    expect(warnings).to_contain_text(["no fleet of the same power carries it"])
    way = desk.page.locator("#board .order[data-unit='G ALE - CRE'] .line")
    expect(way).to_have_count(0)  # drawn as an attempt, until a fleet carries it
    desk.page.locator("#subjects button", has_text="F EGI#1 C G ALE - CRE").click()
    expect(warnings).to_have_count(0)
    expect(way).to_have_count(1)

    desk.press("Start again")
    desk.order("A MEN H", "A MEN - TEB")
    assert desk.lines == ["A MEN - TEB"]  # an order is changed by another one
    desk.order("A MEN H", "A NOC H")
    assert "A MEN" not in missing.inner_text()
    desk.press("Delete the order: A MEN H")
    assert "A MEN Memphis" in missing.inner_text()
    assert desk.lines == ["A NOC H"]
    desk.order(*TURN)
    assert missing.inner_text() == "Nothing is missing."
    row = desk.page.locator("#subjects li", has_text="A ISR - TIR")
    assert row.locator("code").inner_text() == "A ISR - TIR via convoy"
    assert "army (Israel): moves by convoy" in row.inner_text()


# -- no dead ends, and no way that cannot be gone back --------------------------------------------


def test_a_tap_where_nothing_can_be_built_or_picked_speaks_of_no_units(opened: Opening) -> None:
    """Before a centre is chosen and afterwards; other powers may have units on the map."""
    answer = "Thebes: nothing can be ordered there. Tap a centre, on the map or in the list."
    desk = opened(_winter(others="SEL:ABAB"), lang="en")
    for _ in range(2):
        desk.tap(province="TEB")
        assert desk.page.locator("#said").inner_text() == answer
        desk.take("Memphis")


@pytest.mark.proof
def test_every_act_can_be_undone_and_done_again(opened: Opening) -> None:
    """Orders, changes, deletions and starting again; by button and by keys."""
    desk = opened(SAMPLE, lang="en")
    desk.order("A MEN H", "A MEN - TEB", "A NOC H")
    desk.press("Delete the order: A NOC H")
    desk.press("Start again")
    assert desk.lines == []

    texts = []
    for _ in range(5):
        desk.page.keyboard.press("Control+z")
        texts.append(sorted(desk.lines))
    assert texts == [["A MEN - TEB"], ["A MEN - TEB", "A NOC H"], ["A MEN - TEB"], ["A MEN H"], []]
    assert desk.page.locator("#said").inner_text() == "Undone: A MEN H"

    desk.press("Redo")
    desk.page.keyboard.press("Control+Shift+z")
    assert desk.lines == ["A MEN - TEB"]
    desk.page.reload()
    assert desk.lines == ["A MEN - TEB"]


# -- fingers --------------------------------------------------------------------------------------


@pytest.mark.proof
def test_crowded_units_spread_out_under_a_finger(opened: Opening) -> None:
    """Each target is at least 40 pixels across; the order stands below the map, which nothing
    covers, and the next tap counts."""
    desk = opened(SAMPLE, size=(390, 844), touch=True)
    desk.tap_between("A NOC", "G ALE")
    near = desk.page.locator("#near")
    assert {"A NOC", "G ALE"} <= set(near.locator("button > span").all_inner_texts())
    _are_large_enough(desk)

    near.get_by_role("button").filter(has_text="A NOC").tap()
    assert desk.page.locator("#asked").inner_text().startswith("A NOC")
    assert near.is_hidden()
    desk.page.keyboard.press("Escape")
    desk.tap(unit="A MEN")
    desk.tap(province="TEB")
    assert near.is_hidden()
    assert "A MEN - TEB" in desk.page.inner_text("#said")
    desk.tap(unit="A ISR")
    assert desk.page.locator("#asked").inner_text().startswith("A ISR")
    desk.press("Annulla")
    assert desk.lines == []


def test_title_and_deadline_stand_in_one_line_of_a_telephone(opened: Opening) -> None:
    desk = opened(SAMPLE, "CAN", size=(360, 740), touch=True)
    title, until = (chromium.box_of(desk.page.locator(part)) for part in ("h1", "header .brief"))
    assert title["x"] + title["width"] <= until["x"]
    assert until["x"] + until["width"] <= 360
    assert max(title["height"], until["height"]) < 24
    assert chromium.box_of(desk.page.locator("#board"))["y"] < 32


def test_a_finger_drags_ones_own_unit_to_order_it_and_else_the_map_and_two_enlarge_it(
    opened: Opening,
) -> None:
    """On an enlarged map and on the whole one, where a finger elsewhere scrolls the page."""
    desk = opened(SAMPLE, lang="en", size=(360, 740), touch=True)
    box = "document.querySelector('#board svg').getAttribute('viewBox')"
    start, sea = desk._find_spots(("A MEN", ""), ("", "EGI"))
    chromium.swipe(desk.page, start, desk._find_spots(("", "TEB"))[0])
    assert desk.lines == ["A MEN - TEB"]
    before = desk.page.evaluate(box)
    chromium.swipe(desk.page, sea, (sea[0] + 60, sea[1] + 80))
    assert desk.page.evaluate(box) != before
    scale = desk.page.evaluate(_SCALE)
    ((x, y),) = desk._find_spots(("A ISR", ""))
    chromium.pinch(desk.page, (x - 30, y), apart=60, to=120)  # a finger on a unit is one of the two
    chromium.wait_until(desk.page, f"before => ({_SCALE})() > 1.5 * before", scale)

    desk.press("Show the whole map")
    desk.page.evaluate(_DRAWN)
    chromium.swipe(desk.page, *desk._find_spots(("F EGI#1", ""), ("", "LIB")))
    assert desk.lines == ["A MEN - TEB", "F EGI#1 - LIB"]
    assert desk.page.evaluate("[scrollY, visualViewport.scale]") == [0, 1]


def _overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


_CHECKED = "() => !document.querySelector('#subjects').hasAttribute('aria-busy')"
"""The judge has checked the orders."""


def test_what_a_warning_suggests_stands_beside_it_in_one_tap(opened: Opening) -> None:
    position = Position.from_text("alexmagnum 318-spring SEL:FEGI,FEGI#2,FEGI#3 TOL:FPAN")
    desk = opened(position, lang="en", size=(390, 844), touch=True, judge=True)
    desk.tap(unit="F PAN")
    for step in ("Moves", "Egyptian Sea", "naming nobody"):
        desk.press(step, "#choices")
    desk.page.locator("#said").get_by_role("button", name="F PAN - EGI#2").tap()

    assert desk.lines == ["F PAN - EGI#2"]
    chromium.wait_until(desk.page, _CHECKED)
    assert desk.page.locator("#said button").count() == 0


def _are_large_enough(desk: Desk) -> None:
    """Check that every button in sight is a target for a finger."""
    for button in desk.page.locator("button:visible").all():
        box = chromium.box_of(button)
        assert min(box["width"], box["height"]) >= 40, button.inner_text()


SPREAD = Position.from_text("alexmagnum 319-spring TOL:AMEN,ANOC,ATEB,AISR,ABAB,ATAX,ATES")
"""A power with units from one edge of the map to the other."""

_MINE_IN_SIGHT = """() => {
  const frame = document.querySelector("#board").getBoundingClientRect();
  return [...document.querySelectorAll("#board .mine")]
    .map(token => [token.dataset.unit, token.getBoundingClientRect()])
    .filter(([, box]) => box.x > frame.x && box.right < frame.right
      && box.y > frame.y && box.bottom < frame.bottom)
    .map(([name, box]) => [name, box.width]);
}"""


@pytest.mark.parametrize("size", one_in(2, [(390, 844), (640, 360)]))
def test_units_all_over_the_map_are_first_seen_where_most_of_them_are(
    opened: Opening, size: tuple[int, int]
) -> None:
    """The whole map on a phone has symbols of 5 px: too small to be hit or read."""
    desk = opened(SPREAD, lang="en", size=size, touch=True)
    seen = dict(desk.page.evaluate(_MINE_IN_SIGHT))
    hint = desk.page.locator("#hint")
    assert set(seen) == {"A MEN", "A NOC", "A TEB", "A ISR", "A BAB"}
    assert min(seen.values()) >= 15
    assert hint.inner_text().startswith("Some of your units are on another part of the map")

    desk.take("A TAX")
    desk.page.evaluate(_DRAWN)
    assert "A TAX" in dict(desk.page.evaluate(_MINE_IN_SIGHT))
    assert "another part" not in hint.inner_text()


def test_a_desk_shows_units_all_over_the_map_at_once(opened: Opening) -> None:
    desk = opened(SPREAD)
    assert len(desk.page.evaluate(_MINE_IN_SIGHT)) == len(SPREAD.units)
    assert desk.page.locator("#hint").inner_text() == ""


# -- sending --------------------------------------------------------------------------------------


def test_the_mail_has_address_subject_and_lines_as_mail_wants_them(opened: Opening) -> None:
    """RFC 6068: lines end with %0D%0A, and nothing is left unescaped."""
    desk = opened(SAMPLE)
    desk.order("F PAN - EGI#2", "A MEN H")
    link = desk.page.locator("#mail").get_attribute("href") or ""
    parts = urlsplit(link)
    fields = parse_qs(parts.query, strict_parsing=True)

    assert parts.path == "arbitro%2Bcipro@example.org"
    assert fields["subject"] == ["Cipro & <dintorni>: Primavera 318 a.C., movimenti"]
    assert fields["body"] == ["Ordini per Tolomeo:\r\nA MEN H\r\nF PAN - EGI#2"]
    assert "%0D%0A" in link
    assert not set(link) & set(" \n\r#<>+")


@pytest.mark.proof
def test_the_text_is_copied_and_kept_where_the_browser_stores_anything(opened: Opening) -> None:
    desk = opened(SAMPLE, permissions=("clipboard-read", "clipboard-write"))
    desk.order("A MEN H", "F FOC - TEB")
    desk.press("Copia")
    expect(desk.page.locator("#status")).to_have_text("Copiato.")
    assert desk.page.evaluate("navigator.clipboard.readText()") == desk.text

    earlier = """() => { for (const [key, kept] of Object.entries(localStorage)) {
        localStorage.removeItem(key); localStorage.setItem(key.replace(/ m1$/, ""), kept); } }"""
    for change in ("() => {}", earlier):  # earlier versions kept it under the name of the game
        desk.page.evaluate(change)
        desk.page.reload()
        assert set(desk.lines) == {"A MEN H", "F FOC - TEB"}
    desk.press("Ricomincia da capo")
    desk.page.reload()
    assert desk.lines == []

    desk.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no'); }; }")
    desk.order("A MEN H")
    assert desk.lines == ["A MEN H"]


@pytest.mark.parametrize(
    "kept", one_in(6, ["", "null", "7", "[[1]]", '[["A MEN","A MEN - MAC"]]', "{"])
)
def test_what_is_kept_may_be_anything(opened: Opening, kept: str) -> None:
    desk = opened(SAMPLE)
    desk.order("F FOC - TEB")
    desk.page.evaluate("text => localStorage.setItem(Object.keys(localStorage)[0], text)", kept)
    desk.page.reload()
    desk.order("A MEN H")

    assert desk.lines == ["A MEN H"]


# -- the other phases -----------------------------------------------------------------------------


def test_retreats(opened: Opening) -> None:
    """Move each dislodged unit where a way is open, or disband it; tell apart two of one sea."""
    position = Position.from_text(
        "alexmagnum 318-spring-retreats SEL:AMEN,FEGE,FEGE#2"
        " TOL:AMEN!SEL.ATEB>NOC+SIW,FEGE!SEL.FCRE>ICA,FEGE#2!SEL.FATE"
    )
    desk = opened(position)
    assert desk.page.locator(".unit.dislodged > .ring").count() == 3
    assert desk.page.locator(".unit > .ring").count() == 3  # none at those who drove them out
    ways = ("A MEN - SIW", "F EGE#1 - ICA", "Disband F EGE#2")
    desk.order(*ways)

    _reads_back(desk, *ways)


def _winter(units: str = "", owners: str = "ALE,MEN,TIR", others: str = "") -> Position:
    """Return a winter with units and centres of Tolomeo, and two places in a city."""
    winter = "alexmagnum[major_city_capacity=2] 318-winter"
    return Position.from_text(f"{winter} TOL:{units}:{owners}:MEN,TIR {others}")


def test_builds_as_many_as_are_due_and_one_general(opened: Opening) -> None:
    """R1, R26, R28: a city takes two; what is not built is waived."""
    desk = opened(_winter(), lang="en")
    desk.order("Build G ALE")
    desk.take("Memphis")
    assert "General" not in desk.choices
    desk.press("Army", "#choices")
    desk.page.locator("#subjects .subject", has_text=re.compile("^Alexandria.*no order")).click()
    desk.press("Fleet", "#choices")
    desk.order("Waive")
    assert desk.page.locator("#count").inner_text() == "Orders: 4 of 4"

    desk.take("Tyre")
    assert desk.page.locator("#said").inner_text().startswith("No more orders are needed")
    assert "Delete the order: Waive" in desk.choices
    assert desk.lines == ["Build G ALE", "Build F ALE", "Build A MEN", "Waive"]
    assert len(desk.read) == 4


def test_removals_as_many_as_are_due(opened: Opening) -> None:
    """R32."""
    desk = opened(_winter("AMEN,ANOC,ATEB,ASIW", "MEN,TIR"))
    desk.order("Remove A NOC", "Remove A SIW")
    desk.take("A TEB")

    assert desk.choices[:-1] == ["Togli l'ordine: Rimuove A NOC", "Togli l'ordine: Rimuove A SIW"]
    _reads_back(desk, "Remove A NOC", "Remove A SIW")


def test_a_pick_is_one_tap_and_a_second_tap_changes_it(opened: Opening) -> None:
    """R30."""
    desk = opened(Position.from_text("alexmagnum 323-1"))
    desk.tap(province="BAB")
    desk.tap(province="MEN")

    assert desk.lines == ["Sceglie MEN"]
    _reads_back(desk, "Pick MEN")


def test_a_deployment_places_units_in_ones_centres(opened: Opening) -> None:
    """R31: one to a centre, one general."""
    desk = opened(Position.from_text("alexmagnum 323-6 TOL::ALE,MEN,TIR"), lang="en")
    desk.tap(province="MEN")
    desk.press("General", "#choices")
    desk.order("Build F TIR")
    desk.take("Alexandria")
    assert "General" not in desk.choices
    desk.press("Army", "#choices")

    _reads_back(desk, "Build G MEN", "Build F TIR", "Build A ALE")


@pytest.mark.proof
def test_a_deployment_of_fleets_alone_is_warned_of_the_general(opened: Opening) -> None:
    """R31: one of them becomes a general's army."""
    desk = opened(Position.from_text("alexmagnum 323-6 TOL::ALE,TIR"), lang="en", judge=True)
    desk.order("Build F TIR", "Build F ALE")
    warning = desk.page.locator("#subjects .warning")

    expect(warning).to_contain_text("not as a fleet", timeout=60_000)


def test_who_has_nothing_to_order_is_told_so(opened: Opening) -> None:
    desk = opened(_winter(owners="ALE,MEN"), power="SEL", lang="en")

    assert "You have nothing to order in this phase." in desk.page.inner_text("main")


# -- for everybody --------------------------------------------------------------------------------


def test_everything_can_be_done_with_the_keyboard_which_keeps_its_place(opened: Opening) -> None:
    """The focus moves on to the next question, and stays where buttons go away."""
    desk = opened(SAMPLE, lang="en")
    focus = "document.activeElement.id || document.activeElement.textContent"
    press = desk.page.keyboard.press
    for back in ("Back", "Never mind"):
        desk.take("A MEN")
        desk.press("Moves", "#choices")
        desk.press(back, "#choices")
        assert desk.page.evaluate(focus) == "asked"
        press("Escape")

    desk.page.locator("#subjects .subject").filter(has_text="A MEN").focus()
    for key in ("Enter", "Tab", "Tab", "Enter"):  # the unit, Moves, Holds
        press(key)
    assert desk.lines == ["A MEN H"]
    press("Tab")
    assert desk.page.evaluate("document.activeElement.className") == "subject"
    desk.press("Delete the order: A MEN H")
    assert desk.page.evaluate(focus).startswith("A MEN Memphis")
    press("Control+z")
    assert desk.page.evaluate(focus).startswith("A MEN Memphis")
    desk.take("A NOC")
    desk.page.locator("#choices button").first.focus()
    press("Control+z")
    assert desk.page.evaluate(focus) == "asked"


def test_without_scripts_there_is_nothing_to_press(
    opened: Opening, visitor: chromium.Visitor
) -> None:
    path = Path(urlsplit(opened(SAMPLE, judge=True).page.url).path)
    path.write_text(re.sub("<script.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL))
    assert visitor.open(path).locator("button:visible, a:visible").count() == 0


SIZES = [(390, 844), (1280, 900), (768, 1024), (844, 390)]
"""A telephone upright, a desk, a tablet, a telephone held sideways."""


@pytest.mark.parametrize("size", one_in(4, SIZES))
@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
def test_it_is_accessible(opened: Opening, size: tuple[int, int], scheme: chromium.Scheme) -> None:
    """No finding of axe of any weight: with a warning and in the middle of a choice, and with
    crowded units spread out; nothing is cut off at the side."""
    desk = opened(SAMPLE, size=size, scheme=scheme, touch=size[0] < 1000, judge=True)
    desk.order("A MEN H", "A NOC S A MEN - ALE")
    expect(desk.page.locator("#subjects .warning")).to_be_visible(timeout=60_000)
    desk.take("F PAN")
    _has_no_findings(desk)
    if desk.touch:
        desk.page.keyboard.press("Escape")
        desk.tap_between("A NOC", "G ALE")
        assert desk.page.locator("#near button").count() >= 2
        _has_no_findings(desk)


def _has_no_findings(desk: Desk) -> None:
    assert chromium.list_violations(desk.page) == []
    size = desk.page.viewport_size
    assert size
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= size["width"]


_SCALE = """() => {
  const drawing = document.querySelector("#board svg");
  return drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
}"""
"""CSS pixels to a unit of the map."""


def test_on_a_telephone_the_map_opens_on_ones_own_units_and_a_tap_on_one_asks_in_sight(
    opened: Opening,
) -> None:
    """All of them are in sight, large enough to be told apart; the buttons enlarge it further.  A
    second tap releases; the page may be scrolled to the list, with the map still in sight."""
    desk = opened(SAMPLE, size=(390, 844), touch=True)
    _shows_own_units(desk)
    before = desk.page.evaluate(_SCALE)
    assert before > 0.7
    chromium.check_map(desk.page)

    desk.page.locator("#copy").scroll_into_view_if_needed()
    desk.tap(unit="A MEN")
    board, asked = (
        chromium.box_of(desk.page.locator("#board")),
        chromium.box_of(desk.page.locator("#asked")),
    )
    assert board["y"] + board["height"] <= asked["y"] < 700
    assert desk.choices
    desk.tap(unit="A MEN")
    assert not desk.choices
    desk.page.locator("[data-zoom=in]").tap()
    desk.page.wait_for_function(f"before => ({_SCALE})() > 1.4 * before", arg=before)


_GROUNDS = """() => {
  const frame = document.querySelector("#board").getBoundingClientRect();
  const aimed = [...document.querySelectorAll("#board .aimed")];
  const lit = new Set(aimed.map((each) => each.dataset.aim));
  const found = {};
  for (let i = 0; i < 10000; i += 1) {
    const [x, y] = [frame.x + 3 + 7 * (i % 100), frame.y + 3 + 7 * Math.floor(i / 100)];
    if (x > frame.right || y > frame.bottom) continue;
    const [top] = document.elementsFromPoint(x, y);
    const place = top.dataset.province;
    if (place) (found[place] ||= [lit.has(place)]).push([x, y]);
  }
  return Object.values(found).filter((points) => points.length > 5);
}"""
"""For each province in sight whether it is lit, and points where nothing but names covers it."""


LIT = {
    "alexmagnum 323-2 TOL::BAT": "TOL",
    "alexmagnum 318-spring TOL:FPAN LIS:FICA AUT:ACIL:CIL": "TOL",
    "standard 1901-spring Austria:AVIE:VIE Italy:AVEN:VEN": "Austria",
    "standard 1901-winter Austria::VIE,BUD,TRI": "Austria",
}
"""Positions, and whose sheet is opened."""


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
@pytest.mark.parametrize("text", one_in(4, LIT))
def test_what_can_be_tapped_is_three_times_as_bright_and_marked(
    opened: Opening, text: str, scheme: chromium.Scheme
) -> None:
    """Measured from the pixels, of an owned province too; small islands have a mark."""
    desk = opened(Position.from_text(text), LIT[text], size=(390, 844), scheme=scheme, touch=True)
    desk.page.evaluate(_DRAWN)
    picture = Image.open(io.BytesIO(desk.page.screenshot(scale="css"))).convert("RGB")
    light: dict[bool, list[float]] = {True: [], False: []}
    for is_lit, *points in desk.page.evaluate(_GROUNDS):
        light[is_lit].append(median(_luminance(picture.getpixel(at)) for at in points))
    places = desk.page.locator("#board .aimed")
    marks = desk.page.locator("#board .mark.wide")

    assert (min(light[True]) + 0.05) / (max(light[False]) + 0.05) >= 3
    assert min(map(len, light.values())) >= 2
    assert marks.count() == len(set(places.evaluate_all("all => all.map(a => a.dataset.aim)")))


def _luminance(pixel: object) -> float:
    """Return the relative luminance of WCAG."""
    assert isinstance(pixel, tuple)
    parts = [p / 255 / 12.92 if p <= 10 else ((p / 255 + 0.055) / 1.055) ** 2.4 for p in pixel]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])


@pytest.mark.proof
@pytest.mark.parametrize("power", one_in(2, ["AUT", "TOL"]))
def test_the_whole_map_is_in_the_window_of_a_telephone_held_sideways(
    opened: Opening, power: str
) -> None:
    """With the units of a power in one corner, or of one all over the map; with large buttons."""
    desk = opened(SAMPLE, power, size=(844, 390), touch=True)
    for width, height in ((844, 390), (667, 375), (740, 360)):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.reload()
        board = chromium.box_of(desk.page.locator("#board"))
        assert board["y"] >= 0
        assert board["y"] + board["height"] <= height
        assert board["height"] > 0.9 * height
        _shows_own_units(desk)
        _are_large_enough(desk)


def _shows_own_units(desk: Desk) -> None:
    """Check that the whole of each unit is in the frame of the map, once the map is drawn."""
    desk.page.evaluate(_DRAWN)
    frame = chromium.box_of(desk.page.locator("#board"))
    tokens = desk.page.locator("#board .mine").all()
    assert tokens
    for token in tokens:
        box = chromium.box_of(token)
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"]
        assert box["y"] + box["height"] <= frame["y"] + frame["height"]


@pytest.mark.parametrize("picked", ["", "BAT"])
def test_picks_open_as_large_as_names_can_be_read(opened: Opening, picked: str) -> None:
    """Around the centres already picked, or else where most are."""
    position = Position.from_text(f"alexmagnum 323-2 TOL::{picked}")
    desk = opened(position, size=(390, 844), touch=True)

    assert desk.page.evaluate(_SCALE) > 0.5
    middle = desk.page.locator(f'#board .province[data-province="{picked or "CIP"}"]')
    assert _overlap(chromium.box_of(desk.page.locator("#board")), chromium.box_of(middle.first))
