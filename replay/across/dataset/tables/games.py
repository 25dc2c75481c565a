"""The table `games`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import msgspec

from events import domain_events as e
from replay.across.dataset.columns import JSON, MOMENT, GameId, Month, System
from replay.across.dataset.told_game import ToldGame
from replay.platform.safe_text import safe


class GameRow(NamedTuple):
    """One finished game."""

    game: GameId
    system: System
    month: Month
    system_version: Annotated[int, "The version of the rule system that it is pinned to."]
    engine_version: Annotated[int, "The version of the engine that it was played with."]
    players: Annotated[int, "How many seats the table has."]
    people: Annotated[int, "How many of them people took."]
    programs: Annotated[int, "How many of them programs of others took."]
    bots: Annotated[int, "How many of them bots of the service took."]
    options: Annotated[str, JSON, "The options of the rule system, each with its value."]
    catalogue: Annotated[str, "The name of the catalogue of cards."]
    catalogue_hash: Annotated[str, "The SHA-256 by which the game pins the catalogue's content."]
    clocked: Annotated[bool, "Whether it was played with a clock."]
    began: Annotated[int | None, MOMENT, "When the table was set up."]
    started: Annotated[int | None, MOMENT, "When every seat was taken; null also if that never came."]
    ended: Annotated[int | None, MOMENT, "When the game ended."]
    milliseconds: Annotated[int | None, "How long it was played: from `started` to `ended`."]
    turns: Annotated[int, "How many turns were begun, those that do not count left out."]
    commands: Annotated[int, "How many commands seats gave, all of them."]
    entries: Annotated[int, "How many entries the record has."]
    discarded: Annotated[int, "How many of them do not count, since the game went back."]
    rewindings: Annotated[int, "How often the game went back, by a ruling or since all agreed."]
    pauses: Annotated[int, "How often a dispute held the game up."]
    rulings: Annotated[int, "How many rulings of arbiters were applied in it."]
    expired: Annotated[int, "How often a seat's time was over."]
    exhaustions: Annotated[int, "How often the draw pile ran out."]
    trades: Annotated[int, "How many trades were made that count."]
    reason: Annotated[
        str,
        "Why it ended: as the rules end it, or `awarded`, `replaced`, `annulled`, `abandoned` and others.",
    ]
    unit: Annotated[str, "What scores count: `coins`, or `cents` of a coin."]
    winners: Annotated[tuple[int, ...], "The seats that won."]
    head: Annotated[str, "The chain hash after the last entry: which game exactly this is."]
    visibility: Annotated[str, "`public`, `unlisted` or `private`; empty if the records came from a folder."]
    ruled: Annotated[
        str,
        "What a ruling after the end made of the result: `annulled`, `awarded` or `replaced`; empty if none did, or"
        " if the records came from a folder. `winners` and scores are those of the record.",
    ]


def game_rows(told: ToldGame) -> Iterator[GameRow]:
    """The row of a game."""
    played, end = told.played, told.played.end
    created, result = played.created, played.result
    kinds = [seat.away or seat.kind for seat in end.seats]
    events = [(step.event, step.at) for step in told.steps]
    started = next((at for event, at in events if isinstance(event, e.GameStarted)), None)
    ended = next(at for event, at in reversed(events) if isinstance(event, e.GameEnded))
    lasted = None if started is None or not told.is_dated else ended - started

    def count(*kinds: type[e.DomainEvent]) -> int:
        return sum(isinstance(event, kinds) for event, _ in events)

    yield GameRow(
        *told.place,
        system_version=end.system_version,
        engine_version=end.engine_version,
        players=played.players,
        people=kinds.count("human"),
        programs=kinds.count("program"),
        bots=kinds.count("bot"),
        options=msgspec.json.encode(created.options, order="sorted").decode(),
        catalogue=safe(played.header.catalogue.name, 60),
        catalogue_hash=created.catalogue,
        clocked=created.clock is not None,
        began=told.moment(played.entries[0].at),
        started=None if started is None else told.moment(started),
        ended=told.moment(ended),
        milliseconds=lasted,
        turns=end.turn,
        commands=sum(step.command is not None and step.actor.startswith("seat:") for step in told.steps),
        entries=len(played.entries),
        discarded=sum(not step.counts for step in told.steps),
        rewindings=len(played.rewindings),
        pauses=count(e.GamePaused),
        rulings=count(e.RulingMade),
        expired=count(e.TimeExpired),
        exhaustions=end.exhaustions,
        trades=sum(step.in_effect and isinstance(step.event, e.TradeMade) for step in told.steps),
        reason=result.reason,
        unit=result.unit,
        winners=result.winners,
        head=played.report.head,
        visibility=played.visibility,
        ruled=played.ruled,
    )
