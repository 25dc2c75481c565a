"""Comparing cards of which a viewer knows only some."""

from events.domain_events import UNKNOWN_CARD, Card


def may_be(named: tuple[Card, ...], lying: tuple[Card, ...]) -> bool:
    """Whether these can be the cards lying there, as far as they are known.

    >>> may_be(("blue", "?"), ("blue", "soy")), may_be(("blue",), ("soy",)), may_be(("?",), ())
    (True, False, False)
    """
    return len(named) == len(lying) and all(
        UNKNOWN_CARD in pair or pair[0] == pair[1] for pair in zip(named, lying, strict=True)
    )
