"""Chance is a player: when a pile, a starting seat or the secret is due, only the dealer acts, and is checked."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.game.dealing import commitment_to
from events.rules import errors
from events.rules.legal import legal_commands
from events.rules.move import DEALER, HOST
from events.rules.table.state import Due
from events.rules.table.waiting import waiting_for
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.given import Given
from tests.support.tables import SECRET

DISCARDS = ("stink", "soy", "soy")


def shuffle_due(given: Giving) -> Given:
    """The draw pile has run out with two cards still owed."""
    return given(phase="draw", draw_pile=("red",), discard_pile=DISCARDS).when(c.Draw()).then_among_others()


def secret_due(given: Giving) -> Given:
    """A game that has just ended."""
    table = given(phase="draw", draw_pile=("red",), exhaustions=2)
    return Given(
        table.rules, replace(table.state, commitment=commitment_to(SECRET))
    ).when(c.Draw()).then_among_others()  # fmt: skip


def starting_seat_due(given: Giving) -> Given:
    """Everybody sits, and the starting player is to be drawn."""
    table = given()
    return Given(table.rules, replace(table.state, due=Due("starting_seat"), phase="", turn=0))


@standard_games
def test_the_dealer_hands_in_a_pile(given: Giving) -> None:
    """Bohnanza (104), end of the game: the discards are shuffled and become the draw pile."""
    table = (
        shuffle_due(given)
        .when(c.Shuffle("draw", ("soy", "stink", "soy")), by=DEALER)
        .then_among_others(e.PileShuffled("draw", 2, ("soy", "stink", "soy")))
    )
    assert table.state.discard_pile == ()


@pytest.mark.parametrize(
    "order",
    [
        (),
        ("soy", "stink"),
        ("soy", "stink", "soy", "soy"),
        ("soy", "stink", "stink"),
        ("soy", "stink", "blue"),
    ],
)
@standard_games
def test_a_pile_consists_of_exactly_the_cards_due(given: Giving, order: tuple[str, ...]) -> None:
    """Bohnanza (104), preparations: no card is added, lost or exchanged."""
    shuffle_due(given).when(c.Shuffle("draw", order), by=DEALER).then_refused(errors.NotAPermutation)


@pytest.mark.parametrize("command", [c.Say("quick!"), c.Harvest(0), c.Draw(), c.Plant(0)])
@pytest.mark.parametrize("seat", [0, 1])
@standard_games
def test_nobody_else_acts_while_the_dealer_is_due(given: Giving, command: c.Command, seat: int) -> None:
    """Bohnanza (104), end of the game: shuffling happens at once."""
    table = shuffle_due(given)
    table.when(command, by=seat).then_refused(errors.DealerMustAct)
    assert legal_commands(table.rules, table.state, seat) == []
    assert waiting_for(table.state) == ()


@standard_games
def test_the_dealer_does_what_is_due_and_nothing_else(given: Giving) -> None:
    """Rules of the house: no shuffle, seat or secret that nobody asked for."""
    shuffle, seat, secret = c.Shuffle("draw", DISCARDS), c.ChooseStartingSeat(0), c.RevealSecret(SECRET)
    for table, others in (
        (given(), (shuffle, seat, secret)),
        (shuffle_due(given), (c.Shuffle("bonus", DISCARDS), seat, secret)),
        (secret_due(given), (shuffle, seat)),
        (starting_seat_due(given), (shuffle, secret)),
    ):
        for command in others:
            table.when(command, by=DEALER).then_refused(errors.NothingDue)


@standard_games
def test_the_starting_seat_is_drawn(given: Giving) -> None:
    """Rules of the house: with `start_seat` random the dealer names a seat, and the first shuffle is due."""
    starting_seat_due(given).when(c.ChooseStartingSeat(2), by=DEALER).then(
        e.StartingSeatChosen(2), e.DealerCalled("shuffle", "draw", "deal", 2)
    )
    for seat in (-1, 7):
        starting_seat_due(given).when(c.ChooseStartingSeat(seat), by=DEALER).then_refused(errors.NoSuchSeat)


@all_games
def test_the_first_pile_is_the_whole_deck(given: Giving) -> None:
    """Bohnanza (104), preparations: all bean cards are shuffled."""
    table = starting_seat_due(given).when(c.ChooseStartingSeat(0), by=DEALER).then_among_others()
    table.when(c.Shuffle("draw", table.rules.deck[1:]), by=DEALER).then_refused(errors.NotAPermutation)
    table.when(c.Shuffle("draw", table.rules.deck), by=DEALER).then_among_others(
        e.PileShuffled("draw", 2, table.rules.deck), e.TurnBegan(0, 1)
    )


@standard_games
def test_the_secret_is_opened_at_the_end(given: Giving) -> None:
    """The last event of a game lets anybody recompute every shuffle."""
    table = secret_due(given).when(c.RevealSecret(SECRET), by=DEALER).then(e.SecretRevealed(SECRET))
    assert table.state.status == "finished"
    table.when(c.RevealSecret(SECRET), by=DEALER).then_refused(errors.NothingDue)


@pytest.mark.parametrize("secret", ["", "00" * 32, SECRET.upper(), SECRET[:-2], "zz" * 32, SECRET + "00"])
@standard_games
def test_only_the_secret_committed_to_opens(given: Giving, secret: str) -> None:
    """The commitment in the first event decides, and there is one way to write it."""
    secret_due(given).when(c.RevealSecret(secret), by=DEALER).then_refused(errors.WrongSecret)


@pytest.mark.parametrize("actor", [DEALER, HOST])
@pytest.mark.parametrize("command", [c.Plant(0), c.Say("hello"), c.Harvest(0)])
@standard_games
def test_dealer_and_host_do_not_play(given: Giving, actor: int, command: c.Command) -> None:
    """Each actor has commands of its own."""
    given().when(command, by=actor).then_refused(errors.UnknownCommand)


@pytest.mark.parametrize(
    "command",
    [c.Shuffle("draw", ()), c.ChooseStartingSeat(1), c.RevealSecret(SECRET), c.TakeSeat(0, "Eve", "human"),
     c.CreateGame("g", "classic", 3, {}, "", "")],
)  # fmt: skip
@standard_games
def test_players_do_not_deal(given: Giving, command: c.Command) -> None:
    """A seat has no command of the dealer or the host."""
    given().when(command).then_refused(errors.UnknownCommand)


@standard_games
def test_the_dealer_does_not_seat_players_and_the_host_does_not_shuffle(given: Giving) -> None:
    """The two are different actors."""
    given().when(c.TakeSeat(0, "Eve", "human"), by=DEALER).then_refused(errors.UnknownCommand)
    shuffle_due(given).when(c.Shuffle("draw", DISCARDS), by=HOST).then_refused(errors.UnknownCommand)
