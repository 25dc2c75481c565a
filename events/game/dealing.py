"""Fair dealing: the dealer commits itself to a secret, and every shuffle follows from it.

commitment   = SHA-256(secret), published when the game is created
shuffle key  = HMAC-SHA256(secret, canonical JSON of {"options", "seeds", "system"})
number i     = 4 bytes of the stream HMAC-SHA256(shuffle key, purpose, 0x00, counter as 8 bytes), big endian
below(n)     = the next number smaller than the largest multiple of n up to 2^32, modulo n
shuffle      = Fisher-Yates from the last card down: swap card i with card below(i + 1)

The purpose of the k-th shuffle of a pile is `<pile>/<k>`, that of a drawn starting seat `start_seat`. The
algorithm is specified with test vectors in docs/record-format.md; no library's `shuffle` is used, because those
change.

Dealing version 2 gives all tables of a round the same deal, from one secret and one seed:

shuffle key  = HMAC-SHA256(secret, canonical JSON of {"dealing": 2, "options", "seed", "system"})
salt key     = HMAC-SHA256(secret, canonical JSON of {"dealing": 2, "game", "purpose": "salt"})
shuffle      = by rising HMAC-SHA256(shuffle key, canonical JSON of [purpose, card, its number among its like])
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import count

from events import commands as c
from events.chain.canonical import canonical
from events.chain.commitments import salt_key
from events.commands.dealing import Dealing
from events.domain_events import Card, GameCreated
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.piles import cards_to_shuffle, shuffles_of
from events.rules.table.state import GameState

_NUMBERS = 1 << 32


def commitment_to(secret: str) -> str:
    """What the dealer publishes before anybody sits down, from its secret of 32 bytes in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def shuffle_key(secret: str, state: GameState) -> bytes:
    """The key of all shuffles of a game: the dealer's secret bound to system, options and seeds.

    These are the seats' seeds, or the one of the round: then nothing in it is of one table alone.
    """
    bound: dict[str, object] = {"options": state.options, "system": state.system}
    if state.dealing is None:
        bound["seeds"] = [seat.seed for seat in state.seats]
    else:
        bound |= {"dealing": state.dealing.version, "seed": state.dealing.seed}
    return hmac.digest(bytes.fromhex(secret), canonical(bound), "sha256")


def game_salt_key(secret: str, game: str, dealing: Dealing | None) -> bytes:
    """The key of all salts of a game, and of whatever else follows from its secret and is no shuffle.

    Where a round shares the secret it is bound to the game: else one table's salts would open another's commitments.
    """
    if dealing is None:
        return salt_key(secret)
    bound = {"dealing": dealing.version, "game": game, "purpose": "salt"}
    return hmac.digest(bytes.fromhex(secret), canonical(bound), "sha256")


def log_salt_key(first: RecordedEvent, secret: str) -> bytes:
    """The key of all salts of a stored game, by the first entry of its log.

    Where that cannot be read it is the key of dealing version 1: whoever reads the entry itself finds what is wrong.
    """
    try:
        created = decode_event(first)
    except UndecodableEvent:
        return salt_key(secret)
    if not isinstance(created, GameCreated):
        return salt_key(secret)
    return game_salt_key(secret, created.game, created.dealing)


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


def shuffled_alike(key: bytes, purpose: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards in the order of their own values: cards that two piles have in common lie alike in both.

    How the cards lay before means nothing; the i-th of a kind is the same card in every pile.

    >>> shuffled_alike(bytes(32), "draw/2", ("blue", "chili", "stink", "green"))
    ('stink', 'chili', 'green', 'blue')
    >>> shuffled_alike(bytes(32), "draw/2", ("green", "soy", "blue", "stink"))
    ('stink', 'green', 'soy', 'blue')
    """
    copies = ((card, number) for card, most in Counter(cards).items() for number in range(1, most + 1))
    values = {hmac.digest(key, canonical([purpose, card, number]), "sha256"): card for card, number in copies}
    return tuple(values[value] for value in sorted(values))


def shuffled_for(state: GameState, key: bytes, purpose: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards as the dealer of this game lays them."""
    return (shuffled if state.dealing is None else shuffled_alike)(key, purpose, cards)


def stays_closed(state: GameState) -> bool:
    """Whether all that is due is a secret which others may still play by: whoever has the round opens it."""
    return state.due is not None and state.due.task == "secret" and state.dealing is not None


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
    return c.Shuffle(due.pile, shuffled_for(state, key, purpose, cards_to_shuffle(rules, state)))
