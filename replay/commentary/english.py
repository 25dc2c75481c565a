"""English for what an owner calls its cards: the article and the plural of a noun that no catalogue has."""

import re

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_AND_Y = re.compile(r"(?<=[^aeiou\s])y$", re.IGNORECASE)


def count_noun(count: int, noun: str) -> str:
    """So many of a thing.

    >>> count_noun(1, "orange bean"), count_noun(2, "coin"), count_noun(2, "blue baby")
    ('an orange bean', '2 coins', '2 blue babies')
    >>> count_noun(3, "blue miss")
    '3 blue misses'
    """
    if count == 1:
        return f"an {noun}" if noun[:1].lower() in {"a", "e", "i", "o"} else f"a {noun}"
    if _CONSONANT_AND_Y.search(noun):
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}es" if _SIBILANT.search(noun) else f"{count} {noun}s"
