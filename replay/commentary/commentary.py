"""The words for one game in one language: its cards by their catalogue, its players by their names, and sentences."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from events.domain_events import Card, DomainEvent, OfferMade
from events.log.codec import event_type
from events.rules.catalogues.catalogue import Catalogue
from events.rules.definition.names import looks
from events.rules.table.state import GameState, OpenOffer, Seat
from replay.commentary.cards import CardNames
from replay.commentary.messages import Messages, load_messages
from replay.commentary.sentences import KEYS, VARIABLES
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.commentary.variables import variable


class Commentary:
    """Tells a game in one language.

    Attributes:
        messages: the messages of the language.
        names: what the cards of the game's catalogue are called in it.
        shown: names to show for players, by their ids, in place of those in the log.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        language: str = "en",
        messages: Messages | None = None,
        shown: Mapping[str, str] | None = None,
    ) -> None:
        """Tell games with this catalogue in a language, by its own messages or those given.

        Raises:
            KeyError: there is no such language.
        """
        self.messages = messages or load_messages(language)
        self.shown = shown or {}
        self.names: CardNames = CardNames(catalogue, self.messages)
        self._seats: tuple[Seat, ...] = ()
        self._players: dict[int, str] = {}

    def sentence(self, state: GameState, event: DomainEvent) -> str:
        """What has happened; `state` is the table after it, event and table as the viewer sees them."""
        kind = type(event)
        key = KEYS[kind](event) if kind in KEYS else event_type(event)
        values = VARIABLES[kind](self, state, event) if kind in VARIABLES else {}
        for name in self.messages.variables("event", key):
            if name not in values:
                values[name] = variable(self, state, event, name)
        told = self.messages.say("event", key, **values)
        return (
            self.messages.say("event", "at_the_end", sentence=told)
            if getattr(event, "final", False)
            else told
        )

    def part(self, key: str, /, **values: Any) -> str:
        """A part of a sentence."""
        return self.messages.say("part", key, **values)

    def label(self, key: str, /, **values: Any) -> str:
        """What stands before a line of the table."""
        return self.messages.say("label", key, **values)

    def table(self, key: str, /, **values: Any) -> str:
        """What the table shows behind a label, or as its heading."""
        return self.messages.say("table", key, **values)

    # --- cards ---------------------------------------------------------------------------------------------

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards in their order: `2 blue beans and a soy bean`."""
        return self.listed(self.names.each(cards))

    def sides(self, state: GameState, offer: OfferMade | OpenOffer) -> tuple[list[str], list[str]]:
        """What an offer gives, and what it asks for."""
        given = self.names.each(offer.hand_cards)
        given += self._revealed(state, offer.revealed)
        given += [self.part("spare")] if offer.spare else []
        wanted = [self.names.count(count, card) for card, count in offer.want.items()]
        wanted += self._revealed(state, offer.want_revealed)
        wanted += [self.part("want_spared")] if offer.want_spared else []
        return given, wanted

    def _revealed(self, state: GameState, numbers: Sequence[int]) -> list[str]:
        """Revealed cards; those just traded are counted: an offer that names one lapses only after the trade."""
        if not numbers:
            return []
        lying = dict(state.revealed)
        named = [lying[number] for number in numbers if number in lying]
        told = [self.part("revealed", card=self.names.one(card)) for card in named]
        gone = len(numbers) - len(named)
        return [*told, self.count("gone_cards", gone)] if gone else told

    # --- players -------------------------------------------------------------------------------------------

    def player(self, state: GameState, seat: int) -> str:
        """A player's name; without one the seat's number.

        Where two look alike, the seat stands behind it; one that means something else in a sentence is quoted.
        """
        if state.seats is not self._seats:
            self._seats, self._players = state.seats, {}
        told = self._players.get(seat)
        if told is None:
            told = self._players[seat] = self._told_player(state, seat)
        return told

    def _told_player(self, state: GameState, seat: int) -> str:
        name = self._name(state.seats[seat])
        if not name:
            return self.messages.say("player", "seat", seat=seat)
        own = make_printable(name, NAME_LENGTH)
        if own.casefold() in self.messages.words:
            own = self.messages.say("player", "word", name=own)
        if [looks(self._name(each)) for each in state.seats].count(looks(name)) == 1:
            return own
        return self.messages.say("player", "same_name", name=own, seat=seat)

    def _name(self, seat: Seat) -> str:
        return self.shown.get(seat.player, seat.name) if seat.player else seat.name

    def players(self, state: GameState, seats: Iterable[int]) -> str:
        """Players in a sentence."""
        return self.listed(self.player(state, seat) for seat in seats)

    def player_and_kind(self, state: GameState, number: int) -> str:
        """A player, and which bot or program it is if it is one."""
        seat: Seat = state.seats[number]
        player = self.player(state, number)
        if seat.away:
            bot = make_printable(seat.bot, NAME_LENGTH)
            return self.messages.say("player", "away", player=player, bot=bot)
        if seat.kind == "program":
            program = make_printable(f"{seat.program} {seat.program_version}", 2 * NAME_LENGTH)
            return self.messages.say("player", "program", player=player, program=program)
        if seat.kind != "bot":
            return player
        return self.messages.say("player", "bot", player=player, bot=make_printable(seat.bot, NAME_LENGTH))

    # --- numbers, lists, names of things -------------------------------------------------------------------

    def count(self, thing: str, count: int) -> str:
        """So many of a thing, such as `coins`; one that no message knows goes by its own name."""
        if thing == "other" or not self.messages.knows("count", thing):
            return self.messages.say("count", "other", count=count, name=make_printable(thing, NAME_LENGTH))
        return self.messages.say("count", thing, count=count)

    def listed(self, items: Iterable[str]) -> str:
        """Things in a sentence."""
        return self.messages.listed(items)

    def phase(self, phase: str) -> str:
        """What a phase is called; one that no message knows goes by its own name."""
        return self.known("phase", phase)

    def pile(self, pile: str, context: str = "pile") -> str:
        """A pile: what is shuffled, or in the context `pile as subject` what ran out."""
        if self.messages.knows(context, pile) and pile != "other":
            return self.messages.say(context, pile)
        return self.messages.say(context, "other", pile=make_printable(pile, NAME_LENGTH))

    def known(self, context: str, key: str) -> str:
        """A word that stands in a context of its own; one that no message knows goes by its own name."""
        return (
            self.messages.say(context, key)
            if self.messages.knows(context, key)
            else make_printable(key, NAME_LENGTH)
        )
