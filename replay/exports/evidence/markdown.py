"""A pack as Markdown: texts of a record stay texts, with nothing in them that is markup."""

from collections.abc import Iterator

from replay.commentary.texts import make_printable
from replay.exports.evidence.document import Code, Facts, Grid, Heading, Paragraph
from replay.exports.evidence.document_builder import build_document
from replay.exports.evidence.pack import EvidencePack
from replay.exports.evidence.text import LONGEST
from replay.exports.markdown_text import plain, table


def render_markdown(pack: EvidencePack) -> str:
    """The pack as a text in Markdown."""
    return "".join(f"{line}\n" for line in _lines(pack)).rstrip("\n") + "\n"


def _lines(pack: EvidencePack) -> Iterator[str]:
    for block in build_document(pack):
        match block:
            case Heading(text, level):
                yield f"{'#' * level} {_plain(text)}"
                yield ""
            case Paragraph(text, quoted):
                if quoted:
                    yield "\n>\n".join(f"> {_plain(line)}" for line in text.split("\n") if line.strip())
                else:
                    yield _plain(text)
                yield ""
            case Code(text):
                yield from (f"    {make_printable(line, LONGEST)}" for line in text.split("\n"))
                yield ""
            case Facts(rows):
                yield from (
                    f"- **{_plain(name)}**: {_plain(text)}" if name else f"- {_plain(text)}"
                    for name, text in rows
                )
                yield ""
            case Grid(heading, rows, strong):
                yield from table(
                    map(_plain, heading),
                    (_row(row, is_strong=place in strong) for place, row in enumerate(rows)),
                )


def _row(row: tuple[str, ...], *, is_strong: bool) -> Iterator[str]:
    for cell in map(_plain, row):
        yield f"**{cell}**" if is_strong and cell else cell


def _plain(text: str) -> str:
    return plain(make_printable(text, LONGEST))
