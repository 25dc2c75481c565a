"""Auditing record files: a full audit, compared with only reading them and following their hash chain."""

from collections.abc import Callable, Iterator, Sequence

from events.chain.hash_chain import GENESIS, link
from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC, public_form
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared, rate
from tests.benchmarks.games import GAMES, played_games, record_of

ABOUT = "full audit of record files per core, compared with parse and chain only"
_VERIFIED = (
    "verified: shape, chain, commitments, shuffles, every command put to the rules of its day, the state's hash "
    "after every entry, cards, scores. These records hold every hidden value, so that their chain alone needs the "
    "commitment of each."
)
_PUBLIC = "the harder comparison: a public record shows commitments only, so none has to be computed."
_TWO_ENGINES = "an audit also puts every command to today's rules."

Lines = Sequence[bytes]


def run(options: Options) -> Iterator[Comparison]:
    """Measure `replay verify` and `replay audit`, compared with parse and chain."""
    games = played_games(options.size(GAMES, 1))
    records = [record_of(game.table, game.log, ALL) for game in games]
    public = [record_of(game.table, game.log, PUBLIC) for game in games]

    def side(what: str, check: Callable[[Lines], int], files: Sequence[Lines]) -> Side:
        return Side(what, lambda: rate(lambda: sum(map(check, files)), options.seconds))

    chain = side("parse and chain, the same files", _chained, records)
    verified = side("entries verified", _verified, records)
    sides = {
        "audit": (verified, chain, _VERIFIED),
        "audit/public": (
            verified,
            side("parse and chain, public records of these games", _chained, public),
            _PUBLIC,
        ),
        "audit/two-engines": (side("entries audited", _audited, records), chain, _TWO_ENGINES),
    }
    for name, (ours, baseline, note) in sides.items():
        yield compared(
            name,
            "entries/s",
            goal=Goal(at_least=0.2),
            ours=ours,
            baseline=baseline,
            rounds=options.rounds,
            notes=(note,),
        )


def _chained(lines: Lines) -> int:
    _, forms = read_record(lines)
    head, entries = GENESIS, 0
    for form in forms:
        head = link(head, public_form(form))
        if head != form.hash:
            raise ValueError(f"entry {entries + 1} is not linked to the one before it")
        entries += 1
    return entries


def _verified(lines: Lines) -> int:
    report = verify_lines(lines)
    if not report.ok:
        raise ValueError(f"the record does not verify: {report.findings}")
    return report.entries


def _audited(lines: Lines) -> int:
    report = audit_lines(lines)
    if not report.ok:
        raise ValueError(f"the audit has a finding: {report}")
    return report.verification.entries
