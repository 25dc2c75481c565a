"""What the service tells of a game's clock: whose time runs, and until when."""

from replay.client.answer import Answer


class ClockSettings(Answer, frozen=True):
    """A clock that games are played with; times in seconds."""

    bank: int
    increment: int
    cap: int
    answer: int
    grace: int
    strikes: int
    bot: str


class Wait(Answer, frozen=True):
    """What a game waits for: a seat's move, or its answer to an offer; moments are milliseconds since the epoch.

    It is `low_at` when a fifth of the time is left, and counts as too late from `over_at` on, with the grace.
    """

    seat: int
    kind: str
    since: int
    low_at: int
    deadline: int
    over_at: int
    offer: int | None = None


class Clock(Answer, frozen=True):
    """Whose time runs and until when; in `banks`, by seat, the milliseconds left when the bank ran last."""

    settings: ClockSettings
    banks: tuple[int, ...]
    waits: tuple[Wait, ...]
    credited_until: int

    def waits_for(self, seat: int) -> tuple[Wait, ...]:
        """What the game waits for of a seat, the first deadline first."""
        return tuple(
            sorted((each for each in self.waits if each.seat == seat), key=lambda each: each.deadline)
        )
