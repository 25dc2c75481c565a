"""The driver: who is asked in which order, waiting for people, and that the game always goes on."""

import random
from dataclasses import replace
from types import MappingProxyType

import msgspec
import pytest

import events.bots
from events import commands as c
from events import domain_events as e
from events.bots import BOTS, choose
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.commands.leaving import LEAVING
from events.game.bot_driver import expected_seats, next_bot_command, situation_of
from events.game.table import Table, new_table
from events.log.codec import decode_event
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.table.waiting import waiting_for
from tests.events.bots.games import GREEDY_ONLY, MIXED, played
from tests.events.bots.situations import moments


def _seated(*kinds: str) -> tuple[Table, BotMemory]:
    """A started game with these bots; `human` stands for a person, `program` for one of somebody else."""
    table, _ = new_table(
        "game",
        "classic",
        len(kinds),
        options={},
        catalogue=shipped_catalogue("bohnanza-104"),
        secret="5eed" * 16,
        at=1,
    )
    memory = BotMemory()
    for seat, kind in enumerate(kinds):
        name = f"player {seat}"
        loaded = {
            "human": c.TakeSeat(seat, name, "human"),
            "program": c.TakeSeat(seat, name, "program", program="bean-counter", program_version="1.4"),
        }.get(kind, c.TakeSeat(seat, name, "bot", kind, f"seed-{seat}"))
        table, entries = table.submit(HOST, loaded, 1)
        memory = memory.follow(map(decode_event, entries))
    return table, memory


def _silent(_situation: Situation, _chance: random.Random) -> None:
    """A bot that never does anything."""


def test_seeds_are_remembered_from_the_seats() -> None:
    """Each bot's seed is in the event with which it sat down."""
    _, memory = _seated("greedy", "human", "random")
    assert memory.bot_seeds == {0: "seed-0", 2: "seed-2"}


def test_nobody_is_asked_while_a_person_has_to_act() -> None:
    """In phase 1 only the active player acts."""
    table, memory = _seated("human", "greedy", "random")
    assert next_bot_command(table, memory, alone=True) is None


def test_a_finished_game_asks_nobody() -> None:
    """After the end there is nothing to do."""
    table, _ = played(GREEDY_ONLY[0])
    assert next_bot_command(table, BotMemory(), alone=True) is None


def test_in_trading_the_others_are_asked_before_the_active_player() -> None:
    """Whoever answers does so from the active player's left; the active player's bot goes last."""
    asked: list[int] = []

    def listening(situation: Situation, _chance: random.Random) -> c.Command | None:
        asked.append(situation.seat)
        return None

    table = next(table for table, _ in moments(GREEDY_ONLY[1], every=1) if table.state.phase == "trade")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events.bots, "BOTS", MappingProxyType({"greedy": listening}))
        next_bot_command(table, BotMemory(), alone=False)
    assert asked == [(table.state.active + step) % 4 for step in (1, 2, 3, 0)]


def test_a_table_of_silent_bots_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bots have nothing to say, the simplest command that moves the game on is played for them."""
    monkeypatch.setattr(events.bots, "BOTS", MappingProxyType({"silent": _silent}))
    table, memory = _seated("silent", "silent", "silent")
    commands = 0
    while (step := next_bot_command(table, memory, alone=False)) is not None:
        table, _ = table.submit(*step, 1)
        commands += 1
    assert table.state.status == "finished"
    assert commands < 1_000


@pytest.mark.parametrize("seating", [*GREEDY_ONLY[:3], *MIXED[:3]], ids=lambda each: str(each[1]))
def test_a_bot_that_is_waited_for_acts_when_alone(seating: tuple[tuple[str, ...], str]) -> None:
    """The bots themselves see to it that the game goes on; the driver's own move is never needed."""
    for table, memory in moments(seating, every=3):
        for seat in waiting_for(table.state):
            situation = situation_of(table, memory, seat, alone=True)
            assert (
                choose(table.state.seats[seat].bot, situation, memory.bot_seeds[seat], table.version)
                is not None
            )


@pytest.mark.parametrize("seed", range(6))
def test_a_game_with_a_person_ends(seed: int) -> None:
    """A person who plays anything, slowly, and is never ready: the bots wait for answers, and go on without."""
    chance = random.Random(seed)
    table, memory = _seated("greedy", "human", "random", "greedy")
    waited = commands = 0
    while table.state.status == "running":
        step = next_bot_command(table, memory, alone=False)
        if step is None and 1 not in waiting_for(table.state) and chance.random() < 0.5:
            step = next_bot_command(table, memory, alone=True)
            assert step is not None
            waited += 1
        if step is None:
            legal = [
                each
                for each in legal_commands(table.rules, table.state, 1)
                if isinstance(each, c.Command) and not isinstance(each, c.Ready | LEAVING)
            ]
            if not legal:
                continue
            step = 1, chance.choice(legal)
        table, entries = table.submit(*step, 1)
        memory = memory.follow(map(decode_event, entries))
        commands += 1
    assert waited > 10
    assert commands < 2_500


def test_the_same_situation_always_gives_the_same_command() -> None:
    """The choice follows from the recorded seed and the version, not from the moment of asking."""
    table, memory = _seated("random", "random", "random")
    first, second = (next_bot_command(table, memory, alone=True) for _ in range(2))
    assert first == second
    assert set(BOTS) == {"random", "greedy", "lookahead"}


def test_a_memory_begins_anew_with_each_turn() -> None:
    """Yesterday's offers do not count, the seeds remain; the rest of a log is enough to rebuild it."""
    offer = e.OfferMade(1, 0, None, (4,), ("blue",))
    first = BotMemory(MappingProxyType({0: "seed"})).follow([e.TurnBegan(0, 1), offer])
    assert first.offers_by(0) == (offer,)
    second = first.follow([e.TurnBegan(1, 2), msgspec.structs.replace(offer, offer=2, seat=1)])
    assert second.offers_by(0) == ()
    assert second == replace(first, turn_events=()).follow([msgspec.structs.replace(offer, offer=2, seat=1)])


# --- who is waited for -------------------------------------------------------------------------------------


def _in_trading(*kinds: str, active: int, programs: int = 0) -> Table:
    """A table in phase 2 of this seat's turn; of kinds that are no bot's name people or programs sit there."""
    table, memory = _seated(*kinds)
    while table.state.phase != "trade" or table.state.active != active:
        actor = waiting_for(table.state)[0]
        step = next_bot_command(table, memory, alone=True) if table.state.seats[actor].bot else None
        table, _ = table.submit(*(step or (actor, _simplest(table, actor))), 1)
    return replace(table, state=msgspec.structs.replace(table.state, program_patience=programs))


def _simplest(table: Table, seat: int) -> c.Command:
    kinds = (c.EndTrading, c.Draw, c.Reveal, c.Plant, c.PlantAside, c.Harvest)
    legal = legal_commands(table.rules, table.state, seat)
    return next(each for kind in kinds for each in legal if isinstance(each, kind))


def test_bots_say_that_they_are_ready_where_somebody_else_trades() -> None:
    """A person whose turn it is sees that nobody wants anything more."""
    table = _in_trading("human", "greedy", "greedy", active=0)
    while (step := next_bot_command(table, BotMemory(), alone=False)) is not None:
        assert step[0] != 0
        table, _ = table.submit(*step, 1)
        if isinstance(step[1], c.Offer):
            table, _ = table.submit(0, c.Decline(table.state.offers[-1].number), 1)
    assert table.state.ready == (1, 2)


def test_bots_among_themselves_say_nothing_of_it() -> None:
    """Where a bot has its turn no bot is waited for."""
    table = _in_trading("greedy", "greedy", "greedy", active=0)
    step = next_bot_command(table, BotMemory(), alone=True)
    assert step is not None
    assert not isinstance(step[1], c.Ready)


def test_a_bot_waits_for_people_until_they_are_ready() -> None:
    """When all that could be asked are ready nobody waits."""
    table = _in_trading("greedy", "human", "human", active=0)
    assert expected_seats(table.state) == {1, 2}
    for seat in (1, 2):
        table, _ = table.submit(seat, c.Ready(), 1)
    assert expected_seats(table.state) == frozenset()
    memory = BotMemory()
    while table.state.phase == "trade":
        step = next_bot_command(table, memory, alone=False)
        assert step is not None
        table, entries = table.submit(*step, 1)
        memory = memory.follow(map(decode_event, entries))


@pytest.mark.parametrize(("patience", "expected"), [(0, set()), (3, {1})])
def test_programs_are_waited_for_where_the_table_has_patience_with_them(
    patience: int, expected: set[int]
) -> None:
    """By default it has none."""
    table = _in_trading("greedy", "program", "greedy", active=0, programs=patience)
    assert expected_seats(table.state) == expected
