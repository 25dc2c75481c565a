"""What an arbiter does to a running game: hold it up, let it go on, and apply a ruling."""

from collections.abc import Callable, Mapping

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.forms import speakable
from events.rules.definition.rule_system import Decision
from events.rules.interventions.ending import end_at_once
from events.rules.interventions.rewinding import rewind
from events.rules.move import Move, check_seat

LONGEST_NAME = 60
"""Characters of an arbiter's name at most."""
LONGEST_SCOPE = 200
"""Characters that say what a ruling covers at most."""
LONGEST_REASON = 2000
"""Characters of a ruling's reason at most."""
MOST_CASES = 100
"""So many cases hold a game up at once at most."""
HIGHEST_SCORE = 1_000_000
"""A score that a ruling gives is no higher than this, in the system's unit."""


def _pause(move: Move, command: c.PauseGame) -> None:
    _check_case(command.case)
    _check_text("reason", command.reason, LONGEST_SCOPE)
    if command.case in move.state.paused_by:
        raise errors.PausedAlready(f"Case {command.case} holds the game up already.")
    if len(move.state.paused_by) >= MOST_CASES:
        raise errors.BadRuling(f"A game is held up by {MOST_CASES} cases at most.")
    move.emit(e.GamePaused(command.case, command.reason))


def _resume(move: Move, command: c.ResumeGame) -> None:
    if command.case not in move.state.paused_by:
        raise errors.GameNotPaused(f"Case {command.case} does not hold the game up.")
    move.emit(e.GameResumed(command.case))


def _rule(move: Move, command: c.RuleGame) -> None:
    apply = _KINDS.get(command.kind)
    if apply is None:
        raise errors.BadRuling(f"A ruling is one of {', '.join(_KINDS)}.")
    _check_case(command.case)
    if not speakable(command.arbiter) or len(command.arbiter) > LONGEST_NAME:
        raise errors.BadRuling(
            f"The arbiter's name has 1 to {LONGEST_NAME} characters, not only spaces, and no control characters."
        )
    _check_text("scope", command.scope, LONGEST_SCOPE)
    _check_text("reason", command.reason, LONGEST_REASON)
    _check_belongings(command)
    move.emit(e.RulingMade(command.case, command.kind, command.arbiter, command.scope, command.reason))
    apply(move, command)


def _check_belongings(command: c.RuleGame) -> None:
    """Refuse what says nothing in a ruling of this kind."""
    given = {
        "to_version": command.to_version != 0,
        "seen_confirmed": command.seen_confirmed,
        "winners": bool(command.winners),
        "scores": bool(command.scores),
    }
    for name, is_given in given.items():
        if is_given and name not in _BELONGS[command.kind]:
            raise errors.BadRuling(f"A ruling '{command.kind}' has no {name}.")


def _check_case(case: int) -> None:
    if case < 1:
        raise errors.BadRuling("Cases are numbered from 1.")


def _check_text(name: str, text: str, longest: int) -> None:
    plain = text.replace("\n", " ")
    if not text.strip() or len(text) > longest or not plain.isprintable():
        raise errors.BadRuling(
            f"The {name} has 1 to {longest} characters, not only spaces, and no control characters."
        )


def _nothing(_move: Move, _command: c.RuleGame) -> None:
    """The game goes on as it stands."""


def _rewind(move: Move, command: c.RuleGame) -> None:
    rewind(move, command.to_version, case=command.case, seen_confirmed=command.seen_confirmed)


def _annul(move: Move, _command: c.RuleGame) -> None:
    end_at_once(move, (), "annulled")


def _award(move: Move, command: c.RuleGame) -> None:
    check_winners(move, command.winners)
    end_at_once(move, command.winners, "awarded")


def _replace(move: Move, command: c.RuleGame) -> None:
    check_winners(move, command.winners)
    check_scores(move, command.scores)
    end_at_once(move, command.winners, "replaced", command.scores)


def check_winners(move: Move, winners: tuple[int, ...]) -> None:
    """Refuse winners who are not some of the seats, each once and in order.

    Raises:
        ContradictsLog, NoSuchSeat
    """
    for seat in winners:
        check_seat(move.rules, seat)
    if not winners or list(winners) != sorted(set(winners)):
        raise errors.ContradictsLog("The winners are one or more seats, each named once, in order.")


def check_scores(move: Move, scores: tuple[int, ...]) -> None:
    """Refuse scores that are not one for each seat.

    Raises:
        ContradictsLog
    """
    if len(scores) != move.rules.players or not all(0 <= score <= HIGHEST_SCORE for score in scores):
        raise errors.ContradictsLog(
            f"The scores are {move.rules.players} numbers, one for each seat, from 0 to {HIGHEST_SCORE}, in"
            f" {move.rules.system.unit}."
        )


_KINDS: Mapping[str, Callable[[Move, c.RuleGame], None]] = {
    "dismissed": _nothing,
    "annulled": _annul,
    "rewound": _rewind,
    "awarded": _award,
    "replaced": _replace,
}
RULED_ENDS = ("annulled", "awarded", "replaced")
"""Kinds of rulings that end a game, and the reasons that stand in its `game_ended`."""
_BELONGS: Mapping[str, tuple[str, ...]] = {
    "dismissed": (),
    "annulled": (),
    "rewound": ("to_version", "seen_confirmed"),
    "awarded": ("winners",),
    "replaced": ("winners", "scores"),
}
ARBITER_DECISIONS: Mapping[type[c.Command], Decision] = {
    c.PauseGame: _pause,
    c.ResumeGame: _resume,
    c.RuleGame: _rule,
}
"""The same in every rule system."""
