"""The sandbox in a real browser: set up by taps, ordered, judged, shared; and what it refuses."""

import json
import quopri
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from alexmagnum.board import load_board
from alexmagnum.board.map_file import find_map
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import first_position, next_position
from alexmagnum.errors import BadPosition
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import format_reason
from alexmagnum.notation import write_order
from alexmagnum.page_judge import find_flips
from alexmagnum.position import Position, Unit
from alexmagnum.report.sandbox import SandboxTable, render_sandbox
from alexmagnum.report.sheet import make_fragment, read_fragment
from alexmagnum.whatif.plans import find_position
from tests.browser.chromium import FIND_SLOT, Visitor, pinch, swipe, wait_until
from tests.browser.conftest import Pictured
from tests.case_library import read_yaml
from tests.sizes import one_in
from tools.pictures import sample_turn

PHONE = (390, 844)
MAPS = ("alexmagnum", "standard")
SMALL = {
    "alexmagnum": "alexmagnum 317-autumn SEL:GBAB,AECB:BAB,ECB::9"
    " TOL:GALE,FEGE,FEGE#2,AMEN:ALE,MEN:MEN NEU:ASPA",
    "standard": "standard 1905-winter England:FNTH,AYOR:LON,LVP Russia:FSTP/SC,AMOS:MOS",
}
KINDS = {"A": "Army", "F": "Fleet", "G": "General"}


Opening = Callable[..., Page]


@cache
def _text(maps: tuple[str, ...] = MAPS, lang: str = "en") -> str:
    """Return the page of some maps; it is drawn once for all tests that open it."""
    tables = [SandboxTable(first_position(load_board(name))) for name in maps]
    return render_sandbox(tables, load_sentences(lang))


_IS_OPEN = """() => ["text", "no-judge"]
  .some(id => document.getElementById(id).value || document.getElementById(id).textContent)"""


_ALL_JUDGED = "() => document.querySelectorAll('#table-orders .why').length > 50"


@pytest.fixture
def opened(visitor: Visitor, tmp_path: Path) -> Opening:
    """Opens the page, on a telephone unless another window is asked for, with its judge."""

    def open_page(
        fragment: str = "", *, page: str = "", touch: bool = True, **options: Any
    ) -> Page:
        path = tmp_path / "sandbox.html"
        path.write_text(page or _text(), encoding="utf-8")
        window = {"size": PHONE if touch else (1280, 900), "permissions": ("clipboard-read",)}
        opened = visitor.open(path, touch=touch, fragment=fragment, **{**window, **options})
        wait_until(opened, _IS_OPEN)
        return opened

    return open_page


def _find(page: Page, name: str) -> None:
    page.fill("#setup-find", name)
    page.keyboard.press("Enter")


def _open_text(page: Page, text: str) -> None:
    """Paste a text and open it."""
    page.click("#tab-share")
    page.fill("#text", text)
    page.click("#open-text")


def _point(page: Page, province: str) -> tuple[float, float]:
    """Return where on the screen units stand in a province."""
    x, y = page.evaluate(FIND_SLOT, province)
    return x, y


def _tap_province(page: Page, province: str) -> None:
    page.touchscreen.tap(*_point(page, province))


def _press(page: Page, group: str, text: str) -> None:
    page.locator(f"#setup-choices .group:has(h3:text-is('{group}')) button", has_text=text).click()


def _shared(page: Page) -> str:
    wait_until(page, "() => document.getElementById('text').value")
    return page.input_value("#text").partition("\n")[0]


def _wait_for_link(page: Page, text: str) -> None:
    """Wait until the address of the page opens a position."""
    opens = "async text => (await positionLink.read(location.hash.slice(1))).position === text"
    wait_until(page, opens, text)


def _wait_for(page: Page, text: str) -> None:
    wait_until(page, "text => document.getElementById('text').value.split('\\n')[0] === text", text)


def _set_up(page: Page, wanted: Position) -> None:
    names = {p.id: p.name("en") for p in wanted.board.powers.values()}
    names[INDEPENDENT] = "Independents"
    page.click("#setup-clear")
    expect(page.locator("#board .order")).to_have_count(0)
    centres = set(wanted.owners)
    by_province: dict[str, list[Unit]] = {centre: [] for centre in sorted(centres)}
    for unit in sorted(wanted.units):
        by_province.setdefault(unit.province, []).append(unit)
    for province, units in by_province.items():
        _find(page, wanted.board.provinces[province].name("it"))
        for unit in units:
            _press(page, "Put a unit of", names[unit.power])
            coast = {"SC": "Fleet, south coast", "NC": "Fleet, north coast"}.get(unit.coast)
            _press(page, "Which one", coast or KINDS[unit.kind])
        if province in centres:
            owner = wanted.owners[province]
            _press(page, "The centre belongs to", names[owner])
            if province in wanted.homes.get(owner, ()):
                page.click("#setup-choices .toggle")
    for power, points in wanted.nobility.items():
        for _ in range(wanted.board.rules.nobility - points):
            page.click(f"[data-power='{power}'] [data-by='-1']")
    page.select_option("#setup-phase", f"{wanted.phase.season} false {wanted.phase.period}")
    page.fill("#setup-year", str(wanted.phase.year))
    page.press("#setup-year", "Enter")


@pytest.mark.proof
@pytest.mark.parametrize("name", MAPS)
def test_a_position_set_up_by_taps_is_that_of_the_library(opened: Opening, name: str) -> None:
    wanted = Position.from_text(SMALL[name])
    page = opened(make_fragment(first_position(wanted.board)))

    _set_up(page, wanted)

    _wait_for(page, wanted.to_text())
    _wait_for_link(page, wanted.to_text())
    steps = 0
    while page.get_attribute("#setup-undo", "aria-disabled") == "false":
        page.click("#setup-undo")
        steps += 1
    assert steps >= len(wanted.units) + len(wanted.owners) + 2
    _wait_for(page, first_position(wanted.board).to_text())
    for _ in range(steps):
        page.keyboard.press("Control+y")
    _wait_for(page, wanted.to_text())


def test_a_tap_on_the_map_asks_what_stands_there(opened: Opening) -> None:
    page = opened(make_fragment(Position.from_text("alexmagnum 322-spring TOL:AMEN,FEGI#1")))
    page.wait_for_selector("#board.enlarged")  # the position is there, and framed

    _tap_province(page, "MEN")
    expect(page.locator("#setup-title")).to_have_text("Memphis (MEN)")
    _press(page, "Here now", "Remove: Army (Ptolemy)")
    _wait_for(page, "alexmagnum 322-spring TOL:FEGI")
    _tap_province(page, "EGI")
    expect(page.locator("#setup-title")).to_have_text("Egyptian Sea (EGI)")
    offered = page.locator("#setup-choices .group:has(h3:text-is('Which one')) button")
    assert offered.locator("span").all_inner_texts() == ["Fleet"]


def _click(page: Page, province: str, *, to: str = "") -> None:
    """Click on a province, or drag from it to another one."""
    page.mouse.move(*_point(page, province))
    page.mouse.down()
    if to:
        page.mouse.move(*_point(page, to), steps=3)
    page.mouse.up()


def test_brushes_put_units_down_and_drags_move_and_order_them(opened: Opening) -> None:
    start = "alexmagnum 318-spring SEL:ABAB TOL::ALE"
    page = opened(make_fragment(Position.from_text(start)), touch=False)
    page.wait_for_selector("#board.enlarged")  # a position that is opened is framed
    page.click("[data-zoom='whole']")
    brush, said = page.locator("#setup-brush"), page.locator("#setup-said")
    brush.get_by_role("button", name="Army").click()
    _click(page, "ALE")  # the owner's
    _wait_for(page, "alexmagnum 318-spring SEL:ABAB TOL:AALE:ALE")
    _click(page, "EGI")
    expect(said).to_have_text("Army cannot stand in Egyptian Sea (EGI).")
    brush.get_by_role("button", name="Fleet").click()
    brush.get_by_role("button", name="Ptolemy").click()
    _click(page, "EGI")
    brush.get_by_role("button", name="Eraser").click()
    _click(page, "BAB")
    _click(page, "ALE", to="MEN")
    _wait_for(page, "alexmagnum 318-spring TOL:FEGI,AMEN:ALE")
    page.keyboard.press("Control+z")
    expect(said).to_have_text("Undone: Army (Ptolemy), in Memphis")

    page.click("#tab-play")
    expect(page.locator("#table-orders .subject")).to_have_count(2)
    _click(page, "ALE", to="MEN")
    expect(page.locator("#table-orders code")).to_have_text(["A ALE - MEN"])
    page.click("#tab-share")
    with page.expect_download() as saved:
        page.click("#save-png")
    assert saved.value.suggested_filename == "alexmagnum 318-spring.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.proof
def test_a_finger_moves_and_orders_units_too(opened: Opening) -> None:
    page = opened(make_fragment(Position.from_text("alexmagnum 318-spring TOL:AALE,FION:ALE")))
    page.click("[data-zoom='whole']")
    page.wait_for_timeout(50)
    swipe(page, _point(page, "ALE"), _point(page, "TEB"))
    _wait_for(page, "alexmagnum 318-spring TOL:FION,ATEB:ALE")
    page.click("#tab-play")
    expect(page.locator("#table-orders .subject")).to_have_count(2)
    swipe(page, _point(page, "ION"), _point(page, "EGE"))
    expect(page.locator("#table-orders code")).to_have_text(["F ION - EGE"])
    width = "() => document.querySelector('#board svg').viewBox.baseVal.width"
    before = page.evaluate(width)
    x, y = _point(page, "TEB")
    pinch(page, (x + 30, y), apart=60, to=120)  # a finger on a unit is one of the two
    wait_until(page, f"before => ({width})() < before / 1.5", before)


def test_a_link_opens_its_orders_with_their_results(opened: Opening) -> None:
    position, orders = sample_turn()
    fragment = make_fragment(position, orders)
    page = opened(fragment)
    outcome = adjudicate(position, orders)
    sentences = load_sentences("en")
    expected = {
        f"{write_order(entry.order)}: {format_reason(reason, position, sentences)}"
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
    }

    wait_until(page, _ALL_JUDGED)
    shown = page.evaluate(
        """() => [...document.querySelectorAll("#table-orders li")]
          .filter(line => line.querySelector("code") && line.querySelector(".why"))
          .map(line => line.querySelector("code").textContent + ": " +
            line.querySelector(".why").textContent)"""
    )

    assert len(shown) == sum(map(len, orders.values()))
    assert [line for line in shown if not any(line.startswith(each) for each in expected)] == []
    assert read_fragment(page.evaluate("location.hash.slice(1)")) == read_fragment(fragment)


@pytest.mark.proof
def test_playing_on_leads_to_the_next_position_which_can_be_changed(opened: Opening) -> None:
    position, orders = sample_turn()
    after = next_position(adjudicate(position, orders))
    assert after is not None
    page = opened(make_fragment(position, orders))
    page.wait_for_selector("#table-orders .why")

    page.click("#on")
    _wait_for(page, after.to_text())
    page.click("#tab-setup")

    expect(page.locator("#setup-said")).to_have_text(
        "The position of the phase that you had reached."
    )
    _find(page, "Menfi")
    page.click("#setup-start")
    _wait_for(page, first_position(position.board).to_text())


def test_what_is_pasted_opens_on_its_map(opened: Opening) -> None:
    page = opened()
    text = "standard 1901-spring Austria:AVIE Italy:AVEN\nAustria: A VIE - TYR\nItaly: A VEN - TYR"

    with page.expect_event("load"):
        _open_text(page, text)

    expect(page.locator("#map-name")).to_have_text("Diplomacy")
    expect(page.locator("#table-orders .why").first).to_contain_text("bounced with A VEN")
    page.click("#tab-share")
    page.click("#copy-link")
    expect(page.locator("#share-said")).to_contain_text("The link is copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    wanted = {"Austria": ("A VIE - TYR",), "Italy": ("A VEN - TYR",)}
    assert read_fragment(copied.partition("#")[2]).orders == wanted


DATA = read_yaml(Path(__file__).with_name("sandbox.yaml"))
FOUND = DATA["found"]


REFUSED = DATA["refused"]


LONG = (
    f"map: nowhere phase: spring_moves year: 323 units: {'a' * 150_000} ",
    f"map: nowhere phase: retreats year: 323 units: {{}} dislodged: {'{[' * 70_000}",
    f"map: nowhere phase: spring_moves year: 323 units: {{TOL: [{'A MEN, ' * 20_000}]}}",
    "map: " * 30_000,
    '"a[' * 60_000,
    f"#t:{'.' * 150_000}x <",
    f"{'://' * 50_000} x",
    f"1-{'a' * 150_000} x",
    f"{'>' * 150_000} x",
)
"""Texts on which an expression that begins again within what another has read takes minutes."""


def test_a_text_made_to_cost_time_is_answered(opened: Opening) -> None:
    page = opened()
    for given in LONG:
        page.evaluate("document.getElementById('share-said').textContent = ''")
        _open_text(page, given)
        expect(page.locator("#share-said")).not_to_be_empty()


@pytest.mark.proof
def test_what_cannot_be_opened_changes_nothing_and_what_a_mail_wraps_is_found(
    opened: Opening,
) -> None:
    """A mail may quote a position and wrap its lines."""
    position = Position.from_text(SMALL["standard"])
    page, before = opened(make_fragment(position)), position.to_text()
    _wait_for_link(page, before)

    for given, words in REFUSED.items():
        _open_text(page, given)
        expect(page.locator("#share-said")).to_contain_text(words)
        _wait_for_link(page, before)
        assert page.input_value("#text") == given

    for given, lines in FOUND.items():
        _open_text(page, given)
        wait_until(page, "text => document.getElementById('text').value === text", "\n".join(lines))


@pytest.mark.proof
def test_an_example_of_the_shelf_opens_and_judges_itself(opened: Opening) -> None:
    page = opened()
    page.click("#shelf summary")
    with page.expect_event("load"):
        page.get_by_role("link", name="6.D.1 Hold support keeps a unit in place").click()

    expect(page.locator("#map-name")).to_have_text("Diplomacy")
    expect(page.locator("#table-orders .why.bad").first).to_be_visible()


def test_what_is_far_too_long_is_refused_before_the_browser_lays_it_out(opened: Opening) -> None:
    page = opened(make_fragment(Position.from_text(SMALL["standard"])))
    page.click("#tab-share")
    page.evaluate(
        """() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", "lorem\\n".repeat(100000));
          const paste = {clipboardData, bubbles: true, cancelable: true};
          document.getElementById("text").dispatchEvent(new ClipboardEvent("paste", paste));
        }"""
    )
    expect(page.locator("#share-said")).to_contain_text("too long")


def test_a_report_pasted_whole_opens_its_position(opened: Opening) -> None:
    """A mail program has quoted and wrapped it."""
    report = (Path(__file__).parents[1] / "approved" / "320-spring.en.txt").read_text("utf-8")
    wrapped = [part for line in report.splitlines() for part in wrap(line, 50) or [""]]
    page = opened(make_fragment(Position.from_text(SMALL["alexmagnum"])))
    source = quopri.encodestring(report.encode()).decode()
    assert page.evaluate("source => turnText.decode(source)", source) == report

    _open_text(page, "\n".join(["Look at this:", *(f"> > {line}" for line in wrapped)]))

    _wait_for(page, find_position([report]).taken.sound.to_text())
    expect(page.locator("#share-said")).to_have_text("Opened.")


@pytest.mark.parametrize("panel", one_in(2, ["setup", "share"]))
def test_what_is_asked_for_while_a_link_is_opened_stays(opened: Opening, panel: str) -> None:
    click = f"setTimeout(() => document.querySelector('#tab-{panel}').click(), 150)"
    page = opened(make_fragment(*sample_turn()), before=f"addEventListener('load', () => {click})")

    _wait_for(page, sample_turn()[0].to_text())
    page.wait_for_timeout(300)
    expect(page.locator(f"#{panel}")).to_be_visible()


def test_a_link_that_cannot_be_opened_is_said_above_a_usable_table(opened: Opening) -> None:
    page = opened("z:q1YqVg")

    expect(page.locator("#link-said")).to_be_visible()
    expect(page.locator("#link-said")).to_contain_text("This link is cut off or damaged")
    _wait_for(page, first_position(load_board("alexmagnum")).to_text())


@pytest.mark.proof
def test_lines_without_a_heading_count_and_what_is_not_read_comes_first(opened: Opening) -> None:
    """Orders are read in any language, and the rest is named."""
    page = opened(make_fragment(sample_turn()[0]))
    misspelt = ["A Menfi - Alesandria", "G BAB - Durra", "A OPI - Babilonnia"]
    _open_text(page, "\n".join([*misspelt, "F SUS H", "A PER - Foo", "F SIS H"]))

    wait_until(page, "() => document.getElementById('share-said').children.length > 1")
    lines = page.locator("#share-said span").all_inner_texts()
    assert lines[0] == "Orders taken over: 5."
    assert "Foo" in lines[1]
    assert len([line for line in lines if "was read as" in line]) == len(misspelt)
    assert not any("owns the unit" in line for line in lines)
    powers = page.locator("#paste-power option").all_inner_texts()
    assert "Seleucus" in powers
    assert "Austria" not in powers

    _open_text(page, "Tolomeo\n\nIl generale di Alessandria va a Creta\nA Vienna - Tirolo")
    expect(page.locator("#share-said")).to_contain_text("Vienna")
    page.click("#tab-play")
    expect(page.locator("#table-orders code", has_text="G ALE - CRE")).to_be_visible()


def test_winter_says_how_many_orders_each_power_owes(opened: Opening) -> None:
    start = "standard 1901-winter Italy:AROM,AVEN,FNAP:ROM,VEN"
    page = opened(make_fragment(Position.from_text(start)))
    page.click("#tab-play")

    expect(page.locator("#table-orders summary")).to_contain_text("0 of 1 ordered")
    rows = page.locator("#table-orders .subject").all_inner_texts()
    assert len(rows) == 3
    assert not any("Italy" in row for row in rows)


def test_an_impossible_position_is_explained_in_the_words_of_the_library(opened: Opening) -> None:
    page = opened(make_fragment(Position.from_text(SMALL["alexmagnum"])))
    _find(page, "Memphis")
    page.click("#setup-choices .put:has-text('General'):not(.gone)")

    with pytest.raises(BadPosition) as refused:
        Position.from_text(SMALL["alexmagnum"].replace("AMEN:", "GMEN:"))
    (fault,) = refused.value.faults
    words = load_sentences("en").format(fault.code, **fault.data)
    expect(page.locator("#setup-faults li")).to_have_text([words])
    page.click("#tab-play")
    expect(page.locator("#setup-said")).to_have_text("First mend what is wrong with the position.")


def test_a_damaged_page_says_so_and_still_sets_positions_up(opened: Opening) -> None:
    start = _text().index('id="judge">') + len('id="judge">')

    page = opened(page=_text()[: start + 5000] + "A" * 40 + _text()[start + 5040 :])

    expect(page.locator("#no-judge")).to_contain_text("This page was damaged on its way")
    _find(page, "Memphis")
    page.click("#setup-choices .put:has-text('Army')")
    expect(page.locator("[data-layer='units'] [data-unit='A MEN']")).to_have_count(1)
    page.click("#tab-play")
    expect(page.locator("#setup-said")).to_contain_text("This page was damaged on its way")
    expect(page.locator("#setup-faults")).to_have_text("")
    _open_text(page, "A MEN - ALE")
    expect(page.locator("#share-said")).to_contain_text("This page was damaged on its way")
    assert page.input_value("#text") == "A MEN - ALE"


def test_an_old_browser_is_told(opened: Opening) -> None:
    page = opened(before="delete globalThis.WebAssembly")

    expect(page.locator("#no-judge")).to_contain_text("This browser is too old")


def test_everything_can_be_done_with_keys(opened: Opening) -> None:
    page = opened(touch=False)
    page.focus("#setup-clear")
    page.keyboard.press("Enter")
    page.focus("#setup-find")
    page.keyboard.type("alessandria")
    page.keyboard.press("Enter")
    expect(page.locator("#setup-title")).to_be_focused()
    _tab_to(page, "Ptolemy")
    page.keyboard.press("Enter")
    _tab_to(page, "Army")
    page.keyboard.press("Space")
    _wait_for(page, "alexmagnum 322-spring TOL:AALE")
    page.focus("#tab-setup")
    page.keyboard.press("ArrowRight")

    expect(page.locator("#tab-play")).to_be_focused()
    expect(page.locator("#table-orders .subject").first).to_contain_text("A ALE")


def _tab_to(page: Page, name: str) -> None:
    """Press the tab key until a button has the focus."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").endswith(name):
            return
    raise AssertionError(name)


def test_a_map_without_shapes_has_a_table_too(opened: Opening, tmp_path: Path) -> None:
    data = json.loads(find_map("standard").read_text(encoding="utf-8"))
    (tmp_path / "mine.json").write_text(json.dumps({**data, "id": "mine"}), encoding="utf-8")
    board = load_board(str(tmp_path / "mine.json"))
    page = opened(page=render_sandbox([SandboxTable(first_position(board))], load_sentences("it")))
    assert Position.from_text(_shared(page), board) == first_position(board)
    page.click("#tab-play")
    expect(page.locator("#table-orders .subject").first).to_be_visible()


def _find_narrow(page: Page) -> list[str]:
    """Return what a finger would miss: buttons and fields of less than 40 pixels."""
    found: Mapping[str, float] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("button, select, input")]
          .map(each => [each.textContent.trim() || each.id, each.getBoundingClientRect()])
          .filter(([, box]) => box.width && Math.min(box.width, box.height) < 40)
          .map(([name, box]) => [name, box.height]))"""
    )
    return list(found)


@pytest.mark.proof
def test_a_telephone_shows_the_whole_page_without_scrolling_sideways(opened: Opening) -> None:
    page = opened(make_fragment(*sample_turn()), page=_text(lang="it"))

    for panel in ("setup", "play", "share"):
        page.click(f"#tab-{panel}")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0], panel
        assert _find_narrow(page) == [], panel

    page = opened(page=_text(lang="it"), touch=False, size=(640, 450))  # at twice its size
    page.click("#tab-setup")
    assert page.evaluate("document.documentElement.scrollWidth") == 640


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
def test_the_sandbox_looks_as_approved(opened: Opening, pictured: Pictured, scheme: str) -> None:
    page = opened(make_fragment(*sample_turn()), touch=scheme == "dark", scheme=scheme)
    wait_until(page, _ALL_JUDGED)
    page.evaluate("document.fonts.ready")

    pictured(page.screenshot(), f"sandbox-{scheme}")


# What would flip an order, asked of the judge of a page in a real browser.


def _open_unit(opened: Opening, lang: str, unit: str) -> Page:
    """Open the sample turn with all orders on a telephone, and choose a unit from the list."""
    page = opened(make_fragment(*sample_turn()), page=_text(lang=lang))
    expect(page.locator("#table-orders .why").first).to_be_visible()
    name = page.locator(f"#table-orders .subject[data-subject$=' {unit} 0']")
    name.scroll_into_view_if_needed()
    name.tap()
    return page


def _asked(unit: str, lang: str) -> dict[str, Any]:
    position, orders = sample_turn()
    return find_flips(position, orders, position.names[unit], load_sentences(lang), None)


@pytest.mark.proof
@pytest.mark.parametrize("asked", ["A SIW en", "F MAC it", "A UJJ en"])
def test_a_page_lists_the_changes_that_flip_an_order(opened: Opening, asked: str) -> None:
    unit, lang = asked[:-3], asked[-2:]
    sentences = load_sentences(lang)
    page = _open_unit(opened, lang, unit)
    page.locator(".flips .ask").tap()
    expect(page.locator(".flips p")).to_contain_text("whatif --flip")

    answer = _asked(unit, lang)
    found = [*answer["others"], *(answer["own"] or ())]
    assert page.locator(".flips .change").all_inner_texts() == [flip["text"] for flip in found]
    assert page.locator(".flips .change + .fate").all_inner_texts() == [f["why"] for f in found]
    empty = (not answer["others"]) + (answer["own"] == [])
    assert page.get_by_text(sentences.format("table-flip-none"), exact=True).count() == empty
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


CLICK = "names => names.forEach((name) => document.querySelector(name).click())"
"""Clicks on several elements before anything else can happen in a page."""


@pytest.mark.proof
def test_orders_of_others_are_listed_after_a_search_that_was_stopped_before_it_began(
    opened: Opening,
) -> None:
    page = _open_unit(opened, "en", "F PAN")
    page.evaluate(CLICK, [".flips .ask", ".flips .stop"])
    expect(page.locator(".flips p")).to_have_text(load_sentences("en").format("flip-stopped"))
    expect(page.locator(".flips .ask")).to_be_visible()
    for unit in ("A ASS", "A UJJ", "A NIS"):
        page.locator(f"#table-orders .subject[data-subject$=' {unit} 0']").tap()
        expect(page.locator("#choices button").nth(2)).to_be_visible()


@pytest.mark.proof
def test_playing_on_ends_a_search(opened: Opening) -> None:
    page = _open_unit(opened, "it", "F PAN")
    before = page.locator("#phase").inner_text()
    page.evaluate(CLICK, [".flips .ask", "#on"])
    expect(page.locator("#phase")).not_to_have_text(before)
    page.locator("#back").tap()
    page.locator("#table-orders .subject[data-subject$=' F PAN 0']").tap()
    expect(page.locator(".flips p")).to_have_text(load_sentences("it").format("flip-stopped"))


@pytest.mark.proof
def test_a_search_shows_its_progress_and_can_be_stopped_and_begun_again(opened: Opening) -> None:
    page = _open_unit(opened, "en", "F PAN")
    page.locator(".flips .ask").tap()
    bar = page.locator(".flips progress")
    expect(bar).to_be_visible()
    page.locator(".flips .stop").tap()
    expect(page.locator(".flips p")).to_have_text(load_sentences("en").format("flip-stopped"))
    expect(bar).to_have_count(0)

    page.locator(".flips .ask").tap()
    shown: list[float] = []
    while bar.count():
        shown.append(page.evaluate("(document.querySelector('.flips progress') || {}).value || 0"))
        page.wait_for_timeout(20)
    assert max(shown) > 0.05
    expect(page.locator(".flips p")).to_contain_text("whatif --flip")
    assert page.locator(".flips .change").count() == len(_asked("F PAN", "en")["others"]) + len(
        _asked("F PAN", "en")["own"]
    )
