"""The round robin of two-player tables: one player stays, the others go round (the method of Berger's tables).

With an odd number, whoever meets the hole has a bye, so that nobody has a second one before everybody had a first.
"""

from collections.abc import Sequence

Group = tuple[str, ...]


def pair_by_circle(players: Sequence[str], number: int) -> tuple[list[Group], Group]:
    """The tables of the round of this number, and who has a bye; the rounds begin again when all have met all.

    >>> pair_by_circle(["a", "b", "c", "d"], 1)
    ([('a', 'd'), ('b', 'c')], ())
    >>> pair_by_circle(["a", "b", "c"], 2)
    ([('a', 'b')], ('c',))
    """
    places: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    *going, staying = places
    turn = (number - 1) % len(going)
    round_table = [*going[len(going) - turn :], *going[: len(going) - turn], staying]
    tables: list[Group] = []
    byes: Group = ()
    for place in range(len(round_table) // 2):
        pair = tuple(each for each in (round_table[place], round_table[-1 - place]) if each is not None)
        if len(pair) == len(round_table[:2]):
            tables.append(pair)
        else:
            byes = pair
    return tables, byes
