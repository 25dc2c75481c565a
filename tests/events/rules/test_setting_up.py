"""Setting up a table: rules, options, seats, the deal. Sections are those of the 104-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.commands.dealing import Dealing
from events.game.dealing import commitment_to
from events.game.table import Table, new_table, open_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.decide import decide, play
from events.rules.definition.rule_system import ENGINE_VERSION, Rules, rules_for
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import INITIAL_STATE, GameState
from tests.support.given import Given
from tests.support.tables import SECRET, all_different, classic_rules, new_game, rules_of

CATALOGUE = shipped_catalogue("bohnanza-104")
DEFAULTS: dict[str, str | int | bool] = {"bean_protection": "lenient", "start_seat": 0}


def creation(**changed: object) -> c.CreateGame:
    """The command that sets up a table for three, with something changed."""
    values: dict[str, object] = {
        "game": "g", "system": "classic", "players": 3, "options": DEFAULTS, "catalogue": CATALOGUE.hash(),
        "commitment": commitment_to(SECRET),
    }  # fmt: skip
    return c.CreateGame(**(values | changed))  # type: ignore[arg-type]


def created(rules: Rules | None = None) -> Given:
    """A table that nobody sits at yet."""
    rules = rules or classic_rules()
    options = dict(rules.options)
    return Given(
        rules, play(rules, INITIAL_STATE, HOST, creation(players=rules.players, options=options)).state
    )


def human(seat: int, name: str = "Ann", kind: str = "human", bot: str = "", seed: str = "") -> c.TakeSeat:
    """Somebody sits down."""
    return c.TakeSeat(seat, name, kind, bot, seed=seed)


# --- the table ---------------------------------------------------------------------------------------------


def test_a_game_pins_everything_that_it_is_played_by() -> None:
    """The first event names system, versions, options with their defaults, catalogue and the dealer's commitment."""
    assert decide(classic_rules(), INITIAL_STATE, HOST, creation()) == (
        e.GameCreated(
            "g", "classic", 1, ENGINE_VERSION, 3, DEFAULTS, CATALOGUE.hash(), commitment_to(SECRET)
        ),
    )  # fmt: skip


def test_a_table_is_set_up_once() -> None:
    """A game that exists is not created again."""
    created().when(creation(), by=HOST).then_refused(errors.GameStartedAlready)


@pytest.mark.parametrize(
    "changed",
    [
        {"system": "extended"}, {"players": 4}, {"options": {}}, {"options": DEFAULTS | {"start_seat": 1}},
        {"options": DEFAULTS | {"start_seat": False}}, {"options": DEFAULTS | {"deal": 6}},
        {"catalogue": "0" * 64},
    ],
    ids=str,
)  # fmt: skip
def test_the_command_asks_for_the_rules_that_the_table_is_played_by(changed: dict[str, object]) -> None:
    """What the recorded command says and what the game is pinned to are the same."""
    Given(classic_rules(), INITIAL_STATE).when(creation(**changed), by=HOST).then_refused(
        errors.RulesMismatch
    )


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 6, 7])
def test_classic_is_played_by_three_to_five(players: int) -> None:
    """Bohnanza (104), title: 3 to 5 players."""
    with pytest.raises(errors.WrongPlayers):
        classic_rules(players)


def test_classic_is_the_same_for_three_four_and_five() -> None:
    """Bohnanza (104): the booklet makes no difference by the number of players."""
    three, four, five = (classic_rules(players) for players in (3, 4, 5))
    assert three.setup == four.setup == five.setup
    assert three.deck == four.deck == five.deck


def test_only_rule_systems_that_exist_can_be_played() -> None:
    """Also a version that is not installed is refused."""
    assert system_named("classic", 1) is system_named("classic")
    for key, version in (("poker", None), ("classic", 2), ("", None)):
        with pytest.raises(errors.UnknownSystem):
            system_named(key, version)


@pytest.mark.parametrize(
    ("system", "players", "name"),
    [
        ("classic", 3, "duplicate_fields"), ("classic", 3, ""), ("classic", 3, "Bean_protection"),
        ("extended", 3, "phase1_distinct_fields"), ("bean-duel", 2, "phase1_distinct_fields"),
    ],
)  # fmt: skip
def test_an_option_that_the_system_does_not_have_is_refused(system: str, players: int, name: str) -> None:
    """Rules of the house: no option is ignored."""
    with pytest.raises(errors.UnknownOption):
        rules_of(system, players, {name: True})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bean_protection", "none"), ("bean_protection", 1), ("start_seat", 3), ("start_seat", -1),
        ("start_seat", True), ("start_seat", False), ("start_seat", "0"), ("start_seat", "seats"),
    ],
)  # fmt: skip
def test_an_option_has_one_of_its_values(name: str, value: str | int) -> None:
    """Rules of the house: nothing else, and true is not 1."""
    with pytest.raises(errors.BadOption):
        rules_for(system_named("classic"), 3, {name: value}, CATALOGUE)


def test_a_deck_must_be_large_enough_to_deal_from() -> None:
    """Rules of the house: after dealing five cards each something must be left to draw."""
    system = system_named("classic")
    with pytest.raises(errors.WrongPlayers):
        rules_for(system, 5, {}, all_different(25))
    assert len(rules_for(system, 5, {}, all_different(26)).deck) == 26


# --- seats -------------------------------------------------------------------------------------------------


def test_a_seat_is_taken() -> None:
    """The host seats a person with a seed of their own, or a bot with its name and seed."""
    created().when(human(1, seed="my-seed"), by=HOST).then(e.SeatTaken(1, "Ann", "human", seed="my-seed"))
    created().when(c.TakeSeat(2, "Bob", "bot", "greedy", "77"), by=HOST).then(
        e.SeatTaken(2, "Bob", "bot", "greedy", "77")
    )


@pytest.mark.parametrize("seat", [-1, 3])
def test_only_seats_of_the_table_can_be_taken(seat: int) -> None:
    """Three players have seats 0 to 2."""
    created().when(human(seat), by=HOST).then_refused(errors.NoSuchSeat)


def test_a_seat_is_taken_once() -> None:
    """Nobody is displaced."""
    created().when(human(1), by=HOST).then_among_others().when(human(1, "Eve"), by=HOST).then_refused(
        errors.SeatOccupied
    )


@pytest.mark.parametrize(
    "command",
    [
        human(0, ""), human(0, "  "), human(0, "x" * 41), human(0, "a\nb"), human(0, "\ud800"),
        human(0, kind="robot"), human(0, kind=""), human(0, kind="bot"), human(0, bot="greedy"),
        human(0, kind="bot", bot="two words"), human(0, kind="bot", bot="\ud800"),
        human(0, kind="bot", bot="x" * 129),
        human(0, seed="x" * 129), human(0, seed="two words"), human(0, seed="é"),
        c.TakeSeat(0, "Bob", "bot", "greedy", bot_seed="\ud800"), c.TakeSeat(0, "Ann", "human", bot_seed="77"),
    ],
    ids=ascii,
)  # fmt: skip
def test_names_kinds_and_seeds_are_checked(command: c.TakeSeat) -> None:
    """A name can be shown; a kind is human or bot, a bot has a name; seeds are printable ASCII."""
    created().when(command, by=HOST).then_refused(errors.BadName)


def test_nobody_sits_down_before_the_table_stands_or_after_the_start() -> None:
    """Seats are taken between the creation and the start."""
    Given(classic_rules(), INITIAL_STATE).when(human(0), by=HOST).then_refused(errors.GameNotStarted)
    table, _ = new_game()
    Given(table.rules, table.state).when(human(0), by=HOST).then_refused(errors.GameStartedAlready)


def test_players_wait_for_the_start() -> None:
    """Bohnanza (104), preparations: cards are dealt when everybody is there."""
    table = created()
    for state in (INITIAL_STATE, table.state):
        Given(table.rules, state).when(c.Say("hello"), by=0).then_refused(errors.GameNotStarted)


# --- the deal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("start", [0, 2])
def test_hands_of_five_are_dealt_from_the_starting_player_on(players: int, start: int) -> None:
    """Bohnanza (104), preparations: five cards each; house: hand by hand, the first card at the front."""
    table, log = new_game(players, {"start_seat": start})
    pile = next(entry for entry in _events(log) if isinstance(entry, e.PileShuffled)).order
    order = [(start + step) % players for step in range(players)]
    assert [entry.seat for entry in _events(log) if isinstance(entry, e.HandDealt)] == order
    for place, seat in enumerate(order):
        assert table.state.seats[seat].hand == tuple(enumerate(pile[5 * place : 5 * place + 5], 1))
    assert table.state.draw_pile == pile[5 * players :]
    assert (table.state.active, table.state.turn, table.state.phase) == (start, 1, "plant")
    assert all(seat.fields == ((), ()) for seat in table.state.seats)


def test_a_random_starting_seat_follows_from_the_secret() -> None:
    """Rules of the house: drawn by the dealer, so with different secrets every seat begins some time."""
    starts = {
        new_game(5, {"start_seat": "random"}, secret=f"{n:064x}")[0].state.start_seat for n in range(40)
    }
    assert starts == {0, 1, 2, 3, 4}


def test_a_stored_game_is_opened_by_the_rules_it_is_pinned_to() -> None:
    """Folding the log from the start gives the same table."""
    table, log = new_game(4, {"bean_protection": "strict"})
    assert open_table(log, SECRET, lambda _hash: CATALOGUE) == table
    assert table.rules.options["bean_protection"] == "strict"


def test_a_game_cannot_be_set_up_against_the_rules() -> None:
    """What the rule system refuses is refused before anything is recorded."""
    with pytest.raises(errors.WrongPlayers):
        new_table("g", "classic", 2, options={}, catalogue=CATALOGUE, secret=SECRET, at=0)


@pytest.mark.parametrize("seat", [-3, -2, -1, 3, 99])
def test_nobody_but_the_seats_of_the_table_has_legal_commands(seat: int) -> None:
    """The dealer, the host, spectators and seats that do not exist have none."""
    table, _ = new_game(3)
    assert legal_commands(table.rules, table.state, seat) == []
    if seat not in (-1, -2):
        Given(table.rules, table.state).when(c.Say("hello"), by=seat).then_refused(errors.NoSuchSeat)


def _events(log: list[RecordedEvent]) -> list[e.DomainEvent]:
    return [decode_event(entry) for entry in log]


def test_the_initial_state_is_empty() -> None:
    """Every game begins with the same nothing."""
    assert GameState() == INITIAL_STATE


# --- programs and patience ---------------------------------------------------------------------------------


def test_a_program_sits_down_with_its_name_and_version() -> None:
    """A rule of the house: lists and ratings can tell it from people, and from the bots that the service plays."""
    created().when(
        c.TakeSeat(0, "North", "program", program="bean-counter", program_version="1.4"), by=HOST
    ).then(e.SeatTaken(0, "North", "program", program="bean-counter", program_version="1.4"))


@pytest.mark.parametrize(
    "taking",
    [
        c.TakeSeat(0, "North", "program"),
        c.TakeSeat(0, "North", "program", program="bean-counter"),
        c.TakeSeat(0, "North", "program", program_version="1.4"),
        c.TakeSeat(0, "North", "program", bot="greedy", program="bean-counter", program_version="1.4"),
        c.TakeSeat(0, "North", "human", program="bean-counter", program_version="1.4"),
        c.TakeSeat(0, "North", "program", program="bean\ncounter", program_version="1.4"),
        c.TakeSeat(0, "North", "program", program="b" * 41, program_version="1.4"),
    ],
)
def test_only_a_program_has_a_name_and_a_version_of_it(taking: c.TakeSeat) -> None:
    """And it has both, readable, with 40 characters at most."""
    created().when(taking, by=HOST).then_refused(errors.BadName)


def test_a_table_says_how_long_bots_wait() -> None:
    """A rule of the house: seconds for people and for programs stand in the first event."""
    (event,) = decide(classic_rules(), INITIAL_STATE, HOST, creation(people_patience=5, program_patience=0))
    assert isinstance(event, e.GameCreated)
    assert (event.people_patience, event.program_patience) == (5, 0)


@pytest.mark.parametrize("seconds", [-1, 601])
def test_nobody_is_waited_for_longer_than_ten_minutes(seconds: int) -> None:
    """Nor for less than nothing."""
    with pytest.raises(errors.BadOption):
        decide(classic_rules(), INITIAL_STATE, HOST, creation(people_patience=seconds))
    with pytest.raises(errors.BadOption):
        decide(classic_rules(), INITIAL_STATE, HOST, creation(program_patience=seconds))


@pytest.mark.parametrize(
    "dealing",
    [
        *(Dealing(1, "spring-1"), Dealing(3, "spring-1")),
        *(Dealing(2, ""), Dealing(2, "two words"), Dealing(2, "x" * 129)),
    ],
)
def test_a_dealing_that_nobody_knows_is_refused(dealing: Dealing) -> None:
    """A game of a duplicate round names version 2 and the round's seed; every other one names none."""
    with pytest.raises(errors.BadDealing) as refused:
        _of_round(dealing)
    assert ("version 2" if dealing.version != 2 else "1 to 128") in str(refused.value)


def test_no_seat_of_a_round_brings_a_seed() -> None:
    """It would change nothing, so it is refused rather than left out."""
    table = _of_round(Dealing(2, "spring-1"))

    with pytest.raises(errors.SeedNotTaken):
        table.submit(HOST, c.TakeSeat(0, "Ann", "human", seed="mine"), 2)
    assert table.submit(HOST, c.TakeSeat(0, "Ann", "human"), 2)[0].state.seats[0].name == "Ann"


def _of_round(dealing: Dealing) -> Table:
    table, _ = new_table(
        "g", "classic", 3, options={}, catalogue=CATALOGUE, secret=SECRET, at=0, dealing=dealing
    )
    return table


def test_tables_that_are_set_up_alike_share_their_rules() -> None:
    """A process that knows a thousand games keeps them once; what is equal and not the same is told apart."""
    classic = system_named("classic")
    one = rules_for(classic, 4, {"start_seat": 1}, CATALOGUE)
    assert rules_for(classic, 4, {"start_seat": 1}, CATALOGUE) is one
    assert rules_for(classic, 4, {"start_seat": 1, **one.options}, CATALOGUE) is one
    assert rules_for(classic, 4, {}, CATALOGUE) is rules_for(classic, 4, DEFAULTS, CATALOGUE)
    assert rules_for(classic, 5, {"start_seat": 1}, CATALOGUE) is not one
    assert rules_for(classic, 4, {"start_seat": 1}, all_different(40)) is not one
    for wrong in (True, [1]):
        with pytest.raises(errors.BadOption):
            rules_for(classic, 4, {"start_seat": wrong}, CATALOGUE)  # type: ignore[dict-item]
