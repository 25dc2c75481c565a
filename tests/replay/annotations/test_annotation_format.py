"""docs/annotation-format.md says what is so: its vector is recomputed with nothing but hashlib and json."""

import hashlib
import json
import re
from pathlib import Path

from replay.annotations import content as c
from replay.annotations.book import LARGEST
from replay.annotations.entries import LONGEST_LINE
from replay.annotations.files import FORMAT, NAME, read_file, write_file
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS

PAGE = (Path(__file__).parents[3] / "docs" / "annotation-format.md").read_text()


def vector() -> list[bytes]:
    """The lines of the page's file."""
    (found,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [line.encode() for line in json.loads(found)["lines"]]


def test_the_vector_is_what_the_page_says() -> None:
    """Canonical lines, the chain, the binding, and the hash at the end."""
    header, *entries, end = map(json.loads, vector())
    assert header["annotations"] == NAME
    previous = bytes(32)
    for entry in entries:
        text = json.dumps(entry["annotation"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        previous = hashlib.sha256(previous + text.encode()).digest()
        assert previous.hex() == entry["hash"]
    assert end == {"end": len(entries), "sha256": hashlib.sha256(b"".join(vector()[:-1])).hexdigest()}
    for line, value in zip(vector(), (header, *entries, end), strict=True):
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert line == text.encode() + b"\n"


def test_the_vector_is_read_and_written() -> None:
    """Byte for byte."""
    assert list(write_file(*read_file(vector()))) == vector()


def test_every_glyph_stands_in_the_page_with_its_sign() -> None:
    """And no other."""
    rows = re.findall(r"^\| `([a-z_]+)` \| (\S+) \| (.*) \|$", PAGE, re.MULTILINE)
    known = {**MOVES, **POSITIONS, **OBSERVATIONS}
    assert {code: (sign, meaning) for code, sign, meaning in rows if sign != "sign"} == known


def test_kinds_and_bounds_stand_in_the_page() -> None:
    """As numbers of the code."""
    assert f"Format version {FORMAT}." in PAGE
    for kind in c.KINDS:
        assert f"| `{kind}` |" in PAGE
    for number in (LONGEST_LINE, LARGEST, c.LONGEST_COMMENT, c.LONGEST_VARIATION):
        assert f"{number:,}" in PAGE
    for name, most in c.MOST.items():
        assert re.search(rf"^\| `{name}` \| .*at most {most}", PAGE, re.MULTILINE), name
