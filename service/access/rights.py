"""What somebody may see of a game: the one place where scopes and house rules become an answer.

The HTTP interface asks it about every request, and the webhooks before anything leaves the service.
"""

from dataclasses import dataclass

from service.access.game_access import PRIVATE_GAME, UNTIL_THE_END, GamePolicy
from service.access.keys import Key


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of a seat, a spectator, the holder of a key, or nobody in particular, in one game."""

    policy: GamePolicy
    """The game's house rules."""
    key: Key | None = None
    seat: int | None = None
    spectator: str | None = None

    def may(self, scope: str) -> bool:
        """Whether the key has a scope."""
        return self.key is not None and self.key.may(scope)

    @property
    def is_creator(self) -> bool:
        """Whether the key set the game up."""
        return self.key is not None and self.key.id == self.policy.creator

    @property
    def delay(self) -> int:
        """How many versions behind the game is seen until it has finished."""
        is_own = self.is_creator and self.policy.delay != UNTIL_THE_END
        is_current = self.seat is not None or is_own or self.may("arbitrate")
        return 0 if is_current else self.policy.delay

    @property
    def knows_of_it(self) -> bool:
        """Whether the game exists for them."""
        return (
            self.policy.visibility != PRIVATE_GAME
            or self.seat is not None
            or self.spectator is not None
            or self.is_creator
            or any(self.may(scope) for scope in ("read_games", "arbitrate", "audit"))
        )

    @property
    def waits_for_the_end(self) -> bool:
        """Whether it is only as an auditor that they may see the game, once it has finished."""
        others = self.is_creator or self.may("read_games") or self.may("arbitrate")
        return self.policy.visibility == PRIVATE_GAME and self.may("audit") and not others
