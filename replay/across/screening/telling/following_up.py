"""What a person does with a pair that stands out: look at the moments, and open a case if they speak for it."""

import shlex
from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote

from replay.across.screening.comparing.screen import Pair, Screen, Seen, most_striking
from replay.platform.counting import count_in_words

DISPUTE_SECONDS: Final = 14 * 86_400
"""How long after its end a game may be disputed, where whoever runs the service has not chosen otherwise."""
_UNITS: Final = "coins a game above chance"


class Places(NamedTuple):
    """Where the games of a screen can be looked at.

    Attributes:
        where: the folder of the records, or the address of the games, for commands that show a moment.
        service: the address of the service; empty where none was named.
        pages: the addresses of pages that were written, by game.
        now: when somebody looks, in milliseconds since the epoch; 0 where no time is ever over.
        dispute_seconds: how long after its end a game may be disputed.
        archived: whether the games are those of an archive, about which no case is opened.
    """

    where: str
    service: str = ""
    pages: Mapping[str, str] = MappingProxyType({})
    now: int = 0
    dispute_seconds: int = DISPUTE_SECONDS
    archived: bool = False


def page_link(seen: Seen, places: Places) -> str:
    """The moment on the page of the game: one that was written, else the service's; without one the path alone."""
    own = f"{places.service.rstrip('/')}/games/{quote(seen.game, safe='')}"
    return f"{places.pages.get(seen.game, own)}#v={seen.moment.version}"


def leads_somewhere(seen: Seen, places: Places) -> bool:
    """Whether the link to the moment's page can be opened as it is."""
    return places.service != "" or seen.game in places.pages


def show_command(seen: Seen, where: str) -> str:
    """The command that shows the table after the moment, of a record in a folder or of a game at an address.

    A service knows a game by its id, whatever file of an archive its record was read from.
    """
    path = f"{where}/{quote(seen.game, safe='')}" if "://" in where else str(PurePath(where, seen.source))
    return f"fieldbook replay show {shlex.quote(path)} --at {seen.moment.version}"


def case_command(screen: Screen, pair: Pair, places: Places) -> str:
    """The command by which a person opens a case; empty where nothing stands out, or no case can be opened.

    It is about the first moment whose game may still be disputed. The text has the figures and no names: the game
    says who sat there.
    """
    if not pair.stands_out or (seen := _still_open(pair, places)) is None:
        return ""
    found = most_striking(pair.found)
    text = (
        f"Screen of {screen.games} games, {pair.games} of the pair together: {found.measure} "
        f"{found.coins:+.2f} {_UNITS}, corrected p {found.corrected:.2g} (95 % interval {found.interval[0]:+.2f} to "
        f"{found.interval[1]:+.2f}, of this measure alone: not corrected for its being the most striking of "
        f"{count_in_words(screen.tests, 'test')}); value function {screen.value_function}."
    )
    address = ["--service", places.service.rstrip("/")] if places.service else []
    words = ["fieldbook", "disputes", *address, "open", seen.game, "--version", str(seen.moment.version)]
    return shlex.join([*words, "--reason", "collusion", "--text", text])


def why_no_case(pair: Pair, places: Places) -> str:
    """Why no case can be opened about a pair that stands out; empty where one can, or nothing stands out."""
    if not pair.stands_out or not pair.moments or _still_open(pair, places) is not None:
        return ""
    if places.archived:
        return "No case can be opened any more: these games are archived."
    days = f"{places.dispute_seconds / 86_400:g}"
    return f"It is too late to open a case: a game may be disputed for {days} days after its end."


def _still_open(pair: Pair, places: Places) -> Seen | None:
    """The first moment of a pair whose game may still be disputed, as far as its record tells when it ended."""
    if places.archived:
        return None
    return next((seen for seen in pair.moments if not _is_too_late(seen, places)), None)


def _is_too_late(seen: Seen, places: Places) -> bool:
    return bool(places.now and seen.ended) and places.now >= seen.ended + 1000 * places.dispute_seconds
