"""Lines of a TOML document: however a key is written, the line is the one on which a person finds it."""

import pytest

from events.rules.catalogues.catalogue import LARGEST_FILE, CatalogueInvalid, parse_catalogue
from events.rules.catalogues.faults import Place
from events.rules.catalogues.toml_lines import TomlLines

DOCUMENT = '''# what stands in "a comment" counts for [nothing
name = "x"  # {
text = """
no = "key" [
"""
other = \'\'\'a 'quoted' # word\'\'\'

[[beans]]
card = 'say "red"'
list = [
    1,  # ]
    "#",
]
dotted."the key" = 'a'
[beans.names]
en = "é"

[[beans]]
inline = { a = 1, b = [1, 2] }
[[beans.deep]]
last = 1
[[beans.deep]]
last = 2
'''


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lines", "lines with carriage returns"])
@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("name",), 2),
        (("text",), 3),
        (("other",), 6),
        (("beans", 0), 8),
        (("beans", 0, "card"), 9),
        (("beans", 0, "list", 1), 10),
        (("beans", 0, "dotted", "the key"), 14),
        (("beans", 0, "names"), 15),
        (("beans", 0, "names", "en"), 16),
        (("beans", 1), 18),
        (("beans", 1, "inline", "b", 1), 19),
        (("beans", 1, "deep", 1), 22),
        (("beans", 1, "deep", 1, "last"), 23),
        (("beans", 1, "copies"), 18),
        (("beans", 0, "names", "de"), 15),
    ],
)
def test_a_key_is_found_on_its_line(place: Place, line: int, ending: str) -> None:
    """A key that is missing is found where it is missed: at the table that must have it."""
    assert TomlLines(DOCUMENT.replace("\n", ending)).of(place) == line


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a = 1\nb =\n", 2),
        (b"a = 1\r\nb =\r\n", 2),
        (b"a = 1\n\nb = [", 3),
        (b"a = 1\na = 2\n", 2),
        (b"a = 1\n\nb = '\xff'\n", 3),
        (b"a = 1\n# c\nb = " + b"9" * 5000 + b"\n", 3),
        (b"a = 1\nb = " + b"[" * 4000 + b"]" * 4000 + b"\n", 2),
    ],
)  # fmt: skip
def test_what_is_no_toml_is_refused_with_the_line(content: bytes, line: int) -> None:
    """Also where the parser itself does not say which."""
    with pytest.raises(CatalogueInvalid, match=f"^deck.toml, line {line}: "):
        parse_catalogue(content, "deck.toml")


def test_a_file_that_is_too_large_is_not_even_parsed() -> None:
    """Ten megabytes are no catalogue."""
    with pytest.raises(CatalogueInvalid, match=f"^deck.toml: a catalogue has at most {LARGEST_FILE} bytes"):
        parse_catalogue(b"x" * 10_000_000, "deck.toml")


def test_everything_that_is_wrong_is_said_at_once() -> None:
    """In the order of the lines, so that a file can be mended in one go."""
    bean = (
        '[[beans]]\ncard = "{}"\ncopies = {}\nprovenance = "house"\nnames = {{}}\nbeanometer = {{ 1 = 9 }}\n'
    )
    text = 'name = "d"\ntitle = "t"\nsource = "s"\ntotal = 3\n' + bean.format("a", 1) + bean.format("a", 1)
    with pytest.raises(CatalogueInvalid) as refused:
        parse_catalogue(text.encode(), "deck.toml")
    assert [finding.partition(": ")[0] for finding in refused.value.findings] == [
        f"deck.toml, line {line}" for line in (4, 10, 12, 16)
    ]
