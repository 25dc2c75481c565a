"""The shells of the pages: markup with the words of a language, the modules to begin with, and the policy."""

import re
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

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Scripts and styles only from here, and none that stand in a page."""
FRAME: Final = "frame"
"""The context of what stands around every page, and the name of its markup."""
_IMPORT: Final = re.compile(r'^import [^"]*"(\.{1,2}/[^"]+)";$', re.MULTILINE)


class Page(NamedTuple):
    """What makes a page: its markup is named like it, and so is the folder of its modules."""

    name: str
    contexts: tuple[str, ...]
    """Of the messages that its script says."""
    styles: tuple[str, ...]
    title: str = ""
    """The word that stands before the name of the service."""
    form: str = ""
    """The classes of its body."""
    described: str = ""
    """The sentence that search engines show."""
    vocabularies: tuple[str, ...] = ()
    """Further contexts, whose words stand under their name: `glyph.blunder`."""
    policy: str = POLICY
    data: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Lists of names for the page's script, by name."""


DESK: Final = Page(
    "desk",
    ("playing", "reviewing", "desk"),
    (*STYLES, "live", "review", "desk"),
    title="desk",
    form="desk is-empty",
    vocabularies=("dispute", "ruling", "glyph", "refusal"),
)
GAME: Final = Page(
    "game",
    ("playing", "reviewing"),
    (*STYLES, "live", "play", "review"),
    vocabularies=("dispute", "glyph", "statistics", "refusal", "check", "how"),
    policy=POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
)
"""Two of them stand side by side in a page of ours."""
COMPARE: Final = Page(
    "compare",
    ("reviewing",),
    ("colours", "page", "live", "review"),
    title="compare_title",
    form="compare",
    policy=f"{POLICY}; frame-src 'self'",
)
LOBBY: Final = Page(
    "lobby",
    ("lobby", "sheet"),
    (*STYLES, "live", "lobby", "lists"),
    form="lobby",
    described="what_this_is",
    vocabularies=("check", "how"),
    data=(("bots", tuple(BOTS)),),
)
TOURNAMENTS: Final = Page(
    "tournaments",
    ("lobby", "sheet", "tournaments"),
    ("colours", "page", "live", "sheet", "tournaments"),
    title="tournaments",
    form="sheet",
)
RATINGS: Final = Page(
    "ratings",
    ("lobby", "sheet", "ratings"),
    ("colours", "page", "live", "sheet"),
    title="ratings",
    form="sheet",
)


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
    written = {key.replace(".", "_"): escape(text) for key, text in words.items()} | {"language": language}
    content = _markup(page.name).substitute(
        written,
        languages=_markup("languages").substitute(written),
        viewer=viewer_markup(labels(load_messages(language)), "Fieldbook", home="/"),
        image_light=address_of("image/table-light.png"),
        image_dark=address_of("image/table-dark.png"),
    )
    title = f"{written[page.title]} · Fieldbook" if page.title else "Fieldbook"
    description = f'<meta name="description" content="{written[page.described]}">' if page.described else ""
    framed = _markup(FRAME).substitute(
        written,
        title=title,
        description=description,
        links="\n".join(links),
        entry=address_of(entry),
        form=page.form,
        content=content.rstrip(),
        words=_block("words", words),
        data=_block("data", dict(page.data)) if page.data else "",
    )
    return Packed.of(framed.encode(), "text/html; charset=utf-8")


def _markup(name: str) -> Template:
    return Template((resources.files(__package__) / "markup" / f"{name}.html").read_text("utf-8").rstrip())


def _block(name: str, value: Any) -> str:
    """JSON in a page, for its script."""
    return (
        f'<script type="application/json" id="{name}">{in_html(msgspec.json.encode(value).decode())}</script>'
    )


def words_of(page: Page, language: str) -> dict[str, str]:
    """Every word that a page says by its key, with its places in braces, which the script fills.

    A message with a plural is there twice, under its key with `.one` and `.other` behind it.
    """
    found = labels(load_messages(language))
    for (context, key), texts in load_messages(language).texts.items():
        if context in (FRAME, *page.contexts):
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
