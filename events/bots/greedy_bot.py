"""A bot that plays sensibly: it does whatever gains most by its own valuation, without looking ahead.

It is a table from phase to play. In a phase that it does not know it does nothing, and the driver moves the
game on.
"""

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

from events import commands as c
from events.bots.answering import answer, unanswered_offers
from events.bots.bargains import Bargaining
from events.bots.duelling import play_duel
from events.bots.in_varieties import in_varieties
from events.bots.lady_bohn import choose_fan, levy, swap_hand
from events.bots.manners import may_speak_up, must_wait
from events.bots.offering import gift_to_offer, offer_off_turn, trade_to_offer
from events.bots.open_cards import discard_from_hand, discard_or_reveal, play_offered, play_revealed
from events.bots.planting import harvest_full_field, plant_aside, plant_from_hand
from events.bots.sexes import moved_miss, sold_female, with_sexes
from events.bots.situation import Situation


def play_greedily(situation: Situation, _chance: random.Random) -> c.Command | None:
    """The play of the phase; first of all, a field that can grow no dearer is sold."""
    if "duel" in situation.view:
        return play_duel(situation)
    play = PLAYS.get(situation.view["phase"])
    if play is None:
        return None
    thought = in_varieties(situation)
    if (move := moved_miss(situation)) is not None:
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


PLAYS: Mapping[str, Callable[[Situation], c.Command | None]] = MappingProxyType(
    {
        "plant": plant,
        "reveal": reveal,
        "trade": trade,
        "plant_aside": plant_aside,
        "draw": draw,
        "fans": choose_fan,
        "levy": levy,
        "offered": play_offered,
        "discard": discard_or_reveal,
        "plant_revealed": play_revealed,
    }
)
"""What to do in each phase."""
