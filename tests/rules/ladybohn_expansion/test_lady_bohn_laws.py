"""The laws again with a deck full of make-up beans and ladies, so that levies, choices and promises abound."""

from collections import Counter
from functools import cache
from typing import get_args

import pytest

from events import commands as c
from events.codec import decode_event
from events.disclosure import ALL, PUBLIC, form_for, viewer_name
from events.domain_events import DomainEvent
from events.domain_events.lady_bohn import LADY_BOHN
from events.hash_chain import GENESIS, link
from events.redacted import event_in
from events.rules import errors
from events.rules.decide import play
from events.rules.evolve import evolve
from events.rules.forms import matches
from events.rules.legal import legal_commands
from events.rules.player_view import player_view
from events.rules.state import INITIAL_STATE
from replay.verify import verify_lines
from tests.laws.decks import make_up_deck
from tests.rules.ladybohn_expansion.tables import SYSTEM
from tests.support.recorded_games import RecordedGame
from tests.support.strategies import Dice, Opening, Step, any_command, fill, opening, play_on
from tests.support.tables import all_cards, is_offered

GAMES = [(players, seed) for players in (3, 4, 5) for seed in range(2)]
every_game = pytest.mark.parametrize(("players", "seed"), GAMES)


@cache
def played(players: int, seed: int) -> tuple[Opening, list[Step]]:
    """A random game with this deck: how it began, and every command."""
    begun = opening(f"make-up {seed}", players, {}, make_up_deck(), system=SYSTEM)
    return begun, list(play_on(begun.table, Dice(f"{players} {seed}")))


def happened(players: int, seed: int) -> list[DomainEvent]:
    """What happened in that game."""
    return [decode_event(entry) for step in played(players, seed)[1] for entry in step.entries]


def test_everything_that_can_happen_happens() -> None:
    """In these games every event of the expansion occurs; fans are laid out before."""
    kinds = Counter(type(event) for game in GAMES for event in happened(*game))
    rare = {kind.__name__ for kind in get_args(LADY_BOHN) if not kinds[kind]}
    assert rare == {"FanLaidOut"}
    assert {type(step.command) for game in GAMES for step in played(*game)[1]} >= {
        c.Levy, c.ChooseFan, c.SwapHand
    }  # fmt: skip


@every_game
def test_what_is_listed_is_accepted_and_everything_else_is_refused(players: int, seed: int) -> None:
    """Exactness both ways, in every tenth state and in all those with a choice or a levy."""
    dice = Dice(f"exact {players} {seed}")
    for step in played(players, seed)[1]:
        rules, state = step.after.rules, step.after.state
        if state.phase not in {"fans", "levy"} and not dice.chance(10):
            continue
        for seat in range(players):
            choices = legal_commands(rules, state, seat)
            for choice in choices:
                filled = choice if isinstance(choice, c.Command) else fill(choice, dice)
                assert isinstance(choice, c.Command) or matches(choice, filled)
                play(rules, state, seat, filled)
            for kind in get_args(c.SEAT_COMMANDS):
                command = any_command(kind, state, seat, dice)
                try:
                    play(rules, state, seat, command)
                    accepted = True
                except errors.RuleViolation:
                    accepted = False
                assert accepted == is_offered(choices, command), command


@every_game
def test_cards_are_conserved(players: int, seed: int) -> None:
    """No card appears, vanishes or changes."""
    begun, steps = played(players, seed)
    deck = Counter(begun.table.rules.deck)
    for step in steps:
        assert all_cards(step.after.state) == deck


@every_game
def test_every_viewer_folds_the_same_view_and_chain(players: int, seed: int) -> None:
    """The view of the whole state is that of the viewer's own log, at every version; the chain is one."""
    begun, steps = played(players, seed)
    log = begun.log + [entry for step in steps for entry in step.entries]
    for viewer in (PUBLIC, players - 1):
        whole = filtered = INITIAL_STATE
        for entry in log:
            whole = evolve(whole, decode_event(entry))
            filtered = evolve(filtered, event_in(form_for(entry, begun.table.key, viewer).entry))
            assert player_view(whole, viewer) == player_view(filtered, viewer), f"version {entry.version}"
    head = GENESIS
    for entry in log:
        head = link(head, form_for(entry, begun.table.key, PUBLIC).entry)
        assert head == entry.hash


@every_game
def test_records_verify_in_every_scope(players: int, seed: int) -> None:
    """Whole, public and a seat's: swapped hands and levies make sense to every viewer."""
    begun, steps = played(players, seed)
    log = tuple(begun.log + [entry for step in steps for entry in step.entries])
    game = RecordedGame(steps[-1].after, log)
    for viewer in (ALL, PUBLIC, 1):
        report = verify_lines(game.record(viewer))
        assert not report.findings, (viewer_name(viewer), report.findings)
        assert report.status == "finished"
