"""Commands per second compared with boardgame.io's server, which keeps its matches in files or in memory."""

from collections.abc import Iterator
from contextlib import ExitStack

from tests.benchmarks.figures import Comparison, Figure, Goal, Options
from tests.benchmarks.load import LoadReport
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers import PeerMissing
from tests.benchmarks.peers.boardgame_io import MATCH_LENGTH, boardgame_server
from tests.benchmarks.playing import HOW_CHOSEN, SMALLEST, Playing, Size, rates

ABOUT = (
    "commands per second with 16 and 64 games, compared with boardgame.io with FlatFile storage and in memory"
)
_STORAGES = (("flat-file", True, {16: 5.0, 64: 5.0}), ("in-memory", False, {16: 1.0, 64: 1.5}))
"""Names, whether matches are kept in files, and goals by the number of games."""
_NOTES = (
    "boardgame.io's own server and clients play a game of beans of the same shape with fewer rules",
    "a move counts when a client of another seat has the state after it; the match goes on when all four have it",
    "a command of ours counts when it is acknowledged, after its fsync",
    "a move of theirs is seen before it is stored, and FlatFile never asks for an fsync",
    f"a match of theirs is left after {MATCH_LENGTH} moves, which is as long as a game of ours",
    "a round is shorter than a match; FlatFile writes a match's whole log at each move, so later moves cost more",
)


def run(options: Options) -> Iterator[Comparison]:
    """Measure the service and both storages by turns."""
    for games in options.size((16, 64), (2,)):
        size = options.size(Size(games=games, seconds=5.0), SMALLEST)
        runs, theirs, missing = [], dict[str, list[LoadReport]](), ""
        with ExitStack() as stack:
            servers = {}
            try:
                for name, durable, _ in _STORAGES:
                    servers[name] = stack.enter_context(boardgame_server(options.peers, durable=durable))
            except PeerMissing as error:
                missing = f"boardgame.io: {error}"
            playing = Playing(stack.enter_context(own_service()), size)
            for _ in range(options.rounds):
                runs.append(playing.as_fast_as_answered())
                for name, server in servers.items():
                    theirs.setdefault(name, []).append(server.played(size))
        for name, _, goals in _STORAGES:
            found = theirs.get(name, [])
            what = f"boardgame.io 0.50, {size.games} matches, {name} storage"
            values = tuple(each.counted / each.seconds for each in found)
            busy = sum(each.processor_seconds for each in found) / (sum(each.seconds for each in found) or 1)
            load = f"boardgame.io's clients keep {busy:.2f} processors busy in all"
            yield Comparison(
                name=f"boardgame-io/{name}-{games}",
                ours=rates(runs, size.games),
                baseline=Figure(what=what, unit="commands/s", values=values) if found else None,
                goal=Goal(at_least=goals.get(games, 1.0)),
                notes=(
                    *((missing,) if missing else (*_NOTES, load)),
                    HOW_CHOSEN,
                    f"ours, {runs[-1].in_words}",
                ),
            )
