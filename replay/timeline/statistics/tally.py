"""Counting a game up, event by event: a fold like the table itself, over what the viewer sees."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import ClassVar

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD, Card
from events.log.disclosure import NOBODY_SEAT, acting_seat, viewer_name
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.state import INITIAL_STATE
from replay.timeline.statistics.figures import CoinsAt, GameStatistics, SeatStatistics, TradesWith
from replay.timeline.timeline import Step, Timeline


class Tally:
    """The figures of a game so far. Give it every step that counts, in order; they can be read after any of them.

    The time of a discarded stretch was used by nobody in particular.
    """

    def __init__(self, catalogue: Catalogue, viewer: int) -> None:
        """Begin before the first event of a game with this catalogue."""
        self._viewer = viewer
        self._varieties = {bean.card: bean.variety for bean in catalogue.beans}
        self._values = card_values(catalogue)
        self._cents = {each.card: each.cents for each in catalogue.bonus}
        self._state = INITIAL_STATE
        self._seats: list[SeatStatistics] = []
        self._coins: list[CoinsAt] = []
        self._makers: dict[int, int] = {}
        self._began: int | None = None
        self._at = self._others = self._version = 0

    def add(self, step: Step) -> None:
        """Count one step."""
        moment = int(step.form.entry["at"])
        went_back = step.version != self._version + 1
        self._version = step.version
        if self._began is None:
            self._began = self._at = moment
        if isinstance(step.event, e.GameCreated):
            self._seats = [SeatStatistics(seat) for seat in range(step.event.players)]
        if went_back:
            self._spent(NOBODY_SEAT, moment - self._at)
        elif step.command is not None:
            self._spent(acting_seat(step.form.entry["actor"]), moment - self._at)
        self._at = moment
        count = self._COUNTED.get(type(step.event))
        if count is not None:
            count(self, step.event)
        self._state = step.state
        self._note_coins(moment)

    def statistics(self) -> GameStatistics:
        """The figures as they stand."""
        state = self._state
        seats = deepcopy(self._seats)
        for own, seat in zip(seats, state.seats, strict=True):
            own.name, own.kind, own.coins = seat.name, seat.kind, len(seat.coins)
            own.score = state.result.scores[own.seat] if state.result else None
            own.trades.sort(key=lambda each: each.partner)
        return GameStatistics(
            game=state.game,
            system=state.system,
            viewer=viewer_name(self._viewer),
            version=self._version,
            status=state.status,
            unit=state.result.unit if state.result else "",
            winners=state.result.winners if state.result else (),
            turns=state.turn,
            exhaustions=state.exhaustions,
            began=self._began or 0,
            milliseconds=self._at - (self._began or 0),
            others_milliseconds=self._others,
            seats=tuple(seats),
            coins=tuple(self._coins),
        )

    # --- counting ------------------------------------------------------------------------------------------

    def _spent(self, seat: int, milliseconds: int) -> None:
        if 0 <= seat < len(self._seats):
            self._seats[seat].commands += 1
            self._seats[seat].milliseconds += milliseconds
        else:
            self._others += milliseconds

    def _note_coins(self, moment: int) -> None:
        coins = tuple(len(seat.coins) for seat in self._state.seats)
        if self._state.status != "open" and (not self._coins or self._coins[-1].coins != coins):
            self._coins.append(CoinsAt(self._version, self._state.turn, moment, coins))

    def _count(self, counts: dict[str, int], cards: Iterable[Card]) -> None:
        for card in cards:
            variety = self._varieties.get(card, card)
            counts[variety] = counts.get(variety, 0) + 1

    def _paid(self, seat: int, source: str, coins: int) -> None:
        own = self._seats[seat].coins_from
        if coins:
            own[source] = own.get(source, 0) + coins

    def _on_turn(self, event: e.TurnBegan) -> None:
        self._seats[event.seat].turns += 1

    def _on_drawn(self, event: e.HandDealt | e.CardsDrawn) -> None:
        self._count(self._seats[event.seat].drawn, event.cards)

    def _on_planted(self, event: e.BeanPlanted | e.AsidePlanted | e.RevealedPlanted) -> None:
        self._count(self._seats[event.seat].planted, (event.card,))

    def _on_harvested(self, event: e.FieldHarvested | e.FieldPaidFromPiles) -> None:
        own = self._seats[event.seat]
        own.harvests += 1
        own.harvests_for_nothing += not event.coins
        self._count(own.harvested, event.cards)
        self._paid(event.seat, "harvests", event.coins)
        if event.coins:
            variety = self._varieties.get(event.cards[-1], event.cards[-1])
            own.earned[variety] = own.earned.get(variety, 0) + event.coins

    def _on_first_coins(self, event: e.CoinsDealt) -> None:
        self._paid(event.seat, "first_coins", len(event.cards))

    def _on_bought(self, event: e.ThirdFieldBought) -> None:
        self._paid(event.seat, "third_field", -len(event.paid))

    def _on_bluffed(self, event: e.BluffPaid) -> None:
        self._paid(event.seat, "bluffs", -1)
        self._paid(event.to, "bluffs", 1)

    def _on_levied(self, event: e.CoinsLevied) -> None:
        own = self._seats[event.seat]
        own.levies += 1
        own.promises_kept += len(event.spared)
        self._paid(event.seat, "levies", len(event.payers))
        for payer in event.payers:
            self._paid(payer, "levies", -1)

    def _on_promised(self, event: e.LevyPromised) -> None:
        self._seats[event.seat].promises += 1

    def _on_claimed(self, event: e.BonusClaimed) -> None:
        self._seats[event.seat].bonus_cents += 100 + self._cents.get(event.bonus, 0)

    def _on_offered(self, event: e.OfferMade) -> None:
        self._makers[event.offer] = event.seat
        self._seats[event.seat].offers += 1

    def _on_declined(self, event: e.OfferDeclined) -> None:
        self._seats[event.seat].declined += 1
        if event.closed:
            self._seats[self._makers[event.offer]].offers_refused += 1

    def _on_withdrawn(self, event: e.OfferWithdrawn) -> None:
        self._seats[event.seat].offers_withdrawn += 1

    def _on_lapsed(self, event: e.OfferLapsed) -> None:
        self._seats[self._makers[event.offer]].offers_lapsed += 1

    def _on_traded(self, event: e.TradeMade) -> None:
        self._seats[self._makers[event.offer]].offers_accepted += 1
        self._exchanged(event.active, event.partner, event.active_cards, event.partner_cards)
        self._exchanged(event.partner, event.active, event.partner_cards, event.active_cards)

    def _exchanged(self, seat: int, partner: int, given: Sequence[Card], received: Sequence[Card]) -> None:
        trades = self._seats[seat].trades
        own = next((each for each in trades if each.partner == partner), None)
        if own is None:
            own = TradesWith(partner)
            trades.append(own)
        own.trades += 1
        self._count(own.given, given)
        self._count(own.received, received)
        own.value_given = round(own.value_given + self._worth(given), 6)
        own.value_received = round(own.value_received + self._worth(received), 6)

    def _worth(self, cards: Iterable[Card]) -> float:
        return sum(self._values.get(card, 0.0) for card in cards if card != UNKNOWN_CARD)

    def _on_gave(self, event: e.GiftGiven) -> None:
        self._seats[event.seat].gifts_given += 1
        self._seats[event.to].gifts_received += 1

    _COUNTED: ClassVar[Mapping[type[e.DomainEvent], Callable[..., None]]] = MappingProxyType(
        {
            e.TurnBegan: _on_turn,
            e.HandDealt: _on_drawn,
            e.CardsDrawn: _on_drawn,
            e.BeanPlanted: _on_planted,
            e.AsidePlanted: _on_planted,
            e.RevealedPlanted: _on_planted,
            e.FieldHarvested: _on_harvested,
            e.FieldPaidFromPiles: _on_harvested,
            e.CoinsDealt: _on_first_coins,
            e.ThirdFieldBought: _on_bought,
            e.BluffPaid: _on_bluffed,
            e.CoinsLevied: _on_levied,
            e.LevyPromised: _on_promised,
            e.BonusClaimed: _on_claimed,
            e.OfferMade: _on_offered,
            e.OfferDeclined: _on_declined,
            e.OfferWithdrawn: _on_withdrawn,
            e.OfferLapsed: _on_lapsed,
            e.TradeMade: _on_traded,
            e.GiftGiven: _on_gave,
        }
    )
    """What is counted of each event type; nothing of those that stand not here."""


def compute_statistics(timeline: Timeline) -> GameStatistics:
    """The figures of a game up to the last step of its timeline, as its viewer may know them.

    Of a game that went back only what counts is counted.
    """
    tally = Tally(timeline.header.catalogue, timeline.viewer)
    for version in timeline.effective_history().select_effective(range(1, timeline.last + 1)):
        tally.add(timeline.at(version))
    return tally.statistics()


def card_values(catalogue: Catalogue) -> Mapping[Card, float]:
    """The most coins a card of each kind can bring, as part of the best field: coins by beans of its best step.

    It is a yardstick and no more: what a card is worth to a player hangs on the fields. Cards without a beanometer of
    their own count as the best of their variety, those of a variety without one as nothing.
    """
    values: dict[Card, float] = {}
    for bean in catalogue.beans:
        rates = [int(coins) / beans for coins, beans in bean.beanometer.items() if beans]
        values[bean.variety] = max([values.get(bean.variety, 0.0), *rates])
    return MappingProxyType({bean.card: values[bean.variety] for bean in catalogue.beans} | values)
