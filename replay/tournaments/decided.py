"""Each entry of a tournament's log, decided again: it must be what the rules bring about on what stood before it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from events.tournaments import commands as c
from events.tournaments import events as e
from events.tournaments.decide import decide
from events.tournaments.entries import TournamentEntry
from events.tournaments.errors import TournamentRefused
from events.tournaments.evolve import evolve
from events.tournaments.state import Tournament
from replay.platform.safe_text import safe

_BY_KEYS: Final = (e.TournamentCreated, e.PlayerRegistered, e.PlayerWithdrew, e.RegistrationClosed)
"""What the key does that announced the tournament, or an operator's; the service does everything else by itself."""


class NotDecided(Exception):
    """An entry is not what the rules bring about; the message says why."""


class DecidedAgain:
    """Moves along the entries of one log.

    Attributes:
        tournament: the tournament after the last entry that holds; None before the first.
    """

    def __init__(self) -> None:
        """Begin before the first entry."""
        self.tournament: Tournament | None = None
        self._owed: tuple[e.TournamentEvent, ...] = ()
        self._moment: tuple[str, int] = ("", 0)
        """The `by` and `at` of the last entry."""

    def follow(self, entry: TournamentEntry) -> Tournament:
        """Check the next entry, and return the tournament after it.

        Raises:
            NotDecided: it is not what comes of any command.
        """
        happened = entry.happened
        if self._owed and (happened.by, happened.at) != self._moment:
            raise NotDecided("it belongs to the entry before it, and has another `by` or `at`")
        self._moment = happened.by, happened.at
        if not self._owed:
            _check_by(happened)
            command = _ask_again(happened.event)
            try:
                self._owed = decide(self.tournament, c.Step(command, happened.by, happened.at))
            except TournamentRefused as refused:
                raise NotDecided(f"it should have been refused: {safe(str(refused), 300)}") from refused
        expected, self._owed = self._owed[:1], self._owed[1:]
        if expected != (happened.event,):
            raise NotDecided(_describe_difference(expected, happened.event))
        self.tournament = evolve(self.tournament, happened)
        return self.tournament

    def finish(self) -> None:
        """Check that nothing is missing at the end.

        Raises:
            NotDecided: the last entry also brought about what is not there.
        """
        if self._owed:
            raise NotDecided(f"the last entry also brought about {_name(self._owed[0])}, which is missing")


def _check_by(happened: e.TournamentEventRecord) -> None:
    """Check that the service did what it does by itself, and a key what the organiser or an operator does.

    Raises:
        NotDecided: it is the other way round.
    """
    event = happened.event
    by_key = event.case == 0 if isinstance(event, e.TableRuled) else isinstance(event, _BY_KEYS)
    if not happened.by or by_key == (happened.by == c.SERVICE):
        who = "a key" if by_key else f"`{c.SERVICE}`"
        raise NotDecided(f"it is by {safe(happened.by, 60) or 'nothing'}, and {_name(event)} is by {who}")


def _ask_again(event: e.TournamentEvent) -> c.Command:
    """The command that an event comes of."""
    asked: c.Command = _COMMANDS[type(event)](event)
    return asked


def _describe_difference(expected: tuple[e.TournamentEvent, ...], event: e.TournamentEvent) -> str:
    if not expected:
        return "it changes nothing, and so is no entry"
    if type(expected[0]) is not type(event):
        return f"what must follow is {_name(expected[0])}"
    other = [
        name
        for name in event.__struct_fields__
        if getattr(event, name, None) != getattr(expected[0], name, None)
    ]
    return f"its {' and '.join(other)} do not follow from the log up to here"


def _name(event: e.TournamentEvent) -> str:
    return str(msgspec.to_builtins(event)["type"])


def _same(command: type[Any]) -> Callable[[Any], Any]:
    """How to make a command of an event that has the same members."""
    return lambda event: command(**msgspec.structs.asdict(event))


_COMMANDS: Final[dict[type[e.TournamentEvent], Callable[[Any], c.Command]]] = {
    e.TournamentCreated: c.CreateTournament,
    e.PlayerRegistered: _same(c.RegisterPlayer),
    e.PlayerWithdrew: _same(c.WithdrawPlayer),
    e.RegistrationClosed: _same(c.CloseRegistration),
    e.RoundPaired: lambda _event: c.PairRound(),
    e.TableStarted: _same(c.StartTable),
    e.TableGivenUp: _same(c.GiveUpTable),
    e.TableFinished: _same(c.FinishTable),
    e.TableForfeited: _same(c.ForfeitTable),
    e.TableRuled: _same(c.RuleTable),
    e.RoundClosed: _same(c.CloseRound),
    e.TournamentFinished: lambda _event: c.FinishTournament(),
}
