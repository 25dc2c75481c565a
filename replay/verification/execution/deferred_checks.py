"""What follows from the dealer's secret: salts, shuffles, every card taken from a pile.

With the secret even a spectator's record shows that the deal was fair: the order of every pile follows from it, so
each commitment to a card that was dealt or drawn can be recomputed. A record of a finished game names the secret in
its header, and everything is checked as it is read. In a live game the secret comes last: what waits for it is kept
until then, about a hundred bytes for a hidden value.
"""

from typing import Any, NamedTuple

from events import domain_events as e
from events.chain.commitments import commit, salt
from events.game.dealing import (
    below,
    commitment_to,
    game_salt_key,
    numbers,
    shuffle_key,
    shuffled_for,
)
from events.game.rewindable_history import RewindableHistory
from events.log.disclosure import Form
from events.rules.definition.rule_system import Rules
from events.rules.table.addition import BONUS_PILE, DRAW_PILE
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.records.shape import HEX_32_BYTES
from replay.verification.execution.claims import (
    WHAT_FOLLOWS,
    Back,
    Claim,
    Salts,
    Shown,
    Shuffle,
    Start,
    Stop,
    Taken,
)


class _Piles(NamedTuple):
    """What follows from the secret at one version: the piles, and the coins that nobody has seen.

    Neither is ever changed, only replaced, so that each stop can keep them.
    """

    piles: dict[str, tuple[e.Card, ...]]
    unseen: dict[tuple[int, int], e.Card]


class DeferredChecks:
    """Checks what follows from the secret: at once where the header names it, else when it is opened.

    Attributes:
        piles_checked: how many shuffles, draws from piles and drawn starting seats were checked.
        laid: the order of each shuffle that was checked, top card first, by pile and number.
    """

    def __init__(self, named: str) -> None:
        """Begin before the first entry, with the secret that the header names; empty for none."""
        self.piles_checked = 0
        self.laid: dict[tuple[str, int], tuple[e.Card, ...]] = {}
        self._named = named
        self._waiting: list[Claim] = []
        self._now = _Piles({DRAW_PILE: (), BONUS_PILE: ()}, {})
        self._course: RewindableHistory[_Piles] = RewindableHistory()
        self._secret = ""
        self._salts = b""
        self._shuffles = b""

    @property
    def key(self) -> bytes:
        """The key of the game's salts; empty as long as the secret is not known to be the game's."""
        return self._salts

    def follow(self, rules: Rules, before: GameState, event: e.DomainEvent, form: Form) -> int:
        """Take what this entry says that follows from the secret; answers how many salts were checked.

        `before` is the table before the entry.

        Raises:
            Discrepancy: of the checks `commitments` or `shuffles`.
        """
        if self._named and isinstance(event, e.GameCreated):
            self._use(self._named, event)
        salts = self._take(Salts(form.entry["version"], form.salts), before) if form.salts else 0
        self.claim(rules, before, event, form)
        return salts

    def claim(self, rules: Rules, before: GameState, event: e.DomainEvent, form: Form) -> None:
        """Take what this entry says that follows from the secret, besides its salts, which are known to.

        Raises:
            Discrepancy: of the check `shuffles`.
        """
        seal = WHAT_FOLLOWS.get(type(event))
        if seal is not None and (sealed := seal(rules, before, event, form)) is not None:
            self._take(sealed, before)

    def _take(self, sealed: Claim, before: GameState) -> int:
        """Check this at once where the secret is known, and else keep it."""
        if self._named:
            return self._check(sealed, before)
        self._waiting.append(sealed)
        return 0

    def stop(self, version: int) -> None:
        """The game can go back to this version."""
        if self._named:
            self._course.keep(version, self._now)
        else:
            self._waiting.append(Stop(version))

    def open(self, state: GameState, secret: str) -> int:
        """Check the secret that the last entry opens, and what waited for it; answers how many salts were checked.

        Raises:
            Discrepancy: of the checks `commitments` or `shuffles`.
        """
        if self._named and self._named != secret:
            raise Discrepancy("commitments", "this is not the secret that the header names")
        self._use(secret, state)
        self._waiting.sort(key=lambda each: not isinstance(each, Salts))
        return 1 + sum(self._check(each, state) for each in self._waiting)

    def _use(self, secret: str, created: e.GameCreated | GameState) -> None:
        if not HEX_32_BYTES.fullmatch(secret):
            raise Discrepancy("commitments", "the secret is not 64 lower-case hex digits")
        if commitment_to(secret) != created.commitment:
            raise Discrepancy("commitments", "this is not the secret that the dealer committed itself to")
        self._salts = game_salt_key(secret, created.game, created.dealing)
        self._secret = secret

    def _check(self, sealed: Claim, state: GameState) -> int:
        """Check one thing; the seeds of the state's seats are those that the game began with."""
        if isinstance(sealed, Salts):
            self._check_salts(sealed)
            return len(sealed.salts)
        if isinstance(sealed, Shown):
            self._check_shown(sealed)
            return 0
        if isinstance(sealed, Stop):
            self._course.keep(sealed.version, self._now)
            return 0
        if isinstance(sealed, Back):
            self._now = self._course.back(sealed.to)
            return 0
        if not self._shuffles:
            self._shuffles = shuffle_key(self._secret, state)
        self.piles_checked += 1
        if isinstance(sealed, Start):
            self._check_start(sealed)
        elif isinstance(sealed, Shuffle):
            self._check_shuffle(sealed, state)
        else:
            self._check_taken(sealed)
        return 0

    def _check_salts(self, sealed: Salts) -> None:
        for path, value in sealed.salts.items():
            if salt(self._salts, sealed.version, path) != value:
                reason = f"the salt of {path[:60]} does not follow from the secret"
                raise Discrepancy("commitments", reason, sealed.version)

    def _check_start(self, sealed: Start) -> None:
        drawn = below(numbers(self._shuffles, "start_seat"), sealed.players)
        if drawn != sealed.seat:
            reason = f"the secret draws seat {drawn} to start, not seat {sealed.seat}"
            raise Discrepancy("shuffles", reason, sealed.version)

    def _check_shuffle(self, sealed: Shuffle, state: GameState) -> None:
        cards = self._now.piles[sealed.pile] if sealed.anew else sealed.cards
        pile = shuffled_for(state, self._shuffles, sealed.purpose, cards)
        self.laid[sealed.pile, int(sealed.purpose.rpartition("/")[2])] = pile
        self._now = _Piles({**self._now.piles, sealed.pile: pile}, self._now.unseen)
        self._check_cards(sealed.version, "order", sealed.order, pile)
        self._check_command(sealed.version, sealed.command_order, pile)

    def _check_taken(self, sealed: Taken) -> None:
        piles, unseen = self._now
        pile = piles[sealed.pile]
        self._check_cards(sealed.version, sealed.name, sealed.cards, pile)
        if sealed.coins:
            unseen = {**unseen, **dict(zip(sealed.coins, pile, strict=False))}
        self._now = _Piles({**piles, sealed.pile: pile[len(sealed.cards) :]}, unseen)

    def _check_shown(self, sealed: Shown) -> None:
        unseen = dict(self._now.unseen)
        self._now = _Piles(self._now.piles, unseen)
        for coin, card in sealed.coins:
            if unseen.pop(coin, None) != card:
                raise Discrepancy(
                    "shuffles", "a coin shown is not the card that was drawn for it", sealed.version
                )

    def _check_cards(self, version: int, name: str, found: list[Any], pile: tuple[e.Card, ...]) -> None:
        for place, value in enumerate(found):
            expected: Any = pile[place] if place < len(pile) else None
            if isinstance(value, dict):
                expected = {
                    "commitment": commit(salt(self._salts, version, f"data/{name}/{place}"), expected)
                }
            if value != expected:
                raise Discrepancy(
                    "shuffles", f"card {place} is not the one that follows from the secret", version
                )

    def _check_command(self, version: int, found: Any, pile: tuple[e.Card, ...]) -> None:
        expected: Any = list(pile)
        if isinstance(found, dict):
            expected = {"commitment": commit(salt(self._salts, version, "command/order"), expected)}
        if found != expected:
            raise Discrepancy(
                "shuffles", "the dealer's command is not the shuffle that follows from the secret", version
            )
