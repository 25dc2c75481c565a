"""Which players a request may name: those of its key's namespace, where the key may set games up."""

from service.access.keys import Key
from service.http.context.creators import SCOPE
from service.http.messages.problems import Problem
from service.players.ids import NoPlayer, PlayerOfAnother, whole_id


def named_player(key: Key | None, given: str | None) -> str:
    """The id that logs have of the player that a request names; empty where it names none.

    Raises:
        Problem: 404 for what is no id of a player; 403 for a player of another namespace, and for whoever may name
            none: a guest, the token of a seat.
    """
    if not given:
        return ""
    if key is None or not key.may(SCOPE):
        raise Problem(
            403,
            "player_forbidden",
            f"Players are named by keys with the scope '{SCOPE}', not by who sits down.",
        )
    try:
        return whole_id(given, key.namespace, names_all=key.is_operator)
    except NoPlayer as none:
        raise Problem(
            404, "not_found", "An id of a player has up to 64 letters, digits and . _ ~ - in it."
        ) from none
    except PlayerOfAnother as another:
        detail = f"Your key names players of its own namespace, '{key.namespace}'."
        raise Problem(403, "player_forbidden", detail) from another
