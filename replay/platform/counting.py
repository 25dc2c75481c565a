"""A number with what it counts, in English."""


def count_in_words(number: int, what: str) -> str:
    """One of something, or so many.

    >>> count_in_words(1, "game"), count_in_words(2, "game")
    ('1 game', '2 games')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
