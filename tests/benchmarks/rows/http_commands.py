"""Commands per second over HTTP, compared with the bare floor: the same server, route and append."""

from collections.abc import Iterator

from tests.benchmarks.figures import Comparison, Figure, Goal, Options
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers.floor import own_floor
from tests.benchmarks.playing import HOW_CHOSEN, SMALLEST, Playing, Size, rates

ABOUT = "commands per second over HTTP, compared with the same server and append without rules"
_BARE = (
    "the bare floor: our server with as many processes, the request's JSON, the token proved by the append, which "
    "has real events, an answer of the same kind, and nothing else"
)


def run(options: Options) -> Iterator[Comparison]:
    """Measure the service and the floor by turns."""
    size = options.size(Size(), SMALLEST)
    ours, baseline = [], []
    with own_service() as service, own_floor(service, size) as floor:
        playing = Playing(service, size)
        for _ in range(options.rounds):
            ours.append(playing.as_fast_as_answered())
            baseline.append(floor())
    what = "the bare floor: a server, a route and an append"
    yield Comparison(
        name="http-commands",
        ours=rates(ours, size.games),
        baseline=Figure(what=what, unit="commands/s", values=tuple(run.rate for run in baseline)),
        goal=Goal(at_least=0.6),
        notes=(
            HOW_CHOSEN,
            _BARE,
            "with ours run projector, worker, bots and webhooks, as by `make run`; with the floor nothing else",
            f"ours, {ours[-1].in_words}",
            f"the floor, {baseline[-1].in_words}",
        ),
    )
