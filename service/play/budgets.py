"""How much a game's log may take: a budget for what each seat sends freely, and a cap with room to play to the end.

What cards and coins do not limit is limited here, so that every log stays one that each verifier reads, and that can
be folded in a moment. The rules know nothing of it: a log that was written before these limits is as valid as it was.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from events import commands as c
from events.commands import Command
from events.game.limits import FULL_BYTES, FULL_ENTRIES, FULL_HIDDEN
from events.game.table import Table
from events.rules.definition.forms import Form
from events.rules.errors import RuleViolation
from events.rules.move import DEALER, Earlier, nothing_earlier
from events.rules.table.seen import piles_touched

MOST_TALK: Final = 1_000
"""Messages of one seat in one game."""
MOST_TRADING: Final = 1_500
"""Offers, answers that trade nothing, and swaps of a hand, of one seat in one game: some ten times what bots need."""
LARGEST_TALK: Final = 1024 * 1024
"""Bytes of all these entries of one seat in one game."""
MOST_QUESTIONS: Final = 60
"""Questions of one seat in one game: to take something back, and to end the game together."""
MOST_TAKE_BACKS: Final = 20
"""Take-backs in one game that all agreed to."""
MOST_REDEALT: Final = 3
"""Those among them after which a pile was dealt anew, since cards of it had been seen."""
MOST_ENTRIES, MOST_BYTES, MOST_HIDDEN = FULL_ENTRIES, FULL_BYTES, FULL_HIDDEN
"""A log beyond these takes nothing more: no game that the rules bring to its end comes so far."""
ROOMY_ENTRIES, ROOMY_BYTES, ROOMY_HIDDEN = 24_576, 12 * 1024 * 1024, 49_152
"""A log beyond these takes only what brings the game to its end."""


_NEARLY_FULL: Final = (
    "The log of this game has {} entries, {} bytes and {} hidden values; what is left of it is kept for bringing the"
    " game to its end. Play on: plant, end the trading, draw, harvest."
)


class TalkBudgetSpent(RuleViolation):
    """The seat has said as much as one seat may say in one game."""


class TradingBudgetSpent(RuleViolation):
    """The seat has made and answered as many offers as one seat may in one game."""


class TakeBackBudgetSpent(RuleViolation):
    """As much was taken back, or asked to be, as may be in one game."""


class QuestionBudgetSpent(RuleViolation):
    """The seat has asked the others as often as one seat may in one game."""


class LogFull(RuleViolation):
    """The game's log is so long that it takes only what brings the game to its end, or nothing more."""


def check_budget(
    table: Table, actor: int, command: Command | Form, earlier: Earlier = nothing_earlier
) -> None:
    """Refuse what the game's log has no room for: a command, or whatever a form could be filled in to.

    `earlier` finds the tables that the game can go back to.

    Raises:
        RuleViolation: the seat has spent its budget, or the log is full.
    """
    facts = table.log
    if actor == DEALER:  # what opens a secret ends the log, however long it is
        return
    if table.version >= MOST_ENTRIES or facts.size >= MOST_BYTES or facts.hidden >= MOST_HIDDEN:
        raise LogFull(
            f"The log of this game has {table.version} entries, {facts.size} bytes and {facts.hidden} hidden values,"
            " as much as a log may have: the game can be read and disputed, but not played on."
        )
    check = _LIMITED.get(type(command) if isinstance(command, Command) else command.command)
    if check is None:
        return
    if not is_roomy(table):
        raise LogFull(_NEARLY_FULL.format(table.version, facts.size, facts.hidden))
    check(table, actor, command, earlier)


def is_within_budget(table: Table, actor: int, command: Command | Form) -> bool:
    """Whether the game's log has room for a command."""
    try:
        check_budget(table, actor, command)
    except RuleViolation:
        return False
    return True


def is_roomy(table: Table) -> bool:
    """Whether the game's log takes more than what brings the game to its end."""
    facts = table.log
    return table.version < ROOMY_ENTRIES and facts.size < ROOMY_BYTES and facts.hidden < ROOMY_HIDDEN


def _check_talk(table: Table, seat: int, _command: Command | Form, _earlier: Earlier) -> None:
    spent = table.log.spent_by(seat)
    if spent.talk >= MOST_TALK or spent.size >= LARGEST_TALK:
        raise TalkBudgetSpent(
            f"You have sent {spent.talk} messages in this game, and {spent.size} bytes in all with your offers; a"
            f" seat has {MOST_TALK} messages and {LARGEST_TALK} bytes. Play on without."
        )


def _check_trading(table: Table, seat: int, _command: Command | Form, _earlier: Earlier) -> None:
    spent = table.log.spent_by(seat)
    if spent.trading >= MOST_TRADING or spent.size >= LARGEST_TALK:
        raise TradingBudgetSpent(
            f"You have made, answered and withdrawn {spent.trading} offers in this game, swaps of your hand included,"
            f" {spent.size} bytes in all with your talk; a seat has {MOST_TRADING} of them and {LARGEST_TALK} bytes."
            " You can still accept what others offer."
        )


def _check_question(table: Table, seat: int, command: Command | Form, earlier: Earlier) -> None:
    asked, back = table.log.spent_by(seat).questions, [each for each in table.log.rewound if each.by_consent]
    if asked >= MOST_QUESTIONS or len(back) >= MOST_TAKE_BACKS:
        raise TakeBackBudgetSpent(
            f"You have asked {asked} times to take something back, of {MOST_QUESTIONS} times, and this game went back"
            f" {len(back)} times, of {MOST_TAKE_BACKS}. Play on from here."
        )
    redealt = sum(each.redealt for each in back)
    then = earlier(command.to_version) if isinstance(command, c.AskTakeBack) else None
    if redealt >= MOST_REDEALT and then is not None and piles_touched(then, table.state):
        raise TakeBackBudgetSpent(
            f"This game went back {redealt} times over cards that had been turned up, as often as it may. Go back"
            " only to where no card was drawn or turned up since."
        )


def _check_end_offer(table: Table, seat: int, _command: Command | Form, _earlier: Earlier) -> None:
    asked = table.log.spent_by(seat).questions
    if asked >= MOST_QUESTIONS:
        raise QuestionBudgetSpent(
            f"You have asked the others {asked} times in this game, to take something back or to end it; a seat has"
            f" {MOST_QUESTIONS} such questions. Play on."
        )


def check_ruling_budget(table: Table, command: Command) -> None:
    """Refuse a ruling that would make a full log longer; every other one puts an end to something.

    Raises:
        LogFull: the game would go back, and be played again from there.
    """
    if isinstance(command, c.RuleGame) and command.to_version and not is_roomy(table):
        raise LogFull(_NEARLY_FULL.format(table.version, table.log.size, table.log.hidden))


def _allow(_table: Table, _seat: int, _command: Command | Form, _earlier: Earlier) -> None:
    """Limited by the room in the log alone."""


_LIMITED: Final = MappingProxyType[type[Command], Callable[[Table, int, Command | Form, Earlier], None]](
    {
        c.Say: _check_talk,
        c.Offer: _check_trading,
        c.Counter: _check_trading,
        c.Decline: _check_trading,
        c.Withdraw: _check_trading,
        c.SwapHand: _check_trading,
        c.AskTakeBack: _check_question,
        c.AgreeTakeBack: _allow,
        c.OfferEnd: _check_end_offer,
    }
)
"""What can be sent again and again without the game moving on, or makes it longer."""
