"""The table in an order sheet: everybody's units are ordered, judged and played on, in the page."""

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from alexmagnum.board import load_board
from alexmagnum.campaign import next_position
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import describe_order, order_in, read_orders, write_order
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report import sheet
from alexmagnum.report.document import load_script
from alexmagnum.report.formats import MapPictures
from alexmagnum.report.sheet import describe_table, describe_words, render_order_sheet
from alexmagnum.report.words import phase_name
from tests.browser.chromium import Scheme, Visitor, list_violations, wait_until
from tests.browser.test_sheet import SAMPLE, Desk
from tests.sample_turn import NAMES, read_sample_mail
from tests.sizes import one_in, sampled, sized
from tests.units import place_units

STANDARD = load_board("standard")


@cache
def _sheet(position: Position, power: str, lang: str) -> str:
    sentences = load_sentences(lang)
    drawn = MapPictures().position_svg(position, sentences, "Cipro")
    heading = sheet.SheetHeading("Cipro", "game@example.org")
    return render_order_sheet(position, power, sentences, heading, drawn, sheet.Sandbox("yes"))


IDLE = """() => document.querySelector("#verdict").textContent !== ""
  && ["try", "table", "verdict"].every(id => !document.getElementById(id).hasAttribute("aria-busy"))
  && (document.querySelector("#try").getAttribute("aria-checked") === "true")"""
"""The judge runs and has answered."""


@dataclass
class Table:
    """A sheet that is open at its table."""

    page: Page

    def wait(self, condition: str = IDLE) -> None:
        wait_until(self.page, condition)

    def press(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.wait()

    def paste(self, text: str, power: str = "") -> str:
        """Paste a text as a power's, or as it says; return what the page answers."""
        self.page.locator("details.paste").evaluate("each => { each.open = true }")
        self.page.fill("#pasted", text)
        self.page.select_option("#paste-power", power)
        self.press("#paste")
        self.wait()
        return self.page.inner_text("#paste-said")

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    @property
    def drawn(self) -> set[str]:
        """Return the orders on the map, without those of units that were given none."""
        return set(_units(self.page, ".order:not(.unordered)"))


def _units(page: Page, selector: str) -> list[str]:
    """Return the units, or their orders, of parts of the map."""
    found: list[str] = page.locator(f"#board {selector}").evaluate_all(
        "parts => parts.map(each => each.dataset.unit)"
    )
    return found


Opening = Callable[..., Table]


@pytest.fixture
def opened(visitor: Visitor, tmp_path: Path) -> Opening:
    """Open the sheet of a power and turn its switch."""

    def open_table(
        position: Position | None = None,
        power: str = "TOL",
        lang: str = "en",
        *,
        size: tuple[int, int] = (1280, 900),
        scheme: Scheme = "light",
        touch: bool = False,
        permissions: tuple[str, ...] = (),
    ) -> Table:
        path = tmp_path / "sheet.html"
        text = _sheet(position or SAMPLE, power, lang)
        path.write_text(text, encoding="utf-8", newline="\r\n")  # as mail programs save it
        page = visitor.open(path, size=size, scheme=scheme, touch=touch, permissions=permissions)
        table = Table(page)
        table.press("#try")
        return table

    return open_table


def test_plans_stand_side_by_side_show_what_differs_and_are_there_again(opened: Opening) -> None:
    """A plan begins as the one that was open, the first with holds; what one changes there is lit
    in both, and kept when the page is opened again."""
    table = opened()
    assert table.drawn == set()
    table.paste("A MEN - ALE\nA NOC H", "TOL")
    table.page.locator(".subject", has_text="A NOC").first.evaluate("each => each.click()")
    _press_choice(table.page, "Supports")
    *helped, _, _ = table.page.locator("#choices button").all_inner_texts()
    assert helped[0].startswith("A MEN"), "what fits one's orders comes first, then one's own units"
    assert helped == sorted(helped, key=lambda name: "(" in name)
    table.press("#plans button:nth-child(2)")
    assert table.drawn == {"A MEN - ALE", "A NOC H"}
    table.paste("A MEN - TEB", "TOL")
    lit = table.page.locator("#table-orders li.lit")
    assert lit.count() == 1
    assert "plan A: A MEN - ALE" in lit.inner_text()
    assert table.page.locator("#board .order.lit").count() == 1

    table.press("#plans button:nth-child(1)")
    assert table.drawn == {"A MEN - ALE", "A NOC H"}
    assert "plan B: A MEN - TEB" in table.page.locator("#table-orders li.lit").inner_text()
    table.page.locator("#give-mine").click()
    table.page.locator("#try").click()
    assert set(table.page.input_value("#text").splitlines()[1:]) == {"A MEN - ALE", "A NOC H"}
    table.page.reload()
    table.press("#try")
    assert table.drawn == {"A MEN - ALE", "A NOC H"}


def _press_choice(page: Page, name: str) -> None:
    choice = page.locator("#choices").get_by_role("button", name=name, exact=True)
    choice.evaluate("each => each.click()")


@cache
def _sample_outcome() -> Outcome:
    orders: dict[str, list[Order]] = {}
    for power in NAMES:
        text = read_sample_mail(power)
        orders[power] = list(read_orders(text, SAMPLE, power).orders.get(power, ()))
    return adjudicate(SAMPLE, orders)


def _write_mail_of_all(outcome: Outcome) -> str:
    """Return everybody's orders below the names of their powers."""
    lines = []
    for power in outcome.position.board.powers.values():
        lines.append(f"{power.name('en')}:")
        lines += [write_order(each.order) for each in outcome.results if each.power == power.id]
    return "\n".join(lines)


@pytest.mark.proof
def test_a_whole_turn_is_judged_in_the_page_as_by_the_judge(opened: Opening) -> None:
    """Everybody's orders in one mail: each reason is the judge's, and the arrows show results."""
    table = opened()
    outcome = _sample_outcome()
    taken = table.paste(_write_mail_of_all(outcome))
    assert taken.startswith(f"Orders taken over: {len(outcome.results)}.")
    table.page.evaluate(
        "() => document.querySelectorAll('#table-orders details:not([open]) > summary')"
        ".forEach(each => each.click())"
    )
    table.wait("() => document.querySelectorAll('#table-orders .why').length > 45")
    _compare_reasons(table.page, outcome)
    _compare_marks(table.page, outcome)

    table.page.locator("#copy-mine").click()
    _is_only_of(table.page.input_value("#table-text"), "TOL")
    table.press("#on")
    retreating = next_position(outcome)
    assert retreating is not None
    dislodged = [retreating.name(each.unit) for each in retreating.dislodged]
    assert sorted(_units(table.page, ".unit.dislodged")) == sorted(dislodged)
    table.page.locator("#copy-mine").click()
    _is_only_of(table.page.input_value("#table-text"), "TOL")


def _compare_reasons(page: Page, outcome: Outcome) -> None:
    """Check every reason in the lists against the judge's."""
    found = page.evaluate(
        "() => [...document.querySelectorAll('#table-orders .why')]"
        ".map(why => [why.dataset.subject, why.firstChild.textContent])"
    )
    position, sentences = outcome.position, load_sentences("en")
    wanted = {
        f"{unit.power} {position.name(unit)} 0": "; ".join(
            format_reason(fate.reason, position, sentences) for fate in outcome.fates(unit)
        )
        for unit in position.units
    }
    assert len(found) >= len(outcome.results)
    assert {subject: wanted[subject] for subject, _ in found} == dict(found)


def _compare_marks(page: Page, outcome: Outcome) -> None:
    """Check that failed moves, cut supports and beaten units are marked on the map, no others."""

    failed = {
        kind: {
            write_order(each.order)
            for each in outcome.results
            if isinstance(each.order, kind) and each.result in results
        }
        for kind, results in (
            (Move, ("fails", "dislodged", "stopped", "destroyed", "invalid", "illegal")),
            (Support, ("cut",)),
        )
    }
    assert {*_units(page, ".order.move:has(:is(.burst, .cross))")} == failed[Move]
    assert {*_units(page, ".order.support:has(.slash)")} == failed[Support]
    names = outcome.position.name
    beaten = [names(each.unit) for each in outcome.dislodged]
    assert sorted(_units(page, ".unit.beaten")) == sorted(beaten)
    lost = [f"Lost {names(unit)}" for unit in outcome.destroyed]
    assert sorted(_units(page, ".order.lost")) == sorted(lost)


def test_orders_are_given_by_taps_on_the_map_of_a_telephone(opened: Opening) -> None:
    """A foreign unit and one's own, each with a tap on its goal, also before the judge has listed
    their orders; a tap on the result says why."""
    table = opened(size=(390, 844), touch=True)
    desk = Desk(table.page, SAMPLE, "TOL", "en", touch=True)
    for unit, goal in (("A DAM", "NAB"), ("A ISR", "NAB")):
        desk.tap(unit=unit)
        desk.tap(province=goal)
        table.wait(f"() => document.querySelector('#board [data-unit=\"{unit} - {goal}\"]')")
        table.wait()
    assert table.drawn == {"A DAM - NAB", "A ISR - NAB"}
    assert "A ISR - NAB: " in table.text("#verdict")
    table.page.locator(".why[data-subject='TOL A ISR 0']").first.tap()
    table.wait("() => document.querySelectorAll('.chain li').length > 0")
    told = table.page.locator(".chain").first.inner_text()
    assert "strength 2 would have beaten A DAM: 1 more" in told
    table.paste("A MEN - TEB", "TOL")
    table.page.locator(".why[data-subject='TOL A MEN 0']").first.tap()
    expect(table.page.locator(".chain")).to_have_text("No other order has a part in it.")


FOUND = "() => document.querySelector('#sure .plan .give')"
COUNTED = "() => document.querySelector('#sure .safe ul')"


@pytest.mark.parametrize("lang", one_in(2, ["en", "it"]))
def test_a_place_that_is_tapped_is_sure_or_not_and_the_plan_becomes_the_orders(
    opened: Opening, lang: str
) -> None:
    """Two against one take Cappadocia; when others can help it, the answer that spoils it is told.
    How safe the plan is stands below."""
    say = load_sentences(lang).format
    position = place_units("AUT G CIL", "AUT A SIR", "NEU A CAP", "SEL A PER", "TOL A MEN")
    table = opened(position, "AUT", lang, size=(360, 740), touch=True)
    box = table.page.locator("#sure")

    def press(code: str) -> None:
        box.get_by_role("button", name=say(f"table-sure-{code}"), exact=True).tap()

    box.locator("summary").tap()
    press("tap")
    Desk(table.page, position, "AUT", lang, touch=True).tap(province="CAP")
    press("take")
    assert "CAP" in box.locator(".goals").inner_text()
    press("ask")
    table.wait(FOUND)
    assert say("take-sure") in box.locator(".plan").inner_text()
    press("give")
    table.wait("() => document.querySelector('#board [data-unit=\"G CIL - CAP\"]')")
    assert "G CIL - CAP" in table.drawn
    assert say("take-sure") in box.locator(".plan").inner_text()
    press("safe")
    table.wait(COUNTED)
    assert f"G CIL - CAP\n{say('table-sure-always')}: {say('result-succeeds')}" in (
        box.locator(".safe").inner_text()
    )
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 360

    box.locator(".goals button").tap()
    table.page.select_option("#sure-place", "SUS")
    press("hold")
    press("ask")
    table.wait(FOUND)
    told = box.locator(".plan").inner_text()
    assert say("take-none") in told
    assert "A PER - SUS" in told


def test_a_search_for_a_plan_can_be_stopped(opened: Opening) -> None:
    table = opened(touch=True, size=(360, 740))
    table.page.locator("#sure summary").tap()
    table.page.select_option("#sure-place", "ISR")
    table.page.locator("#sure .plan .ask").tap()
    table.page.locator("#sure .plan .stop").tap()
    table.wait("() => document.querySelector('#sure .plan .ask')")
    said = load_sentences("en").format("flip-stopped")
    assert said in table.page.locator("#sure .plan").inner_text()


@pytest.mark.proof
def test_keys_alone_do_everything(opened: Opening) -> None:
    """Switch, plans by arrows, an order, playing on and back."""
    table = opened()
    page = table.page
    page.locator("#plans button").first.focus()
    page.keyboard.press("ArrowRight")
    table.wait()
    assert page.evaluate("() => document.activeElement.textContent") == "B"
    page.locator("#table-orders .subject[data-subject='TOL A MEN 0']").focus()
    page.keyboard.press("Enter")
    table.wait("() => document.querySelectorAll('#choices button').length > 2")
    page.locator("#choices").get_by_role("button", name="Holds", exact=True).focus()
    page.keyboard.press("Enter")
    table.wait()
    assert table.drawn == {"A MEN H"}
    page.keyboard.press("Control+z")
    table.wait()
    assert table.drawn == set()
    page.locator("#on").focus()
    page.keyboard.press("Enter")
    table.wait()
    assert table.text("#phase") == "Autumn 318 BC, movement"


@pytest.mark.proof
def test_what_cannot_be_read_is_said(opened: Opening) -> None:
    """Another language, orders of another map, half a position, nothing at all."""
    table = opened()
    german = table.paste("Hallo, die Armee in Memphis zieht nach Theben, Grüße", "TOL")
    assert "No order for this position was found" in german
    other = table.paste("A PAR - BUR\nF LON - NTH\nA MUN H", "TOL")
    assert "No order for this position was found" in other
    assert "A PAR - BUR" in other
    half = table.paste("A MEN - TEB", "TOL")
    assert half.startswith("Orders taken over: 1.")
    assert "so they hold: " in half
    assert table.paste(" ", "TOL") == "Paste some text first."
    assert table.page.locator("#board .order:not(.unordered)").count() == 1


@pytest.mark.proof
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("bundle", "The judge in this page is damaged. The order sheet works without it."),
        ("wasm", "This browser is too old to judge. The order sheet works without it."),
    ],
)
def test_without_a_judge_the_sheet_is_what_it_was(
    visitor: Visitor, tmp_path: Path, damage: str, said: str
) -> None:
    """A bundle that was cut, a browser without WebAssembly: said, and orders are given."""
    text = _sheet(SAMPLE, "TOL", "en")
    if damage == "bundle":
        text = re.sub(r'(<script type="text/plain" id="judge">.{2000})[^<]*', r"\1", text)
    path = tmp_path / "sheet.html"
    path.write_text(text, encoding="utf-8", newline="\n")
    page = visitor.open(path, before="delete globalThis.WebAssembly" if damage == "wasm" else "")
    table = Table(page)
    if damage == "bundle":
        page.locator("#try").click()
        table.wait("() => document.querySelector('#try').hidden")
    assert page.inner_text("#try-said") == said
    assert not page.locator("#try").is_visible()
    page.locator("#subjects .subject", has_text="A MEN").click()
    page.locator("#choices").get_by_role("button", name="Holds", exact=True).click()
    assert page.input_value("#text").splitlines()[1:] == ["A MEN H"]


@pytest.mark.proof
def test_winter_builds_stand_in_the_next_spring(opened: Opening) -> None:
    """The standard map: autumn moves win centres, winter asks for builds, spring follows."""
    position = Position(
        STANDARD,
        Phase(1901, "autumn"),
        (Unit("France", "A", "SPA"), Unit("France", "F", "BRE"), Unit("Italy", "A", "VEN")),
        owners={"PAR": "France", "BRE": "France", "MAR": "France", "VEN": "Italy", "ROM": "Italy"},
    )
    table = opened(position, "France")
    table.page.evaluate("() => document.querySelector('#legend').click()")
    phase_on_map = table.page.locator("#board [data-layer=legend] .subtitle")
    assert phase_on_map.is_visible()
    table.press("#on")
    assert table.text("#phase") == "Winter 1901, builds and removals"
    assert not phase_on_map.is_visible()  # nor are the scores, which are those of the autumn
    assert not table.page.locator("#board [data-layer=scoreboard]").is_visible()
    table.wait("() => document.querySelectorAll('#table-orders .subject').length > 1")
    table.page.locator("#table-orders .subject", has_text="Paris").evaluate("each => each.click()")
    _press_choice(table.page, "Army")
    table.wait()
    assert table.drawn == {"Build A PAR"}
    table.press("#on")
    assert table.text("#phase") == "Spring 1902, movement"
    assert "A PAR" in _units(table.page, "[data-layer=units] .unit")


def test_picks_are_chosen_and_lead_to_the_deployment(opened: Opening) -> None:
    """The last period of picks: one's own by tap, another's pasted; who won a centre deploys."""
    table = opened(Position(load_board("alexmagnum"), Phase(323, "picks", period=5), ()), "TOL")
    table.page.locator("#table-orders .subject", has_text="Your pick").click()
    table.wait("() => document.querySelectorAll('#choices button').length > 30")
    _press_choice(table.page, "Babylon")
    table.wait()
    table.paste("Pick OPI", "SEL")
    assert len(table.drawn) == 1
    table.paste("Pick ATE", "SEL")
    assert table.drawn == {"Pick BAB", "Pick ATE"}
    table.press("#on")
    assert table.text("#phase") == "Deployment 323 BC"
    table.wait("() => document.querySelectorAll('#table-orders details.own .subject').length > 0")
    assert "Babylon" in table.text("#table-orders details.own")
    table.page.locator("#copy-mine").click()
    assert table.page.input_value("#table-text").splitlines()[1:] == ["Pick BAB"]


def test_a_sheet_with_its_judge_holds_nothing_but_the_position_and_fits_into_a_mail() -> None:
    """Everybody has the same data of the table; the page may load nothing from anywhere."""
    ours, theirs = (_sheet(SAMPLE, power, "en") for power in ("TOL", "SEL"))

    def data(page: str) -> str:
        return str(re.findall(r'id="table-data">([^<]*)<', page)[0])

    assert data(ours) == data(theirs)
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', ours)[0]
    assert policy.startswith("default-src 'none'")
    assert "connect-src" not in policy
    largest = _sheet(SAMPLE, "AUT", "it").encode()
    assert len(largest) <= 1_100_000
    assert len(zlib.compress(largest, 9)) <= 600_000


@sampled
def test_orders_are_put_into_words_as_everywhere(visitor: Visitor, tmp_path: Path) -> None:
    """In both languages, for every legal order of some positions: notation and sentence."""
    script = load_script("page_parts.js", "order_words.js")
    path = tmp_path / "words.html"
    path.write_text(f"<title>w</title><script>{script.text}</script>", encoding="utf-8")
    page = visitor.open(path)
    ask = (
        "([data, codes, r]) => { const w = makeOrderWords(data);"
        " return codes.map(c => [w.written(c), w.meaning(c, r)]); }"
    )
    after = next_position(adjudicate(SAMPLE, {}))
    assert after is not None
    for position in (SAMPLE, after):
        for lang in ("en", "it"):
            words = json.loads(json.dumps(describe_words(position.board, load_sentences(lang))))
            for power in list(position.board.powers)[: sized(2, 7)]:
                orders = legal_orders_of(position, power)
                codes = [write_order(order) for order in orders]
                retreats = position.phase.kind == "retreats"
                assert page.evaluate(ask, [words, codes, retreats]) == [
                    [order_in(code, lang), describe_order(order, position.board, lang)]
                    for code, order in zip(codes, orders, strict=True)
                ]


def test_phases_are_named_as_everywhere() -> None:
    """The patterns of the names of phases, filled in, are the names."""
    board, phase = SAMPLE.board, Phase(317, "spring", retreats=True)
    for sentences in map(load_sentences, ("en", "it")):
        pattern = describe_table(board, sentences)["phases"]["spring retreats"]
        assert pattern.replace("{year}", "317") == phase_name(phase, board, sentences)


def _is_only_of(text: str, power: str) -> None:
    """Check that a text has orders of a power's own units alone."""
    names = {SAMPLE.name(unit) for unit in SAMPLE.units_of(power)}
    lines = text.splitlines()[1:]
    assert lines
    for line in lines:
        assert re.match(r"[AFG] \S+", line)[0] in names, line  # type: ignore[index]


@pytest.mark.proof
def test_what_was_guessed_for_others_never_leaves_the_page(opened: Opening) -> None:
    """Somebody taps around: orders, plans, phases; what is copied or mailed is their own alone."""
    table = opened()
    rng = Random(7)
    page = table.page
    buttons = "#plans button, #on, #back, #undo, #redo, #copy-mine, #give-mine, #choices button"
    for step in range(sized(6, 60)):
        if step % 3 == 0:
            page.evaluate(
                "([share]) => { const all = [...document.querySelectorAll('#table summary')];"
                " all[Math.floor(share * all.length)]?.click();"
                " const rows = [...document.querySelectorAll('#table-orders .subject')];"
                " rows[Math.floor(share * rows.length)]?.click(); }",
                [rng.random()],
            )
        else:
            page.evaluate(
                "([all, share]) => { const found = [...document.querySelectorAll(all)]"
                ".filter(each => each.checkVisibility());"
                " found[Math.floor(share * found.length)]?.click(); }",
                [buttons, rng.random()],
            )
        table.wait()
        for text in (page.input_value("#table-text"), page.input_value("#text")):
            if text:
                _is_only_of(text, "TOL")
    page.locator("#try").click()
    assert not page.locator("#table").is_visible()
    assert page.locator("#copy").is_visible()


@pytest.mark.proof
def test_it_is_accessible(opened: Opening) -> None:
    """No finding of axe; targets are large enough, nothing is cut off at the side, and what
    happens is heard by readers of the screen."""
    table = opened(size=(390, 844), scheme="dark", touch=True)
    page = table.page
    table.paste(read_sample_mail("TOL"), "TOL")
    assert list_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.evaluate(
        "() => [...document.querySelectorAll('.try button, #table-bar button, #table button,"
        " #table summary, #table select')].filter(each => each.checkVisibility())"
        ".filter(each => each.getBoundingClientRect().height < 40).map(each => each.outerHTML)"
    )
    assert small == []
    live = page.locator("[role=status]").evaluate_all("all => all.map(each => each.id)")
    assert {"verdict", "said", "try-said", "paste-said", "table-status"} <= set(live)
