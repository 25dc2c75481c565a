"""The shells of the pages: markup with the words of a language, the modules to begin with, and the policy."""

import re
from collections.abc import Callable
from functools import cache
from html import escape
from importlib import resources
from string import Template
from typing import Any, Final, NamedTuple

import msgspec
from flask import Response, request

from events.bots import BOTS
from events.rules.catalogues.card_names import LANGUAGES
from replay.commentary.messages import DEFAULT, load_messages
from replay.exports.page.content import labels
from replay.exports.page.writer import STYLES, in_html, viewer_markup
from service.http.messages.packed import Packed
from service.http.pages.assets import address_of, assets
from service.http.pages.picture import picture

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Scripts and styles only from here, and none that stand in a page."""
_IMPORT: Final = re.compile(r'^import [^"]*"(\.{1,2}/[^"]+)";$', re.MULTILINE)


class Page(NamedTuple):
    """What makes a page: its markup is named like it, and so is the folder of its modules."""

    name: str
    contexts: tuple[str, ...]
    """Of the messages that its script says."""
    styles: tuple[str, ...]
    vocabularies: tuple[str, ...] = ()
    """Further contexts, whose words stand under their name: `glyph.blunder`."""
    policy: str = POLICY
    data: Callable[[str], Any] = lambda _language: None
    """What stands beside the words in a language, for the script."""


DESK: Final = Page(
    "desk",
    ("playing", "reviewing", "desk"),
    (*STYLES, "live", "review", "desk"),
    ("dispute", "ruling", "glyph", "refusal"),
)
GAME: Final = Page(
    "game",
    ("playing", "reviewing"),
    (*STYLES, "live", "play", "review"),
    ("glyph", "statistics", "refusal"),
    POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
)
"""Two of them stand side by side in a page of ours."""
COMPARE: Final = Page(
    "compare", ("reviewing",), ("colours", "page", "review"), policy=f"{POLICY}; frame-src 'self'"
)
LOBBY: Final = Page(
    "lobby",
    ("lobby", "sheet"),
    (*STYLES, "live", "lobby", "lists"),
    data=lambda language: {"picture": picture(language), "bots": [*BOTS]},
)
TOURNAMENTS: Final = Page(
    "tournaments", ("lobby", "sheet", "tournaments"), ("colours", "page", "live", "sheet", "tournaments")
)
RATINGS: Final = Page("ratings", ("lobby", "sheet", "ratings"), ("colours", "page", "live", "sheet"))


def serve_page(page: Page) -> Response:
    """Answer with a page in the language that `lang` names, or else the reader's browser."""
    response = _page(page, language_of_request()).answer()
    response.headers["Content-Security-Policy"] = page.policy
    response.vary.add("Accept-Language")
    return response


def language_of_request() -> str:
    """The language of a page that is asked for, one of LANGUAGES."""
    named = request.args.get("lang", "")
    if named in LANGUAGES:
        return named
    return request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT


@cache
def _page(page: Page, language: str) -> Packed:
    words = words_of(page, language)
    links = [f'<link rel="stylesheet" href="{address_of(f"style/{name}.css")}">' for name in page.styles]
    entry = f"{page.name}/start.js"
    # All at once: a browser that found them one by one would ask again and again.
    links += [f'<link rel="modulepreload" href="{address_of(name)}">' for name in modules_of(entry)]
    written = {key.replace(".", "_"): escape(text) for key, text in words.items()}
    markup = Template((resources.files(__package__) / "markup" / f"{page.name}.html").read_text("utf-8"))
    content = markup.substitute(
        written,
        language=language,
        links="\n".join(links),
        entry=address_of(entry),
        viewer=viewer_markup(labels(load_messages(language)), "Fieldbook", home="/"),
        words=in_html(msgspec.json.encode(words).decode()),
        data=in_html(msgspec.json.encode(page.data(language)).decode()),
    )
    return Packed.of(content.encode(), "text/html; charset=utf-8")


def words_of(page: Page, language: str) -> dict[str, str]:
    """Every word that a page says by its key, with its places in braces, which the script fills.

    A message with a plural is there twice, under its key with `.one` and `.other` behind it.
    """
    found = labels(load_messages(language))
    for (context, key), texts in load_messages(language).texts.items():
        if context in page.contexts:
            endings = (".one", ".other") if len(texts) > 1 else ("",)
            found |= {f"{key}{ending}": text for ending, text in zip(endings, texts, strict=False)}
        elif context in page.vocabularies:
            found[f"{context}.{key}"] = texts[0].strip()
    return found


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """The modules that one imports, by way of others too, and itself, by their addresses below the digest."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name in found:
            return
        found[name] = None
        folder = name.split("/", maxsplit=1)[0]
        for imported in _IMPORT.findall(assets()[name][0].read_text("utf-8")):
            add(imported.removeprefix("../") if imported.startswith("../") else f"{folder}/{imported[2:]}")

    add(entry)
    return tuple(found)
