"""Fair dealing: the dealer commits itself to a secret, and every shuffle follows from it.

commitment   = SHA-256(secret), published when the game is created
shuffle key  = HMAC-SHA256(secret, canonical JSON of {"options", "seeds", "system"})
number i     = 4 bytes of the stream HMAC-SHA256(shuffle key, purpose, 0x00, counter as 8 bytes), big endian
below(n)     = the next number smaller than the largest multiple of n up to 2^32, modulo n
shuffle      = Fisher-Yates from the last card down: swap card i with card below(i + 1)

The purpose of the k-th shuffle of a pile is `<pile>/<k>`, that of a drawn starting seat `start_seat`. The
algorithm is specified with test vectors in docs/record-format.md; no library's `shuffle` is used, because those
change.
"""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count

from events import commands as c
from events.chain.canonical import canonical
from events.domain_events import Card
from events.rules.definition.rule_system import Rules
from events.rules.table.piles import cards_to_shuffle, shuffles_of
from events.rules.table.state import GameState

_NUMBERS = 1 << 32


def commitment_to(secret: str) -> str:
    """What the dealer publishes before anybody sits down, from its secret of 32 bytes in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def shuffle_key(secret: str, state: GameState) -> bytes:
    """The key of all shuffles of a game: the dealer's secret bound to system, options and the seats' seeds."""
    bound = {
        "options": state.options,
        "seeds": [seat.seed for seat in state.seats],
        "system": state.system,
    }
    return hmac.digest(bytes.fromhex(secret), canonical(bound), "sha256")


def numbers(key: bytes, purpose: str) -> Iterator[int]:
    """The endless stream of 32-bit numbers for a purpose."""
    prefix = purpose.encode() + b"\0"
    for counter in count():
        block = hmac.digest(key, prefix + counter.to_bytes(8, "big"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def below(stream: Iterator[int], bound: int) -> int:
    """An even choice among `bound` numbers, by rejection."""
    limit = _NUMBERS - _NUMBERS % bound
    return next(number for number in stream if number < limit) % bound


def shuffled(key: bytes, purpose: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards in the order that key and purpose determine.

    >>> shuffled(bytes(32), "draw/1", ("blue", "chili", "stink", "green"))
    ('chili', 'stink', 'blue', 'green')
    """
    order = list(cards)
    stream = numbers(key, purpose)
    for last in range(len(order) - 1, 0, -1):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def dealers_command(rules: Rules, state: GameState, secret: str) -> c.Command:
    """What the dealer must do now; `state.due` says what is due.

    Raises:
        ValueError: nothing is due.
    """
    due = state.due
    if due is None:
        raise ValueError("nothing is due from the dealer")
    if due.task == "secret":
        return c.RevealSecret(secret)
    key = shuffle_key(secret, state)
    if due.task == "starting_seat":
        return c.ChooseStartingSeat(below(numbers(key, "start_seat"), rules.players))
    purpose = f"{due.pile}/{shuffles_of(state, due.pile) + 1}"
    return c.Shuffle(due.pile, shuffled(key, purpose, cards_to_shuffle(rules, state)))
