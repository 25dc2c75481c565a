"""Text out of a record, made fit for a screen: a record is hostile input, and so is every name in it.

Control characters could move the cursor or restyle the terminal, bidirectional overrides could show a sentence in
another order than it was written, and others show nothing. What the rule for names refuses is replaced by its
code point in angle brackets.
"""

import re

from events.rules.definition.names import is_joining, is_unseen

LONGEST = 600
"""Characters of one text at most: more than the longest table talk."""
_SUSPECT = re.compile(r"[^\x20-\x7e]")
_SUSPECT_IN_JSON = re.compile(r"[^\n\x20-\x7e]")
"""Line breaks between the members of formatted JSON stay."""


def safe_json(encoded: bytes) -> bytes:
    r"""The same JSON with everything that a terminal would obey or hide written as an escape.

    >>> safe_json('"\u009b31m Zo\u00eb"'.encode()).decode()
    '"\\u009b31m Zoë"'
    """
    return _SUSPECT_IN_JSON.sub(
        lambda found: _escape(found[0]) if is_unseen(found[0]) else found[0], encoded.decode()
    ).encode()


def _escape(letter: str) -> str:
    """The letter as JSON escapes, one for each UTF-16 code unit."""
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def reason_of(error: Exception) -> str:
    """Return the reason in an error, without the number and the path that the operating system adds."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def safe(text: str, longest: int = LONGEST) -> str:
    r"""The text without anything that a terminal would obey or hide, cut to `longest` characters.

    >>> safe("Ann\x1b[2J\u202e")
    'Ann<1b>[2J<202e>'
    """
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return _SUSPECT.sub(_show, text)


def _show(found: re.Match[str]) -> str:
    """Return a character as it is where a name may have it there, else its code point."""
    if is_unseen(found[0]) and not is_joining(found.string, found.start()):
        return f"<{ord(found[0]):02x}>"
    return found[0]
