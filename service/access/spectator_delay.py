"""How far somebody may see who is some versions behind: the one place that decides it.

Who is behind, and by how much, `service.access.rights` knows; here it becomes a version. Whatever leaves the service
about a game that is being played is made from this version and nothing later: answers, streams, records, the list of
games and webhooks.
"""

from typing import Final

_HIDES_NOTHING: Final = frozenset({"open", "finished"})
"""Statuses in which everybody sees a game as it stands."""


def visible_version(version: int, status: str, opened: int, delay: int) -> int:
    """The last version of a game that is shown to somebody who is `delay` versions behind.

    The game stands at `version` with this `status`; `opened` is the last version at which it was open. Between its
    start and its end nobody goes back behind that one.

    >>> [visible_version(version, "running", opened=4, delay=6) for version in (5, 10, 11, 40)]
    [4, 4, 5, 34]
    >>> visible_version(41, "finished", opened=4, delay=6)
    41
    """
    if not delay or status in _HIDES_NOTHING:
        return version
    return max(version - delay, opened)
