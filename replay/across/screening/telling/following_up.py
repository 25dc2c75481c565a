"""What a person does with a pair that stands out: look at the moments, and open a case if they speak for it."""

import shlex
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from replay.across.screening.comparing.screen import Pair, Screen, Seen, most_striking

_UNITS: Final = "coins a game above chance"


def page_link(seen: Seen, service: str) -> str:
    """The moment on the page of the game; without a service the path alone."""
    return f"{service.rstrip('/')}/games/{quote(seen.game, safe='')}#v={seen.moment.version}"


def show_command(seen: Seen, where: str) -> str:
    """The command that shows the table after the moment, of a record in a folder or of a game at an address."""
    path = f"{where}/{quote(seen.source, safe='')}" if "://" in where else str(PurePath(where, seen.source))
    return f"fieldbook replay show {shlex.quote(path)} --at {seen.moment.version}"


def case_command(screen: Screen, pair: Pair, service: str) -> str:
    """The command by which a person opens a case at the first moment; empty where nothing stands out.

    The text names the figures and no names: the game says who sat there.
    """
    if not pair.stands_out or not pair.moments:
        return ""
    seen, found = pair.moments[0], most_striking(pair.found)
    text = (
        f"Screen of {screen.games} games, {pair.games} of the pair together: {found.measure} "
        f"{found.coins:+.2f} {_UNITS} ({found.interval[0]:+.2f} to {found.interval[1]:+.2f}, corrected p "
        f"{found.corrected:.2g}); value function {screen.value_function}."
    )
    address = ["--service", service.rstrip("/")] if service else []
    words = ["fieldbook", "disputes", *address, "open", seen.game, "--version", str(seen.moment.version)]
    return shlex.join([*words, "--reason", "collusion", "--text", text])
