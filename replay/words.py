"""How cards, players and numbers are called in a sentence; every text of a record is made safe here."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogue import Catalogue
from events.rules.state import GameState, Seat
from replay.safe_text import safe

NAME_LENGTH = 40


class Words:
    """The words for one game: its cards and families by their catalogue, its players by their names."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Take the English names of the cards from the catalogue; a card without one goes by its key."""
        self._beans = {
            bean.card: safe(bean.names.get("en", bean.card.replace("_", " ")), NAME_LENGTH)
            for bean in catalogue.beans
        }
        self._bonus = {each.card: each for each in catalogue.bonus}
        self._varieties = {bean.card: bean.variety for bean in catalogue.beans}
        for variety in self._varieties.values():
            self._beans.setdefault(variety, safe(f"{variety.replace('_', ' ')} bean", NAME_LENGTH))

    def variety(self, card: Card) -> str:
        """The variety of a card: what a field must hold for it."""
        return self._varieties.get(card, card)

    def card(self, card: Card) -> str:
        """What a card is called: `blue bean`, or `hidden card`."""
        if card == UNKNOWN_CARD:
            return "hidden card"
        return self._beans.get(card) or safe(card, NAME_LENGTH)

    def short(self, card: Card) -> str:
        """What a card is called where space is scarce: `blue`, or `?`."""
        return self.card(card).removesuffix(" bean") if card != UNKNOWN_CARD else card

    def count(self, count: int, card: Card) -> str:
        """So many of a card: `a blue bean`, `3 blue beans`."""
        return counted(count, self.card(card))

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards in their order, neighbours of a kind together: `2 blue beans and a soy bean`."""
        return listed(self.count(len([*run]), card) for card, run in groupby(cards))

    def bonus(self, bonus: Card) -> str:
        """A bonus card with its sequence and cents: `the bonus card of 40 cents (red, red, soy)`."""
        known = self._bonus.get(bonus)
        if known is None:
            return (
                "a hidden bonus card"
                if bonus == UNKNOWN_CARD
                else f"the bonus card {safe(bonus, NAME_LENGTH)}"
            )
        symbols = ", ".join(self.short(card) for card in known.sequence)
        return f"the bonus card of {counted(known.cents, 'cent')} ({symbols})"

    def bonus_cards(self, bonus: Sequence[Card]) -> str:
        """Bonus cards in their order; those that a viewer may not see are counted."""
        unknown = bonus.count(UNKNOWN_CARD)
        hidden = [counted(unknown, "hidden bonus card")] if unknown else []
        return listed([self.bonus(each) for each in bonus if each != UNKNOWN_CARD] + hidden)

    def wanted(self, want: dict[Card, int]) -> list[str]:
        """What is asked for by variety."""
        return [self.count(count, card) for card, count in want.items()]


def player(state: GameState, seat: int) -> str:
    """A player's name, with the seat where two have the same one; without a name the seat's number."""
    name = state.seats[seat].name
    if not name:
        return f"seat {seat}"
    shown = safe(name, NAME_LENGTH)
    return shown if sum(each.name == name for each in state.seats) == 1 else f"{shown} (seat {seat})"


def kind(seat: Seat) -> str:
    """Who sits there, in brackets: nothing for a person."""
    return f" ({safe(seat.bot, NAME_LENGTH)} bot)" if seat.kind == "bot" else ""


def counted(count: int, thing: str) -> str:
    """So many of a thing.

    >>> counted(1, "orange bean"), counted(1, "coin"), counted(2, "coin")
    ('an orange bean', 'a coin', '2 coins')
    """
    if count == 1:
        return f"an {thing}" if thing[:1].lower() in "aeio" else f"a {thing}"
    return f"{count} {thing}s"


def listed(things: Iterable[str]) -> str:
    """Things in a sentence.

    >>> listed([]), listed(["a"]), listed(["a", "b", "c"])
    ('nothing', 'a', 'a, b and c')
    """
    each = list(things)
    if not each:
        return "nothing"
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else each[0]


def times(count: int) -> str:
    """How often.

    >>> times(1), times(3)
    ('once', '3 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def ordinal(number: int) -> str:
    """A number in a row.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(11), ordinal(24)
    ('1st', '2nd', '3rd', '11th', '24th')
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number // 10 % 10 == 1 else endings.get(number % 10, "th")
    return f"{number}{ending}"


def catalogue_line(name: str, content_hash: str, provenance: Iterable[str]) -> str:
    """Which catalogue a game was played with, and where its figures come from, in a line."""
    return f"{safe(name, 60)} ({content_hash[:16]}), figures from: {', '.join(provenance)}"
