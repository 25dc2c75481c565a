"""A tournament as everybody may see it: that is all of its log, put together, and the names that lie beside it."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from events.tournaments.scoring.points import round_points
from events.tournaments.scoring.standings import compute_standings
from events.tournaments.state import Round, Tournament
from service.platform.release import release
from service.tournaments.tournaments import TournamentLog


def tournament_row(tournament: Tournament) -> dict[str, Any]:
    """A tournament in a list."""
    settings = tournament.settings
    return {
        "tournament": settings.tournament,
        "name": settings.name,
        "format": settings.format,
        "system": settings.system,
        "status": tournament.status,
        "created": tournament.created,
        "players": len(tournament.players),
        "rounds": len(tournament.rounds),
    }


def without_name(tournament: Tournament) -> list[str]:
    """Who takes part and has no name in the log."""
    return [each.player for each in tournament.players if not each.name]


def tournament_tag(log: TournamentLog, names: Mapping[str, str]) -> str:
    """The entity tag of what is shown: it follows from the log, the names beside it, and the release."""
    shown = msgspec.json.encode([log.last.hash, sorted(names.items()), release()])
    return f'"{hashlib.sha256(shown).hexdigest()[:32]}"'


def describe_tournament(log: TournamentLog, names: Mapping[str, str]) -> dict[str, Any]:
    """A tournament whole, with these names for those who have none in the log."""
    tournament = log.tournament
    settings = {
        name: value
        for name, value in msgspec.to_builtins(tournament.settings).items()
        if name not in {"type", "tournament", "name"}
    }
    standings = tournament.standings or compute_standings(tournament)
    return {
        **tournament_row(tournament),
        "settings": settings,
        "field": [
            msgspec.to_builtins(each) | {"name": each.name or names.get(each.player, "")}
            for each in tournament.players
        ],
        "schedule": [_describe_round(each, settings["format"]) for each in tournament.rounds],
        "standings": [msgspec.to_builtins(each) for each in standings],
        "entries": len(log.entries),
        "hash": log.last.hash,
    }


def _describe_round(played: Round, form: str) -> dict[str, Any]:
    """A round, with what each table that is over has brought its seats."""
    points = round_points(played, form)
    described: dict[str, Any] = msgspec.to_builtins(played)
    for table in described["tables"]:
        if table["outcome"] is not None:
            if not table["outcome"]["reason"]:
                del table["outcome"]["reason"]
            table["points"] = [points[player] for player in table["players"]]
    return described
