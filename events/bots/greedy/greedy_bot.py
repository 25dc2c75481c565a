"""A bot that plays sensibly: it does whatever gains most by its own valuation, without looking ahead.

It is a table from phase to play. In a phase that it does not know it does nothing, and the driver moves the
game on.
"""

import random
from collections.abc import Mapping

from events import commands as c
from events.bots.greedy.answering import answer, unanswered_offers
from events.bots.greedy.bargains import Bargaining
from events.bots.greedy.in_varieties import in_varieties
from events.bots.greedy.manners import may_speak_up, must_wait
from events.bots.greedy.offering import gift_to_offer, offer_off_turn, trade_to_offer
from events.bots.greedy.planting import harvest_full_field, plant_aside, plant_from_hand
from events.bots.greedy.sexes import move_miss, sold_female, with_sexes
from events.bots.situation import Play, Situation
from events.bots.systems.bean_duel import discard_from_hand
from events.bots.systems.ladybohn_expansion.fans_and_levies import swap_hand
from events.rules.rooms import modules_in


def play_greedily(situation: Situation, _chance: random.Random) -> c.Command | None:
    """The play of the phase; first of all, a field that can grow no dearer is sold."""
    return play_by(PLAYS, situation)


def play_by(plays: Mapping[str, Play], situation: Situation) -> c.Command | None:
    """As `play_greedily`, with what is to be done in each phase."""
    whole_game = GAMES.get(situation.rules.system.key)
    if whole_game is not None:
        return whole_game(situation)
    play = plays.get(situation.view["phase"])
    if play is None:
        return None
    thought = in_varieties(situation)
    if (move := move_miss(situation)) is not None:
        return move
    if situation.awaited:
        harvest = harvest_full_field(thought) or sold_female(situation, thought)
        if harvest is not None:
            return with_sexes(situation, harvest)
    if (swap := swap_hand(thought)) is not None:
        return swap
    return with_sexes(situation, play(thought))


def trade(situation: Situation) -> c.Command | None:
    """Phase 2: answers come first, then own offers, then gifts; at last the active player ends trading."""
    unanswered = unanswered_offers(situation)
    if unanswered:
        return answer(Bargaining(situation), unanswered)
    if not situation.active:
        return offer_off_turn(Bargaining(situation)) if may_speak_up(situation) else None
    bargaining = Bargaining(situation)
    if (offer := trade_to_offer(bargaining)) is not None:
        return offer
    return None if must_wait(situation) else gift_to_offer(bargaining) or c.EndTrading()


def plant(situation: Situation) -> c.Command | None:
    """Phase 1; where the rules let a hand card be thrown away afterwards, that may be worth it."""
    chosen = plant_from_hand(situation)
    return (discard_from_hand(situation) if chosen == c.Reveal() else None) or chosen


def reveal(_situation: Situation) -> c.Command:
    """Phase 2 begins."""
    return c.Reveal()


def draw(_situation: Situation) -> c.Command:
    """Phase 4."""
    return c.Draw()


_ROOMS = tuple(modules_in("events.bots.systems"))
PLAYS: Mapping[str, Play] = {
    "plant": plant,
    "reveal": reveal,
    "trade": trade,
    "plant_aside": plant_aside,
    "draw": draw,
} | {phase: play for room in _ROOMS for phase, play in getattr(room, "PLAYS", {}).items()}
"""What to do in each phase: those that several games have, and those of each module in `events.bots.systems`."""
GAMES: Mapping[str, Play] = {
    system: play for room in _ROOMS for system, play in getattr(room, "GAMES", {}).items()
}
"""How the rule systems are played that have a play of their own, by their keys."""
