"""The entries of a record that hold, kept small, with the table at any version a moment away.

Kept are the entries themselves, compressed in blocks, and for each block the tables at its beginning. To have a
version, one block is unpacked and folded. Measured on a game of 100,274 entries:
16 MB for all of it, where every entry decoded with a table of its own
takes 2.3 KB, and more with the public's; a table at any version in 0.6 ms, p99 in 3 ms of work. The blocks looked at
last stay unpacked, so that stepping and changing the viewer cost next to nothing. Blocks of 64 entries took two to
three times as long to unpack.

Two tables are folded side by side: the one that the record's scope shows, and the one that everybody sees. With
both, the table of any seat is put together without folding anything. Folding what a viewer gets is more than
leaving cards out of the whole table: a hand that was taken up from the open table is known to all, until a card
leaves it from a place that only its owner knows. But for everybody who is not the owner this is the same: a private
value is its owner's, or nobody's. So the table of a seat is that of the public, with what is the seat's own taken
from the whole one. A law in the tests holds this against the fold of the seat's own record, at every version of the
recorded games.
"""

import zlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from events import domain_events as e
from events.game.clock import Clock, begin_clock
from events.game.record import Header
from events.log.disclosure import PUBLIC, Form
from events.log.redacted import close_event, event_in
from events.rules.evolving.evolve import evolve
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.state import GameState
from replay.annotations.book import AnnotationBook
from replay.records.effective_history import EVERYTHING, EffectiveHistory, Rewinding
from replay.records.hidden import parse_viewer, redact_for_public
from replay.records.report import Finding
from replay.timeline.entries import Follow, RecordingEntry, Snapshot
from replay.timeline.known_hands import OfferedNames, learn
from replay.verification.entry import VerifiedEntry
from replay.verification.verify import Verifier

EVENT, COMMAND, PHASE, TURN = "event", "command", "phase", "turn"
"""What one can step by."""
BLOCK: Final = 32
"""Entries that are compressed together, and at most folded for one version."""
UNPACKED: Final = 8
"""Blocks that stay unpacked."""
LOT: Final = 64
"""Entries that are verified, then kept, then followed: from one kind of work to another with each of them took a
quarter longer, since what a processor has at hand has to make room every time."""
_LEVEL: Final = 3
_BEGINNINGS = (e.PhaseBegan, e.TurnBegan)
_decode = msgspec.json.Decoder(Form).decode


class Recording:
    """The entries of one record, verified; they can grow at the end while they are read.

    One thread adds entries. Others may read meanwhile: an entry counts in `last` once all of it is there.

    Attributes:
        header: the record's header.
        scope: the viewer whose view the record holds.
        last: the version of the last entry; 0 where there is none.
        broken: where and why the record does not verify; the entries end before it. None if it does.
        annotations: what was said about the game: what the record carries, once it was read.
        starts: for COMMAND, PHASE and TURN the versions with which they begin.
        ends: the last version of each command so far.
        rewindings: where the game went back.
    """

    def __init__(self, header: Header, *, is_live: bool = False) -> None:
        """Begin without entries; with `is_live` those of a running game, whose header names no secret.

        Raises:
            ValueError: the header names no scope.
        """
        self.header = header
        self._is_live = is_live
        self.scope = parse_viewer(header.scope)
        self.last = 0
        self.broken: Finding | None = None
        self.annotations = AnnotationBook(header.game)
        self.starts = {unit: array("I") for unit in (COMMAND, PHASE, TURN)}
        self.ends = array("I")
        self.rewindings: list[Rewinding] = []
        self._counting = EVERYTHING
        self._names = OfferedNames(header.catalogue)
        self._blocks: list[bytes] = []
        self._open: list[bytes] = []
        self._begins: list[Snapshot] = [Snapshot()]
        self._newest = Snapshot()
        self._unpacked: OrderedDict[int, tuple[RecordingEntry, ...]] = OrderedDict()

    def read(
        self,
        forms: Iterable[Form],
        told: Callable[[int], None] | None = None,
        follow: Follow | None = None,
    ) -> None:
        """Verify the entries and take those that hold; `told` gets the version of each, `follow` the entry itself.

        For `follow` entries are read in lots, and so it hears of them when a few more are there already. An error of
        the forms' source passes through, except RecordBroken.
        """
        verifier = Verifier(self.header, is_live=self._is_live)
        for lot in _in_lots(verifier.iterate_verified(forms), 1 if follow is None else LOT):
            for entry, taken in zip(lot, [*map(self._take, lot)], strict=True):
                if follow is not None:
                    follow(taken)
                if told is not None:
                    told(entry.version)
        self.broken = verifier.finding
        self.annotations = verifier.annotations

    def at(self, version: int) -> RecordingEntry:
        """The entry of a version, and the moment after it.

        Raises:
            IndexError: there is none.
        """
        if not 1 <= version <= self.last:
            raise IndexError(version)
        block, place = divmod(version - 1, BLOCK)
        return self._entries(block, place + 1)[place]

    def table(self, moment: Snapshot, viewer: int) -> GameState:
        """The table at a moment as a viewer sees it, who is within the scope."""
        if viewer == self.scope:
            return moment.whole
        return moment.public if viewer == PUBLIC else table_of_seat(moment.whole, moment.public, viewer)

    def effective_history(self, version: int | None = None) -> EffectiveHistory:
        """Which entries count when the log stands at a version; at its last one, if none is named."""
        if version is None:
            return self._counting
        return EffectiveHistory(each for each in tuple(self.rewindings) if each.version <= version)

    @property
    def unpacked(self) -> int:
        """How many blocks are unpacked now."""
        return len(self._unpacked)

    # --- taking and unpacking ------------------------------------------------------------------------------

    def _take(self, entry: VerifiedEntry) -> RecordingEntry:
        event = entry.event
        before, running = self._newest, self._newest.clock
        if isinstance(event, e.GameRewound):
            before = self.at(event.to_version).moment
        # What is derived is written as this release writes it, and need not be read to know what it hides.
        opened = close_event(event) if entry.is_derived else self._opened(entry.form, event)
        clock = _clock_after(running, entry.at, event, entry.state)
        self._newest = self._after(before, event, opened, entry.state, clock)
        self._open.append(entry.line)
        version = self.last + 1
        if entry.command is not None:
            self.starts[COMMAND].append(version)
        if isinstance(event, _BEGINNINGS):
            self.starts[PHASE if isinstance(event, e.PhaseBegan) else TURN].append(version)
        if isinstance(event, e.GameRewound):
            self.rewindings.append(Rewinding(self.starts[COMMAND][-1], version, event.to_version))
            self._counting = EffectiveHistory(self.rewindings)
        if len(self._open) == BLOCK:
            self._begins.append(self._newest)
            self._blocks.append(zlib.compress(b"\n".join(self._open), _LEVEL))
            self._open = []
        self.last = version
        if entry.command is not None:
            self.ends.append(version)
        elif self.ends:
            self.ends[-1] = version
        return RecordingEntry(entry.at, entry.actor, event, opened, self._newest, entry)

    def _entries(self, block: int, needed: int) -> tuple[RecordingEntry, ...]:
        found = self._unpacked.get(block, ())
        if len(found) < needed:
            found = self._unpack(block)
            self._unpacked[block] = found
            if len(self._unpacked) > UNPACKED:
                self._unpacked.popitem(last=False)
        return found

    def _unpack(self, block: int) -> tuple[RecordingEntry, ...]:
        lines = self._open
        if block < len(self._blocks):  # asked after the open ones were: a block may be closed in between
            lines = zlib.decompress(self._blocks[block]).split(b"\n")
        moment = self._begins[block]
        entries: list[RecordingEntry] = []
        for line in tuple(lines):
            form = _decode(line)
            written = form.entry
            event, clock = event_in(written), moment.clock
            if isinstance(event, e.GameRewound):
                moment = self._moment(event.to_version, block, entries)
            opened = self._opened(form, event)
            whole = evolve(moment.whole, event)
            clock = _clock_after(clock, written["at"], event, whole)
            moment = self._after(moment, event, opened, whole, clock)
            if len(entries) + 1 == BLOCK:  # the very tables with which the next block begins
                moment = self._begins[block + 1]
            entries.append(RecordingEntry(written["at"], written["actor"], event, opened, moment, form))
        return tuple(entries)

    def _moment(self, version: int, block: int, unpacked: list[RecordingEntry]) -> Snapshot:
        """The moment after a version, while its block may be the one that is being unpacked."""
        place = version - 1 - block * BLOCK
        return unpacked[place].moment if place >= 0 else self.at(version).moment

    def _opened(self, form: Form, event: e.DomainEvent) -> e.DomainEvent:
        """What happened as everybody has it."""
        if self.scope == PUBLIC:
            return event
        if form.entry["schema"] == event.schema:
            return close_event(event)
        shown = redact_for_public(form.entry)
        return event if shown is form.entry else event_in(shown)

    def _after(
        self,
        moment: Snapshot,
        event: e.DomainEvent,
        opened: e.DomainEvent,
        whole: GameState,
        clock: Clock | None,
    ) -> Snapshot:
        """The moment after an event; its clock, and the table in the record's scope, are known already."""
        is_same = opened is event and moment.whole is moment.public
        public = whole if is_same else evolve(moment.public, opened)
        known = learn(moment.known, self._names, moment.public, opened)
        if is_same and whole is moment.whole and known is moment.known and clock is moment.clock:
            return moment
        return Snapshot(whole, public, known, clock)


def _in_lots(entries: Iterable[VerifiedEntry], size: int) -> Iterator[list[VerifiedEntry]]:
    """Entries, so many at once."""
    lot: list[VerifiedEntry] = []
    for entry in entries:
        lot.append(entry)
        if len(lot) == size:
            yield lot
            lot = []
    if lot:
        yield lot


def _clock_after(clock: Clock | None, at: int, event: e.DomainEvent, table: GameState) -> Clock | None:
    """The clock after an entry; none where a record, which may be forged, names a seat that there is not."""
    if isinstance(event, e.GameCreated):
        return begin_clock(event)
    try:
        return None if clock is None else clock.after(at, event, table)
    except IndexError:
        return None


def table_of_seat(whole: GameState, public: GameState, seat: int) -> GameState:
    """The table as this seat sees it, from the whole table and from what is open to everybody, at one version."""
    if not 0 <= seat < len(public.seats):
        return public
    own = replace(public.seats[seat], hand=whole.seats[seat].hand)
    offers = tuple(
        told if told.seat == seat else shown for told, shown in zip(whole.offers, public.offers, strict=True)
    )
    duel = public.duel
    if whole.duel is not None and duel is not None:
        duel = _duel_of_seat(whole.duel, duel, seat)
    seats = (*public.seats[:seat], own, *public.seats[seat + 1 :])
    return replace(public, seats=seats, offers=offers, duel=duel)


def _duel_of_seat(whole: DuelState, public: DuelState, seat: int) -> DuelState:
    own = replace(public.seats[seat], bonus=whole.seats[seat].bonus)
    return replace(public, seats=(*public.seats[:seat], own, *public.seats[seat + 1 :]))
