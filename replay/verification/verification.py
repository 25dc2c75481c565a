"""The state of a verification: every check on every entry, in one order.

For the scope `all` each recorded command is put to the rules again, and what they answer must be exactly what
was recorded. A narrower scope shows less, so less can be asked of it: links, sequence, opened values, the
filtered table, and, once the secret is there, every pile.
"""

from collections.abc import Mapping

import msgspec

from events import domain_events as e
from events.chain.commitments import commit
from events.chain.hash_chain import GENESIS, link
from events.commands import Command
from events.game.clock import begin_clock
from events.game.dealing import stays_closed
from events.game.folding import Folding
from events.game.limits import MOST_ENTRIES
from events.game.record import Header
from events.log.actors import actor_number
from events.log.disclosure import ALL, Form, public_form
from events.log.redacted import command_in, event_in
from events.log.upcasting import UndecodableEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from events.transparency.game_head import GameHead, signed_status
from replay.records.effective_history import EffectiveHistory, Rewinding
from replay.records.hidden import check_scope, parse_viewer
from replay.records.pinned import check_catalogue_content, describe_catalogue, pinned_rules
from replay.records.report import CHECKS, Discrepancy, Finding, Report
from replay.records.shape import SCOPE, check_shape
from replay.verification.clocks import ClockChecks
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.claims import WHAT_FOLLOWS
from replay.verification.execution.deferred_checks import DeferredChecks
from replay.verification.execution.derivation import DERIVED, NOT_DERIVED, Derivation
from replay.verification.execution.expected_events import ExpectedEvents
from replay.verification.plausibility.cards import check_cards
from replay.verification.plausibility.check import check_plausibility
from replay.verification.plausibility.dealer import DealerCalls
from replay.verification.plausibility.leaving import check_leaving
from replay.verification.plausibility.open_commands import OpenCommands, check_phase
from replay.verification.rewindings import check_asked, check_order, check_rewinding
from replay.verification.times import Times

_SCORING = {e.FieldHarvested, e.FieldPaidFromPiles, e.ThirdFieldBought, e.GameEnded}


class Verification:
    """Moves along the entries of one record.

    Attributes:
        header: the record's header.
        version: the version of the entry being checked; 0 for the header.
        checking: the name of the check being made, one of `CHECKS`.
        head: the chain hash after the last entry that held.
    """

    def __init__(self, header: Header, *, ask_rules: bool = True, is_live: bool = False) -> None:
        """Begin before the first entry; of a live game the secret follows with its last entry."""
        self.header = header
        self._ask_rules = ask_rules
        self._is_live = is_live
        self.version = 0
        self.checking = "record"
        self.head = GENESIS
        self._verified = 0
        self._derived = 0
        self._made = dict.fromkeys(CHECKS, 0)
        self._viewer = ALL
        self._rules: Rules | None = None
        self._asked = ExpectedEvents()
        self._folding = Folding()
        self._begun = 0
        self._rewindings: list[Rewinding] = []
        self._last: e.DomainEvent | None = None
        self._dealer_calls = DealerCalls()
        self._group: tuple[int, str] | None = None
        self._sealed = DeferredChecks(header.secret)
        self._derivation = Derivation(self._asked, self._folding, self._sealed)
        self._derives_by: Rules | None = None
        self._times = Times()
        self._clock: ClockChecks | None = None
        self._open_commands = OpenCommands()

    @property
    def state(self) -> GameState:
        """The table, as this record's viewer sees it."""
        return self._folding.state

    @property
    def laid(self) -> Mapping[tuple[str, int], tuple[e.Card, ...]]:
        """How each pile was laid that was shuffled, by pile and number, as far as the secret has told."""
        return self._sealed.laid

    @property
    def game_head(self) -> GameHead:
        """The head of the game after the last entry that held: what a signature is about."""
        return GameHead(self.header.game, self._verified, self.head, signed_status(self.state.status))

    def begin(self) -> None:
        """Check the header.

        Raises:
            Discrepancy: it does not hold.
        """
        self._check("scope")
        if not SCOPE.fullmatch(self.header.scope):
            raise Discrepancy(
                "scope", f"there is no scope {self.header.scope[:40]!r}; there are all, public and seat:0 …"
            )
        self._viewer = parse_viewer(self.header.scope)
        self._check("pinned")
        check_catalogue_content(self.header.catalogue)

    def accept(self, line: bytes) -> VerifiedEntry | None:
        """The entry that this line of a record shows, if it is the next one and follows: no check is left out then.

        None, and nothing has happened, where it has to be read and followed.

        Raises:
            Discrepancy: it does not hold.
            Exception: something in it that nobody thought of; the caller turns that into a finding.
        """
        rules = self._derives_by
        if rules is None or self.version >= MOST_ENTRIES:
            return None
        self.version += 1
        self.checking = "record"
        try:
            entry = self._derivation.derive(
                rules, line, self.version, self.head, group=self._group, stop=self._stop
            )
        except NOT_DERIVED:  # the checks one by one find the same, and have words for it
            entry = None
        if entry is None:
            self.version -= 1
            return None
        event, before, made = entry.event, self._folding.state, self._made
        self._derived += 1
        if entry.command is not None:
            self._group = entry.at, entry.actor
        self._times.follow(entry.at, event)
        self._check_event(rules, before, event)
        if type(event) in WHAT_FOLLOWS:
            self._sealed.claim(rules, before, event, entry.form)
        made["commitments"] += entry.salts
        self._folding.move_on(event, entry.state)
        made["state"] += 1
        self._finish_entry(rules, before, entry)
        return entry

    def follow(self, form: Form) -> VerifiedEntry:
        """Check the next entry member by member and move on to the table after it.

        Raises:
            Discrepancy: it does not hold.
            Exception: something in it that nobody thought of; the caller turns that into a finding.
        """
        self.version += 1
        self._check("record")
        if self.version > MOST_ENTRIES:
            raise Discrepancy("record", f"a record has at most {MOST_ENTRIES} entries")
        if "command" in form.entry:
            self._stop(self.version)
        event, command = self._check_entry(form)
        at, actor = form.entry["at"], form.entry["actor"]
        self._times.follow(at, event)
        rules, before = self._check_pinned(event), self.state
        self._fold(rules, form, event)
        entry = VerifiedEntry(
            self.version, at, actor, command, event, self.state, form.hash, len(form.salts), form
        )
        self._finish_entry(rules, before, entry)
        return entry

    def _stop(self, version: int) -> None:
        """A command begins with this version, so the one before is whole: the game may go back to here."""
        if self._begun != version:
            self._begun = version
            if self._folding.stop():
                self._sealed.stop(version - 1)

    def _check_entry(self, form: Form) -> tuple[e.DomainEvent, Command | None]:
        """The event of an entry, and its command."""
        if not self._ask_rules:
            self._asked.owed.clear()
        self._check("shape")
        check_shape(form, self.version)
        self._check("fold")
        event, command = _decode(form)
        self._check("scope")
        check_scope(form, self._viewer)
        self._check_chain(form)
        self._check_command(self._check_pinned(event), form, event, command)
        return event, command

    def finish(self) -> None:
        """Check that nothing is missing at the end.

        Raises:
            Discrepancy: something is.
        """
        self._check("end")
        if self._verified == 0:
            raise Discrepancy("end", "the record has no entries", 1)
        # A narrower scope may be cut off between two entries, as for spectators some versions behind.
        if self._clock is not None and self._viewer == ALL and (late := self._clock.missing(self.state)):
            raise Discrepancy("end", f"{late} is missing", self.version + 1)
        missing = self._asked.missing
        if missing:
            raise Discrepancy(
                "end", f"the last command also brought about {missing}, which is missing", self.version + 1
            )
        is_closed = stays_closed(self.state)
        if self.state.due is not None and not is_closed:
            task = self.state.due.task
            raise Discrepancy("end", f"the dealer's answer ({task}) is missing", self.version + 1)
        if self.state.status == "ended" and not is_closed:
            raise Discrepancy("end", "the game has ended, but its secret is not opened", self.version + 1)
        if self.header.secret and self.state.status != "finished":
            raise Discrepancy("end", "the header holds a secret that no entry opens", self.version + 1)

    def report(self, finding: Finding | None) -> Report:
        """What has come out, with what does not hold."""
        state, result = self.state, self.state.result
        return Report(
            ok=finding is None,
            scope=self.header.scope[:40],
            game=self.header.game[:200],
            system=state.system,
            system_version=state.system_version,
            engine_version=state.engine_version,
            **(describe_catalogue(self.header.catalogue) if self._rules is not None else {}),
            entries=self._verified,
            head=self.head if self._verified else "",
            status=state.status,
            scores=self._scores() if result is not None else (),
            unit=result.unit if result is not None else "coins",
            winners=result.winners if result is not None else (),
            reason=result.reason if result is not None else "",
            seeds=self._times.seeds if self._verified else "",
            clock=msgspec.UNSET if self._clock is None else self._clock.report(),
            discarded=EffectiveHistory(self._rewindings).discarded,
            checks=self._count_checks(),
            findings=() if finding is None else (finding,),
            stopped_early=finding is not None and self._verified != self.version,
        )

    def _scores(self) -> tuple[int, ...]:
        """The score of each seat, as recomputed from what lies before it."""
        if self._rules is None:
            return ()
        return tuple(
            self._rules.system.score(self._rules, self.state, seat) for seat in range(self._rules.players)
        )

    def _count_checks(self) -> dict[str, int]:
        """How often each check was made that was."""
        passed = DERIVED if self._ask_rules else DERIVED[:-1]
        made = {name: self._made[name] + self._derived * (name in passed) for name in CHECKS}
        return {name: count for name, count in made.items() if count}

    # --- the checks ----------------------------------------------------------------------------------------

    def _check(self, name: str) -> None:
        self.checking = name
        self._made[name] += 1

    def _check_chain(self, form: Form) -> None:
        self._check("chain")
        if link(self.head, public_form(form)) != form.hash:
            raise Discrepancy("chain", "the chain hash is not that of this entry after the one before it")

    def _check_pinned(self, event: e.DomainEvent) -> Rules:
        if self._rules is None:
            self._check("pinned")
            self._rules = pinned_rules(self.header, event)
            if self._viewer >= self._rules.players:
                raise Discrepancy("scope", f"the table has no {self.header.scope}")
            if self._viewer == ALL and self.header.secret:
                self._derives_by = self._rules
            self._begin_clock(event)
        return self._rules

    def _begin_clock(self, event: e.DomainEvent) -> None:
        clock = begin_clock(event) if isinstance(event, e.GameCreated) else None
        if isinstance(event, e.GameCreated) and clock is not None:
            self._check("clock")
            self._clock = ClockChecks(event, clock)

    def _check_command(self, rules: Rules, form: Form, event: e.DomainEvent, command: Command | None) -> None:
        self._check("commands")
        by = form.entry["at"], form.entry["actor"]
        actor = actor_number(form.entry["actor"])
        if command is None:
            if self._group != by:
                raise Discrepancy(
                    "commands", "this entry has no command, and belongs to no command before it"
                )
        elif actor >= rules.players:
            raise Discrepancy("commands", f"the table has no {form.entry['actor']}")
        self._group = by
        if self._viewer == ALL and self._ask_rules:
            self._check("rules")
            if command is not None:
                self._asked.put(rules, self._folding, actor, command, form)
            self._asked.compare(form, event)

    def _check_event(self, rules: Rules, before: GameState, event: e.DomainEvent) -> None:
        self.checking = "fold"
        self._made["fold"] += 1
        check_order(before, self._last, event)
        check_leaving(before, self._last, event)
        check_plausibility(rules, before, event)
        if self._viewer != ALL:
            self._dealer_calls.check(rules, before, self._last, event)
        self._last = event

    def _fold(self, rules: Rules, form: Form, event: e.DomainEvent) -> None:
        before = self.state
        self._check_event(rules, before, event)
        if isinstance(event, e.GameRewound):
            check_rewinding(self._folding, event)
        elif isinstance(event, e.TakeBackAsked):
            check_asked(self._folding, event)
        self._made["commitments"] += self._sealed.follow(rules, before, event, form)
        self._folding.follow(event, begins=False)
        if self._viewer == ALL:
            self._check("state")
            if commit(form.salts["state"], self.state) != form.entry["state"]:
                self._folding.state = before
                raise Discrepancy(
                    "state", "the table after this entry is not the one whose hash was recorded"
                )
        if isinstance(event, e.GameRewound):
            self._rewindings.append(Rewinding(self._begun, self.version, event.to_version))

    def _finish_entry(self, rules: Rules, before: GameState, entry: VerifiedEntry) -> None:
        """What comes last, once the table after an entry is known."""
        event = entry.event
        self.checking = "cards"
        self._made["cards"] += 1
        check_cards(rules, before, entry.state)
        if type(event) in _SCORING:
            self._check("scores")
        if self._viewer != ALL:
            self.checking = "commands"
            check_phase(rules, before, entry.command)
            self._open_commands.follow(rules, actor_number(entry.actor), entry.command, event, before)
        if self._clock is not None:
            self._check("clock")
            key = None if self._derives_by is None else self._sealed.key
            self._clock.follow(rules, before, entry, key)
        if isinstance(event, e.SecretRevealed):
            self._open(event.secret)
        self.head = entry.hash
        self._verified += 1

    def _open(self, secret: str) -> None:
        self.checking = "commitments"
        if not self.header.secret and not self._is_live:
            raise Discrepancy("commitments", "the header does not name the secret that this entry opens")
        self._made["commitments"] += self._sealed.open(self.state, secret)
        self._made["shuffles"] += self._sealed.piles_checked


def _decode(form: Form) -> tuple[e.DomainEvent, Command | None]:
    try:
        return event_in(form.entry), command_in(form.entry)
    except UndecodableEvent as error:
        raise Discrepancy("fold", str(error)) from error
