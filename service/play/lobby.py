"""Setting up games and seating players: the host's part."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from events.bots import QUICK_BOTS
from events.chain.hash_chain import GENESIS
from events.commands import ClockSettings, TakeSeat
from events.commands.dealing import DUPLICATE, Dealing
from events.game.table import Table, new_table
from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from events.rules.definition.names import check_name, neutral_name
from events.rules.definition.rule_system import RuleSystem
from events.rules.errors import BadClock, BadName, RuleViolation, SeatOccupied
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.store.event_store import NOTHING_PRIVATE, EventStore
from service.access.game_access import SECRET, GamePolicy
from service.access.tokens import seat_token, token_field
from service.catalogues.catalogues import Catalogues, kept_with_game
from service.play.command_handling import CommandHandling
from service.play.deciding import Refused, Request, Stale
from service.play.first_answers import FirstAnswers
from service.play.outcome import Outcome
from service.play.reservations import Reservation
from service.play.steps import Append, complete
from service.play.tables import LoadedGame, Tables
from service.play.traced_append import traced_append
from service.telemetry.store import AppendTraces


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes a seat: a person, a bot by its name, or another program by its name and version.

    `seed` is the seat's own share of chance. `player` is who that is in all their games, by the id that logs have
    (`service.players.ids`): then the log has a neutral name in place of `name`, and views put in the one to show.
    """

    name: str
    kind: str = "human"
    bot: str = ""
    seed: str = ""
    program: str = ""
    program_version: str = ""
    player: str = ""

    @classmethod
    def asked(cls, seat: Mapping[str, Any], player: str = "") -> "Player":
        """The player that a request describes, in the members of `SeatRequest` or `TakeSeatRequest`, by this id."""
        program = seat.get("program") or {}
        return cls(
            seat["name"] or "",
            seat["kind"],
            seat.get("bot", ""),
            seat["seed"],
            program.get("name", ""),
            program.get("version", ""),
            player,
        )

    def taking(self, seat: int, table: Table, coming: Iterable["Player | None"] = ()) -> TakeSeat:
        """Return the host's command; a bot gets a fresh seed of its own, which is recorded with it.

        The neutral name of a player with an id is like none at the table, nor like that of a player who is coming.
        """
        name = self.name
        if self.player:
            names = [each.name for each in coming if each is not None and not each.player]
            names += [
                each.name for number, each in enumerate(table.state.seats) if each.kind and number != seat
            ]
            name = neutral_name(seat, names)
        bot_seed = secrets.token_hex(16) if self.kind == "bot" else ""
        return TakeSeat(
            seat,
            name,
            self.kind,
            self.bot,
            bot_seed,
            self.seed,
            self.program,
            self.program_version,
            self.player,
        )


@dataclass(frozen=True, slots=True)
class RoundDeal:
    """What all games of a duplicate round are dealt from.

    The secret stays closed in each of them until `CommandHandling.open_round_secret` is asked to open it.
    """

    secret: str
    """The round's secret: 32 bytes in hex, which nobody else may know before its last game has ended."""
    seed: str
    """The round's own share of chance: 1 to 128 printable ASCII characters, without spaces."""

    @property
    def dealing(self) -> Dealing:
        """What the log says of it."""
        return Dealing(DUPLICATE, self.seed)


@dataclass(frozen=True, slots=True)
class NewGame:
    """What is asked for: a rule system, a player or None for every seat, options, and a catalogue by its name."""

    system: str
    players: Sequence[Player | None]
    options: Mapping[str, str | int | bool]
    catalogue: str | None = None
    """None for the one that the system is played with."""
    policy: GamePolicy = field(default_factory=GamePolicy)
    """Who may watch."""
    people_patience: int | None = None
    """Seconds for which bots whose turn it is wait for people; None for what is usual here."""
    program_patience: int = 0
    """The same for programs."""
    reservation: Reservation | None = None
    """What promised its id and its secret, before its seeds were named."""
    clock: ClockSettings | None = None
    """What it is played with; None for no clock."""
    close_after: int | None = None
    """After so many seconds without an event it may be closed."""
    deal: RoundDeal | None = None
    """The deal of its round; None for a game that is dealt from a secret of its own."""


class NotPlayed(Exception):
    """The rule system asked for is not played like that; no game was set up.

    Attributes:
        violation: why.
        system: the rule system.
    """

    def __init__(self, violation: RuleViolation, system: RuleSystem) -> None:
        """Keep what the answer explains."""
        super().__init__(str(violation))
        self.violation = violation
        self.system = system


class Lobby:
    """Sets up games and seats players."""

    def __init__(
        self,
        store: EventStore,
        tables: Tables,
        handling: CommandHandling,
        catalogues: Catalogues,
        usual_patience: int,
    ) -> None:
        """Create games in this store, with these catalogues; bots have patience with people for so many seconds."""
        self._store = store
        self._traces = AppendTraces(store)
        self._tables = tables
        self._handling = handling
        self._first_answers = FirstAnswers(store, tables)
        self._catalogues = catalogues
        self._usual_patience = usual_patience

    def create(
        self,
        game: str,
        wanted: NewGame,
        arrived: int,
        request_id: str,
        fingerprint: str,
        *,
        check: Callable[[], object] = lambda: None,
    ) -> tuple[Outcome, dict[int, str]]:
        """Set up a game and seat the players given, in one step; returns the tokens of all but the bots' seats too.

        `check` may refuse a new game by what it raises; a request that has set one up before is answered without it.

        Raises:
            UnknownSystem: there is no such rule system.
            NotPlayed: it is not played like that.
            Refused: a player cannot be seated.
            UnknownCatalogue: there is none of the name that is asked for.
            VersionConflict: there is such a game, and another request has set it up.
            CommandIdReused, StoreUnavailable
        """
        request = Request(HOST, (), arrived, request_id, fingerprint)
        tokens = {
            seat: self._token(game, seat, request_id)
            for seat, player in enumerate(wanted.players)
            if player is not None and player.kind != "bot"
        }
        # The same request must get the same answer even if its catalogue is not installed any more.
        first = self._first_answers.find(game, request)
        if first is not None:
            return first, tokens
        check()
        reserved, secret = wanted.reservation, _choose_secret(wanted)
        system = system_named(wanted.system)
        catalogue = self._catalogues.chosen(system, wanted.catalogue)
        try:
            check_clock(wanted.clock)
            table, entries = new_table(
                game,
                wanted.system,
                len(wanted.players),
                options=dict(wanted.options),
                catalogue=catalogue,
                secret=secret,
                at=arrived,
                patience=(
                    self._usual_patience if wanted.people_patience is None else wanted.people_patience,
                    wanted.program_patience,
                ),
                committed_at=None if reserved is None else reserved.at,
                clock=wanted.clock,
                close_after=wanted.close_after,
                dealing=None if wanted.deal is None else wanted.deal.dealing,
            )
        except RuleViolation as violation:
            raise NotPlayed(violation, system) from violation
        for seat, player in enumerate(wanted.players):
            if player is not None:
                _check_names(table, player, seat)
                table, seated = _seat(table, player.taking(seat, table, wanted.players), arrived)
                entries += seated
        private = {
            SECRET: secret,
            **kept_with_game(catalogue),
            **msgspec.structs.replace(wanted.policy, filled=tuple(sorted(tokens))).private_fields(),
            **{token_field(token): str(seat) for seat, token in tokens.items()},
        }
        asked = Append(game, entries, 0, GENESIS, request.command_id, fingerprint, private, NOTHING_PRIVATE)
        appended = complete(traced_append(asked, self._traces), self._store)
        if appended.duplicate:
            return self._first_answers.repeat(game, appended, request), tokens
        loaded = self._tables.keep(LoadedGame(table, private))
        return Outcome(loaded, entries, [Disclosure(entry, table.key) for entry in entries]), tokens

    def take_seat(
        self, game: str, player: Player, seat: int | None, request: Request
    ) -> tuple[Outcome, int, str]:
        """Let somebody take a seat, or the first free one; returns the seat and its token too.

        Raises:
            GameNotFound, Refused, TooBusy, CommandIdReused, StoreUnavailable
        """
        outcome = self._first_answers.find(game, request)
        while outcome is None:
            table = self._tables.newest(game).table
            wanted = seat if seat is not None else _first_free(table)
            try:
                _check_names(table, player, wanted)
            except Refused:
                # The name may be there because the same request, sent twice at once, has just been the faster one.
                outcome = self._first_answers.find(game, request)
                if outcome is None:
                    raise
                break
            kept_under = token_field(self._token(game, wanted, request.id))
            # Whoever sits down meanwhile may have a name like this one, so this counts on no other table.
            taking = replace(
                request,
                commands=(player.taking(wanted, table),),
                private={kept_under: str(wanted)},
                expected=(table.version, table.hash),
            )
            try:
                outcome = self._handling.send(game, taking)
            except Stale:
                continue
            except Refused as refused:
                if seat is not None or not isinstance(refused.violation, SeatOccupied):
                    raise
        taken: int = msgspec.json.decode(outcome.entries[0].data)["seat"]
        return outcome, taken, self._token(game, taken, request.id)

    def _token(self, game: str, seat: int, request_id: str) -> str:
        return seat_token(self._store.installation.token_key, game, seat, request_id)


def _choose_secret(wanted: NewGame) -> str:
    """What the game is dealt from; the secret that a reservation has promised is not that of a round."""
    if wanted.deal is not None:
        if wanted.reservation is not None:
            raise ValueError("a game of a round is dealt from the round's secret: it cannot be reserved")
        return wanted.deal.secret
    return secrets.token_hex(32) if wanted.reservation is None else wanted.reservation.secret


def check_clock(clock: ClockSettings | None) -> None:
    """Refuse a clock whose bot nobody knows, or one that takes its time: who is late waits for its moves.

    Raises:
        BadClock
    """
    if clock is not None and clock.bot not in QUICK_BOTS:
        raise BadClock(f"The clock's bot is one of {', '.join(QUICK_BOTS)}, not {clock.bot!r}.")


def _seat(table: Table, command: TakeSeat, arrived: int) -> tuple[Table, list[RecordedEvent]]:
    try:
        return table.submit(HOST, command, arrived)
    except RuleViolation as violation:
        raise Refused(violation, table, command.seat) from violation


def _check_names(table: Table, player: Player, seat: int) -> None:
    """Refuse a player whose name, or whose program's name, breaks the rule for names or is taken at this table.

    The neutral name of a player with an id takes no name from anyone: views tell the two apart.

    Raises:
        Refused: it is one.
    """
    if table.state.status != "open":
        return
    others = [each for number, each in enumerate(table.state.seats) if each.kind and number != seat]
    if player.player and any(each.player == player.player for each in others):
        raise Refused(BadName("This player sits at this table already."), table, seat)
    try:
        if not player.player:
            check_name(player.name, [each.name for each in others if not each.player])
        for text in filter(None, (player.program, player.program_version)):
            check_name(text)
    except BadName as refused:
        raise Refused(refused, table, seat) from refused


def _first_free(table: Table) -> int:
    return next((seat for seat, player in enumerate(table.state.seats) if not player.kind), 0)
