"""What commands and events say openly is held together, and every genuine game passes."""

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.game.folding import Folding
from events.game.record import read_record
from events.log.actors import actor_number
from events.log.codec import COMMAND_TYPES
from events.log.redacted import command_in, event_in
from events.rules.table.state import INITIAL_STATE
from replay.client.sources import record_lines
from replay.records.pinned import pinned_rules
from replay.records.report import Discrepancy
from replay.verification.plausibility import open_commands
from replay.verification.plausibility.open_commands import OpenCommands
from tests.replay.verification.forging import GAME
from tests.replay.verification.test_logs import LOGS

RULES = GAME.table.rules
PLAYED_OUT = replace(INITIAL_STATE, exhaustions=RULES.setup.exhaustions)


def test_every_command_is_held() -> None:
    """None was forgotten."""
    assert {*open_commands._FIRST} == {*COMMAND_TYPES.values()}  # noqa: SLF001


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_genuine_games_pass(path: Path) -> None:
    """Each recorded game, with all that its scope shows."""
    with record_lines(str(path)) as lines:
        header, forms = read_record(lines)
        checks, rules, followed, folding = OpenCommands(), None, Counter[str](), Folding()
        for form in forms:
            event, command = event_in(form.entry), command_in(form.entry)
            rules = rules or pinned_rules(header, event)
            checks.follow(rules, actor_number(form.entry["actor"]), command, event, folding.state)
            if command is not None:
                folding.stop()
            folding.follow(event, begins=False)
            followed[form.entry["type"]] += 1
    assert followed["secret_revealed"] == 1


@pytest.mark.parametrize(
    "event",
    [
        e.FieldHarvested(0, 0, ("blue",), 0, final=True),
        e.MissMovesLapsed(2, 0),
        e.PhaseBegan("draw"),
        e.CardsDrawn(1, ("soy",)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_a_draw_may_begin_with_what_happens_to_others(event: e.DomainEvent) -> None:
    """Where nothing is left to draw the game ends with the harvest of whoever comes first, or a move lapses."""
    OpenCommands().follow(RULES, 1, c.Draw(), event, PLAYED_OUT)


TRADE = e.TradeMade(3, 1, 2, ("soy",), ("blue",), (5,), (7,), (9,))


@pytest.mark.parametrize(
    ("actor", "command", "events"),
    [
        (1, c.Draw(), [e.CardsDrawn(2, ("soy",))]),
        (1, c.Draw(), [e.BeanPlanted(1, 0, "soy")]),
        (1, c.Say("a"), [e.ReadinessWithdrawn(1), e.Talked(1, "b")]),
        (1, c.Say("a"), [e.ReadinessWithdrawn(2)]),
        (
            1,
            c.Counter(3, want={"soy": 1}),
            [e.OfferDeclined(3, 1, closed=True), e.OfferMade(4, 1, 0, (), (), (), {}, ())],
        ),
        (0, c.Accept(3), [TRADE]),
        (1, c.Accept(3, (5,), (8,)), [TRADE]),
        (1, c.Accept(3, (6,), (7,)), [TRADE]),
        (2, c.Accept(3, (5,)), [TRADE]),
        (1, c.Plant(0), [e.BeanPlanted(1, 0, "soy"), e.MissMoved(1, 0, 0, 1)]),
        (1, c.GiveFromHand(5), [e.GiftGiven(1, 0, "soy", revealed=(5,))]),
        (
            -3,
            c.RuleGame(1, "rewound", "Ada", "a", "b", 8),
            [e.RulingMade(1, "rewound", "Ada", "a", "b"), e.GameRewound(9, 1)],
        ),
    ],
)
def test_what_contradicts_is_found(actor: int, command: c.Command, events: list[e.DomainEvent]) -> None:
    """In the first event, and in those behind it that say what the command said."""
    checks = OpenCommands()
    for given, event in zip([command, *[None] * len(events)], events[:-1], strict=False):
        checks.follow(RULES, actor, given, event, INITIAL_STATE)
    with pytest.raises(Discrepancy):
        checks.follow(RULES, actor, command if len(events) == 1 else None, events[-1], INITIAL_STATE)


@pytest.mark.parametrize(("actor", "command"), [(1, c.Accept(3, (5,), (7,))), (2, c.Accept(3, (9,)))])
def test_a_trade_is_accepted_by_either_side(actor: int, command: c.Command) -> None:
    """Whose cards the acceptance names follows from whose turn it is."""
    OpenCommands().follow(RULES, actor, command, TRADE, INITIAL_STATE)
