"""Phase 2: saying that one wants nothing more, so that nobody waits. A rule of the house: it binds nobody."""

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands
from events.rules.systems.registry import BY_KEY as SYSTEMS
from events.rules.table.player_view import player_view
from tests.events.rules.games import Giving, standard_games, trading

TRADES = sorted(key for key, system in SYSTEMS.items() if any(each.name == "trade" for each in system.phases))


def test_every_system_with_trading_has_it_and_no_other() -> None:
    """It belongs to phase 2 of those games in which cards are traded."""
    with_ready = sorted(
        key for key, system in SYSTEMS.items() if any(c.Ready in each.rules for each in system.phases)
    )
    assert with_ready == TRADES == ["classic", "extended", "ladybohn", "ladybohn-expansion"]


@standard_games
def test_everybody_but_the_active_player_says_it_once(given: Giving) -> None:
    """The active player ends the trading instead; who is ready is so already."""
    table = trading(given)
    table.when(c.Ready()).then_refused(errors.EndTradingInstead)
    ready = table.when(c.Ready(), by=2).then(e.ReadinessDeclared(2))
    ready.when(c.Ready(), by=2).then_refused(errors.ReadyAlready)
    ready.when(c.Ready(), by=1).then(e.ReadinessDeclared(1))


@standard_games
def test_who_is_ready_may_be_asked_and_answer_and_is_not_ready_any_more(given: Giving) -> None:
    """An answer, like whatever else one does, takes it back first."""
    table = trading(given).when(c.Ready(), by=1).then(e.ReadinessDeclared(1))
    asked = table.when(c.Offer(1, revealed=(1,))).then_among_others()
    asked.when(c.Decline(1), by=1).then(e.ReadinessWithdrawn(1), e.OfferDeclined(1, 1, closed=True)) \
        .when(c.Ready(), by=1).then(e.ReadinessDeclared(1))  # fmt: skip
    asked.when(c.Say("No, thank you."), by=1).then(e.ReadinessWithdrawn(1), e.Talked(1, "No, thank you."))
    asked.when(c.Say("Well?"), by=2).then(e.Talked(2, "Well?"))


@standard_games
def test_a_refused_command_takes_nothing_back(given: Giving) -> None:
    """What is refused leaves no trace."""
    ready = trading(given).when(c.Ready(), by=1).then(e.ReadinessDeclared(1))
    ready.when(c.Withdraw(7), by=1).then_refused(errors.NoSuchOffer)
    assert ready.state.ready == (1,)


@standard_games
def test_it_ends_with_the_trading(given: Giving) -> None:
    """In the next turn everybody is asked anew."""
    ready = trading(given).when(c.Ready(), by=1).then_among_others().when(c.Ready(), by=2).then_among_others()
    assert player_view(ready.state, 0)["ready"] == [1, 2]
    assert ready.when(c.EndTrading()).then_among_others().state.ready == ()


@standard_games
def test_outside_of_trading_nobody_is_ready(given: Giving) -> None:
    """Phase 1 waits for the active player alone."""
    given().when(c.Ready(), by=1).then_refused(errors.WrongPhase)


@standard_games
def test_it_is_listed_for_whom_it_is_accepted_from(given: Giving) -> None:
    """`legal_commands` is exact."""
    ready = trading(given).when(c.Ready(), by=1).then_among_others()
    listed = [c.Ready() in legal_commands(ready.rules, ready.state, seat) for seat in range(3)]
    assert listed == [False, False, True]
