"""Who annotates a game: from a caller to the reader that the rules of permission know, and the author of a set."""

from dataclasses import dataclass

from replay.annotations.entries import Author
from replay.annotations.permissions import Reader, may_write
from service.annotations.annotations import ANYBODY, ARBITER, CREATOR
from service.http.context.bearers import CHALLENGE
from service.http.context.callers import Caller, Viewpoint, viewpoint
from service.http.messages.problems import Problem


def reader_of(caller: Caller) -> Reader:
    """The caller as the rules of permission know them."""
    return Reader(_holder(caller), caller.may("arbitrate"))


def owner_named_by(author: Author) -> str:
    """What a set would be owned under if its author had written it here."""
    match author:
        case Author(kind="seat", seat=int(seat)):
            return f"seat:{seat}"
        case Author(kind="key", key=key):
            return key
        case Author(kind="spectator", spectator=spectator):
            return f"spectator:{spectator}"
    return ""


@dataclass(frozen=True, slots=True)
class Writer:
    """Somebody who may annotate a game."""

    seen: Viewpoint
    """The game as they may see it."""
    owner: str
    """Under what their sets are owned."""
    author: Author
    """The author that their sets name."""

    @property
    def role(self) -> str:
        """As what they write: room is kept for who set the game up, and for arbiters."""
        caller = self.seen.caller
        if caller.key is not None and caller.key.id == caller.policy.creator:
            return CREATOR
        return ARBITER if caller.may("arbitrate") else ANYBODY


def annotator(game: str, **_others: str) -> Writer:
    """The caller as a writer.

    Raises:
        Problem: 401 for somebody without a name here, 403 for whoever may not write before the game has finished.
        GameNotFound: there is no such game, for this caller.
    """
    seen = viewpoint(game)
    caller, table = seen.caller, seen.table
    reader = reader_of(caller)
    if reader.holder is None:
        detail = "This needs a key, or the token of a seat or spectator of this game."
        raise Problem(401, "token_required", detail, headers=CHALLENGE)
    if not may_write(reader, is_over=table.state.status == "finished"):
        detail = "Until a game has finished only keys with the scope 'arbitrate' annotate it."
        raise Problem(403, "game_not_finished", detail)
    if caller.seat is not None:
        name = table.state.seats[caller.seat].name
        return Writer(seen, reader.holder, Author("seat", name, seat=caller.seat))
    if caller.key is not None:
        return Writer(seen, reader.holder, Author("key", caller.key.name, key=caller.key.id))
    return Writer(seen, reader.holder, Author("spectator", "", spectator=caller.spectator or ""))


def _holder(caller: Caller) -> str | None:
    if caller.seat is not None:
        return f"seat:{caller.seat}"
    if caller.key is not None:
        return caller.key.id
    return None if caller.spectator is None else f"spectator:{caller.spectator}"
