"""Who hears of a game: the one place that decides what a webhook may be told, from its key's rights."""

import msgspec

from service.admission import House
from service.keys import Key
from service.rights import Rights
from service.webhooks.webhook import Webhook


class Hearing(msgspec.Struct, frozen=True):
    """That a webhook hears of a game, and how late."""

    webhook: Webhook
    delay: int
    """Versions that it is behind until the game has finished."""
    waits_for_the_end: bool
    """Whether it hears of nothing before the end."""


def hearing(webhook: Webhook, key: Key, game: str, house: House) -> Hearing | None:
    """How a webhook of this key hears of a game with these house rules; None where it does not."""
    rights = Rights(house, key)
    watches = rights.is_creator or rights.may("read_games") or rights.may("arbitrate")
    concerned = {
        "own": rights.is_creator,
        # What the key would find in the list of games.
        "all": house.is_listed or watches or rights.may("audit"),
        "one": webhook.game == game and rights.knows_of_it,
    }
    if not concerned[webhook.games]:
        return None
    is_found_late = webhook.games == "all" and not (house.is_listed or watches)
    return Hearing(webhook, rights.delay, rights.waits_for_the_end or is_found_late)
