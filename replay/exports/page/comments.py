"""The Markdown of a comment as a tree of a few harmless elements, which the page builds node by node.

A comment is anybody's work. HTML, links and pictures in it stay the text that they are, so that a page leads to no
outside address and loads nothing.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from replay.annotations.content import LONGEST_COMMENT
from replay.commentary.texts import make_printable

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

Node = str | list[Any]
"""A text; or the name of an element and its nodes, in one list."""
ELEMENTS: Final = frozenset(
    {"p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "br", "h4"}
)
"""What a tree consists of."""
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def comment_tree(comment: str) -> list[Node]:
    """The nodes of a comment.

    >>> comment_tree("No *way*: <b>")
    [['p', 'No ', ['em', 'way'], ': <b>']]
    """
    root: list[Node] = []
    innermost: list[list[Any]] = [root]
    blocks = _markdown().parse(comment)
    for token in (inner for block in blocks for inner in block.children or (block,)):
        name = "h4" if token.tag in _HEADINGS else token.tag
        if token.hidden or token.type == "inline":
            continue
        if token.nesting < 0:
            innermost.pop()
        elif token.nesting > 0:
            node = [name if name in ELEMENTS else "p"]
            innermost[-1].append(node)
            innermost.append(node)
        elif token.type in {"hardbreak", "hr"}:
            innermost[-1].append([name])
        elif token.type in {"fence", "code_block"}:
            innermost[-1].append(["pre", "\n".join(map(_harmless, token.content.rstrip("\n").split("\n")))])
        elif token.type == "code_inline":
            innermost[-1].append(["code", _harmless(token.content)])
        else:
            innermost[-1].append(" " if token.type == "softbreak" else _harmless(token.content))
    return root


@cache
def _markdown() -> "MarkdownIt":
    # Most of those who import this draw a game of which nothing was said.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink", "reference"])


def _harmless(text: str) -> str:
    return make_printable(text, LONGEST_COMMENT)
