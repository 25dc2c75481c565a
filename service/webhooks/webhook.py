"""A webhook: who is told of what, where, and whether that place has shown that it wants it."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

EVENTS: Final[Mapping[str, str]] = {
    "game.created": "A game was set up.",
    "game.started": "The last seat was taken, and the cards were dealt.",
    "game.turn": "The game waits for other seats than before, or for the same ones in another turn.",
    "seat.awaited": "In a game with a clock: the game waits for these seats from now on, until these moments.",
    "seat.time_low": "In a game with a clock: a fifth of what this seat had is left, until this moment.",
    "seat.time_over": "In a game with a clock: the time of these seats was over, and what follows is done.",
    "seat.taken_over": "A bot plays on for these seats: who had them has left, or their time ran out too often.",
    "game.finished": "The game is over, and its secret is opened.",
    "game.validated": "The validator has judged the game.",
}
"""What can be told, and what it means, as the contract says it; when each is due stands in `webhook_events`."""
VERIFY: Final = "webhook.verify"
"""The delivery that asks the endpoint whether it wants to be told."""
GAMES: Final = ("own", "all", "one")
"""Of which games: those that the key set up, all that it would find in the list, or one."""
UNVERIFIED: Final = "unverified"
ACTIVE: Final = "active"
DISABLED: Final = "disabled"
STATES: Final = (UNVERIFIED, ACTIVE, DISABLED)
LONGEST_URL: Final = 500
"""Characters of an address at most."""
MOST_WEBHOOKS: Final = 20
"""Webhooks of one key at most."""
REASONS: Final = (
    "challenge_failed",
    "failing",
    "gone",
    "too_far_behind",
    "owner",
    "operator",
    "key_revoked",
    "key_expired",
)
"""Why a webhook is not active."""
_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")
_HOST: Final = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")


class BadUrl(ValueError):
    """No webhook can have this address; the sentence says why."""


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored about a webhook."""

    id: str
    key: str
    """The id of the key that it belongs to."""
    url: str
    events: tuple[str, ...]
    created: int
    """Milliseconds since the epoch, as every time here."""
    games: Literal["own", "all", "one"] = "own"
    game: str = ""
    """The game, where it is about one."""
    state: Literal["unverified", "active", "disabled"] = UNVERIFIED
    reason: str = ""
    """Why it is not active: one of `REASONS`, or empty."""
    since: int = 0
    """Since when the state holds. Of an active one: what happened before is not told."""
    fingerprint: str = ""
    """Of the request that made it."""

    def describe(self) -> dict[str, Any]:
        """The webhook as JSON."""
        return {
            "id": self.id,
            "key": self.key,
            "url": self.url,
            "events": list(self.events),
            "games": self.games,
            "game": self.game or None,
            "created": self.created,
            "state": self.state,
            "reason": self.reason or None,
            "since": self.since,
        }

    def with_state(
        self, state: Literal["unverified", "active", "disabled"], at: int, reason: str = ""
    ) -> "Webhook":
        """The same webhook in another state."""
        return msgspec.structs.replace(self, state=state, since=at, reason=reason)


def host_of(url: str) -> str:
    """The host of an address that was checked."""
    return urlsplit(url).hostname or ""


def check_url(text: str) -> str:
    """An address to which events may be sent, unchanged.

    Where it leads to is looked at when something is sent.

    Raises:
        BadUrl: it is none.
    """
    if len(text) > LONGEST_URL or not _VISIBLE.fullmatch(text):
        raise BadUrl(
            f"An address has 1 to {LONGEST_URL} visible ASCII characters; write others percent-encoded."
        )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"This is no address: {error}.") from error
    if parts.scheme not in {"http", "https"}:
        raise BadUrl("An address begins with https:// or http://.")
    host = parts.netloc.rpartition("@")[2]
    if host != parts.netloc:
        raise BadUrl("An address holds no user and no password.")
    named = host if port is None else host.rpartition(":")[0]
    if not _HOST.fullmatch(named) or port == 0:
        raise BadUrl("An address names a host, and perhaps a port: letters, digits, dots and hyphens.")
    if "#" in text:
        raise BadUrl("An address has no fragment: what stands behind # is not sent.")
    return text
