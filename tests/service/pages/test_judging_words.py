"""What the desk says: every word that it asks for is there, none is there for nothing; effects and refusals, too."""

import re
from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from events.rules.catalogues.card_names import LANGUAGES
from replay.commentary.messages import load_messages
from service.http import pages
from service.http.pages.assets import assets
from service.http.pages.shells import DESK, modules_of, words_of
from tests.service.pages.test_playing_words import refused_by_rules

KEY: Final = re.compile(r'"([a-z]+(?:_[a-z]+)*)"')
BUILT: Final = re.compile(r"`([a-z]+_)\$\{")
"""A word whose key has a part that is worked out."""
PLACED: Final = re.compile(r"\$([a-z_]+)")
ROOT: Final = Path(__file__).parents[3]


def script() -> str:
    """The desk's own modules, those that add its panels, and what says why something was refused."""
    named = (
        name
        for name in modules_of("desk/start.js")
        if name.startswith(("desk/", "review/panels", "common/refusals"))
    )
    return "".join(assets()[name][0].read_text("utf-8") for name in named)


def keys_of(context: str) -> set[str]:
    """The keys of a context."""
    return {key for found, key in load_messages("en").texts if found == context}


def test_every_word_is_used() -> None:
    """By a module, or by the markup of the page."""
    code = script()
    markup = (resources.files(pages) / "markup" / "desk.html").read_text("utf-8")
    named, built = {*KEY.findall(code), *PLACED.findall(markup)}, tuple(BUILT.findall(code))
    assert {key for key in keys_of("desk") if key not in named and not key.startswith(built)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_there(language: str) -> None:
    """Those of a whole case, and of what was seen since."""
    words = words_of(DESK, language)
    for key in re.findall(r'\bsay\("([a-z_]+)"', script()):
        assert key in words or f"{key}.other" in words, key
    for what in ("draw", "bonus", "hand", "bonus_hand", "offers", "coins"):
        assert words[f"seen_{what}"], what


def test_every_effect_is_told() -> None:
    """By the module that describes rulings."""
    told = (ROOT / "service" / "disputes" / "effects.py").read_text("utf-8")
    assert {key for key in keys_of("effect") if f'"{key}"' not in told} == set()


def test_every_refusal_is_one_of_the_service() -> None:
    """As docs/problems.md lists them, or one of the rules'; and one for all that have no sentence of their own."""
    codes = {*re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "problems.md").read_text("utf-8"), re.MULTILINE)}
    assert keys_of("refusal") - codes - refused_by_rules() == {"other"}
