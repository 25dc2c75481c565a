"""The shapes of statistics: plain data, the same in JSON."""

import msgspec


class CoinsAt(msgspec.Struct, frozen=True):
    """The coins from one version on, until the next that stands in the list.

    Attributes:
        version: the version from which on they are so.
        turn: the turn that was being played; 0 before the first.
        at: when, in milliseconds since the epoch.
        coins: the size of each seat's coin stack.
    """

    version: int
    turn: int
    at: int
    coins: tuple[int, ...]


class TradesWith(msgspec.Struct):
    """What a seat traded with one partner.

    Attributes:
        partner: the other seat.
        trades: how many trades.
        given: how many cards of each variety went to the partner.
        received: how many of each came.
        value_given: what the cards given can be worth at best, in coins.
        value_received: the same of the cards received.
    """

    partner: int
    trades: int = 0
    given: dict[str, int] = {}
    received: dict[str, int] = {}
    value_given: float = 0.0
    value_received: float = 0.0


class SeatStatistics(msgspec.Struct):
    """What one seat did.

    Attributes:
        seat, name, kind: who it is; `kind` is `human`, `bot` or `program`, or empty while the seat is free.
        turns: turns that began as this seat's.
        commands: commands that this seat gave.
        milliseconds: the time used: from the command before, whoever gave it, to each of this seat's.
        coins: coins on the stack.
        coins_from: where they came from and went: `harvests`, `first_coins`, `bluffs`, `levies` and, negative,
            `third_field`; they sum to `coins`.
        bonus_cents: cents of the bonus cards claimed, and 100 more for each.
        score: the result in the game's unit; None before the end.
        drawn: cards dealt and drawn, by variety; `?` counts those that the viewer may not know.
        planted: cards planted, by variety.
        harvested: cards harvested, by variety.
        earned: coins earned by harvests, by variety.
        harvests: harvests; `harvests_for_nothing` of them paid nothing.
        offers: offers made; they became `offers_accepted`, `offers_withdrawn`, `offers_lapsed` or `offers_refused`
            (closed because everybody asked had declined), or are open.
        declined: offers of others that this seat declined.
        trades: what was traded with whom, by partner.
        gifts_given, gifts_received: beans given and got without a trade, where the rules have such gifts.
        promises: promises to spare others with a levy; `promises_kept` so far.
        levies: levies taken.
    """

    seat: int
    name: str = ""
    kind: str = ""
    turns: int = 0
    commands: int = 0
    milliseconds: int = 0
    coins: int = 0
    coins_from: dict[str, int] = {}
    bonus_cents: int = 0
    score: int | None = None
    drawn: dict[str, int] = {}
    planted: dict[str, int] = {}
    harvested: dict[str, int] = {}
    earned: dict[str, int] = {}
    harvests: int = 0
    harvests_for_nothing: int = 0
    offers: int = 0
    offers_accepted: int = 0
    offers_withdrawn: int = 0
    offers_lapsed: int = 0
    offers_refused: int = 0
    declined: int = 0
    trades: list[TradesWith] = []
    gifts_given: int = 0
    gifts_received: int = 0
    promises: int = 0
    promises_kept: int = 0
    levies: int = 0

    @property
    def balance(self) -> float:
        """What trades brought at best, less what they cost."""
        return sum(each.value_received - each.value_given for each in self.trades)


class GameStatistics(msgspec.Struct, frozen=True):
    """A game in figures, up to a version.

    Attributes:
        game, system: which game it is.
        viewer: as whom: `all`, `public` or `seat:N`.
        version: the last version counted.
        status: `open`, `running`, `ended` or `finished`.
        unit: what scores count: `coins` or `cents`; empty before the end.
        winners: the seats that won.
        turns: turns begun.
        exhaustions: how often the draw pile ran out.
        began: the moment of the first event, in milliseconds since the epoch.
        milliseconds: from the first event to the last.
        others_milliseconds: how much of it host and dealer used, who have no seat.
        seats: each seat's figures.
        coins: the coins over time.
    """

    game: str
    system: str
    viewer: str
    version: int
    status: str
    unit: str
    winners: tuple[int, ...]
    turns: int
    exhaustions: int
    began: int
    milliseconds: int
    others_milliseconds: int
    seats: tuple[SeatStatistics, ...]
    coins: tuple[CoinsAt, ...]
