"""The deck, its figures and the deal. Sections of the Ladybohn booklet."""

from collections import Counter

import pytest

from events import domain_events as e
from events.log.codec import decode_event
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import rules_for
from events.rules.systems.registry import system_named
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import rules
from tests.support.tables import all_cards, new_game

CATALOGUE = shipped_catalogue("ladybohn")
BEANS = {bean.card: bean for bean in CATALOGUE.beans}
SEXES = ("female", "male", "baby")


@pytest.mark.parametrize(
    ("family", "counts"),
    [("blue", (11, 5, 5)), ("chili", (10, 4, 5)), ("stink", (9, 4, 4)), ("green", (9, 3, 3)), ("soy", (8, 2, 3)),
     ("black_eyed", (7, 2, 2)), ("red", (5, 1, 2)), ("garden", (4, 1, 1))],
)  # fmt: skip
def test_the_deck_is_that_of_the_booklet(family: str, counts: tuple[int, int, int]) -> None:
    """Contenu: misters, misses and babies of each family."""
    found = tuple(BEANS[f"{family}_{sex}"].copies for sex in ("male", "female", "baby"))
    assert found == counts
    assert {BEANS[f"{family}_{sex}"].family for sex in ("male", "female", "baby")} == {family}
    assert rules().varieties[family] == sum(counts)


def test_there_are_110_beans() -> None:
    """Contenu: 21, 19, 17, 15, 13, 11, 8 and 6."""
    assert len(CATALOGUE.deck()) == CATALOGUE.total == 110
    assert list(rules().varieties.values()) == [21, 19, 17, 15, 13, 11, 8, 6]


@pytest.mark.parametrize(
    ("family", "misters", "misses"),
    [("blue", "4 6 8 10", "3 5 7 9"), ("chili", "3 6 8 9", "2 5 7 8"), ("stink", "3 5 7 8", "2 4 6 7"),
     ("green", "3 5 6 7", "2 4 5 6"), ("soy", "2 4 6 7", "1 3 5 6"), ("black_eyed", "2 4 5 6", "1 3 4 5"),
     ("red", "2 3 4 5", "1 2 3 4"), ("garden", "- 2 3 -", "- 1 2 -")],
)  # fmt: skip
def test_the_beanometers_are_those_decided_on(family: str, misters: str, misses: str) -> None:
    """Rules of the house: misters as in the 104-card game, misses one bean cheaper; booklet: babies have none."""
    for sex, needed, provenance in (
        ("male", misters, "house"),
        ("female", misses, "house"),
        ("baby", "- - - -", "booklet"),
    ):
        bean = BEANS[f"{family}_{sex}"]
        assert " ".join(str(bean.beanometer.get(coins, "-")) for coins in "1234") == needed
        assert bean.provenance == provenance


@pytest.mark.parametrize("family", ["blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden"])
def test_the_miss_of_a_family_has_the_best_beanometer(family: str) -> None:
    """But du jeu: at no size of a field does she pay less than the mister, at some more; the baby never anything."""
    played = rules()
    sizes = range(1, played.varieties[family] + 1)
    miss, mister, baby = ([played.pay[f"{family}_{sex}"][size] for size in sizes] for sex in SEXES)
    assert all(hers >= his for hers, his in zip(miss, mister, strict=True))
    assert miss != mister
    assert max(mister) > 0
    assert max(baby) == 0


def test_only_beans_are_shuffled_and_dealt() -> None:
    """Préparation: the cards for a third field stay aside, and nobody has one."""
    table, _ = new_game(5, system="ladybohn")
    assert {bean.family for bean in CATALOGUE.beans} == {*rules().varieties}
    assert all_cards(table.state) == Counter(CATALOGUE.deck())
    assert table.state.box == ()
    assert not any(seat.third_field for seat in table.state.seats)
    assert rules().setup.third_fields == 2


@pytest.mark.parametrize("start", [0, 2])
def test_hands_come_off_the_shuffled_pile_face_down(start: int) -> None:
    """Préparation: seat by seat from the player chosen to begin; others see how many cards there are, no more."""
    table, log = new_game(3, {"start_seat": start}, system="ladybohn")
    events = [decode_event(entry) for entry in log]
    pile = next(event for event in events if isinstance(event, e.PileShuffled)).order
    assert pile != CATALOGUE.deck()
    for place in range(3):
        seat = (start + place) % 3
        assert table.state.seats[seat].hand == tuple(enumerate(pile[5 * place : 5 * place + 5], 1))
        assert "cards" in player_view(table.state, seat)["seats"][seat]["hand"]
        for viewer in (PUBLIC, (seat + 1) % 3):
            assert player_view(table.state, viewer)["seats"][seat]["hand"] == {"size": 5}
    assert table.state.draw_pile == pile[15:]
    assert player_view(table.state, start)["draw_pile"] == {"size": 95, "exhaustions": 0}
    assert (table.state.active, table.state.turn, table.state.phase) == (start, 1, "plant")


def test_the_first_player_may_be_left_to_chance() -> None:
    """Préparation: a player is chosen; the option `random` draws one from the game's secret."""
    starts = {
        new_game(3, {"start_seat": "random"}, secret=f"{n:064x}", system="ladybohn")[0].state.active
        for n in range(20)
    }
    assert starts == {0, 1, 2}


@pytest.mark.parametrize(("players", "pile"), [(3, 95), (4, 90), (5, 85)])
def test_five_cards_each_are_dealt(players: int, pile: int) -> None:
    """Préparation: five cards in hand, two fields; the rest is the draw pile."""
    table, _ = new_game(players, system="ladybohn")
    assert [len(seat.hand) for seat in table.state.seats] == [5] * players
    assert {seat.fields for seat in table.state.seats} == {((), ())}
    assert len(table.state.draw_pile) == pile


def test_it_is_played_by_three_to_five() -> None:
    """Nombre de joueurs: 3 to 5; an option of another game is refused."""
    system = system_named("ladybohn")
    assert system.players == (3, 4, 5)
    for players in (2, 6):
        with pytest.raises(errors.WrongPlayers):
            rules_for(system, players, {}, CATALOGUE)
    with pytest.raises(errors.UnknownOption):
        rules(options={"duplicate_fields": True})


def test_the_game_ends_with_the_third_exhaustion_and_phase_4_draws_three() -> None:
    """Phase 4 and Fin de la partie."""
    setup = rules().setup
    assert (setup.draw, setup.reveal, setup.exhaustions) == (3, 2, 3)


def test_a_published_catalogue_never_changes() -> None:
    """Games pin it by this hash: a correction is a new file."""
    assert CATALOGUE.hash() == "ef55d9ac4f4002c00748baba8b074b98b6a2feb5eb6e80331d51f42d6bdefaa9"
