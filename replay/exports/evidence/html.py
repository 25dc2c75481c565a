"""A pack as one HTML page without any script, which names no outside address and may load nothing.

Texts stand in it escaped; it has no link, no form and no picture. Its policy would stop a browser even if one got in.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from replay.commentary.texts import make_printable
from replay.exports.evidence.document import Block, Code, Facts, Grid, Heading, Paragraph
from replay.exports.evidence.document_builder import build_document
from replay.exports.evidence.pack import EvidencePack
from replay.exports.evidence.text import LONGEST
from replay.exports.policies import source_hash

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --quiet: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; }
body { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); font-size: 1.2rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin-bottom: .25rem; }
blockquote { border-left: 4px solid var(--line); margin: .5rem 0; padding: .25rem 1rem; white-space: pre-wrap; }
pre { background: var(--quiet); font-size: .8rem; padding: .5rem; white-space: pre-wrap; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: minmax(6rem, max-content) 1fr; }
dt { font-weight: 600; }
dd { margin: 0; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .4rem; text-align: left; vertical-align: top; }
tr.strong { background: var(--quiet); font-weight: 600; }
"""
POLICY: Final = f"default-src 'none'; style-src '{source_hash(_STYLE)}'; base-uri 'none'; form-action 'none'"
"""What a browser is told about the page: nothing is loaded, nothing runs."""


def render_html(pack: EvidencePack) -> str:
    """The pack as a page."""
    blocks = [*build_document(pack)]
    title = next((each.text for each in blocks if isinstance(each, Heading)), "")
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    )
    body = "".join(f"{line}\n" for block in blocks for line in _lines(block))
    return f"{head}{body}</body>\n</html>\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            yield f"<h{level}>{_text(text)}</h{level}>"
        case Paragraph(text, quoted):
            lines = "\n".join(map(_text, text.split("\n")))
            yield f"<blockquote>{lines}</blockquote>" if quoted else f"<p>{lines}</p>"
        case Code(text):
            yield "<pre>" + "\n".join(map(_text, text.split("\n"))) + "</pre>"
        case Facts(rows):
            yield "<dl>"
            yield from (f"<dt>{_text(name)}</dt><dd>{_text(text)}</dd>" for name, text in rows)
            yield "</dl>"
        case Grid(heading, rows, strong):
            yield '<div tabindex="0"><table>'
            yield _row(heading, "th")
            for place, row in enumerate(rows):
                yield _row(row, "td", ' class="strong"' if place in strong else "")
            yield "</table></div>"


def _row(row: tuple[str, ...], cell: str, attribute: str = "") -> str:
    return f"<tr{attribute}>{''.join(f'<{cell}>{_text(each)}</{cell}>' for each in row)}</tr>"


def _text(text: str) -> str:
    return escape(make_printable(text, LONGEST))
