"""Laws about what lies on the table, in every state of random games."""

from events import domain_events as e
from events.rules.legal import waiting_for
from events.rules.rule_system import Rules
from events.rules.state import GameState
from tests.laws.games import every_setup, happenings, whole_log
from tests.support.tables import OptionValues as Options


@every_setup
def test_a_hand_keeps_its_order(players: int, options: Options) -> None:
    """Cards leave a hand by planting the front one or by a trade, and join it at the back with rising numbers."""
    _, log = whole_log(players, options)
    for before, event, after in happenings(log):
        for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
            kept = tuple(card for card in new.hand if card in old.hand)
            joined = new.hand[len(kept) :]
            assert new.hand == kept + joined
            assert [card for card in old.hand if card in kept] == [*kept]
            assert [card for card, _ in joined] == [*range(old.next_number, new.next_number)]
            gone = {card for card in old.hand if card not in kept}
            match event:
                case e.BeanPlanted(seat=seat) if seat == number:
                    assert gone == {old.hand[0]}
                case e.TradeMade(active=seat, active_hand=named) if seat == number:
                    assert {card for card, _ in gone} == {*named}
                case e.TradeMade(partner=seat, partner_hand=named) if seat == number:
                    assert {card for card, _ in gone} == {*named}
                case _:
                    assert not gone
            if joined:
                assert isinstance(event, e.HandDealt | e.CardsDrawn)


@every_setup
def test_coins_come_from_fields_only(players: int, options: Options) -> None:
    """A coin was the top of a harvested field, by its beanometer; coins go for the third field only."""
    begun, log = whole_log(players, options)
    for before, event, after in happenings(log):
        for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
            match event:
                case e.FieldHarvested(seat=seat, field=field, coins=coins) if seat == number:
                    sold = old.fields[field]
                    assert coins == _pay(begun.table.rules, sold)
                    assert new.coins == old.coins + tuple(reversed(sold))[:coins]
                    assert after.discard_pile == before.discard_pile + sold[: len(sold) - coins]
                    assert new.fields[field] == ()
                case e.ThirdFieldBought(seat=seat) if seat == number:
                    assert new.coins == old.coins[:-3]
                    assert after.discard_pile == before.discard_pile + tuple(reversed(old.coins[-3:]))
                    assert new.fields == (*old.fields, ())
                case _:
                    assert new.coins == old.coins


def _pay(rules: Rules, sold: tuple[str, ...]) -> int:
    bean = next(bean for bean in rules.catalogue.beans if bean.card == sold[0])
    return max((int(coins) for coins, needed in bean.beanometer.items() if needed <= len(sold)), default=0)


@every_setup
def test_the_table_is_never_out_of_order(players: int, options: Options) -> None:
    """One variety a field and one field a variety; cards lie revealed, aside and on offer in their phases only."""
    _, log = whole_log(players, options)
    for _, _, state in happenings(log):
        for seat in state.seats:
            varieties = [card for field in state_fields(seat.fields) for card in {*field}]
            assert len({*varieties}) == len(varieties)
            assert all(len({*field}) <= 1 for field in seat.fields)
            assert not seat.fields or len(seat.fields) == 2 + seat.third_field
        if state.status == "running" and state.due is None and state.phase:
            _check_phase(state)


def state_fields(fields: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
    """The fields that something grows on."""
    return [field for field in fields if field]


def _check_phase(state: GameState) -> None:
    aside = [seat for seat in state.seats if seat.aside]
    assert not aside or state.phase in {"trade", "plant_aside"}
    assert len(state.revealed) <= 2
    assert not state.revealed or state.phase in {"reveal", "plant", "trade"}, (
        "reveal: until the phase has begun"
    )
    assert not state.offers or state.phase == "trade"
    assert state.planted <= 2


@every_setup
def test_open_offers_can_be_kept_by_who_made_them(players: int, options: Options) -> None:
    """Between two commands every open offer is made from cards that are there, and involves the active player."""
    begun, log = whole_log(players, options)
    table, pending = begun.table, [entry for entry in log if entry.version > begun.table.version]
    for place, entry in enumerate(pending):
        table = table.follow([entry])
        if place + 1 < len(pending) and not pending[place + 1].command:
            continue
        revealed = {number for number, _ in table.state.revealed}
        for offer in table.state.offers:
            held = {number for number, _ in table.state.seats[offer.seat].hand}
            assert held.issuperset(offer.hand)
            assert revealed.issuperset(offer.revealed + offer.want_revealed)
            assert table.state.active in (offer.seat, offer.to)
            assert offer.seat != offer.to
            assert offer.seat == table.state.active or not offer.revealed


@every_setup
def test_turns_go_round_and_the_game_ends_with_the_third_exhaustion(players: int, options: Options) -> None:
    """Seats take turns clockwise; the last exhaustion is the third; scores are coins; most coins win."""
    begun, log = whole_log(players, options)
    starts = [event.seat for _, event, _ in happenings(log) if isinstance(event, e.TurnBegan)]
    first = begun.table.state.start_seat
    assert starts == [(first + turn) % players for turn in range(len(starts))]
    times = [event.times for _, event, _ in happenings(log) if isinstance(event, e.PileExhausted)]
    assert times == [1, 2, 3]
    *_, (before_secret, last, end) = happenings(log)
    assert isinstance(last, e.SecretRevealed)
    assert end.result is not None
    assert end.result.scores == tuple(len(seat.coins) for seat in end.seats)
    assert {seat for seat, score in enumerate(end.result.scores) if score == max(end.result.scores)} == {
        *end.result.winners
    }
    assert not any(field for seat in end.seats for field in seat.fields)
    assert waiting_for(end) == waiting_for(before_secret) == ()
