"""Whole recorded games for tests: random legal play from a seed, and records of them in any scope."""

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from events import commands as c
from events.commands.leaving import LEAVING
from events.game.record import Attachment, header_for, write_record
from events.game.table import Table, new_table
from events.log.disclosure import ALL, PUBLIC, form_for
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.forms import AcceptForm, AskTakeBackForm, CounterForm, Form, OfferForm, SayForm
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import Seat
from events.rules.table.waiting import waiting_for
from events.transparency.game_head import GameHead

NAMES = ("Ann", "Ben", "Çiğdem", "Dmitrij", "Éloïse", "Farid", "Gül")
SENTENCES = ("Anyone for wax beans?", "I'll give you two for that one.", "No. ¡Nunca!", "Deal 🫘")
BEGINNING = 1_767_225_600_000
"""When the games begin: the first moment of 2026, in milliseconds since the epoch."""

_LIKED = {
    c.BuyField: 20,
    c.ClaimBonus: 20,
    c.Accept: 3,
    AcceptForm: 3,
    SayForm: 0,
    c.SwapHand: 0.1,
}
_Trade = tuple[tuple[int, ...], tuple[int, ...], dict[str, int], tuple[int, ...]]


@dataclass(frozen=True)
class RecordedGame:
    """A game and its whole log."""

    table: Table
    log: tuple[RecordedEvent, ...]

    @property
    def head(self) -> GameHead:
        """What a service signs about the game."""
        return GameHead(self.table.game, self.table.version, self.table.hash, self.table.state.status)

    def record(
        self, viewer: int = ALL, to: int | None = None, attachments: Sequence[Attachment] = ()
    ) -> list[bytes]:
        """The lines of the game's record in a viewer's scope, up to a version."""
        header = header_for(self.table, viewer)
        if to is not None:
            header = msgspec.structs.replace(header, secret="")
        forms = (form_for(entry, self.table.key, viewer) for entry in self.log[:to])
        return list(write_record(header, forms, attachments))

    @property
    def scopes(self) -> tuple[int, ...]:
        """Every viewer that a record can be made for."""
        return (ALL, PUBLIC, *range(self.table.rules.players))


@cache
def recorded_game(
    seed: int,
    players: int = 4,
    options: tuple[tuple[str, str | int | bool], ...] = (),
    most_offers: int = 200,
    stop_at: int | None = None,
    *,
    system: str = "classic",
    programs: int = 0,
    bot: bool = True,
) -> RecordedGame:
    """Play a game of random legal commands; the same arguments give the same game.

    With `programs` the first so many seats are programs, and players say that they are ready. Without `bot` people
    alone sit there.

    After `most_offers` trading commands the players only answer and close, which keeps records short. With
    `stop_at` the game is left as soon as its log has that many entries.
    """
    chance = random.Random(seed)
    secret = chance.randbytes(32).hex()
    catalogue = shipped_catalogue(system_named(system).catalogue)
    table, log = new_table(
        f"game-{seed}",
        system,
        players,
        options=dict(options),
        catalogue=catalogue,
        secret=secret,
        at=BEGINNING,
        patience=(5, 0) if programs else (0, 0),
    )
    for actor, command in _commands(chance, players, programs, bot=bot):
        table, entries = table.submit(actor, command, later(log, chance))
        log += entries
    return RecordedGame(play_on(table, log, chance, most_offers, stop_at), tuple(log))


def play_on(
    table: Table, log: list[RecordedEvent], chance: random.Random, most_offers: int, stop_at: int | None
) -> Table:
    """Play random legal commands to the end, or until the log, which grows, has so many entries."""
    offers = 0
    while table.state.status == "running" and (stop_at is None or len(log) < stop_at):
        seat, chosen = _choice(table, chance, trading=offers < most_offers)
        offers += isinstance(chosen, c.Offer | c.Counter)
        try:
            table, entries = table.submit(seat, chosen, later(log, chance))
        except errors.OfferEmpty:
            continue
        log += entries
    return table


def _commands(
    chance: random.Random, players: int, programs: int = 0, *, bot: bool = True
) -> Iterator[tuple[int, c.Command]]:
    """Everybody takes a seat; with `bot` the last one is a bot, and every second brings a seed."""
    for seat, name in enumerate(NAMES[:players]):
        seed = f"seed-{chance.randrange(10**6)}" if seat % 2 else ""
        if bot and seat == players - 1:
            yield HOST, c.TakeSeat(seat, name, "bot", "random", str(chance.randrange(10**6)), seed)
        elif seat < programs:
            yield (
                HOST,
                c.TakeSeat(
                    seat, name, "program", seed=seed, program="bean-counter", program_version=f"1.{seat}"
                ),
            )
        else:
            yield HOST, c.TakeSeat(seat, name, "human", seed=seed)


def later(log: list[RecordedEvent], chance: random.Random) -> int:
    """A moment after the last entry: milliseconds since the epoch."""
    return log[-1].at + chance.randrange(1, 30_000)


def _choice(table: Table, chance: random.Random, *, trading: bool) -> tuple[int, c.Command]:
    """A seat and one of its legal commands; in phase 2 anybody may act, else mostly those waited for."""
    state = table.state
    anybody = chance.random() < (0.6 if state.phase == "trade" else 0.05)
    seat = chance.randrange(len(state.seats)) if anybody else chance.choice(waiting_for(state))
    if chance.random() < 0.02:
        return seat, c.Say(chance.choice(SENTENCES))
    legal = legal_commands(table.rules, state, seat)
    playable = [each for each in legal if not isinstance(each, LEAVING)]
    listed = [each for each in playable if trading or not isinstance(each, OfferForm | CounterForm)]
    says_ready = state.people_patience > 0
    weights = [
        _weight(state.seats[seat], each) if says_ready or not isinstance(each, c.Ready) else 0
        for each in listed
    ]
    if not any(weights):
        return _choice(table, chance, trading=trading)
    chosen = chance.choices(listed, weights)[0]
    if isinstance(chosen, c.Command):
        return seat, chosen
    variety = table.rules.variety
    grown = {variety[field[-1]] for field in state.seats[seat].fields if field}
    return seat, filled(chosen, chance, grown)


def _weight(seat: Seat, command: c.Command | Form) -> float:
    """How much a player likes a command: let fields grow, buy a third one, trade while somebody will."""
    match command:
        case c.Harvest(field):
            size = len(seat.fields[field])
            return 0.01 * size if size < 4 else 0.1 * size
        case c.Plant(field):
            return 5 if seat.fields[field] else 1
        case c.Withdraw() | c.EndTrading():
            return 0.3
        case _:
            return _LIKED.get(type(command), 1)


def filled(form: Form, chance: random.Random, grown: Collection[str] = ()) -> c.Command:
    """A command that fills the form, asking mostly for what is grown; an offer may come out empty."""
    match form:
        case OfferForm():
            to = chance.choice(form.to)
            return c.Offer(to, *_trade(form, chance, grown), *_promises(form, chance))
        case CounterForm():
            offer = chance.choice(form.offer)
            return c.Counter(offer, *_trade(form, chance, grown), *_promises(form, chance))
        case AcceptForm():
            return _payment(form, chance)
        case SayForm():
            return c.Say(chance.choice(SENTENCES))
        case AskTakeBackForm():
            return c.AskTakeBack(chance.choice(form.to_version or (1,)), seen_confirmed=True)


def _trade(form: OfferForm | CounterForm, chance: random.Random, grown: Collection[str]) -> _Trade:
    """What is given from hand and revealed cards, what is wanted by variety and of the revealed cards."""
    wanted = chance.sample(sorted(grown or form.want), chance.randint(0, 1))
    asked = _some(form.want_revealed, chance) if chance.random() < 0.3 else ()
    return _some(form.hand, chance), _some(form.revealed, chance), dict.fromkeys(wanted, 1), asked


def _some(numbers: tuple[int, ...], chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.sample(numbers, chance.randint(0, min(2, len(numbers)))))


def _promises(form: OfferForm | CounterForm, chance: random.Random) -> tuple[bool, bool]:
    """Whether the offer comes with a binding promise of either side."""
    return (chance.random() < 0.3, chance.random() < 0.3) if form.promises else (False, False)


def _payment(form: AcceptForm, chance: random.Random) -> c.Accept:
    hand: list[int] = []
    revealed = list(form.revealed)
    for way in form.payments:
        cards = [(hand, number) for number in way.hand if number not in hand]
        cards += [(revealed, number) for number in way.revealed if number not in revealed]
        for where, number in chance.sample(cards, way.count):
            where.append(number)
    return c.Accept(form.offer, tuple(hand), tuple(revealed))
