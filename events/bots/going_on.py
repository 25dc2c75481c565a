"""What moves a game on where a bot has nothing to say."""

from collections.abc import Iterable

from events import commands as c
from events.rules.definition.forms import Form

GOING_ON: tuple[type[c.Command], ...] = (
    c.EndTrading, c.Draw, c.Reveal, c.Plant, c.PlantAside, c.DiscardRevealed, c.Harvest
)  # fmt: skip
"""The first of these that is legal."""


def go_on(legal: Iterable[c.Command | Form]) -> c.Command | None:
    """The simplest command that moves the game on; None where no command is ready to send."""
    commands = [each for each in legal if isinstance(each, c.Command)]
    first = next((each for kind in GOING_ON for each in commands if isinstance(each, kind)), None)
    return first or next(iter(commands), None)
