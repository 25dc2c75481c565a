"""The cost of ten thousand idle streams for the one web process that holds them, and for commands."""

from collections.abc import Iterator

from tests.benchmarks.chosen import set_up
from tests.benchmarks.figures import Comparison, Figure, Goal, Options
from tests.benchmarks.own_service import own_service
from tests.benchmarks.playing import HOW_CHOSEN, SMALLEST, Playing, Size
from tests.benchmarks.processor import await_quiet, megabytes
from tests.benchmarks.watching import audience

ABOUT = "memory of one web process with 10,000 idle event streams, and p99 of commands meanwhile"


def run(options: Options) -> Iterator[Comparison]:
    """Open all streams in each round, after a run without them."""
    streams, watched, rate = options.size((10_000, 50, 100.0), (20, 2, 20.0))
    size = options.size(Size(), SMALLEST)
    before, held, busy, alone, among = [], [], [], [], []
    with own_service(WEB_PROCESSES="1") as service:
        playing = Playing(service, size)
        games = [set_up(service).game for _ in range(watched)]
        for _ in range(options.rounds):
            await_quiet((service.process,))
            before.append(megabytes(service.process, "web"))
            alone.append(playing.at_rate(rate).p(99))
            with audience(service.port, games, streams):
                # Each stream that is opened is announced to the others of its game.
                busy.append(await_quiet((service.process,)))
                among.append(playing.at_rate(rate).p(99))
                held.append(megabytes(service.process, "web"))
    idle = f"{streams:,} idle event streams"
    yield Comparison(
        name="idle-streams/memory",
        ours=Figure(what=f"one web process with {idle}", unit="MiB", values=tuple(held)),
        goal=Goal(of="figure", at_most=300.0),
        notes=(
            "proportional set size of the process that holds the streams and of the one that watches over it",
            f"before the streams it was {', '.join(f'{each:.0f}' for each in before)} MiB",
            f"the streams alone keep {', '.join(f'{each:.2f}' for each in busy)} processors busy",
        ),
    )
    what = f"p99 of one command at {rate:.0f} commands/s, {size.games} games, one web process"
    yield Comparison(
        name="idle-streams/commands",
        ours=Figure(what=f"{what}, with {idle}", unit="ms", values=tuple(among)),
        baseline=Figure(what=f"{what}, without streams", unit="ms", values=tuple(alone)),
        goal=Goal(at_most=1.5),
        notes=("the streams follow other, idle games", HOW_CHOSEN),
    )
