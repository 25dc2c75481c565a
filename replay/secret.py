"""What can be checked only once the dealer's secret is open: salts, shuffles, every card taken from a pile.

A record is read in one pass and the secret is its last entry, so what waits for it is kept: about a hundred
bytes for a hidden value. With the secret even a spectator's record shows that the deal was fair: the order of
every pile follows from it, so each commitment to a card that was dealt or drawn can be recomputed.
"""

from dataclasses import dataclass
from typing import Any

from events import domain_events as e
from events.commitments import commit, salt, salt_key
from events.dealing import below, commitment_to, numbers, shuffle_key, shuffled
from events.disclosure import Form
from events.rules.piles import BONUS_PILE, DRAW_PILE, cards_to_shuffle
from events.rules.rule_system import Rules
from events.rules.state import GameState
from replay.report import Discrepancy
from replay.shape import HEX_32_BYTES


@dataclass(frozen=True, slots=True)
class _Shuffle:
    """A shuffle as recorded; `cards` are those that were shuffled, in their order before."""

    version: int
    pile: str
    purpose: str
    cards: tuple[e.Card, ...]
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Taken:
    """Cards taken from a pile, each open or as its commitment."""

    version: int
    pile: str
    cards: list[Any]
    name: str = "cards"
    """The event's field that holds them."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A coin that was shown, and where it had been taken unseen: which of the kept draws, and which card of it."""

    version: int
    draw: int
    place: int
    card: e.Card


class Sealed:
    """Keeps what waits for the secret, and checks it when the secret is there."""

    __slots__ = ("_piles", "_salts", "_shown", "_start", "_unseen")

    def __init__(self) -> None:
        """Begin with nothing sealed."""
        self._salts: list[tuple[int, str, str]] = []
        self._piles: list[_Shuffle | _Taken] = []
        self._start: tuple[int, int] | None = None
        self._unseen: dict[tuple[int, int], tuple[int, int]] = {}
        self._shown: list[_Shown] = []

    def keep(self, rules: Rules, before: GameState, event: e.DomainEvent, form: Form) -> None:
        """Keep what this entry says that follows from the secret; `before` is the table before it."""
        version: int = form.entry["version"]
        self._salts += [(version, path, value) for path, value in form.salts.items()]
        if isinstance(event, e.PileShuffled):
            cards = cards_to_shuffle(rules, before)
            purpose = f"{event.pile}/{event.number}"
            self._piles.append(_Shuffle(version, event.pile, purpose, cards, form.entry))
        elif isinstance(event, e.HandDealt | e.CardsDrawn | e.CardsRevealed | e.CoinsDealt | e.FanLaidOut):
            self._piles.append(_Taken(version, DRAW_PILE, form.entry["data"]["cards"]))
        elif isinstance(event, e.BonusDrawn):
            self._piles.append(_Taken(version, BONUS_PILE, form.entry["data"]["cards"]))
        elif isinstance(event, e.FieldPaidFromPiles):
            name = "from_draw_pile"
            self._piles.append(_Taken(version, DRAW_PILE, form.entry["data"].get(name, []), name))
            lowest = len(before.seats[event.seat].coins) + len(event.from_discard_pile)
            for place in range(len(event.from_draw_pile)):
                self._unseen[event.seat, lowest + place] = len(self._piles) - 1, place
        elif isinstance(event, e.CoinsShown):
            for place, card in zip(event.places, event.cards, strict=True):
                draw = self._unseen.pop((event.seat, place))
                self._shown.append(_Shown(version, *draw, card))
        elif isinstance(event, e.StartingSeatChosen) and rules.options.get("start_seat") == "random":
            self._start = version, event.seat

    def open(self, rules: Rules, state: GameState, secret: str) -> tuple[int, int]:
        """Check everything kept; the answer counts the salts and the shuffles, draws and choices checked.

        Raises:
            Discrepancy: of the checks `commitments` or `shuffles`.
        """
        if not HEX_32_BYTES.fullmatch(secret):
            raise Discrepancy("commitments", "the secret is not 64 lower-case hex digits")
        if commitment_to(secret) != state.commitment:
            raise Discrepancy("commitments", "this is not the secret that the dealer committed itself to")
        salts = salt_key(secret)
        for version, path, value in self._salts:
            if salt(salts, version, path) != value:
                raise Discrepancy(
                    "commitments", f"the salt of {path} does not follow from the secret", version
                )
        return len(self._salts) + 1, self._check_piles(rules, salts, shuffle_key(secret, state))

    def _check_piles(self, rules: Rules, salts: bytes, shuffles: bytes) -> int:
        if self._start is not None:
            version, seat = self._start
            drawn = below(numbers(shuffles, "start_seat"), rules.players)
            if drawn != seat:
                raise Discrepancy(
                    "shuffles", f"the secret draws seat {drawn} to start, not seat {seat}", version
                )
        piles: dict[str, tuple[e.Card, ...]] = {DRAW_PILE: (), BONUS_PILE: ()}
        taken: dict[int, tuple[e.Card, ...]] = {}
        for number, kept in enumerate(self._piles):
            if isinstance(kept, _Taken):
                taken[number] = piles[kept.pile][: len(kept.cards)]
                _check_cards(salts, kept.version, kept.name, kept.cards, piles[kept.pile])
                piles[kept.pile] = piles[kept.pile][len(kept.cards) :]
            else:
                pile = piles[kept.pile] = shuffled(shuffles, kept.purpose, kept.cards)
                _check_cards(salts, kept.version, "order", kept.entry["data"]["order"], pile)
                _check_command(salts, kept.version, kept.entry.get("command", {}).get("order"), pile)
        for shown in self._shown:
            if taken[shown.draw][shown.place] != shown.card:
                raise Discrepancy(
                    "shuffles", "a coin shown is not the card that was drawn for it", shown.version
                )
        return len(self._piles) + (self._start is not None)


def _check_cards(salts: bytes, version: int, name: str, found: list[Any], pile: tuple[e.Card, ...]) -> None:
    for place, value in enumerate(found):
        expected: Any = pile[place] if place < len(pile) else None
        if isinstance(value, dict):
            expected = {"commitment": commit(salt(salts, version, f"data/{name}/{place}"), expected)}
        if value != expected:
            raise Discrepancy(
                "shuffles", f"card {place} is not the one that follows from the secret", version
            )


def _check_command(salts: bytes, version: int, found: Any, pile: tuple[e.Card, ...]) -> None:
    order = list(pile)
    expected = (
        {"commitment": commit(salt(salts, version, "command/order"), order)}
        if isinstance(found, dict)
        else order
    )
    if found != expected:
        raise Discrepancy(
            "shuffles", "the dealer's command is not the shuffle that follows from the secret", version
        )
