"""What cards are called: one, so many of a kind, a row of them; in every language and for every catalogue.

A name of the shipped catalogues has its article and plural in the message catalogues. What else an owner's catalogue
calls its cards stands behind a number and a sign of multiplication, because nobody knows its gender.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Self

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.catalogues.card_names import card_names
from events.rules.catalogues.catalogue import Catalogue
from replay.commentary.messages import Messages
from replay.commentary.texts import NAME_LENGTH, make_printable

_IN_BRACKETS = re.compile(r"(?P<name>.*\S)(?P<rest> \([^()]*\))")
_SHORTENED = MappingProxyType(
    {
        "en": re.compile(r" bean$"),
        "de": re.compile(r"(?<=\w)bohne(?=$| \()| Bohne(?=$| \()"),
        "fr": re.compile(r"^(?:haricot|Harry) "),
        "it": re.compile(r"^fagiolo | Bean$"),
    }
)
"""What a name can do without where space is scarce."""
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_AND_Y = re.compile(r"(?<=[^aeiou\s])y$", re.IGNORECASE)


class CardPhrase(str):
    """One card with its article, `a blue bean`; the format `bare` gives its name alone, `blue bean`."""

    __slots__ = ("_bare",)
    _bare: str

    def __new__(cls, phrase: str, bare: str) -> Self:
        """Both forms of a card."""
        made = super().__new__(cls, phrase)
        made._bare = bare
        return made

    def __format__(self, spec: str) -> str:
        return self._bare if spec == "bare" else str(self)


class CardNames:
    """The names of the cards of one catalogue in one language."""

    def __init__(self, catalogue: Catalogue, messages: Messages) -> None:
        """Take the names from the catalogue and its additions; a card without one goes by its English name or key."""
        self._messages = messages
        known = card_names(catalogue)
        self._names = {bean.card: self._name(bean.card, known[bean.card]) for bean in catalogue.beans}
        self._varieties = {bean.card: bean.variety for bean in catalogue.beans}
        for bean in catalogue.beans:
            self._names.setdefault(bean.variety, self._name_of_variety(known[bean.card], bean.variety))
        self._bonus = {each.card: each for each in catalogue.bonus}

    def variety(self, card: Card) -> str:
        """The variety of a card: what a field must hold for it."""
        return self._varieties.get(card, card)

    def card(self, card: Card) -> str:
        """What a card is called: `blue bean`, or `hidden card`."""
        if card == UNKNOWN_CARD:
            return self._messages.say("part", "hidden_card")
        return self._names.get(card) or make_printable(card, NAME_LENGTH)

    def short(self, card: Card) -> str:
        """What a card is called where space is scarce: `blue`, or `?`."""
        if card == UNKNOWN_CARD:
            return card
        return _SHORTENED[self._messages.language].sub("", self.card(card))

    def one(self, card: Card) -> CardPhrase:
        """One card: `a blue bean`."""
        return CardPhrase(self.count(1, card), self.card(card))

    def count(self, count: int, card: Card) -> str:
        """So many of a card: `a blue bean`, `3 blue beans`."""
        if card == UNKNOWN_CARD:
            return self._messages.say("count", "hidden_cards", count=count)
        name, rest = self.card(card), ""
        if not self._messages.knows("card", name) and (found := _IN_BRACKETS.fullmatch(name)):
            name, rest = found["name"], found["rest"]
        if self._messages.knows("card", name):
            return self._messages.say("card", name, count=count) + rest
        if self._messages.language == "en":
            return count_noun(count, name) + rest
        return self._messages.say("count", "other", count=count, name=name) + rest

    def each(self, cards: Sequence[Card]) -> list[str]:
        """Cards in their order, neighbours of a kind together: `2 blue beans`, `a soy bean`."""
        return [self.count(len([*run]), card) for card, run in groupby(cards)]

    def bonus(self, bonus: Card) -> str:
        """A bonus card with its sequence and cents: `the bonus card of 40 cents (red, red, soy)`."""
        known = self._bonus.get(bonus)
        if bonus == UNKNOWN_CARD:
            return self._messages.say("count", "hidden_bonus_cards", count=1)
        if known is None:
            return self._messages.say("part", "unknown_bonus", bonus=make_printable(bonus, NAME_LENGTH))
        symbols = ", ".join(self.short(card) for card in known.sequence)
        cents = self._messages.say("count", "cents", count=known.cents)
        return self._messages.say("part", "bonus", cents=cents, symbols=symbols)

    def bonus_cards(self, bonus: Sequence[Card]) -> str:
        """Bonus cards in their order; those that a viewer may not see are counted."""
        unknown = bonus.count(UNKNOWN_CARD)
        hidden = [self._messages.say("count", "hidden_bonus_cards", count=unknown)] if unknown else []
        return self._messages.listed([self.bonus(each) for each in bonus if each != UNKNOWN_CARD] + hidden)

    def _name(self, card: Card, names: Mapping[str, str]) -> str:
        named = names.get(self._messages.language) or names.get("en")
        return make_printable(named or card.replace("_", " "), NAME_LENGTH)

    def _name_of_variety(self, names: Mapping[str, str], variety: str) -> str:
        """What a family is called: its cards' name without what stands behind it in brackets, in English its key."""
        named = "" if self._messages.language == "en" else names.get(self._messages.language, "")
        found = _IN_BRACKETS.fullmatch(named)
        fallback = f"{variety.replace('_', ' ')} bean"
        return make_printable(found["name"] if found else named or fallback, NAME_LENGTH)


def count_noun(count: int, noun: str) -> str:
    """So many of a thing in English, with the article and the plural of a noun that no message knows.

    >>> count_noun(1, "orange bean"), count_noun(2, "coin"), count_noun(2, "blue baby")
    ('an orange bean', '2 coins', '2 blue babies')
    >>> count_noun(3, "blue miss")
    '3 blue misses'
    """
    if count == 1:
        return f"an {noun}" if noun[:1].lower() in {"a", "e", "i", "o"} else f"a {noun}"
    if _CONSONANT_AND_Y.search(noun):
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}es" if _SIBILANT.search(noun) else f"{count} {noun}s"
