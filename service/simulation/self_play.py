"""Whole games between bots, played in this process: for measuring, testing and trying out bots."""

import hashlib
from collections.abc import Mapping, Sequence

from events.bots.memory import BotMemory
from events.commands import TakeSeat
from events.commands.dealing import Dealing
from events.game.bot_driver import next_bot_command
from events.game.table import Table, new_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named


def self_play(
    system: str,
    players: int,
    bots: Sequence[str],
    seed: str,
    options: Mapping[str, str | int | bool],
    *,
    game: str = "",
    names: Sequence[str] = (),
    since: int = 0,
    deal: tuple[str, Dealing] | None = None,
) -> tuple[Table, list[RecordedEvent]]:
    """Play a game to its end; `bots` names the bot on each seat, `game` is its id.

    `names` are the players' names; without them each is named after its bot and seat.

    The dealer's secret and the bots' seeds are derived from `seed`, and the n-th command arrives n
    milliseconds after `since`: the same arguments always give the same log. In place of the secret `deal` has that of
    a round and how it is dealt: then the game ends with its secret closed.

    Raises:
        RuleViolation: the rule system is not played like that.
    """
    secret, dealing = deal or (_derive(seed, "secret"), None)
    catalogue = shipped_catalogue(system_named(system).catalogue)
    table, entries = new_table(
        game or f"self-play-{_derive(seed, 'game')[:16]}",
        system,
        players,
        options=dict(options),
        catalogue=catalogue,
        secret=secret,
        at=since + 1,
        dealing=dealing,
    )
    at = since + 1
    for seat, bot in enumerate(bots):
        at += 1
        name = names[seat] if names else f"{bot} {seat}"
        loaded = TakeSeat(seat, name, "bot", bot, _derive(seed, f"bot/{seat}"))
        table, seated = table.submit(HOST, loaded, at)
        entries += seated
    memory = BotMemory().follow(map(decode_event, entries))
    while (step := next_bot_command(table, memory, alone=True)) is not None:
        at += 1
        table, happened = table.submit(*step, at)
        memory = memory.follow(map(decode_event, happened))
        entries += happened
    return table, entries


def _derive(seed: str, purpose: str) -> str:
    return hashlib.sha256(f"{seed}/{purpose}".encode()).hexdigest()
