"""A genuine record in which every name and every talk tries to be something else than text."""

import random
from functools import cache

from events import commands as c
from events.game.record import header_for, write_record
from events.game.table import new_table
from events.log.disclosure import ALL, form_for
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from tests.support.recorded_games import BEGINNING

HOSTILE = (
    '=HYPERLINK("http://x.y/","a")',
    "[x](http://evil.example)<b>*a* | b",
    "# -1+1 `c` ![i](j) <script>1</script>",
)
"""Names of players."""
TALK = (
    "=cmd|' /C calc'!A0",
    "| a | b | --- | :-: |",
    "https://evil.example/?a=1&b=2 www.evil.example a@evil.example",
    "$\\frac{1}{0}$ _a_ **b** ~~c~~ <img src=x onerror=alert(1)> &lt; {player} %s",
    "- [ ] 1. > ## ---",
)
"""What they say."""


@cache
def hostile_record() -> tuple[bytes, ...]:
    """The lines of a record of a game that has begun."""
    catalogue = shipped_catalogue(system_named("classic").catalogue)
    chance = random.Random(1)
    table, log = new_table(
        "=game",
        "classic",
        3,
        options={},
        catalogue=catalogue,
        secret=chance.randbytes(32).hex(),
        at=BEGINNING,
    )
    told: list[tuple[int, c.Command]] = [
        (HOST, c.TakeSeat(seat, name, "human")) for seat, name in enumerate(HOSTILE)
    ]
    told += [(place % 3, c.Say(text)) for place, text in enumerate(TALK)]
    for actor, command in told:
        table, entries = table.submit(actor, command, log[-1].at + 1000)
        log += entries
    forms = (form_for(entry, table.key, ALL) for entry in log)
    return tuple(write_record(header_for(table, ALL), forms, ()))
