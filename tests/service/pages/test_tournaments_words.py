"""What the pages of tournaments and ratings say: every word that they ask for is there, none for nothing."""

import re
from importlib import resources
from typing import Final

import pytest

from events.rules.catalogues.card_names import LANGUAGES
from events.tournaments.state import ANNULLED, FORMATS, LATE, PLAYED, RULINGS, STATUSES
from replay.commentary.messages import load_messages
from replay.ratings.times import ALWAYS, PACES
from service.http import pages
from service.http.pages.assets import assets
from service.http.pages.shells import RATINGS, TOURNAMENTS, Page, modules_of, words_of

KEY: Final = re.compile(r'"([a-z]+(?:_[a-z]+)*)"')
BUILT: Final = re.compile(r"`([a-z]+_)\$\{")
"""A word whose key has a part that is worked out."""
PLACED: Final = re.compile(r"\$([a-z_]+)")
PAGES: Final = (TOURNAMENTS, RATINGS)
OWN: Final = ("tournaments", "ratings", "common")
"""Folders of modules whose words these are."""


def script(page: Page) -> str:
    """A page's own modules."""
    named = (name for name in modules_of(f"{page.name}/start.js") if name.startswith(OWN))
    return "".join(assets()[name][0].read_text("utf-8") for name in named)


def markup(name: str) -> str:
    """The markup of a page."""
    return (resources.files(pages) / "markup" / f"{name}.html").read_text("utf-8")


def test_every_word_is_used() -> None:
    """By a module, or by the markup of a page."""
    code = "".join(map(script, PAGES))
    placed = PLACED.findall("".join(map(markup, ("tournaments", "ratings", "lobby"))))
    named, built = {*KEY.findall(code), *placed}, tuple(BUILT.findall(code))
    own = {
        key for context, key in load_messages("en").texts if context in {"tournaments", "ratings", "sheet"}
    }
    assert {key for key in own if key not in named and not key.startswith(built)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_there(language: str) -> None:
    """Those of each format, status and outcome, too."""
    words = {page.name: words_of(page, language) for page in PAGES}
    for page in PAGES:
        for key in re.findall(r'\bsay\("([a-z_]+)"', script(page)):
            assert key in words[page.name] or f"{key}.other" in words[page.name], key
    assert all(words["ratings"][f"time_{time}"] for time in (ALWAYS, *PACES))
    said = words["tournaments"]
    for form in FORMATS:
        assert said[f"format_{form}"], form
        assert said[f"means_{form}"], form
    assert all(said[f"is_{status}"] for status in STATUSES)
    assert all(said[f"outcome_{kind}"] for kind in (PLAYED, LATE, ANNULLED, *RULINGS))
