"""Pseudonyms in place of the players' names in a screen, for whoever is to judge without knowing who it is."""

from collections.abc import Callable

from msgspec.structs import replace

from replay.across.screening.comparing.screen import Pair, Screen


def rename(screen: Screen, pseudonym: Callable[[str], str]) -> Screen:
    """The same screen with other names."""
    return replace(screen, pairs=tuple(_rename_pair(each, pseudonym) for each in screen.pairs))


def _rename_pair(pair: Pair, pseudonym: Callable[[str], str]) -> Pair:
    moments = tuple(
        replace(each, names=(pseudonym(each.names[0]), pseudonym(each.names[1]))) for each in pair.moments
    )
    return replace(pair, names=(pseudonym(pair.names[0]), pseudonym(pair.names[1])), moments=moments)
