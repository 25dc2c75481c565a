"""How the greedy bot chooses a fan and levies coins."""

from events import commands as c
from service.bots.situation import Situation


def choose_fan(situation: Situation) -> c.Command | None:
    """Either fan is as good as the other."""
    return next((each for each in situation.legal if isinstance(each, c.ChooseFan)), None)


def levy(situation: Situation) -> c.Command | None:
    """Take from as many as possible, the richest of those who can be named."""
    seats = situation.view["seats"]
    levies = [each for each in situation.legal if isinstance(each, c.Levy)]

    def wealth(each: c.Levy) -> tuple[int, int]:
        return len(each.seats), sum(len(seats[seat]["coins"]) for seat in each.seats)

    return max(levies, key=wealth, default=None)
