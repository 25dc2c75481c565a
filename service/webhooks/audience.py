"""Who hears of a game: the one place that decides what a webhook may be told, from its key's rights."""

import msgspec

from service.access.game_access import GamePolicy
from service.access.keys import Key
from service.access.rights import Rights
from service.webhooks.webhook import Webhook


class WebhookAudience(msgspec.Struct, frozen=True):
    """That a webhook hears of a game, and how late."""

    webhook: Webhook
    delay: int
    """Versions that it is behind until the game has finished."""
    waits_for_the_end: bool
    """Whether it hears of nothing before the end."""


def audience_of(webhook: Webhook, key: Key, game: str, policy: GamePolicy) -> WebhookAudience | None:
    """How a webhook of this key hears of a game with these house rules; None where it does not."""
    rights = Rights(policy, key)
    watches = rights.is_creator or rights.may("read_games") or rights.may("arbitrate")
    concerned = {
        "own": rights.is_creator,
        # What the key would find in the list of games.
        "all": policy.is_listed or watches or rights.may("audit"),
        "one": webhook.game == game and rights.knows_of_it,
    }
    if not concerned[webhook.games]:
        return None
    is_found_late = webhook.games == "all" and not (policy.is_listed or watches)
    return WebhookAudience(webhook, rights.delay, rights.waits_for_the_end or is_found_late)
