"""Where the cards of a branch come from: the recorded deck as far as it is known, then fresh chance.

branch key    = HMAC-SHA256(key: seed, message: "fieldbook branch", the chain hash at the origin)
fresh shuffle = the shuffle of docs/record-format.md with this key and the purpose `branch/<pile>/<number>`
bot's seed    = HMAC-SHA256(key: branch key, message: `bot/<seat>`), in hex

The pile that is being drawn from lies as it was recorded. A later shuffle of the recorded game is taken over where
the very same cards lie there, and in the same order unless that means nothing to the dealer (dealing version 2); with
any other cards the dealer would have dealt something else.
"""

import hmac
from typing import Final, Literal

from events import commands as c
from events import domain_events as e
from events.domain_events import Card, DomainEvent
from events.game.dealing import shuffled
from events.rules.table.addition import BONUS_PILE, DRAW_PILE
from events.rules.table.piles import cards_to_shuffle, shuffles_of
from events.rules.table.state import GameState
from replay.branches.origin import Origin

Cards = Literal["recorded", "fresh", "none"]
"""Where the cards of an event come from; `none`: it takes none from a pile."""
RECORDED: Final = "recorded"
FRESH: Final = "fresh"
NONE: Final = "none"

_TAKEN_FROM_DRAW_PILE = (e.HandDealt, e.FanLaidOut, e.CardsDrawn, e.CardsRevealed, e.CoinsDealt)


def branch_key(seed: str, origin_hash: str) -> bytes:
    """The key of all chance in a branch: its seed bound to where it parts from the game."""
    return hmac.digest(seed.encode(), b"fieldbook branch" + bytes.fromhex(origin_hash), "sha256")


def bot_seed(key: bytes, seat: int) -> str:
    """The seed of a bot that plays a seat in a branch."""
    return hmac.digest(key, f"bot/{seat}".encode(), "sha256").hex()


def dealers_answer(origin: Origin, state: GameState, key: bytes) -> tuple[c.Command, Cards] | None:
    """What the dealer does now, and whether that is recorded or fresh; None where only the secret is due and unknown.

    Raises:
        ValueError: nothing is due that can be due in a branch.
    """
    due = state.due
    if due is not None and due.task == "secret":
        return (c.RevealSecret(origin.secret), NONE) if origin.secret else None
    if due is None or due.task != "shuffle":
        raise ValueError(f"the dealer is not asked for this in a branch: {due}")
    number, cards = shuffles_of(state, due.pile) + 1, cards_to_shuffle(origin.rules, state)
    recorded = origin.shuffles.get((due.pile, number))
    if recorded is not None and _lie_alike(state, recorded.cards, cards):
        return c.Shuffle(due.pile, recorded.order), RECORDED
    return c.Shuffle(due.pile, shuffled(key, f"branch/{due.pile}/{number}", cards)), FRESH


def _lie_alike(state: GameState, one: tuple[Card, ...], other: tuple[Card, ...]) -> bool:
    """Whether the dealer of this game lays the same pile out of both."""
    return one == other if state.dealing is None else sorted(one) == sorted(other)


def source_pile(event: DomainEvent) -> str | None:
    """The pile that an event takes cards from; None for one that takes none."""
    match event:
        case e.BonusDrawn():
            return BONUS_PILE if event.cards else None
        case e.FieldPaidFromPiles():
            return DRAW_PILE if event.from_draw_pile else None
        case _ if isinstance(event, _TAKEN_FROM_DRAW_PILE):
            return DRAW_PILE if event.cards else None
        case _:
            return None
