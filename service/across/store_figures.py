"""What a store knows of its games besides their records, in numbers: cases, rulings, validations, audits."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from service.disputes.disputes import Disputes
from service.disputes.store import DisputeRecords
from service.storage.heartbeats import all_counts
from service.storage.store import Store
from service.verification.store import Receipts, Validations

BOTS_COMMANDS: Final = "bots_commands"
"""How the counts of what the bots' process sent begin."""


def count_store(store: Store, games: Iterable[str]) -> dict[str, Any]:
    """The figures, ready for JSON; no game and no person is named.

    Args:
        store: the store.
        games: the ids of its finished games; cases are those of all games, of running ones, too.

    Raises:
        StoreUnavailable
    """
    validations, receipts = Validations(store), Receipts(store)
    verdicts, audits = Counter[str](), Counter[str]()
    for game in games:
        verdicts[validations.verdict(game)] += 1
        results = {each.result for each in receipts.of(game) if each.pinned}
        audits.update(results or {"not_audited"})
    return {
        **_count_cases(store),
        "validations": dict(sorted(verdicts.items())),
        "audits": dict(sorted(audits.items())),
        "commands_of_bots": _count_bots_commands(store),
    }


def _count_cases(store: Store) -> dict[str, Any]:
    disputes = Disputes(store)
    cases, rulings = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for game in DisputeRecords(store).games():
        for case in disputes.of(game).cases:
            cases[case.reason, case.status] += 1
            rulings.update((case.reason, ruling.kind) for ruling in case.rulings)
    return {
        "cases": [
            {"reason": reason, "status": status, "cases": count}
            for (reason, status), count in sorted(cases.items())
        ],
        "rulings": [
            {"reason": reason, "kind": kind, "rulings": count}
            for (reason, kind), count in sorted(rulings.items())
        ],
    }


def _count_bots_commands(store: Store) -> dict[str, int]:
    """What became of the commands of the service's bots since the installation began."""
    counted: Counter[str] = Counter()
    for (name, *labels), number in all_counts(store).items():
        if name == BOTS_COMMANDS:
            counted[labels[-1]] += number
    return dict(sorted(counted.items()))
