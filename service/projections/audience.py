"""Who looks at the list of games, and what of it they may see."""

from typing import Final

import msgspec

from service.access.keys import Key
from service.access.rights import Rights
from service.projections.generations import PUBLIC, creator_part, status_part
from service.projections.listed_games import Summary


class Audience(msgspec.Struct, frozen=True):
    """Who looks at the list: by default strangers, who are shown public games as spectators see them."""

    key: Key | None = None
    """Their key: with it they see their own games."""
    is_service: bool = False
    """Whether it is the service itself, which sees everything."""

    @property
    def every(self) -> bool:
        """Whether they see games that are not public."""
        return self.is_service or self._may("read_games") or self.is_current

    @property
    def is_current(self) -> bool:
        """Whether they see all games as they stand."""
        return self.is_service or self._may("arbitrate")

    def ways(self) -> list[tuple[str | None, bool]]:
        """The sorted sets that together have all games which they see, None being that of all games.

        With each goes whether they see the games that they find there as they stand, and not as spectators do.
        """
        if self.every:
            ways: list[tuple[str | None, bool]] = [(None, self.is_current)]
        else:
            ways = [(PUBLIC, self.is_current)]
            if self._may("audit"):
                ways.append((status_part("finished"), True))
        if self.key is not None and not (self.every and self.is_current):
            ways.append((creator_part(self.key.id), True))
        return ways

    def sees(self, summary: Summary) -> Summary | None:
        """A game as they may see it, or None."""
        if self.is_service:
            return summary
        rights = Rights(summary.policy, self.key)
        is_open_to_them = self.every or (self._may("audit") and summary.status == "finished")
        if not (summary.policy.is_listed or rights.is_creator or is_open_to_them):
            return None
        return summary.behind(rights.delay)

    def _may(self, scope: str) -> bool:
        return self.key is not None and self.key.may(scope)


SERVICE: Final = Audience(is_service=True)
"""The service itself."""
