"""Exports hold the game as its viewer sees it, and nothing that a record says becomes markup, link or formula."""

import csv
import json
import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pyarrow import parquet

from events.game.record import Header, read_record
from events.log.disclosure import ALL, PUBLIC, Form
from replay.commentary import LANGUAGES
from replay.exports.event_table import EventRow, harmless, moment
from replay.exports.formats import FORMATS
from replay.exports.markdown_text import plain
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commands.commands import ROOT, WHOLE, run
from tests.replay.commentary.told import LOGS, record_of
from tests.support.hostile_game import HOSTILE, hostile_record

SYSTEMS = [
    "classic/five-players.ndjson",
    "extended/six-players-strict-random-start.ndjson.gz",
    "bean-duel/2-players-4011.ndjson.gz",
    "the-duel/two-players.ndjson.gz",
    "ladybohn/three-players.ndjson.gz",
    "ladybohn-expansion/five-players.ndjson.gz",
]


def timeline(path: Path, viewer: int = ALL) -> Timeline:
    """A recorded game as a viewer sees it."""
    return read_timeline(*record_of(path), viewer)


def exported(name: str, of: Timeline, language: str = "en") -> bytes:
    """What a format writes."""
    output = BytesIO()
    FORMATS[name].write(of, language, output)
    return output.getvalue()


def rendered(text: str) -> list[Token]:
    """Every token of a Markdown text with tables, as a reader of it would come upon them."""
    blocks = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    return [*blocks, *(inner for block in blocks for inner in block.children or ())]


@pytest.fixture(scope="module")
def hostile() -> tuple[Header, tuple[Form, ...]]:
    """A genuine record in which every name and every talk is hostile."""
    header, forms = read_record(iter(hostile_record()))
    return header, tuple(forms)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_event_is_a_row_of_the_csv(name: str) -> None:
    """The columns are those documented, in their order, and each row holds its event."""
    game = timeline(LOGS / name)
    rows = [*csv.DictReader(StringIO(exported("csv", game).decode()))]

    assert tuple(rows[0]) == EventRow._fields
    assert [int(row["version"]) for row in rows] == [*range(1, game.last + 1)]
    for row in rows:
        entry = game.at(int(row["version"])).form.entry
        assert json.loads(row["data"]) == entry["data"]
        assert (row["event"], row["actor"]) == (entry["type"], entry["actor"])
        assert row["at"] == moment(entry["at"])


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_event_is_a_typed_row_of_the_parquet_file(name: str) -> None:
    """Parquet holds what the CSV does, with numbers, moments and lists as such."""
    game = timeline(LOGS / name, PUBLIC)
    table = parquet.read_table(BytesIO(exported("parquet", game)))
    rows = [*csv.DictReader(StringIO(exported("csv", game).decode()))]

    assert tuple(table.column_names) == EventRow._fields
    for typed, row in zip(table.to_pylist(), rows, strict=True):
        assert typed["at"] == datetime.fromisoformat(row["at"]).astimezone(UTC)
        assert " ".join(typed["cards"]) == row["cards"].removeprefix("'")
        for column in ("seat", "partner", "field", "offer", "coins"):
            assert ("" if typed[column] is None else str(typed[column])) == row[column]
        assert (typed["sentence"], typed["data"], typed["hash"]) == (
            row["sentence"],
            row["data"],
            row["hash"],
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_tells_the_whole_game(language: str) -> None:
    """Each event stands in it once, under its turn; it consists of headings, lists, tables and text only."""
    game = timeline(WHOLE)
    text = exported("markdown", game, language).decode()
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in rendered(text)}

    assert kinds <= {
        "heading", "inline", "text", "bullet_list", "list_item", "paragraph", "strong", "code_inline",
        "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    turns = {step.version for step in game.steps if step.event.__class__.__name__ == "TurnBegan"}
    told = [
        int(line.split("**")[1])
        for line in text.splitlines()
        if line.startswith("- **") and "**:" not in line
    ]
    assert told == [version for version in range(1, game.last + 1) if version not in turns]
    assert game.at(game.last).form.hash in text


def test_an_export_as_a_seat_is_what_the_seats_own_record_gives() -> None:
    """Less of a whole record, and all of the seat's own, are the same to the letter."""
    own = timeline(LOGS / "classic" / "five-players.seat-1.ndjson", 1)
    for name in FORMATS:
        assert exported(name, timeline(WHOLE, 1)) == exported(name, own)


def test_markdown_shows_hostile_texts_and_obeys_none(hostile: tuple[Header, tuple[Form, ...]]) -> None:
    """No link, image, HTML, emphasis, heading or list comes out of a name; each is read as it is written."""
    text = exported("markdown", read_timeline(*hostile, ALL)).decode()
    tokens = rendered(text)
    read = "".join(token.content for token in tokens if token.type == "text")

    assert {token.type for token in tokens} & {
        "link_open", "image", "html_block", "html_inline", "em_open", "s_open", "fence", "code_block",
        "blockquote_open", "ordered_list_open", "hr",
    } == set()  # fmt: skip
    for name in HOSTILE:
        assert name[:20] in read, name
    assert all("://" not in line.replace("\\:\\/", "") for line in text.splitlines())


def test_csv_holds_no_cell_that_a_spreadsheet_would_run(hostile: tuple[Header, tuple[Form, ...]]) -> None:
    """Every cell that would begin a formula has an apostrophe in front."""
    content = exported("csv", read_timeline(*hostile, ALL)).decode()
    for row in csv.reader(StringIO(content)):
        for cell in row:
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))
    assert "'=HYPERLINK" in content


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\N{FULLWIDTH EQUALS SIGN}1"]
)
def test_a_formula_becomes_a_text(text: str) -> None:
    """Whatever a spreadsheet would take for a formula begins with an apostrophe."""
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    [
        "[x](http://evil)", "![x](y)", "<script>", "<http://a.b>", "http://evil.example/x", "www.evil.example",
        "a@evil.example", "*a*", "_a_", "__a__",
        "~~a~~", "`a`", "# a", "#a", "- a", "+ a", "1. a", "1) a", "> a", "---", "===",
        "a | b", "&amp;", "&#60;", "\\", "\\*", "a\\", "$a$", "[x]: y", "[^1]",
        ":::a", "    a", "- [ ] a", "|-|-|",
    ],
)  # fmt: skip
def test_a_text_in_markdown_is_read_as_it_is_written(text: str) -> None:
    """On a line, in a list and in a table it is one text."""
    for place in ("{}", "- {}", "| a |\n| --- |\n| {} |", "# {}"):
        tokens = rendered(place.format(plain(text)))
        kinds = {token.type for token in tokens} - {"text", "softbreak"}
        read = "".join(token.content for token in tokens if token.type == "text")

        assert text.strip() in read
        assert kinds == {token.type for token in rendered(place.format("word"))} - {"text"}


def test_the_command_writes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    """Both are the same; nothing is left of a file that could not be finished."""
    for name in ("markdown", "csv"):
        target = tmp_path / f"game.{name}"
        written = run("export", WHOLE, "--to", name, "--output", target)
        assert (written.returncode, written.stderr.strip()) == (0, f"Written: {target.resolve()}")
        printed = subprocess.run(
            [sys.executable, "-m", "replay", "export", WHOLE, "--to", name],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        assert target.read_bytes() == printed.stdout

    refused = run("export", WHOLE, "--to", "csv", "--output", tmp_path / "none" / "x.csv")

    assert refused.returncode == 2
    assert "cannot be written" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.csv", "game.markdown"]


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    """Without the optional requirements the command says what to install, with status 2, and writes no file."""
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text(
        "import sys\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in {'pyarrow', 'matplotlib'}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
    )
    found = f"{tmp_path}:{ROOT}"
    target = tmp_path / "game"
    parquet_file = run("export", WHOLE, "--to", "parquet", "--output", f"{target}.parquet", PYTHONPATH=found)
    picture = run("stats", WHOLE, "--plot", f"{target}.svg", PYTHONPATH=found)

    for refused, library in ((parquet_file, "pyarrow"), (picture, "matplotlib")):
        assert refused.returncode == 2
        assert library in refused.stderr
        assert f"{sys.executable} -m pip install" in refused.stderr
        assert "requirements/analysts.txt" in refused.stderr
    assert [path for path in tmp_path.iterdir() if path.name.startswith("game")] == []
