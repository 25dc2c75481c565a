"""What the pages for reviewing say: every word that they ask for is there, and none is there for nothing."""

import re

import pytest

from events.rules.catalogues.card_names import LANGUAGES
from replay.annotations.glyphs import MOVES, OBSERVATIONS, OF_SEATS, POSITIONS
from replay.annotations.marks import COLOURS, PATTERN
from replay.commentary.messages import load_messages
from service.http.pages.assets import assets
from service.http.pages.shells import COMPARE, GAME, words_of

KEY = re.compile(r'"([a-z]+(?:_[a-z]+)*)"')
BUILT = re.compile(r"`([a-z]+_)\$\{")
"""A word whose key has a part that is worked out."""
SAID = re.compile(r'\b(?:say|button|labelled|heading|numbers|table|group|folded|until|download)\("([a-z_]+)"')


def scripts() -> str:
    """The modules for reviewing."""
    return "".join(
        file.read_text("utf-8")
        for name, (file, _) in assets().items()
        if name.startswith(("review/", "compare/"))
    )


def test_every_word_is_used() -> None:
    """By a module, or by the markup of the page of two games."""
    keys = {key for context, key in load_messages("en").texts if context == "reviewing"}
    named = {*KEY.findall(scripts())}
    built = tuple(BUILT.findall(scripts()))
    assert {key for key in keys if key not in named and not key.startswith(built)} <= {"compare_together"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_there(language: str) -> None:
    """In each language, also those of glyphs and figures."""
    words = words_of(GAME, language) | words_of(COMPARE, language)
    for key in SAID.findall(scripts()):
        assert key in words or f"{key}.other" in words, key
    for code in (*MOVES, *POSITIONS, *OBSERVATIONS):
        assert words[f"glyph.{code}"], code


def test_glyphs_and_places_are_those_of_the_format() -> None:
    """Each with its sign: docs/annotation-format.md."""
    module = assets()["review/vocabulary.js"][0].read_text("utf-8")
    for name, glyphs in (("MOVES", MOVES), ("POSITIONS", POSITIONS), ("OBSERVATIONS", OBSERVATIONS)):
        block = re.search(rf"export const {name} = \{{(.*?)\}};", module, re.DOTALL)
        assert block is not None
        assert dict(re.findall(r'(\w+): "([^"]+)"', block[1])) == {
            code: glyph.sign for code, glyph in glyphs.items()
        }
    lists = {
        name: re.findall(r'"(\w+)"', text)
        for name, text in re.findall(r"export const (\w+) = \[(.*?)\];", module)
    }
    assert {*lists["OF_SEATS"]} == OF_SEATS
    assert lists["COLOURS"] == [*COLOURS]
    assert f"/{PATTERN}/" in module
