"""One game of the sweep: played from its seed, with every law checked on the way.

Five kinds of games. In `random` ones every command can come that plays, in `leavers` ones people leave, come back and
offer to end the game besides, in `greedy` ones the greedy bots play; all with the shipped deck. In `made-up` ones the
play is random and the deck made up: where no card is twice, the bytes that leave are searched for hidden cards. In
`clocked` ones (`clocked.py`) time runs out, too. The seed decides about everything, so the same game can be checked
again alone.

A game in which somebody waited for has nothing to send does not end, and that is a finding; whether they have
is asked besides in the states that are examined.
"""

import hashlib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace

from events import commands as c
from events.bots.memory import BotMemory
from events.domain_events import DomainEvent
from events.game.bot_driver import next_bot_command
from events.game.dealing import dealers_command
from events.game.table import Table, new_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.decide import play
from events.rules.evolving.evolve import evolve
from events.rules.move import DEALER, HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import GameState
from tests.laws.book import EVENT_LAWS, STATE_LAWS
from tests.laws.clocked import check_clocked
from tests.laws.decks import made_up_decks, no_card_is_twice_in
from tests.laws.exactness import what_is_listed_and_nothing_else_is_accepted
from tests.laws.finishing import the_game_ends_as_it_may
from tests.laws.folding import folding_in_parts_is_folding_at_once
from tests.laws.order import whoever_is_waited_for_can_go_on
from tests.laws.secrecy import (
    a_seat_is_told_of_no_hidden_card,
    an_entry_names_no_hidden_card,
    no_view_names_a_hidden_card,
)
from tests.laws.swept import LEAVE, SHARES, Game, Outcome
from tests.support.second_verifier import SecondVerifier
from tests.support.strategies import LONGEST_GAME, Dice, Opening, bare_game, opening, play_on
from tests.support.tables import STARTED


@dataclass(frozen=True)
class Passage:
    """What one command, or the dealer's answer to it, brought about: the state before, events, the states after."""

    before: GameState
    events: list[DomainEvent]
    states: list[GameState]
    entries: tuple[RecordedEvent, ...] = ()
    command: c.Command | None = None


def check(game: Game, second: SecondVerifier | None = None) -> Outcome:
    """Play a game and check it; whatever goes wrong becomes the outcome's finding.

    A game by the clock is also read by the second verifier.
    """
    outcome = Outcome(game)
    try:
        if game.play == "clocked":
            assert second is not None, "a game by the clock is read by the second verifier, too"
            check_clocked(game, outcome, second)
        else:
            _check(game, outcome)
    except Exception as error:  # noqa: BLE001 - every exception in a game is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        outcome.finding = f"{type(error).__name__} in {place.name} (line {place.lineno}): {error}"
    return outcome


def _check(game: Game, outcome: Outcome) -> None:
    begun = _opening(game)
    rules, dice = begun.table.rules, Dice(f"examine {game}")
    unlike = game.play == "made-up" and no_card_is_twice_in(rules.catalogue)
    events = [decode_event(entry) for entry in begun.log]
    outcome.events = len(events)
    played, states = [*events], [GameState()] * 0
    state = begun.table.state
    for passage in _passages(game, begun):
        outcome.commands += 1
        for event, after in zip(passage.events, passage.states, strict=True):
            outcome.events += 1
            for law in EVENT_LAWS:
                law(rules, state, event, after)
            state = after
        played += passage.events
        states += passage.states
        if state.due is not None:
            continue
        outcome.states += 1
        for rule in STATE_LAWS:
            rule(rules, state)
        if dice.below(1000) < SHARES[game.play]:
            outcome.examined += 1
            whoever_is_waited_for_can_go_on(rules, state)
            for seat in range(rules.players):
                what_is_listed_and_nothing_else_is_accepted(rules, state, seat, dice)
            if unlike:
                _check_secrecy(begun.table, passage, dice)
    the_game_ends_as_it_may(rules, played, state)
    cut = dice.below(len(states) + 1)
    folding_in_parts_is_folding_at_once(begun.table.state, played[len(events) :], states, cut)


def _check_secrecy(table: Table, passage: Passage, dice: Dice) -> None:
    state = passage.states[-1]
    if state.status != "running":
        return
    no_view_names_a_hidden_card(table.rules, state, table.secret)
    a_seat_is_told_of_no_hidden_card(table.rules, state, dice.below(table.rules.players), dice)
    wanted = {*getattr(passage.command, "want", ()), getattr(passage.command, "variety", "")}
    before = passage.before
    for entry, after in zip(passage.entries, passage.states, strict=True):
        an_entry_names_no_hidden_card(entry, table.key, before, after, wanted)
        before = after


# --- playing -----------------------------------------------------------------------------------------------


def _opening(game: Game) -> Opening:
    if game.play == "greedy":
        return _seated_bots(game)
    decks = made_up_decks(game.system, game.players) if game.play == "made-up" else (None,)
    deck = decks[game.seed % len(decks)]
    return opening(game, game.players, game.options, deck, system=game.system)


def _seated_bots(game: Game) -> Opening:
    catalogue = shipped_catalogue(system_named(game.system).catalogue)
    secret = hashlib.sha256(f"secret {game}".encode()).hexdigest()
    table, log = new_table(
        "game",
        game.system,
        game.players,
        options=game.options,
        catalogue=catalogue,
        secret=secret,
        at=STARTED,
    )
    for seat in range(game.players):
        loaded = c.TakeSeat(seat, f"bot {seat}", "bot", "greedy", f"bot-{game.seed}-{seat}")
        table, entries = table.submit(HOST, loaded, STARTED + 1 + seat)
        log += entries
    return Opening(table, log)


def _passages(game: Game, begun: Opening) -> Iterator[Passage]:
    if game.play == "made-up":
        return _recorded(begun, game)
    return _greedy(begun) if game.play == "greedy" else _random(begun, game)


def _random(begun: Opening, game: Game) -> Iterator[Passage]:
    before = begun.table.state
    for move in bare_game(begun.table, game, LEAVE if game.play == "leavers" else 0):
        yield Passage(before, move.events, move.states)
        before = move.state


def _recorded(begun: Opening, game: Game) -> Iterator[Passage]:
    """Random play with its log, as it is needed to see what leaves."""
    for step in play_on(begun.table, Dice(game)):
        events, states, state = [decode_event(entry) for entry in step.entries], [], step.before.state
        for event in events:
            state = evolve(state, event)
            states.append(state)
        yield Passage(step.before.state, events, states, tuple(step.entries), step.command)


def _greedy(begun: Opening) -> Iterator[Passage]:
    """The greedy bots among themselves, without log and hashes."""
    table, memory = begun.table, BotMemory().follow(map(decode_event, begun.log))
    for _ in range(LONGEST_GAME):
        if table.state.due is not None:
            dealt = dealers_command(table.rules, table.state, table.secret)
            move = play(table.rules, table.state, DEALER, dealt)
        elif table.state.status == "running":
            step = next_bot_command(table, memory, alone=True)
            assert step is not None, "no bot has anything to do, and the game is not over"
            move = play(table.rules, table.state, *step)
        else:
            return
        yield Passage(table.state, move.events, move.states)
        memory = memory.follow(move.events)
        table = replace(table, state=move.state, version=table.version + len(move.events))
    raise AssertionError(f"a game between greedy bots has not ended after {LONGEST_GAME} commands")
