"""The laws again with a deck full of make-up beans and ladies, so that levies, choices and promises abound."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import get_args

import pytest

from events import commands as c
from events import domain_events as e
from events.chain.hash_chain import GENESIS, link
from events.domain_events import DomainEvent
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC, form_for, viewer_name
from events.log.redacted import event_in
from events.rules import errors
from events.rules.decide import play
from events.rules.definition.forms import matches
from events.rules.evolving.evolve import evolve
from events.rules.legal import legal_commands
from events.rules.systems.ladybohn_expansion.domain_events import LADYBOHN_EXPANSION
from events.rules.systems.ladybohn_expansion.fans import fans_of
from events.rules.table.player_view import player_view
from events.rules.table.state import INITIAL_STATE, GameState
from replay.verification.verify import verify_lines
from tests.events.rules.ladybohn_expansion.tables import SYSTEM, cards_of
from tests.laws.decks import make_up_deck
from tests.support.recorded_games import RecordedGame
from tests.support.strategies import Dice, Opening, Step, any_command, fill, opening, play_on
from tests.support.tables import all_cards, is_offered

GAMES = [(players, seed) for players in (3, 4, 5) for seed in range(2)]
THIRD_FIELDS = (e.ThirdFieldBought, e.ThirdFieldWon)
every_game = pytest.mark.parametrize(("players", "seed"), GAMES)


@cache
def played(players: int, seed: int) -> tuple[Opening, list[Step]]:
    """A random game with this deck: how it began, and every command."""
    begun = opening(f"make-up {seed}", players, {}, make_up_deck(), system=SYSTEM)
    return begun, list(play_on(begun.table, Dice(f"{players} {seed}")))


def happened(players: int, seed: int) -> list[DomainEvent]:
    """What happened in that game."""
    return [decode_event(entry) for step in played(players, seed)[1] for entry in step.entries]


def walked(players: int, seed: int) -> Iterator[tuple[GameState, DomainEvent, GameState]]:
    """What happened in that game, each event between the tables before and after it."""
    state = played(players, seed)[0].table.state
    for event in happened(players, seed):
        after = evolve(state, event)
        yield state, event, after
        state = after


def test_everything_that_can_happen_happens() -> None:
    """In these games every event of the expansion occurs; fans are laid out before."""
    kinds = Counter(type(event) for game in GAMES for event in happened(*game))
    rare = {kind.__name__ for kind in get_args(LADYBOHN_EXPANSION) if not kinds[kind]}
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


@every_game
def test_fans_keep_their_sizes(players: int, seed: int) -> None:
    """The fans: six and four cards, except while a fan is chosen; a swap changes nothing else."""
    for step in played(players, seed)[1]:
        fans = fans_of(step.after.state)
        assert step.after.state.phase == "fans" or [*map(len, fans)] == [6, 4]
    for before, event, after in walked(players, seed):
        if isinstance(event, e.HandSwapped):
            fan, hand = fans_of(before)[event.fan], cards_of(before.seats[event.seat].hand)
            assert (fans_of(after)[event.fan], cards_of(after.seats[event.seat].hand)) == (hand, fan)
            assert (after.phase, after.planted) == (before.phase, before.planted)


@every_game
def test_the_first_third_field_is_the_quota_field_and_no_other(players: int, seed: int) -> None:
    """The third bean field: taken right after the first third field of the game, by the same player."""
    events = happened(players, seed)
    third = [number for number, event in enumerate(events) if isinstance(event, THIRD_FIELDS)]
    taken = [number for number, event in enumerate(events) if isinstance(event, e.QuotaFieldTaken)]
    assert taken == [number + 1 for number in third[:1]]
    for before, after in pairwise(events):
        if isinstance(after, e.QuotaFieldTaken):
            assert isinstance(before, THIRD_FIELDS)
            assert before.seat == after.seat


@every_game
def test_levies_and_promises_are_kept_account_of(players: int, seed: int) -> None:
    """Each levy was earned and is taken at the end of a turn of its owner; each promise spares one levy."""
    levies, promises, party = Counter[int](), Counter[tuple[int, int]](), {-1}
    for before, event, _ in walked(players, seed):
        if isinstance(event, e.TradeMade):
            party = {event.active, event.partner}
        elif isinstance(event, e.LevyPromised):
            assert {event.seat, event.to} == party
            promises[event.seat, event.to] += 1
        elif isinstance(event, e.LevyEarned):
            levies[event.seat] += 1
        elif isinstance(event, e.TurnBegan):
            assert not levies[before.active]
        elif isinstance(event, e.CoinsLevied):
            levies[event.seat] -= 1
            assert levies[event.seat] >= 0
            assert event.final or (event.seat == before.active and before.phase in {"draw", "levy"})
            assert {*event.spared} == {
                to for (seat, to), open_ in promises.items() if seat == event.seat and open_
            }
            assert not {*event.payers, event.seat} & {*event.spared}
            promises.subtract((event.seat, to) for to in event.spared)
            _check_payers(before, event)
    assert not any(levies.values())


def _check_payers(before: GameState, event: e.CoinsLevied) -> None:
    assert len({*event.payers}) == len(event.payers) <= 3
    for payer in event.payers:
        assert before.seats[payer].coins
        assert not any("make_up_female" in field for field in before.seats[payer].fields)
