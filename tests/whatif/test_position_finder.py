"""The position is found in every report that is mailed, whatever mail programs do to it."""

import re
import shlex
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import cycle
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner

from alexmagnum.board import load_board
from alexmagnum.board.map_file import maps_folder
from alexmagnum.campaign import first_position
from alexmagnum.cli import app
from alexmagnum.errors import AlexMagnumError, BadFile, BadPosition
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.parsing.message import read_saved_texts
from alexmagnum.play import play_game
from alexmagnum.position import Position
from alexmagnum.report.phase_report import format_turn_file
from alexmagnum.whatif import find_position
from tests.mail.clients import BETWEEN, BOTTOM, PROGRAMS, TOP, Letter
from tests.mail.people import TOL
from tests.whatif.mailed import FORMS, GOING_ON, MANGLERS, as_page, open_position, report, same


def _open_position(name: str) -> Position:
    wanted = open_position(name)
    assert wanted is not None
    return wanted


def _turn_text(name: str) -> str:
    return format_turn_file(_open_position(name), load_sentences("en"))


def _find_position(raw: str | bytes) -> Position:
    data = raw if isinstance(raw, bytes) else raw.encode()
    return find_position(read_saved_texts(data)).taken.sound


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GOING_ON)
def test_every_format_of_every_report_carries_the_position(name: str, form: str, lang: str) -> None:
    assert same(_find_position(report(name, form, lang)), _open_position(name))


@pytest.mark.parametrize("how", MANGLERS)
@pytest.mark.parametrize("name", GOING_ON)
def test_a_text_report_may_be_mangled(name: str, how: str) -> None:
    assert same(_find_position(MANGLERS[how](report(name, "text"))), _open_position(name))


@pytest.mark.parametrize("name", GOING_ON)
def test_a_text_report_may_be_made_a_page(name: str) -> None:
    for how, page in as_page(report(name, "text")):
        assert same(_find_position(page), _open_position(name)), how


@pytest.mark.parametrize("client", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("name", ["sample", "retreats"])
def test_every_mail_program_may_quote_it(name: str, client) -> None:  # type: ignore[no-untyped-def]
    for place in (TOP, BOTTOM, BETWEEN):
        raw = client(Letter(TOL, 7, place, old=report(name, "text")))
        assert same(_find_position(raw), _open_position(name)), place


@pytest.mark.parametrize("map_id", ["alexmagnum", "standard"])
def test_every_position_of_a_game_is_found_as_it_was(map_id: str) -> None:
    manglers = cycle(MANGLERS.values())
    for played in play_game(load_board(map_id), 11, years=4):
        for text in (format_turn_file(played.position, load_sentences("it")) for _ in range(2)):
            assert same(_find_position(next(manglers)(text)), played.position)


# -- messages and pages as they are saved ----------------------------------------------------------


def _message(**parts: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "gm@example.net"
    message["Subject"] = "Report"
    message.set_content(parts.get("plain", "see the page"))
    if "page" in parts:
        message.add_alternative(parts["page"], subtype="html")
    return message


def test_a_message_is_read_by_its_page_where_its_text_has_nothing() -> None:
    raw = _message(page=report("autumn", "mail")).as_bytes()

    assert same(_find_position(raw), _open_position("autumn"))


def test_a_message_is_read_by_its_page_where_its_text_is_damaged() -> None:
    text = report("autumn", "text")
    raw = _message(plain=text[: text.index("centers:")], page=report("autumn", "mail")).as_bytes()

    assert same(_find_position(raw), _open_position("autumn"))


def test_a_message_forwarded_as_an_attachment_is_read() -> None:
    outer = EmailMessage()
    outer["From"] = "anna@example.net"
    outer.set_content("Look!")
    outer.add_attachment(_message(plain=report("winter", "text")))

    assert same(_find_position(outer.as_bytes()), _open_position("winter"))


def test_a_page_saved_by_a_browser_as_one_file_is_read() -> None:
    """Find the position behind the page's fonts and script."""
    message = EmailMessage()
    message["From"] = "<Saved by Blink>"
    message["Snapshot-Content-Location"] = "file:///report.html"
    message.set_content(report("sample", "html"), subtype="html", cte="quoted-printable")
    message.make_related()

    assert same(_find_position(message.as_bytes()), _open_position("sample"))


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_text_may_be_saved_in_any_charset(charset: str) -> None:
    raw = report("sample", "text", "it").encode(charset, "replace")

    assert same(_find_position(raw), _open_position("sample"))


# -- several of them -------------------------------------------------------------------------------


def test_of_several_positions_the_latest_is_taken() -> None:
    """BC years count down; an old report above a new one makes no difference."""
    sample, autumn = (_turn_text(name) for name in ("sample", "winter"))
    for texts in ([sample + autumn], [autumn + sample], [sample, autumn]):
        search = find_position(texts)

        assert str(search.taken.sound.phase) == "318-spring-retreats"
        assert [str(other.sound.phase) for other in search.others] == ["318-spring"]


def test_of_two_of_one_phase_the_one_less_deep_in_quotation_is_taken() -> None:
    new = _turn_text("sample")
    old = MANGLERS["quoted"](new.replace(new[new.index("# end") :], "# end").replace("A PER, ", ""))
    taken = find_position([old + "\n" + new]).taken

    assert taken.depth == 0
    assert same(taken.sound, _open_position("sample"))


def test_a_phase_asks_for_another_position() -> None:
    text = "".join(_turn_text(name) for name in ("sample", "winter"))

    assert find_position([text], phase="318-SPRING").taken.sound.phase.kind == "movement"
    assert _error_code(text, phase="1901-spring") == "turn-not-there"


def test_a_position_that_is_there_twice_is_found_once() -> None:
    text = _turn_text("sample")

    assert find_position([text + MANGLERS["quoted"](text), text]).others == ()


def test_a_damaged_newer_one_is_not_passed_over_for_an_older_one() -> None:
    old, new = (_turn_text(name) for name in ("winter", "sample"))

    assert _error_code(new[: new.index("centers:")] + "\n-- \nAnna\n" + old) == "turn-damaged"


# -- none, or what is left of one ------------------------------------------------------------------


def _error_code(text: str, **options: str) -> str:
    """Return the error code for a text, and check that its message names the file."""
    with pytest.raises(AlexMagnumError) as caught:
        find_position(read_saved_texts(text.encode()), source="mail.txt", **options)
    for lang in LANGUAGES:
        assert "mail.txt" in load_sentences(lang).error(caught.value)
    return caught.value.code


def test_a_text_without_a_position_is_refused() -> None:
    assert _error_code("phase: tomorrow\nmap: see below") == "no-turn"
    assert _error_code("") == "no-turn"


def test_a_position_without_its_beginning_is_refused() -> None:
    text = _turn_text("sample")

    assert _error_code(text[text.index("units:") :]) == "turn-headless"


def test_a_position_cut_off_anywhere_is_refused() -> None:
    """Cut at the end of a line, too, where nothing else shows that something is missing."""
    text = _turn_text("winter")
    for end in range(text.index("year:"), len(text) - len("# end 01234567\n"), 7):
        assert _error_code("Hello\n" + text[:end]) in ("turn-cut", "turn-damaged", "turn-endless")
    for line in range(5, text.count("\n")):
        assert _error_code("\n".join(text.split("\n")[:line])).startswith("turn-")


def test_a_damaged_position_names_the_place() -> None:
    with pytest.raises(BadFile) as caught:
        find_position([_turn_text("sample").replace("  TOL: [", "  TOL: ", 1)])

    assert caught.value.where == "units.SEL"
    assert caught.value.data["text"].startswith("TOL: ")


def test_a_position_with_a_unit_that_cannot_be_names_the_key() -> None:
    with pytest.raises(BadFile) as caught:
        find_position([_turn_text("sample").replace("A ATR", "A ATX")])

    assert caught.value.where == "units.SEL"


def test_a_position_that_cannot_stand_is_refused() -> None:
    with pytest.raises(BadPosition):
        find_position([_turn_text("sample").replace("A ATR", "A EGE")])


def test_a_position_in_which_something_is_lost_is_refused() -> None:
    assert _error_code(_turn_text("sample").replace("A ATR, ", "")) == "turn-altered"


def test_a_position_changed_on_purpose_ends_without_its_check() -> None:
    text = _turn_text("sample").replace("A ATR, ", "")
    changed = text[: text.index("# end")] + "# end"

    assert (
        len(find_position([changed]).taken.sound.units) == len(_open_position("sample").units) - 1
    )


def test_a_map_of_the_tables_own_has_to_be_given(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    source = (maps_folder() / "standard.json").read_text(encoding="utf-8")
    own.write_text(source.replace('"Vienna"', '"Vindobona"'), encoding="utf-8")
    position = first_position(load_board(own))
    text = MANGLERS["quoted"](format_turn_file(position, load_sentences("it")))

    assert _error_code(text) == "turn-no-map"
    assert same(find_position([text], map_id=str(own)).taken.sound, position)
    other = _turn_text("sample").replace("map: alexmagnum", f"map: {own}")
    assert _error_code(other) == "turn-no-map"


BEGINNING = "> map: standard\n> phase: spring_moves\n> year: 1901\n> units:\n>   Austria: [A VIE]\n"
NOTED = "# map: standard phase: spring_moves\n" * 5_000
BUSY = (" \t" * 40_000, "a: b\n " * 20_000, "units: A: [" * 20_000, BEGINNING * 2_000, NOTED)


@pytest.mark.parametrize("text", BUSY)
def test_a_text_made_to_keep_it_busy_is_done_with_at_once(text: str) -> None:
    with pytest.raises(BadFile):
        find_position(read_saved_texts(text.encode()))


# The commands on the pages for players work and print what the pages show.


ROOT = Path(__file__).parents[2]
PAGES = {"whatif.md": ("mine.txt", "guesses.txt"), "whatif.it.md": ("miei.txt", "supposti.txt")}


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def _blocks(name: str) -> list[str]:
    """Return the indented blocks of a page."""
    found = re.findall(r"^(?: {4}.*\n|\n(?= {4}))+", _page(name), re.MULTILINE)
    return [dedent(block).strip() for block in found]


def _examples() -> Iterator[Any]:
    """Yield the examples of both pages; ``make test`` runs every third one of the English page."""
    for name in PAGES:
        for number, block in enumerate(b for b in _blocks(name) if b.startswith("$ ")):
            marks = pytest.mark.proof if ".it." in name or number % 3 else ()
            yield pytest.param(name, block, id=block.splitlines()[0][2:], marks=marks)


def _pieces(shown: str) -> list[str]:
    return [piece.strip("\n") for piece in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]


@pytest.mark.parametrize(("name", "example"), [*_examples()])
def test_what_is_shown_is_printed(
    name: str, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file, text in zip(PAGES[name], _example_files(name), strict=True):
        (tmp_path / file).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "orders", tmp_path / "orders")
    monkeypatch.chdir(tmp_path)
    command, _, shown = example.partition("\n")
    done = CliRunner().invoke(app, _words(command))

    assert done.exit_code == 0, done.output
    at = 0
    for piece in _pieces(shown):
        at = done.output.find(piece, at)
        assert at >= 0, f"{piece}\n\nis not in\n\n{done.output}"


def _example_files(name: str) -> list[str]:
    """Return the files that the first example names: the next indented block."""
    blocks = _blocks(name)
    first = next(i for i, block in enumerate(blocks) if block.startswith("$ "))
    return blocks[first + 1 : first + 3]


def _words(command: str) -> list[str]:
    """Return the arguments of a command as the shell splits them."""
    return [
        str(path)
        for word in shlex.split(command)[2:]
        for path in (sorted(Path().glob(word)) if "*" in word else [word])
    ]


def test_there_are_three_examples_of_the_sample_turn() -> None:
    for name in PAGES:
        asked = {block.splitlines()[0] for block in _blocks(name) if "--flip" in block}
        for order in ("F MAC - EGE#3", "F FEN#2 - SUE", "G CIL - CAP"):
            assert any(order in line for line in asked)


def test_the_library_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.eml").write_text(report("waiting", "text"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", _page("whatif.md"), re.DOTALL):
        exec(code, names)
    said = capsys.readouterr().out

    assert "A MEN [('A MEN - TEB', ('succeeds',)), ('A MEN H', ('stands',))]" in said
    assert "\nA MEN [('succeeds', " in said


@pytest.mark.parametrize("name", PAGES)
def test_every_document_named_exists(name: str) -> None:
    for path in re.findall(r"\]\(([^)#]+)", _page(name)):
        assert (ROOT / "docs" / path).exists(), path


def test_both_pages_have_the_same_options() -> None:
    english, italian = (set(re.findall(r"--[a-z-]+", _page(name))) for name in PAGES)

    assert english - italian <= {"--lang"}
    assert italian <= english
