"""A table as an answer or a frame shows it, and the cards that it is played with in short."""

from typing import Any

from events.game.clock import Clock
from events.game.table import Table
from events.log.disclosure import viewer_name
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.player_view import player_view
from events.rules.table.waiting import waiting_for
from service.http.context.callers import Viewpoint
from service.http.context.rematches import next_game
from service.http.messages.bodies import legal_bodies
from service.players.shown_names import ShownNames


def state_body(seen: Viewpoint, table: Table, names: ShownNames) -> dict[str, Any]:
    """What a viewpoint shows of a table of its game, with the names to show for its players.

    Raises:
        StoreUnavailable
    """
    policy = seen.caller.policy
    return {
        "version": table.version,
        "hash": table.hash,
        "viewer": viewer_name(seen.viewer),
        "visibility": policy.visibility,
        "spectator_delay": policy.delay,
        **player_view(names.show(table.state), seen.viewer),
        **clock_member(table.log.clock),
        "played_with": summary(table.rules.catalogue),
        "take_backs": sum(each.by_consent for each in table.log.rewound),
        "redealt": sum(each.by_consent and each.redealt for each in table.log.rewound),
        **({"previous": policy.previous} if policy.previous else {}),
    }


def following_game(table: Table) -> dict[str, str]:
    """The member `next` of what is told of a finished game that is played again.

    Raises:
        StoreUnavailable
    """
    following = next_game(table.game) if table.state.status == "finished" else None
    return {} if following is None else {"next": following}


def legal_body(table: Table, seat: int) -> dict[str, Any]:
    """What a seat may send on a table of its game."""
    return {
        "game": table.game,
        "version": table.version,
        "hash": table.hash,
        "status": table.state.status,
        "seat": seat,
        "waiting_for": list(waiting_for(table.state)),
        "commands": legal_bodies(table, seat),
        **clock_member(table.log.clock),
    }


def clock_member(clock: Clock | None) -> dict[str, Any]:
    """The member `clock` of an answer about a game, which those played without one do not have.

    It says nothing that depends on when it is asked: like everything else of a version it stays what it is.
    """
    return {} if clock is None else {"clock": clock.as_json()}


def summary(catalogue: Catalogue) -> dict[str, Any]:
    """A catalogue in short: which one it is, and where its figures come from."""
    return {
        "catalogue": catalogue.name,
        "title": catalogue.title,
        "source": catalogue.source,
        "provenance": list(catalogue.kinds_of_provenance),
        "hash": catalogue.hash(),
    }
