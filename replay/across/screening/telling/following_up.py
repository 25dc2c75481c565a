"""What a person does with a pair that stands out: look at the moments, and open a case if they speak for it."""

import shlex
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote

from replay.across.screening.comparing.screen import Pair, Screen, Seen, most_striking

_UNITS: Final = "coins a game above chance"


class Places(NamedTuple):
    """Where the games of a screen can be looked at.

    Attributes:
        where: the folder of the records, or the address of the games, for commands that show a moment.
        service: the address of the service; empty where none was named.
        pages: the addresses of pages that were written, by game.
    """

    where: str
    service: str = ""
    pages: Mapping[str, str] = MappingProxyType({})


def page_link(seen: Seen, places: Places) -> str:
    """The moment on the page of the game: one that was written, else the service's; without one the path alone."""
    own = f"{places.service.rstrip('/')}/games/{quote(seen.game, safe='')}"
    return f"{places.pages.get(seen.game, own)}#v={seen.moment.version}"


def leads_somewhere(seen: Seen, places: Places) -> bool:
    """Whether the link to the moment's page can be opened as it is."""
    return places.service != "" or seen.game in places.pages


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
