"""One game in memory: its rules, its folded state and its chain head; how a command becomes log entries.

A Table is a frozen value. `submit` plays a command, and the dealer's answers that become due with it, and
returns the next Table with the entries to append; nothing is stored here. `follow` moves a Table along entries
that were appended by somebody else.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from events.chain.commitments import commit, salt
from events.chain.hash_chain import GENESIS, link
from events.commands import ClockSettings, Command, CreateGame, RevealSecret
from events.commands.dealing import Dealing
from events.domain_events import GameRewound
from events.game.dealing import commitment_to, dealers_command, game_salt_key, stays_closed
from events.game.folding import Folding
from events.game.forcing import begin_forcing, next_forced
from events.game.log_facts import EMPTY, LogCounter, LogFacts
from events.game.rewindable_history import NotInHistory
from events.game.timekeeping import check_time, check_untouched
from events.log.actors import actor_name
from events.log.codec import decode_event, encode_command, encode_event, event_type
from events.log.disclosure import PUBLIC, Disclosure
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.rules.catalogues.catalogue import Catalogue
from events.rules.decide import play
from events.rules.definition.rule_system import ENGINE_VERSION, Rules, rules_for
from events.rules.errors import BadDealing, UnknownSystem
from events.rules.evolving.evolve import evolve
from events.rules.move import DEALER, HOST, Earlier, nothing_earlier
from events.rules.phases.setting_up import check_dealing
from events.rules.systems.registry import system_named
from events.rules.table.state import INITIAL_STATE, GameState

CatalogueFor = Callable[[str], Catalogue]
"""Finds a catalogue by its content hash."""


class RewindEncountered(Exception):
    """A game went back to an earlier version: it has to be folded from its beginning."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game at one version."""

    rules: Rules
    secret: str
    """The dealer's secret: 32 bytes in hex."""
    key: bytes
    """The salt key that follows from the secret."""
    state: GameState = INITIAL_STATE
    version: int = 0
    hash: str = GENESIS
    log: LogFacts = EMPTY
    """What the log up to this version says besides."""

    @property
    def game(self) -> str:
        """The game's id."""
        return self.state.game

    def submit(
        self, actor: int, command: Command, at: int, earlier: Earlier = nothing_earlier
    ) -> tuple["Table", list[RecordedEvent]]:
        """Play a command that arrived at `at` (milliseconds since the epoch), and the dealer's answers to it.

        What goes back to an earlier version needs `earlier`, such as the `at` of a `RewindableHistory` over the log.
        The secret of a round stays closed when the game has ended: `open_secret` opens it.

        Raises:
            RuleViolation: the rules forbid it.
        """
        table, disclosures = self.disclose(actor, command, at, earlier)
        return table, [each.recorded for each in disclosures]

    def disclose(
        self, actor: int, command: Command, at: int, earlier: Earlier = nothing_earlier
    ) -> tuple["Table", list[Disclosure]]:
        """As `submit`, with what the entries show to whom; that was worked out already for the hash chain.

        Raises:
            RuleViolation: the rules forbid it.
        """
        check_time(self.log.clock, actor, command, at)
        check_untouched(self.log.close_after, self.log.at, command, at)
        state, version, head, counter = self.state, self.version, self.hash, LogCounter(self.log)
        forcing = begin_forcing(command, state)
        disclosures: list[Disclosure] = []
        while True:
            move = play(self.rules, state, actor, command, earlier)
            begun_by, by = encode_command(command), actor_name(actor)
            for event, after in zip(move.events, move.states, strict=True):
                version += 1
                unlinked = RecordedEvent(
                    version=version,
                    type=event_type(event),
                    schema=event.schema,
                    data=encode_event(event),
                    at=at,
                    actor=by,
                    command=begun_by,
                    state_hash=commit(salt(self.key, version, "state"), after),
                    hash="",
                )
                disclosure = Disclosure(unlinked, self.key)
                head = link(head, disclosure.form(PUBLIC).entry)
                disclosure.recorded = msgspec.structs.replace(unlinked, hash=head)
                disclosures.append(disclosure)
                counter.add(disclosure.recorded, event, after)
                begun_by = b""
            state = move.state
            if state.due is not None and not stays_closed(state):
                actor, command = DEALER, dealers_command(self.rules, state, self.secret)
                continue
            forced = next_forced(self.rules, state, forcing, self.key, version)
            if forcing is None or forced is None:
                table = replace(self, state=state, version=version, hash=head, log=counter.facts())
                return table, disclosures
            actor, command, forcing = forcing.seat, forced, forcing._replace(left=forcing.left - 1)

    def open_secret(self, at: int) -> tuple["Table", list[RecordedEvent]]:
        """Open the secret of a round at a moment (milliseconds since the epoch), in a game of it that has ended.

        Raises:
            NothingDue: the game has not ended, or its secret is open.
        """
        return self.submit(DEALER, RevealSecret(self.secret), at)

    def follow(
        self, entries: Iterable[RecordedEvent], state_at: Callable[[int], GameState] | None = None
    ) -> "Table":
        """Move along entries of the log, which are taken as they are: checking them is a verifier's work.

        `state_at` gives the state at an earlier version of the log, for where the game went back to it.

        Raises:
            RewindEncountered: it went back, and nobody gives earlier states.
            UndecodableEvent: an entry cannot be read.
        """
        state, counter, last = self.state, LogCounter(self.log), None
        for last in entries:
            event = decode_event(last)
            if isinstance(event, GameRewound):
                if state_at is None:
                    raise RewindEncountered(last.version)
                state = state_at(event.to_version)
            state = evolve(state, event)
            counter.add(last, event, state)
        if last is None:
            return self
        return replace(self, state=state, version=last.version, hash=last.hash, log=counter.facts())


def new_table(
    game: str,
    system: str,
    players: int,
    *,
    options: dict[str, str | int | bool],
    catalogue: Catalogue,
    secret: str,
    at: int,
    patience: tuple[int, int] = (0, 0),
    committed_at: int | None = None,
    clock: ClockSettings | None = None,
    close_after: int | None = None,
    dealing: Dealing | None = None,
) -> tuple[Table, list[RecordedEvent]]:
    """Set up a game; nobody is seated yet. `patience`: seconds for which bots wait for people and for programs.

    `committed_at`, `clock`, `close_after` and `dealing`: see `CreateGame`; with `dealing` the secret is that of the
    round.

    Raises:
        RuleViolation: the rule system is not played like that.
    """
    rules = rules_for(system_named(system), players, options, catalogue)
    command = CreateGame(
        game,
        system,
        players,
        dict(rules.options),
        catalogue.hash(),
        commitment_to(secret),
        *patience,
        committed_at,
        clock,
        close_after,
        dealing,
    )
    return Table(rules, secret, game_salt_key(secret, game, dealing)).submit(HOST, command, at)


def open_table(entries: Iterable[RecordedEvent], secret: str, catalogue_for: CatalogueFor) -> Table:
    """Fold a stored game from its first entry on.

    Raises:
        UndecodableEvent: the log cannot be read, or was played with rules unknown here.
        CatalogueInvalid: its catalogue is not installed.
    """
    log = tuple(entries)
    try:
        return _begun(log, secret, catalogue_for).follow(log[1:])
    except RewindEncountered:
        return open_with_history(log, secret, catalogue_for)[0]


def _begun(log: Sequence[RecordedEvent], secret: str, catalogue_for: CatalogueFor) -> Table:
    """A stored game after its first entry."""
    if not log:
        raise UndecodableEvent("the log is empty")
    first = log[0]
    event = decode_event(first)
    state = evolve(INITIAL_STATE, event)
    try:
        rules = pinned_rules(state, catalogue_for)
    except UnknownSystem as unknown:
        raise UndecodableEvent(f"version {first.version}: {unknown}") from unknown
    return Table(
        rules,
        secret,
        game_salt_key(secret, state.game, state.dealing),
        state,
        first.version,
        first.hash,
        EMPTY.after(first, event, state),
    )


def open_with_history(
    entries: Iterable[RecordedEvent], secret: str, catalogue_for: CatalogueFor
) -> tuple[Table, Earlier]:
    """Like `open_table`, with what finds the tables that the game can go back to: for `submit`.

    Raises:
        UndecodableEvent, CatalogueInvalid
    """
    log = tuple(entries)
    begun, folding, counter = _begun(log, secret, catalogue_for), Folding(), LogCounter()
    for entry in log:
        event = decode_event(entry)
        try:
            counter.add(entry, event, folding.follow(event, begins=bool(entry.command)))
        except NotInHistory as wrong:
            raise UndecodableEvent(f"version {entry.version}: {wrong}") from wrong
    folding.stop()
    last = log[-1]
    table = replace(begun, state=folding.state, version=last.version, hash=last.hash, log=counter.facts())
    return table, folding.earlier


def pinned_rules(created: GameState, catalogue_for: CatalogueFor) -> Rules:
    """The rules that a game is pinned to, from its state after the first event.

    Raises:
        UnknownSystem: this installation has not this version of the rule system, the engine or the dealing.
        CatalogueInvalid: the catalogue is not installed.
    """
    if created.engine_version != ENGINE_VERSION:
        raise UnknownSystem(
            f"The game was played with engine version {created.engine_version}; this installation has version "
            f"{ENGINE_VERSION}."
        )
    try:
        check_dealing(created.dealing)
    except BadDealing as unknown:
        raise UnknownSystem(str(unknown)) from unknown
    system = system_named(created.system, created.system_version)
    return rules_for(system, len(created.seats), created.options, catalogue_for(created.catalogue))
