"""A form of an acceptance out of a recorded game, and the command that comes of filling it in."""

from typing import Any

from events.rules.definition.forms import AcceptForm
from events.rules.legal import legal_commands
from service.http.messages.bodies import list_commands
from tests.events.bots.situations import moments_of
from tests.support.recorded_games import RecordedGame


def paid_offer(recorded: RecordedGame) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first form of the game that leaves a choice of cards, and an acceptance that fits it."""
    form = next(
        each
        for table, _ in moments_of(recorded.table, recorded.log, 1)
        for seat in range(table.rules.players)
        for each in legal_commands(table.rules, table.state, seat)
        if isinstance(each, AcceptForm)
        and any(payment.count < len(payment.hand) for payment in each.payments)
    )
    return list_commands([form])[0], filled(form)


def filled(form: AcceptForm) -> dict[str, Any]:
    """The acceptance that gives for each payment the first cards that are left: of the hand, then revealed ones."""
    hand: list[int] = []
    revealed = list(form.revealed)
    for payment in form.payments:
        own = [number for number in payment.hand if number not in hand][: payment.count]
        lying = [number for number in payment.revealed if number not in revealed]
        hand += own
        revealed += lying[: payment.count - len(own)]
    command = {"type": "accept", "offer": form.offer, "hand": hand}
    return command | ({"revealed": revealed} if revealed else {})
