"""Text out of a record, made fit for a screen: a record is hostile input, and so is every name in it.

Control characters could move the cursor or restyle the terminal, and bidirectional overrides could show a
sentence in another order than it was written. Both are replaced by their code point in angle brackets.
"""

import re

LONGEST = 600
"""Characters of one text at most: more than the longest table talk."""
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)

_UNSAFE_IN_JSON = re.compile(f"(?!\n){_UNSAFE.pattern}")
"""Line breaks between the members of formatted JSON stay."""


def safe_json(encoded: bytes) -> bytes:
    r"""The same JSON with everything that a terminal would obey or hide written as an escape.

    >>> safe_json('"\u009b31m Zo\u00eb"'.encode()).decode()
    '"\\u009b31m Zoë"'
    """
    return _UNSAFE_IN_JSON.sub(lambda found: _escape(found[0]), encoded.decode()).encode()


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
    return _UNSAFE.sub(lambda found: f"<{ord(found[0]):02x}>", text)
