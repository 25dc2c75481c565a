"""The Duel, Contenu et mise en place: what lies before whom at the start, and who has seen it."""

from collections import Counter

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.game.dealing import shuffle_key, shuffled
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC, form_for
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.table.player_view import player_view
from tests.support.duels import duel_rules, given_duel, new_duel, side
from tests.support.tables import rules_of


def test_coins_beans_and_bonus_cards_are_dealt_in_this_order_from_the_starting_player() -> None:
    """Three first coins for each, then five beans for each, then three bonus cards for each."""
    _, log = new_duel({"start_seat": 1})
    dealt = [
        (type(event).__name__, event.seat, len(event.cards))
        for event in map(decode_event, log)
        if isinstance(event, e.CoinsDealt | e.HandDealt | e.BonusDrawn)
    ]
    assert dealt == [
        ("CoinsDealt", 1, 3), ("CoinsDealt", 0, 3),
        ("HandDealt", 1, 5), ("HandDealt", 0, 5),
        ("BonusDrawn", 1, 3), ("BonusDrawn", 0, 3),
    ]  # fmt: skip


def test_everybody_begins_with_three_fields_and_the_starting_player_plants_first() -> None:
    """The piles hold the rest: 88 beans, 26 bonus cards."""
    table, _ = new_duel()
    state = table.state
    assert state.duel is not None
    assert [len(seat.fields) for seat in state.seats] == [3, 3]
    assert (len(state.draw_pile), len(state.duel.pile)) == (88, 26)
    assert (state.active, state.phase, state.turn) == (0, "plant", 1)


@pytest.mark.parametrize("start", [0, 1])
def test_everything_is_dealt_off_the_top_of_its_pile(start: int) -> None:
    """Coins, then hands with the first card at the front, then bonus cards (house: whole shares)."""
    table, log = new_duel({"start_seat": start})
    piles = [event.order for event in map(decode_event, log) if isinstance(event, e.PileShuffled)]
    beans, bonus = piles
    first, second = start, 1 - start
    assert [table.state.seats[seat].coins for seat in (first, second)] == [beans[0:3], beans[3:6]]
    hands = [tuple(card for _, card in table.state.seats[seat].hand) for seat in (first, second)]
    assert hands == [beans[6:11], beans[11:16]]
    assert table.state.draw_pile == beans[16:]
    assert table.state.duel is not None
    assert [table.state.duel.seats[seat].bonus for seat in (first, second)] == [bonus[0:3], bonus[3:6]]
    assert table.state.duel.pile == bonus[6:]


def test_the_starting_player_is_chosen_when_the_table_is_set_up() -> None:
    """Les joueurs choisissent: an option, seat 0 unless told otherwise; either seat, or one drawn from the secret."""
    assert new_duel()[0].state.active == 0
    assert [new_duel({"start_seat": seat})[0].state.active for seat in range(2)] == [0, 1]
    drawn = {new_duel({"start_seat": "random"}, secret=f"{n:064x}")[0].state.active for n in range(12)}
    assert drawn == {0, 1}
    with pytest.raises(errors.BadOption):
        duel_rules(options={"start_seat": 2})


@pytest.mark.parametrize("players", [1, 3])
def test_it_is_a_game_for_two(players: int) -> None:
    """Introduction: a duel."""
    with pytest.raises(errors.WrongPlayers):
        rules_of("the-duel", players)


def test_the_deck_has_104_beans_of_eight_varieties() -> None:
    """Contenu: with so many of each (the figures on the cards, which the booklet's cards show)."""
    assert Counter(duel_rules().deck) == {
        "garden": 6, "red": 8, "black_eyed": 10, "soy": 12, "green": 14, "stink": 16, "chili": 18, "blue": 20,
    }  # fmt: skip
    table, log = new_duel()
    shuffled_beans = next(event for event in map(decode_event, log) if isinstance(event, e.PileShuffled))
    assert Counter(shuffled_beans.order) == Counter(table.rules.deck)
    assert len(table.rules.deck) == 104


def test_no_gift_card_is_pushed_when_the_game_begins() -> None:
    """Contenu: all eight lie in their row."""
    table, _ = new_duel()
    for viewer in (PUBLIC, 0, 1):
        assert player_view(table.state, viewer)["duel"]["gifts"] == []


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
def test_both_piles_lie_face_down(viewer: int) -> None:
    """Face « pièces d'or » visible: how many there are is all that anybody sees, in views and in the log."""
    table, log = new_duel()
    view = player_view(table.state, viewer)
    assert view["draw_pile"] == {"size": 88, "exhaustions": 0}
    assert view["duel"]["bonus_pile"] == {"size": 26}
    for entry in log:
        if entry.type == "pile_shuffled":
            order = form_for(entry, table.key, viewer).entry["data"]["order"]
            assert all(set(card) == {"commitment"} for card in order)


def test_both_piles_follow_from_the_secret_each_under_its_own_purpose() -> None:
    """`draw/1` and `bonus/1`, from the decks in catalogue order."""
    table, log = new_duel()
    key = shuffle_key(table.secret, table.state)
    orders = [event for event in map(decode_event, log) if isinstance(event, e.PileShuffled)]
    assert orders == [
        e.PileShuffled("draw", 1, shuffled(key, "draw/1", table.rules.deck)),
        e.PileShuffled("bonus", 1, shuffled(key, "bonus/1", table.rules.bonus_deck)),
    ]


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
def test_nobody_sees_the_first_coins(viewer: int) -> None:
    """Not even their owner: forms hold commitments, views show how many there are."""
    table, log = new_duel()
    for entry in log:
        if entry.type == "coins_dealt":
            cards = form_for(entry, table.key, viewer).entry["data"]["cards"]
            assert [set(card) for card in cards] == [{"commitment"}] * 3
    view = player_view(table.state, viewer)
    assert [seat["coins"] for seat in view["seats"]] == [["?"] * 3] * 2
    assert player_view(table.state, ALL)["seats"][0]["coins"] == list(table.state.seats[0].coins)


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
def test_bonus_cards_in_hand_are_seen_by_their_owner_only(viewer: int) -> None:
    """Others see how many there are."""
    table, log = new_duel()
    shown = player_view(table.state, viewer)["duel"]["seats"]
    assert [seat["bonus"]["size"] for seat in shown] == [3, 3]
    assert [seat for seat, own in enumerate(shown) if "cards" in own["bonus"]] == [viewer][: viewer + 1]
    sent = msgspec.json.encode([form_for(entry, table.key, viewer).entry for entry in log]).decode()
    assert table.state.duel is not None
    hidden = [*table.state.duel.pile]
    for seat, own in enumerate(table.state.duel.seats):
        hidden += own.bonus if seat != viewer else ()
    assert not any(f'"{bonus}"' in sent for bonus in hidden)


@pytest.mark.parametrize("option", ["bean_protection", "duplicate_fields"])
def test_what_the_duel_fixes_is_no_option(option: str) -> None:
    """Protection is fixed; fields grow several varieties anyway."""
    with pytest.raises(errors.UnknownOption):
        duel_rules(options={option: "strict"})


def test_a_catalogue_without_bonus_cards_is_no_deck_for_the_duel() -> None:
    """Gift cards need the order of the varieties, and everybody three bonus cards."""
    with pytest.raises(errors.WrongCatalogue):
        duel_rules(shipped_catalogue("bohnanza-104"))


def test_there_is_no_third_field_to_buy_and_no_trading() -> None:
    """Three fields, always; gifts instead of trades."""
    table = given_duel(side(("blue",), coins=("red",) * 5), side(("red",)))
    table.when(c.BuyField()).then_refused(errors.UnknownCommand)
    table.when(c.Offer(want={"red": 1})).then_refused(errors.UnknownCommand)
