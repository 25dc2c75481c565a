"""Whether a ruling is whole, and fits what the game's log says."""

from events.disputes.commands import GiveRuling
from events.disputes.errors import (
    ContradictsLog,
    RulingWithoutReason,
    RulingWithoutScope,
    SeenUnconfirmed,
)
from events.disputes.facts import FINISHED, RUNNING, GameFacts, Result
from events.disputes.state import ANNULLED, AWARDED, DISMISSED, REPLACED, REWOUND


def check_ruling(ruling: GiveRuling, facts: GameFacts, standing: Result | None) -> None:
    """Refuse a ruling that is not whole or cannot be.

    `standing` is the result of the game that counts today; None while there is none.

    Raises:
        RulingWithoutScope, RulingWithoutReason, ContradictsLog, SeenUnconfirmed
    """
    if not ruling.scope.strip():
        raise RulingWithoutScope(
            "A ruling says what it covers, such as 'seat 2's offer of turn 7': add a scope."
        )
    if not ruling.reason.strip():
        raise RulingWithoutReason("A ruling says why: add a reason.")
    if ruling.kind != REWOUND and ruling.to_version is not None:
        raise ContradictsLog(f"Only a ruling 'rewound' has a to_version; this one is '{ruling.kind}'.")
    if ruling.kind in {DISMISSED, ANNULLED, REWOUND} and (ruling.winners or ruling.scores):
        raise ContradictsLog(f"A ruling '{ruling.kind}' names no winners and no scores.")
    if ruling.kind == REWOUND:
        _check_rewinding(ruling, facts)
    else:
        _check_result(ruling, facts, standing)


def _check_rewinding(ruling: GiveRuling, facts: GameFacts) -> None:
    version = ruling.to_version
    if facts.status != RUNNING:
        raise ContradictsLog(
            "The game is not running: its table cannot be put back. Award or replace its result."
        )
    if version is None:
        raise ContradictsLog("A ruling 'rewound' says to which version of the game: add to_version.")
    moment = facts.at(version)
    if moment is None or version >= facts.version:
        raise ContradictsLog(f"The game is at version {facts.version}; go back to one before it.")
    if not moment.counts:
        raise ContradictsLog(f"Version {version} was rewound past before, and does not count any more.")
    if not moment.stops:
        raise ContradictsLog(
            f"The game cannot go on from version {version}: take one after a whole command that was more than talk,"
            " at which it was somebody's turn and nothing held the game up."
        )
    if facts.seen and not ruling.seen_confirmed:
        raise SeenUnconfirmed(facts.seen)


def _check_result(ruling: GiveRuling, facts: GameFacts, standing: Result | None) -> None:
    if ruling.kind != DISMISSED and facts.status not in {RUNNING, FINISHED}:
        raise ContradictsLog("The game has not begun: it has no result to change. Dismiss the case.")
    winners, scores = set(ruling.winners), ruling.scores
    named_well = winners and len(winners) == len(ruling.winners) and winners <= set(range(facts.seats))
    if ruling.kind in {AWARDED, REPLACED} and not named_well:
        raise ContradictsLog(f"Name the winners, each once: seats 0 to {facts.seats - 1} of this game.")
    if ruling.kind == AWARDED and scores:
        raise ContradictsLog("A ruling 'awarded' names winners only; one with scores is 'replaced'.")
    if ruling.kind == REPLACED and len(scores) != facts.seats:
        raise ContradictsLog(f"Name a score for each of the {facts.seats} seats, in their order.")
    if standing is not None and _is_same(ruling, standing):
        raise ContradictsLog("That is the result as it stands: dismiss the case instead.")


def _is_same(ruling: GiveRuling, standing: Result) -> bool:
    if ruling.kind == DISMISSED:
        return False
    same_winners = set(ruling.winners) == set(standing.winners)
    return same_winners and (ruling.kind == AWARDED or ruling.scores == standing.scores)
