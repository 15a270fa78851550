"""A game master's first game year with the real command, in a real folder.

The story is played once; the tests look at what was printed and at what lies in the folder.
"""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.commands import NO_PICTURES, ROOT, GameFolder, Printed, run_command
from tests.transcripts import play_transcript, read_transcripts

PICKS = {
    "TOL": ("scelgo Alessandria", "Pick MEN", "Tebe", "pick Tyrus", "scelgo CIP"),
    "SEL": ("Pick BAB",),
    "CAS": ("Pick MAC",),
}
DEPLOYED = {
    "TOL": "Build G ALE\nBuild A MEN\nBuild A TEB\nBuild F TIR\nBuild F CIP\n",
    "SEL": "Build G BAB\n",
    "CAS": "Build G MAC\n",
}
SPRING = {
    "TOL": (
        "Caro arbitro,\n\nG Alessandria va in Nilo occidentale\nA MEN - NOC\nA TEB H\n"
        "flotta Tiro XXX\n"
        "F CIP mantiene\nF TIR verso il nemico a tutta forza\n\nCostruzioni:\nBuild A ALE\n\nAnna\n"
    ),
    "SEL": "il generale di Babilonia sta fermo\n",
    "CAS": "G Macedonia - Tessaglia\n",
}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[GameFolder, dict[str, Printed]]:
    """Play the year; return the game and the output of its commands."""
    home = tmp_path_factory.mktemp("desk")
    said = {
        "new": run_command(
            *("new", "cipro", "--lang", "it", "--name", "Cipro 1"),
            *("--player", "TOL=Anna Neri <anna@example.org>", "--player", "SEL=Bruno"),
            *("--player", "Cassandro=Carla <carla@example.org>"),
            *("--set", "days_picks=2", *NO_PICTURES),
            cwd=home,
        )
    }
    table = GameFolder(home / "cipro")
    run = table.run
    for period in range(1, 6):
        for power, picks in PICKS.items():
            for pick in picks[period - 1 : period]:
                said[f"pick-{power}-{period}"] = run("submit", power, stdin=pick + "\n")
        if period == 1:
            said["status-1"] = run("status", "--lang", "en")
            said["refused-1"] = run("process", "323-1", status=1)
        said[f"process-{period}"] = run("process", f"323-{period}", "--allow-missing")
    for power, text in DEPLOYED.items():
        run("submit", power, "-", stdin=text)
    run("process", "323-6", "--allow-missing")
    run("report", "--before", "Le flotte si incontrano al largo di Rodi.")
    for power, text in SPRING.items():
        said[f"spring-{power}"] = run("submit", power, "--lang", "en", stdin=text)
    for name, arguments in {
        "status": ("status", "--lang", "en"),
        "status-json": ("status", "--json"),
        "preview": ("preview", "--lang", "en"),
        "preview-json": ("preview", "--json"),
        "report-open": ("report", "322-spring", "--for", "TOL"),
        "report-open-gm": ("report", "322-spring", "--for", "gm", "--format", "json"),
        "history-open": ("history",),
        "history-open-json": ("history", "--json"),
        "players": ("status", "--people"),
        "verify-open": ("verify",),
        "submit-json": ("submit", "SEL", "--json"),
    }.items():
        said[name] = run(*arguments, stdin=SPRING["SEL"] if name == "submit-json" else "")
    said["closed"] = run("orders", "TOL", status=2)
    said["opened"] = run("orders", "TOL", "--open", "--json", "--reason", "Anna asked")
    said["ahead"] = run("orders", "--open", "--ahead", "--json")
    said["spring"] = run("process", "322-spring", "--allow-missing", "--lang", "en")
    said["twice"] = run("process", "322-spring", "--lang", "en")
    said["wrong"] = run("process", "322-winter", "--lang", "en", status=1)
    return table, said


Story = tuple[GameFolder, dict[str, Printed]]


def copy(story: Story, tmp_path: Path) -> GameFolder:
    """Return a copy of the game in a new folder, to play on."""
    shutil.copytree(story[0].folder, tmp_path / "game")
    return GameFolder(tmp_path / "game")


# -- from the first pick to the first spring ---------------------------------------------------


def test_a_new_game_says_what_is_due_and_who_is_missing(story: Story) -> None:
    said = story[1]["new"].out
    for words in ("Cipro 1", "323-1", "senza giocatore: ", "UTC"):
        assert words in said


def test_the_status_has_figures_a_deadline_and_the_next_command(story: Story) -> None:
    text, data = story[1]["status-1"].out, story[1]["status-json"].data
    tolomeo = next(power for power in data["powers"] if power["power"] == "TOL")
    assert re.search(r"Ptolemy\s+Anna Neri\s+complete, 1 of 1", text)
    assert re.search(
        r"Deadline: \w+day \d+ \w+ 20\d\d, 23:59 \(Europe/Rome\) = 2\d:59 UTC, in", text
    )
    assert "alexmagnum process 323-1 --allow-missing" in text
    assert (data["phase"], data["kind"], data["over"]) == ("322-spring", "movement", False)
    assert (tolomeo["given"], tolomeo["wanted"]) == (5, 5)


def test_orders_that_are_missing_stop_the_phase(story: Story) -> None:
    _, said = story
    assert "LIS" in said["refused-1"].err or "Lisimaco" in said["refused-1"].err
    assert "323-2" in said["process-1"].out


def test_a_receipt_counts_and_the_draft_has_it_all(story: Story) -> None:
    table, said = story
    text = said["spring-TOL"].out
    assert re.search(r"understood: \d", text)
    assert "not understood: 1" in text
    assert "kept for later phases: 1" in text
    assert re.search(r"[0-9A-F]{4}-[0-9A-F]{4}", text)
    draft = (table.folder / "drafts" / "receipt-322-spring-TOL-1.it.txt").read_text("utf-8")
    assert "G ALE - NOC" in draft
    assert "verso il nemico" in draft
    assert "Build A ALE" in draft
    assert "Puoi cambiare idea fino a" in draft


def test_opened_orders_are_journaled_with_the_reason(story: Story) -> None:
    table, said = story
    assert "--open" in said["closed"].err
    assert said["opened"].data["TOL"][0] == "G ALE - NOC"
    assert list(said["opened"].data) == ["TOL"]
    assert said["ahead"].data["TOL"] == {"winter": ["Build A ALE"]}
    assert "Anna asked" in table.run("history", "322-spring", "--power", "tolomeo").out


def test_processing_twice_changes_nothing_and_another_phase_is_refused(story: Story) -> None:
    _, said = story
    assert "Resolved: Spring 322 BC" in said["spring"].out
    assert "nothing was changed" in said["twice"].out
    assert "322-autumn" in said["wrong"].err


def test_the_report_for_everybody_lies_in_its_folder_and_report_prints_any(story: Story) -> None:
    table, _ = story
    folder = table.folder / "reports" / "322-spring"
    public, page = ((folder / f"public.it.{end}").read_text("utf-8") for end in ("txt", "html"))
    assert {path.name for path in folder.iterdir()} == {"public.it.html", "public.it.txt"}
    assert "Le flotte si incontrano al largo di Rodi." in public
    assert "G ALE - NOC" in public
    assert "verso il nemico" not in public
    assert "Build A ALE" not in public + page, "orders sent ahead are in no report"
    assert table.run("report").out == public
    assert table.run("report", "322-primavera", "--format", "html").out == page
    assert table.run("report", "322-spring", "--format", "json", "--lang", "en").data
    for reader in ("TOL", "gm"):
        said = table.run("report", "322-spring", "--for", reader, "--format", "md").out
        assert "verso il nemico" in said


# -- blindness ---------------------------------------------------------------------------------


def _secrets(power: str) -> list[str]:
    """Return the texts of a power's spring that must stay secret until it is resolved."""
    canonical = {
        "TOL": ["G ALE - NOC", "A MEN - NOC", "A TEB H", "F CIP H", "Build A ALE", "nemico"],
        "SEL": ["G BAB H"],
        "CAS": ["G MAC - TES"],
    }
    lines = [line.strip() for line in SPRING[power].splitlines()]
    lines = [line for line in lines if len(line) > 6 and not line.startswith(("Caro", "Costr"))]
    return [*canonical[power], *lines]


def test_nothing_prints_what_waits_unless_it_is_opened(story: Story) -> None:
    """Check every output from the first submission of the spring to its processing."""
    said = story[0].printed
    first = next(i for i, s in enumerate(said) if s is story[1]["spring-TOL"])
    last = next(i for i, s in enumerate(said) if s is story[1]["spring"])
    closed = [s for s in said[first:last] if "--open" not in s.arguments]
    secrets = [secret for power in SPRING for secret in _secrets(power)]
    assert len(closed) >= 14
    for output in closed:
        for secret in secrets:
            assert secret not in output.out + output.err, (output.arguments, secret)


DIGEST = re.compile(r"\b(?:[0-9A-F]{4}-){3}[0-9A-F]{4}\b")


def test_nothing_prints_a_pick_before_its_period_is_over(story: Story) -> None:
    for name in (*(f"pick-{power}-1" for power in PICKS), "status-1", "refused-1"):
        output = DIGEST.sub("", story[1][name].out + story[1][name].err)  # one may spell BAB
        for power, centre in {"TOL": "ALE", "SEL": "BAB", "CAS": "MAC"}.items():
            assert centre not in output
            assert PICKS[power][0] not in output


# -- back, forth, and a correction -------------------------------------------------------------


def test_a_correction_is_replayed_and_issued_as_version_2(story: Story, tmp_path: Path) -> None:
    table = copy(story, tmp_path)
    old = (table.folder / "reports/322-spring/public.it.txt").read_bytes()
    (table.folder / "corrected.txt").write_text("G ALE H\nA MEN - NOC\nA TEB H\n", "utf-8")
    reason = "I misread Anna's mail"
    told = table.run(
        "amend", "322-spring", "TOL", "corrected.txt", "--reason", reason, "--lang", "en"
    )

    assert "version 2" in told.out
    assert "A NOC" in told.out
    assert "G NOC" in told.out
    assert (table.folder / "reports/322-spring/public.it.txt").read_bytes() == old
    assert (table.folder / "reports/322-spring-v2/public.it.txt").is_file()
    new = table.run("report", "322-spring", "--lang", "en").out
    assert "2 (corrected)" in new
    assert "changed since version 1" in new.casefold()
    assert "misread" in table.run("history", "322-spring").out
    assert "G ALE - NOC" in table.run("report", "322-spring", "--version", "1", "--lang", "en").out
    table.run("verify")
    table.run("undo")
    assert table.run("report", "322-spring").out.encode() == old


def test_a_game_goes_through_a_file_into_another_folder(story: Story, tmp_path: Path) -> None:
    table = copy(story, tmp_path)
    table.run("export", "whole.json")
    table.run("import", "whole.json", "again")
    again = GameFolder(table.folder / "again")
    assert again.run("status", "--json").data == table.run("status", "--json").data
    assert again.run("report").out == table.run("report").out
    again.run("verify")
    table.run("import", "whole.json", "again", status=2)


def test_the_year_goes_on_to_the_next_spring(story: Story, tmp_path: Path) -> None:
    table = copy(story, tmp_path)
    phase = table.run("status", "--json").data["phase"]
    while phase != "321-spring":
        phase = table.run("process", phase, "--allow-missing", "--json").data["next"]

    assert "Build A ALE" in (table.folder / "reports/322-winter/public.it.txt").read_text("utf-8")
    assert table.run("verify", "--json").data["findings"] == []
    told = table.run("history", "322-spring", "--unit", "A MEN", "--lang", "en").out
    assert "A MEN - NOC: " in told
    assert "G ALE (1 against 2)" in told


# -- the rest of the desk ----------------------------------------------------------------------


TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_after_the_first_spring(sentence: str, story: Story, tmp_path: Path) -> None:
    play_transcript(copy(story, tmp_path).run, TRANSCRIPTS[sentence])


def test_a_deadline_is_put_off_and_not_by_too_much(story: Story, tmp_path: Path) -> None:
    table = copy(story, tmp_path)
    first = table.run("deadline", "set", "+48h", "--json").data["deadline"]
    assert table.run("deadline", "extend", "2", "days", "--json").data["deadline"] > first
    for span in ("9999 weeks " * 70, "9999 hours " * 70):
        table.run("deadline", "extend", *span.split(), status=2)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")
def test_what_is_secret_is_the_game_master_s_alone(story: Story, tmp_path: Path) -> None:
    """Check the drafts, the reports of one reader, and the paths of the mails."""
    table = copy(story, tmp_path)
    (table.folder / "private").mkdir()
    (table.folder / "private" / "mail.txt").write_text("Nothing new.\n", "utf-8")
    table.run("submit", "TOL", "private/mail.txt")
    table.run("report", "322-spring", "-o", "all.txt")
    table.run("report", "322-spring", "--for", "TOL", "-o", "tol.txt")
    entries = table.run("history", "--json").data
    assert [e["detail"]["source"] for e in entries if e["action"] == "submit"][-1] == "mail.txt"
    assert {path.stat().st_mode & 0o777 for path in (table.folder / "drafts").iterdir()} == {0o600}
    public = table.folder / "reports" / "322-spring" / "public.it.txt"
    assert public.stat().st_mode & 0o777 == 0o644
    assert (table.folder / "all.txt").stat().st_mode & 0o777 == 0o644
    assert (table.folder / "tol.txt").stat().st_mode & 0o777 == 0o600


def test_words_written_later_come_into_the_report(story: Story, tmp_path: Path) -> None:
    table = copy(story, tmp_path)
    table.run("report", "322-spring", "--after", "-", stdin="Una nota tecnica.\n")

    mine = table.run("report", "322-spring", "--for", "TOL", "--format", "md").out
    for text in ((table.folder / "reports/322-spring/public.it.txt").read_text("utf-8"), mine):
        assert "Una nota tecnica." in text
    table.run("report", "--after", "-", stdin="  \n", status=2)


def test_what_is_no_game_is_refused(story: Story, tmp_path: Path) -> None:
    copy(story, tmp_path)

    for words in (
        ("status",),
        ("status", "--game", "nowhere"),
        ("new", "game"),
        ("new", "other", "--player", "TOL=Anna", "--player", "TOL=Bruno"),
        ("new", "other", "--set", "second_mail"),
        ("new", "other", "--set", "second_mial=merge"),
        ("new", "other", "--player", "TOL"),
        ("new", "other", "--player", "ROM=Anna"),
    ):
        run_command(*words, cwd=tmp_path, status=2)
    assert not (tmp_path / "other").exists()


def test_the_folder_is_named_before_or_after_or_by_the_variable(
    story: Story, tmp_path: Path
) -> None:
    folder = str(story[0].folder)
    expected = story[0].run("status", "--json").data["phase"]

    for arguments, variable in (
        (("--game", folder, "status", "--json"), {}),
        (("status", "--game", folder, "--json"), {}),
        (("status", "--json"), {"ALEXMAGNUM_GAME": folder}),
    ):
        assert run_command(*arguments, cwd=tmp_path, environment=variable).data["phase"] == expected


def test_a_running_game_is_taken_over_and_the_standard_map_is_played(tmp_path: Path) -> None:
    turn = str(ROOT / "orders/turn.yaml")
    run_command("new", "running", "--from", turn, *NO_PICTURES, cwd=tmp_path)
    run_command("new", "classic", "--map", "standard", "--lang", "en", *NO_PICTURES, cwd=tmp_path)
    running, classic = (GameFolder(tmp_path / name) for name in ("running", "classic"))
    assert running.run("status", "--json").data["phase"] == "318-spring"
    running.run("submit", "TOL", str(ROOT / "orders/tolomeo.txt"))
    running.run("process", "318-spring", "--allow-missing")
    assert "1901-autumn" in classic.run("process", "1901-spring", "--allow-missing").out
