"""A published game in a browser, opened from the disk: phone and desk, keyboard, no network."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from justhtml import JustHTML
from playwright.sync_api import Page, Request, expect

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.site.site import write_single_page
from tests import plain_pictures
from tests.browser.chromium import Scheme, Visitor, check_map, list_violations
from tests.browser.test_report_page import DESK, PHONE
from tests.site.games import played_game, publish, read_site
from tests.sizes import one_in

KINDS = tuple(
    """
    index.html phases/322-spring.html phases/323-2.html replay.html charts.html powers/index.html
    powers/SEL.html provinces/index.html provinces/BAB.html press.html search.html learn.html
    rules.html text-rules.html one.html
    """.split()  # noqa: SIM905 (15 quoted words would be as many lines)
)
"""A page of every kind."""


def build_site(folder: Path) -> None:
    plain_pictures.want_plain_pictures()  # pages show drawings; nobody looks at the PNGs
    with played_game(folder / "g", 12, pictures="yes") as desk:
        publish(desk, folder / "site")
        write_single_page(desk, folder / "one.html", None, load_sentences("en"))
    (folder / "one.html").rename(folder / "site" / "one.html")


@pytest.fixture
def site(built_once: Callable[..., Path]) -> Path:
    """Return the folder of the site of a game of twelve phases, with maps."""
    return built_once("site-in-browser", build_site) / "site"


class Guest:
    """A visitor of a site: its pages may ask for files of the site, and for nothing else."""

    def __init__(self, visitor: Visitor, site: Path) -> None:
        self.visitor, self.site = visitor, site
        self.asked: list[str] = []

    def open(self, name: str, **options: Any) -> Page:
        page, _, part = name.partition("#")
        shown = self.visitor.open(self.site / page, **options)
        shown.on("request", self._note)
        if part:
            shown.goto(f"{(self.site / page).as_uri()}#{part}")
            shown.reload()
        return shown

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

    def check(self) -> None:
        """Fail if a page asked for anything but a file of the site."""
        own = f"request: {self.site.as_uri()}/"
        self.visitor.faults[:] = [f for f in self.visitor.faults if not f.startswith(own)]
        assert [a for a in self.asked if not a.startswith((self.site.as_uri(), "data:"))] == []


@pytest.fixture
def guest(visitor: Visitor, site: Path) -> Iterator[Guest]:
    """Yield a visitor of the site; fail if a page had an error or asked for anything else."""
    found = Guest(visitor, site)
    yield found
    found.check()


def test_every_page_is_valid_html_with_ids_of_its_own_and_links_within_the_site(site: Path) -> None:
    """By the parser of the HTML standard, which lists every error; no page names an address on the
    network."""
    names = re.compile(r"https?://(?!www\.w3\.org/)[^\s\"'<>\\]+")
    faults: dict[str, list[object]] = {}
    for name, text in read_site(site).items():
        found: list[object] = [*names.findall(text)]
        if name.endswith(".html"):
            targets = re.findall(r'(?:href|src)="([^"#]+)', text)
            folder = (site / name).parent
            found += [target for target in targets if not (folder / target).resolve().is_file()]
        if name.endswith(".html") and (name in KINDS or not name.startswith("provinces/")):
            page = JustHTML(text, collect_errors=True)
            ids = Counter((element.attrs or {})["id"] for element in page.query("[id]"))
            found += [*page.errors[:3], *(each for each in ids if ids[each] > 1)]
        if found:
            faults[name] = found

    assert faults == {}
    doors = (site / name for name in ("index.html", "rules.html", "text-players.html"))
    assert all('href="learn.html"' in page.read_text("utf-8") for page in doors)


def test_the_feed_is_atom_with_the_newest_phase_first(site: Path) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ET.fromstring((site / "feed.xml").read_text(encoding="utf-8"))
    entries = feed.findall(f"{atom}entry")

    assert feed.tag == f"{atom}feed"
    assert all(feed.find(f"{atom}{name}") is not None for name in ("id", "title", "updated"))
    links = [entry.find(f"{atom}link") for entry in entries]
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries) == 12
    assert all(link is not None and (site / link.attrib["href"]).is_file() for link in links)


@pytest.mark.parametrize("seen", one_in(2, [(PHONE, "dark"), (DESK, "light")]))
@pytest.mark.parametrize("name", one_in(8, KINDS))
def test_axe_finds_nothing_and_nothing_sticks_out(
    guest: Guest, name: str, seen: tuple[tuple[int, int], Scheme]
) -> None:
    size, scheme = seen
    shown = guest.open(name, size=size, scheme=scheme)

    assert shown.evaluate("document.documentElement.scrollWidth") == size[0]
    if shown.locator(".map").count():
        check_map(shown)
    assert list_violations(shown) == []


def test_a_name_of_sixty_letters_is_broken(guest: Guest) -> None:
    shown = guest.open("powers/SEL.html", size=PHONE)
    shown.locator("dd").first.evaluate("name => { name.textContent = 'x'.repeat(60); }")
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE[0]


@pytest.mark.parametrize("name", ["learn.html", "replay.html", "sandbox.html", "search.html"])
def test_without_scripts_there_is_nothing_to_press(
    visitor: Visitor, site: Path, tmp_path: Path, name: str
) -> None:
    text = re.sub("<script.*?</script>", "", (site / name).read_text("utf-8"), flags=re.DOTALL)
    style = f"<style>{(site / 'assets' / 'style.css').read_text('utf-8')}</style>"
    text = re.sub('<link rel="stylesheet".*?>', lambda _: style, text)
    (tmp_path / name).write_text(text, encoding="utf-8")
    shown = visitor.open(tmp_path / name)
    assert shown.locator("button, input, select").locator("visible=true").count() == 0


def test_a_phase_shows_its_map_over_the_shared_ground(guest: Guest, site: Path) -> None:
    """Without scripts it has its text, and says what is missing."""
    shown = guest.open("phases/322-spring.html", size=PHONE)
    drawing = shown.locator(".map > svg")

    assert drawing.locator("[data-layer=seas] *").count() > 10
    assert drawing.locator("[data-layer=orders][data-view=orders] .order").count() > 5
    shown.locator(".orders .line").first.click()
    expect(shown.locator(".told")).not_to_be_empty()
    shown.locator("#show-after").check()
    assert not drawing.locator("[data-view=orders]").first.is_visible()
    written = (site / "phases" / "322-spring.html").read_text(encoding="utf-8")
    assert "The map is not here" in written
    assert written.count('class="orders"') >= 6


@pytest.mark.proof
def test_the_slider_replays_the_game_by_keyboard(guest: Guest) -> None:
    """A link opens it at its phase, from which it runs and stops."""
    shown = guest.open("replay.html#322-spring", size=PHONE)
    slider, phase = shown.get_by_role("slider"), shown.locator("#shown")
    expect(phase).to_have_text("Spring 322 BC, movement")
    slider.focus()
    shown.keyboard.press("Home")
    expect(phase).to_have_text("Cyprus year 323 BC, period 1 of picks")
    for _ in range(6):
        shown.keyboard.press("ArrowRight")
    expect(phase).to_have_text("Spring 322 BC, movement")
    expect(shown.locator(".map > svg .order").first).to_be_visible()
    assert slider.get_attribute("aria-valuetext") == "Spring 322 BC, movement"
    assert phase.get_attribute("href") == "phases/322-spring.html"
    shown.keyboard.press("End")
    assert shown.locator("[data-step='1']").is_disabled()

    run = shown.get_by_role("button", name="Play")
    run.click()
    expect(phase).to_have_text("Cyprus year 323 BC, period 1 of picks")
    expect(phase).to_have_text("Cyprus year 323 BC, period 2 of picks")
    shown.get_by_role("button", name="Stop").click()
    expect(run).to_be_visible()


def test_the_search_finds_orders_by_words_power_id_and_arrow_in_every_language(
    guest: Guest,
) -> None:
    shown = guest.open("search.html", size=PHONE)
    search, rows = shown.get_by_role("searchbox"), shown.locator("#results tbody tr")
    search.fill("spring 322")
    expect(rows.first).to_be_visible()
    count = rows.count()
    shown.locator("#power").select_option("SEL")
    assert 0 < rows.count() < count
    search.fill("xyzzy")
    expect(shown.locator("#found")).to_have_text("No order has all these words.")
    shown.locator("#power").select_option(index=0)

    search.fill("spring 322")
    ordered = re.search(r"\b[AFG] ([A-Z]{3})\b", rows.first.inner_text())
    assert ordered
    place = ordered[1]
    name = load_board("alexmagnum").provinces[place].name("it")
    for wanted, found in ((name, place), ("tolomeo", "Ptolemy"), (place.lower(), place)):
        search.fill(wanted)
        expect(rows.first).to_contain_text(found)
    assert all(place in text for text in rows.all_inner_texts())  # an id is a whole word

    search.fill(" - ")
    expect(shown.locator("#found")).not_to_be_empty()
    move = re.search(r"\w (\w+) - (\w+)\t", "\n".join(rows.all_inner_texts()))
    assert move
    for arrow in ("-", "→", " -> "):
        search.fill(arrow.join(move.groups()))
        expect(rows.first).to_contain_text(" - ".join(move.groups()))


def test_the_charts_are_tables_for_a_screen_reader(guest: Guest) -> None:
    shown = guest.open("charts.html")
    for chart in shown.locator("section.chart").all():
        assert chart.get_by_role("img").get_attribute("aria-labelledby")
        chart.locator("summary").click()
        assert chart.get_by_role("table").locator("tbody th").count() >= 2
    assert shown.get_by_role("table", name="Who attacks whom").get_by_role("row").count() == 7


def test_one_page_has_all_phases_and_shows_one_at_a_time(guest: Guest) -> None:
    shown = guest.open("one.html", size=PHONE)
    shown.get_by_role("slider").focus()
    shown.keyboard.press("Home")
    articles = shown.locator("article:visible")
    expect(articles).to_have_count(1)
    expect(articles.locator("h2").first).to_have_text("Cyprus year 323 BC, period 1 of picks")
    assert guest.asked == []
