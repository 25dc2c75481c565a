"""Auditing record files: what a full audit costs, beside only reading them and following their hash chain."""

from collections.abc import Callable, Iterable, Sequence

from events.chain.hash_chain import GENESIS, link
from events.game.record import header_for, read_record, write_record
from events.log.disclosure import ALL, PUBLIC, form_for, public_form
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import GAMES, PlayedGame, played_games
from tests.benchmarks.measuring import SECONDS, Side, compared, rate
from tests.benchmarks.peers.installed import Peers

_WHAT_IS_VERIFIED = (
    "verified: shape, chain, commitments, shuffles, every command put to the rules of its day, the "
    "state's hash after every entry, cards, scores. These records hold every hidden value, so that their "
    "chain alone needs the commitment of each."
)
_PUBLIC = "the harder comparison: a public record shows commitments only, so none has to be computed."
_TWO_ENGINES = "an audit also puts every command to today's rules."


RecordLines = Sequence[bytes]


class Auditing:
    """`replay verify` and `replay audit`, beside parse and chain."""

    name = "audit"
    about = "full audit of record files per core, beside parse and chain only"

    def __init__(self, games: int = GAMES, seconds: float = SECONDS) -> None:
        """Audit so many records, over and over, for so many seconds a round."""
        self._games = games
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        games = played_games(self._games)
        records = [record_of(game, ALL) for game in games]
        public = [record_of(game, PUBLIC) for game in games]
        chain = Side("parse and chain, the same files", self._rate(chained, records))
        verified = Side("entries verified", self._rate(_verified, records))
        yield compared(
            self.name,
            "entries/s",
            goal=Goal(at_least=0.2),
            ours=verified,
            beside=chain,
            rounds=rounds,
            notes=(_WHAT_IS_VERIFIED,),
        )
        yield compared(
            f"{self.name}/public",
            "entries/s",
            goal=Goal(at_least=0.2),
            ours=verified,
            beside=Side("parse and chain, public records of these games", self._rate(chained, public)),
            rounds=rounds,
            notes=(_PUBLIC,),
        )
        yield compared(
            f"{self.name}/two-engines",
            "entries/s",
            goal=Goal(at_least=0.2),
            ours=Side("entries audited", self._rate(_audited, records)),
            beside=chain,
            rounds=rounds,
            notes=(_TWO_ENGINES,),
        )

    def _rate(
        self, check: Callable[[RecordLines], int], records: Sequence[RecordLines]
    ) -> Callable[[], float]:
        return lambda: rate(lambda: sum(map(check, records)), self._seconds)


def record_of(game: PlayedGame, viewer: int) -> RecordLines:
    """The lines of a game's record in a viewer's scope, as a file has them."""
    forms = (form_for(entry, game.table.key, viewer) for entry in game.log)
    return tuple(write_record(header_for(game.table, viewer), forms))


def chained(lines: RecordLines) -> int:
    """Read a record and follow its chain; returns how many entries it has.

    Raises:
        ValueError: the chain is broken.
    """
    _, forms = read_record(lines)
    head, entries = GENESIS, 0
    for form in forms:
        head = link(head, public_form(form))
        if head != form.hash:
            raise ValueError(f"entry {entries + 1} is not linked to the one before it")
        entries += 1
    return entries


def _verified(lines: RecordLines) -> int:
    report = verify_lines(lines)
    if not report.ok:
        raise ValueError(f"the record does not verify: {report.findings}")
    return report.entries


def _audited(lines: RecordLines) -> int:
    report = audit_lines(lines)
    if not report.ok:
        raise ValueError(f"the audit has a finding: {report}")
    return report.verification.entries
