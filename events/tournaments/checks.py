"""What a tournament, a player, a result and a ruling have to be like."""

from collections.abc import Iterable, Sequence

from events.rules.definition.names import LONGEST_NAME, check_name
from events.rules.errors import BadName as NameRefused
from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from events.tournaments import commands as c
from events.tournaments import limits
from events.tournaments import state as s
from events.tournaments.errors import BadName, BadPlayer, BadResult, BadRuling, BadSettings
from events.tournaments.events import TournamentCreated
from events.tournaments.state import Player, Table


def check_settings(wanted: TournamentCreated) -> None:
    """Refuse a tournament that nobody could play, or check afterwards.

    Raises:
        BadSettings
    """
    _check_name(wanted.name, longest=limits.LONGEST_NAME)
    if wanted.format not in s.FORMATS:
        raise BadSettings(f"A tournament's format is one of {', '.join(s.FORMATS)}, not {wanted.format!r}.")
    _check_sizes(wanted)
    least, most = (0, 0) if wanted.format == s.KNOCKOUT else (1, limits.MOST_ROUNDS)
    if not least <= wanted.rounds <= most:
        raise BadSettings(
            "A knock-out names no rounds: it has as many as it takes."
            if wanted.format == s.KNOCKOUT
            else f"A tournament of this format has 1 to {limits.MOST_ROUNDS} rounds, not {wanted.rounds}."
        )
    if wanted.late_after is not None and not 1 <= wanted.late_after <= limits.LATEST:
        raise BadSettings(f"Tables are late after 1 to {limits.LATEST} seconds, not {wanted.late_after}.")
    if len(wanted.deals) != (wanted.rounds if wanted.format == s.DUPLICATE else 0):
        raise BadSettings("A duplicate tournament commits to a deal for each round, and no other one to any.")
    if not all(limits.SHA256.fullmatch(each) for each in (wanted.commitment, *wanted.deals)):
        raise BadSettings("A commitment is a SHA-256 in 64 hex digits.")
    if len({wanted.commitment, *wanted.deals}) != 1 + len(wanted.deals):
        raise BadSettings("Each commitment is to a secret of its own.")


def _check_sizes(wanted: TournamentCreated) -> None:
    try:
        allowed = system_named(wanted.system).players
    except UnknownSystem as unknown:
        raise BadSettings(str(unknown)) from unknown
    if not wanted.sizes or len({*wanted.sizes}) != len(wanted.sizes) or not {*wanted.sizes} <= {*allowed}:
        raise BadSettings(
            f"Name the sizes that tables may have, each once: {wanted.system} is played by"
            f" {', '.join(map(str, allowed))}."
        )
    if wanted.format == s.DUPLICATE and len(wanted.sizes) != 1:
        raise BadSettings("All tables of a duplicate tournament have the same size: name one.")


def check_player(wanted: c.RegisterPlayer, others: Iterable[Player]) -> None:
    """Refuse a player whom a table would refuse, beside these others who have registered.

    Raises:
        BadPlayer: the id, the seed or the bot cannot be one.
        BadName: the name breaks the rule for names, or looks like another player's.
    """
    if not limits.PLAYER.fullmatch(wanted.player):
        raise BadPlayer(
            "A player's id has 1 to 96 ASCII letters, digits and characters of '._~:-', and begins with a letter or"
            " digit."
        )
    if wanted.bot and not wanted.name:
        raise BadPlayer("A bot has a name.")
    if wanted.name:
        _check_name(wanted.name, [each.name for each in others if each.name])
    if not limits.SEED.fullmatch(wanted.seed):
        raise BadPlayer("A seed is at most 128 printable ASCII characters.")
    if not limits.BOT.fullmatch(wanted.bot):
        raise BadPlayer("There is no bot with such a name.")


def _check_name(name: str, others: Iterable[str] = (), *, longest: int = LONGEST_NAME) -> None:
    try:
        check_name(name, others, longest=longest)
    except NameRefused as refused:
        raise BadName(str(refused)) from refused


def check_result(table: Table, scores: Sequence[int], winners: Sequence[int], left: Sequence[int]) -> None:
    """Refuse a result that no table of this size has.

    Raises:
        BadResult
    """
    seats = len(table.players)
    if scores and len(scores) != seats:
        raise BadResult(f"Name a score for each of the {seats} seats, in their order.")
    if not (_are_seats(winners, seats) and _are_seats(left, seats)):
        raise BadResult(f"The seats of this table are 0 to {seats - 1}; name each at most once, in order.")
    if winners and not scores:
        raise BadResult("Whoever won did so with a score.")


def check_excuse(reason: str) -> None:
    """Refuse a reason for giving up a table that is empty or too long.

    Raises:
        BadResult
    """
    if not 1 <= len(reason.strip()) <= len(reason) <= limits.LONGEST_EXCUSE:
        raise BadResult(f"Say why the game cannot be set up, in at most {limits.LONGEST_EXCUSE} characters.")


def check_ruling(ruling: c.RuleTable, table: Table, form: str) -> None:
    """Refuse a ruling that says nothing, or contradicts itself.

    Raises:
        BadRuling
    """
    seats = len(table.players)
    if ruling.kind not in s.RULINGS:
        raise BadRuling(f"A ruling is one of {', '.join(s.RULINGS)}, not {ruling.kind!r}.")
    if not 1 <= len(ruling.reason.strip()) <= len(ruling.reason) <= limits.LONGEST_REASON or ruling.case < 0:
        raise BadRuling(f"A ruling says why, in at most {limits.LONGEST_REASON} characters: add a reason.")
    if not _are_seats(ruling.winners, seats):
        raise BadRuling(f"The seats of this table are 0 to {seats - 1}; name each at most once, in order.")
    named = (bool(ruling.winners), len(ruling.scores))
    needed = {s.ANNULLED: (False, 0), s.AWARDED: (True, 0), s.REPLACED: (True, seats)}
    if named != needed[ruling.kind]:
        raise BadRuling(
            "A ruling 'annulled' names nothing else, 'awarded' the winners, and 'replaced' winners and a score for"
            " each seat."
        )
    if ruling.kind == s.AWARDED and form == s.DUPLICATE:
        raise BadRuling("In a duplicate round scores are compared: replace the result, with scores.")


def _are_seats(named: Sequence[int], seats: int) -> bool:
    return list(named) == sorted({*named} & {*range(seats)})
