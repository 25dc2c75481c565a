"""Faults of processes, the store and its servers: each breaks one thing in one round, and mends it.

When a log has lost its end nothing can restore it. So the promise differs from that of all other faults: the loss
is reported and named, and nothing is appended to what has lost something. Then an operator puts the file back from
a copy, and everything must be there; or gives up what was lost, and play must continue from what is left.
"""

import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from redis.crc import key_slot

from events.store.partitions import partition_tag
from events.store.redis.client.opening import information
from service.storage.feed_watermarks import REMEMBERED
from tests.campaigns.installation import STORE, SYSTEMS, Installation, Setting
from tests.campaigns.invariants import projection_lag
from tests.campaigns.load import Acknowledged, Players
from tests.support.cluster import Failure, slots_in_use
from tests.support.http_play import Answer
from tests.support.nodes import await_replica
from tests.support.processes import children
from tests.support.servers import eventually

JOB_SECONDS: Final = 3.0  # how long to wait for the worker to have a job
ROOM: Final = 16 * 1024  # bytes that a store may still use when its memory or its disk becomes short
LONGEST_WAIT_SECONDS: Final = 12.0
"""By then clients must have had 503, since the store does not answer: after three tries of three seconds each."""
SHORT_SECONDS: Final = 20.0  # how long it may take until a client has 503 when memory or disk are short

MAX_LOST: Final = REMEMBERED
"""Appends to games that are cut off at most, with everything written after them: the projector can name so many."""
LOG_KEY: Final = b":log\r\n"  # the end of the key of a game's stream in the append-only file
MAX_ASKED: Final = 3  # games about which clients ask in each round
PLAY_SECONDS: Final = 90.0

Allowed = Mapping[str, frozenset[tuple[int, str]]]
GONE: Final = (404, "game_not_found")  # the answer where the whole game is lost, or its beginning
COMMAND: Final = "a command"
MATCHING: Final = "a command with If-Match"
AFTER: Final = "events after its cursor"
RESUMED: Final = "events after Last-Event-ID"
STATE: Final = "the state at its version"
QUARANTINED: Final = (503, "partition_quarantined")
HISTORY_LOST: Final = frozenset({(409, "history_lost"), GONE})
READ: Final = {AFTER: HISTORY_LOST, RESUMED: HISTORY_LOST, STATE: frozenset({(404, "no_such_version"), GONE})}
# The store refuses a process that still knows the lost version; the others notice that it is missing.
DURING: Final[Allowed] = {
    **READ,
    COMMAND: frozenset({QUARANTINED, GONE}),
    MATCHING: frozenset({(412, "history_lost"), QUARANTINED, GONE}),
}
"""The answers while the partition is quarantined, by what a client asks that knows the lost version."""
RELEASED: Final[Allowed] = {
    **READ,
    COMMAND: frozenset({(200, ""), GONE}),
    MATCHING: frozenset({(412, "history_lost"), GONE}),
}
"""The answers once the partition is released, before anyone has played on."""
PLAYED_ON: Final[Allowed] = {
    AFTER: frozenset({(409, "history_forked")}),
    RESUMED: frozenset({(409, "history_forked")}),
    MATCHING: frozenset({(412, "history_forked")}),
}
"""The answers when the game has reached that version again, by other moves."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a fault. `longest` has the longest times that faults measured, in seconds."""

    installation: Installation
    players: Players
    dice: random.Random
    seconds: float
    slack: float = 1.0
    longest: dict[str, float] = field(default_factory=dict)

    def note(self, what: str, seconds: float) -> None:
        self.longest[what] = max(self.longest.get(what, 0.0), seconds)


class Fault(NamedTuple):
    """A fault. `inject` returns when what was broken has been started or repaired."""

    name: str
    what: str
    setting: Setting
    inject: Callable[[Round], None]


def _kill(name: str, round_: Round) -> None:
    round_.installation.service.kill(name)
    round_.installation.start(name)


def _kill_web_process(round_: Round) -> None:
    service = round_.installation.service
    os.kill(round_.dice.choice(children(service.process_id("web"))), signal.SIGKILL)


def _kill_web_master(round_: Round) -> None:
    """Kill the first process of the web alone: the others must exit by themselves and free the port."""
    service = round_.installation.service
    below = children(service.process_id("web"))
    service.kill_alone("web")
    eventually(lambda: not any(Path(f"/proc/{each}").exists() for each in below), seconds=30)
    round_.installation.start("web")


def _kill_worker(round_: Round) -> None:
    """Kill the worker, with the process of its job if it has one within a while."""
    worker = round_.installation.service.process_id("worker")
    round_.players.begin_bots_game()
    deadline = time.monotonic() + JOB_SECONDS
    while not children(worker) and time.monotonic() < deadline:
        time.sleep(0.002)
    if children(worker):
        round_.players.ledger.count("worker killed in mid-job")
    _kill("worker", round_)


def _kill_bots(round_: Round) -> None:
    round_.players.begin_bots_game()
    time.sleep(round_.dice.uniform(0.0, 0.5))
    _kill("bots", round_)


def _lose_replies(round_: Round) -> None:
    proxy = round_.installation.proxy
    before = proxy.lost
    proxy.lose_replies(0.1)
    time.sleep(1.0)
    proxy.lose_replies(0)
    if proxy.lost == before:
        round_.players.ledger.find("the proxy lost no reply")


def _pause_store(round_: Round) -> None:
    """Pause the store; clients must have 503."""
    service, ledger = round_.installation.service, round_.players.ledger
    before = ledger.counts["503 store_unavailable"]
    service.signal(STORE, signal.SIGSTOP)
    try:
        time.sleep(round_.seconds)
    finally:
        service.signal(STORE, signal.SIGCONT)
    reported = ledger.counts["503 store_unavailable"] - before
    if round_.seconds > LONGEST_WAIT_SECONDS and not reported:
        ledger.find("the store was paused, and no client had 503")


def _fill_memory(round_: Round) -> None:
    """Let the store reach maxmemory until a client is refused."""
    with round_.installation.store() as store:
        used = int(information(store.connection)["used_memory"])
        store.connection.command("CONFIG", "SET", "maxmemory", used + ROOM)
        try:
            _await_refusal(round_)
        finally:
            store.connection.command("CONFIG", "SET", "maxmemory", 0)


def _fill_disk(round_: Round) -> None:
    """Limit the size of the store's files. At `local` it refuses to write; at `fsync` it can only exit."""
    installation = round_.installation
    store = installation.service.process_id(STORE)
    size = _log_file(installation).stat().st_size + ROOM
    resource.prlimit(store, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    if installation.setting.durability == "fsync":
        status = installation.service.await_end(STORE, SHORT_SECONDS)
        if status != 1:
            round_.players.ledger.find(f"the store that could not write ended with status {status}")
        installation.start(STORE)
        return
    try:
        _await_refusal(round_)
    finally:
        resource.prlimit(store, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def _log_file(installation: Installation) -> Path:
    """Return the file that the embedded store appends to."""
    files = (installation.settings.store_folder / "appendonlydir").glob("*.incr.aof")
    return max(files, key=lambda file: int(file.name.split(".")[-3]))


def _await_refusal(round_: Round) -> None:
    kind, ledger = "503 store_refused", round_.players.ledger
    before, deadline = ledger.counts[kind], time.monotonic() + SHORT_SECONDS
    while ledger.counts[kind] == before:
        if time.monotonic() > deadline:
            ledger.find(f"no client was answered {kind} within {SHORT_SECONDS:.0f} s")
            return
        time.sleep(0.05)


def _cut_log(round_: Round, *, put_back: bool) -> None:
    """Cut off the end of the log, check that the loss is reported, and put the file back or give the loss up."""
    installation, players = round_.installation, round_.players
    players.rest()
    known = players.ledger.newest()
    files = installation.settings.store_folder / "appendonlydir"
    kept = files.with_name("kept-whole")

    def cut() -> None:
        installation.service.kill(STORE)
        if put_back:
            shutil.copytree(files, kept)
        log = _log_file(installation)
        content = log.read_bytes()
        place = len(content)
        for _ in range(round_.dice.randint(1, MAX_LOST)):
            place = content.rindex(LOG_KEY, 0, place)
        os.truncate(log, place)
        installation.start(STORE)

    _lose(round_, cut)
    if put_back:
        installation.service.kill(STORE)
        shutil.rmtree(files)
        kept.rename(files)
        installation.start(STORE)
        if left := _lost_games(installation, known):
            players.ledger.find(f"put back, the log still lacks the end of {left}")
    else:
        _give_up(round_, known)
    players.go_on()


def _fall_behind(round_: Round) -> None:
    """Let a replica that lacks the last commands take over, and accept the loss as an operator does."""
    installation, players = round_.installation, round_.players
    players.rest()
    _await_projector(installation)
    replica = installation.pair[1]
    await_replica(replica)
    # From here on the replica is cut off; it may as well be promoted at once.
    replica.connection.command("REPLICAOF", "NO", "ONE")
    players.go_on()
    if not players.await_acknowledged(PLAY_SECONDS):
        players.ledger.find("clients do not play on while the replica is cut off")
    players.rest()
    known = players.ledger.newest()
    _lose(round_, installation.take_over)
    _give_up(round_, known)
    installation.bring_back()
    players.go_on()


def _lose(round_: Round, lose: Callable[[], None]) -> None:
    """Let the store lose its end, and check that this is reported."""
    installation, players, dice = round_.installation, round_.players, round_.dice
    known = players.ledger.newest()
    _await_projector(installation)
    said = len(_log_of_projector(installation))
    if again := dice.random() < 0.5:
        # A projector that was not running then knows the loss from its file.
        installation.service.stop("projector")
    lose()
    # The web process notices with its next request that the store is back.
    eventually(lambda: installation.service.api.call("GET", "/readyz").status in {200, 503})
    if again:
        installation.start("projector")
    lost = _lost_games(installation, known)
    if not lost:
        players.ledger.find("nothing that was acknowledged was lost")
    _await_reported(round_, lost, said)
    for game in dice.sample(lost, min(MAX_ASKED, len(lost))):
        _check_answers(round_, DURING, known[game])


def _give_up(round_: Round, known: Mapping[str, Acknowledged]) -> None:
    """Release the quarantined partitions, and check the answers before and after others have played on."""
    installation, players = round_.installation, round_.players
    for each in installation.readiness()["quarantined"]:
        players.ledger.find(*installation.operate("partitions", "release", str(each["partition"]), "--yes"))
    if installation.readiness()["projection_stopped"]:
        players.ledger.find(*installation.operate("projections", "rebuild"))
    lost = _lost_games(installation, known)
    for game in lost:
        version = installation.version_of(game)
        players.ledger.give_up(game, version)
        if not version:
            players.board.leave(game)
    if lost:
        newest = known[round_.dice.choice(lost)]
        _check_answers(round_, RELEASED, newest)
        if installation.version_of(newest.game):
            for _ in range(100):
                if installation.version_of(newest.game) < newest.version:
                    _say(round_, newest.game)
            _check_answers(round_, PLAYED_ON, newest)
    if reported := installation.readiness()["quarantined"]:
        players.ledger.find(f"released, partitions are quarantined again: {reported}")


def _lost_games(installation: Installation, known: Mapping[str, Acknowledged]) -> list[str]:
    with installation.store() as store:
        heads = {game: store.head(game) for game in known}
    return [game for game, head in heads.items() if head is None or head.version < known[game].version]


def _await_projector(installation: Installation) -> None:
    """Wait until the projector has seen everything: it cannot miss what it has not seen."""
    with installation.store() as store:
        eventually(lambda: projection_lag(store) == 0)


def _log_of_projector(installation: Installation) -> str:
    return (installation.service.folder / "projector.log").read_text(errors="replace")


def _await_reported(round_: Round, lost: list[str], said: int) -> None:
    """Check that each partition that lost something is quarantined, and no other; and that this is reported."""
    installation, find = round_.installation, round_.players.ledger.find
    places = {game: installation.partition_of(game) for game in lost}

    def reasons() -> dict[int, str]:
        reported = installation.readiness().get("quarantined", [])
        return {each["partition"]: each["reason"] for each in reported}

    eventually(lambda: reasons().keys() >= {*places.values()})
    found, reported = reasons(), installation.readiness()
    if reported["status"] != "degraded" or "partitions" not in reported["degraded"]:
        find(f"with {len(found)} partitions quarantined, /readyz says {reported['status']}")
    for partition in found.keys() - {*places.values()}:
        find(f"partition {partition} is quarantined and has lost nothing: {found[partition]}")
    log = _log_of_projector(installation)[said:]
    for game, partition in places.items():
        if "the store has lost" not in found[partition] or game not in found[partition]:
            find(f"the loss of {game} is not named: {found[partition]}")
        if f"partition {partition} is quarantined" not in log:
            find(f"the projector does not log that partition {partition} is quarantined")


def _check_answers(round_: Round, allowed: Allowed, newest: Acknowledged) -> None:
    """Ask everything that names a lost version; reads come first, since a command may change the game."""
    api, path = round_.installation.service.api, f"/v1/games/{newest.game}"
    cursor = f"{newest.version}-{newest.hash[:8]}"
    stream = {"Last-Event-ID": cursor, "Accept": "text/event-stream"}
    answers = {
        AFTER: api.call("GET", f"{path}/events?after={cursor}"),
        RESUMED: api.call("GET", f"{path}/events", headers=stream),
        STATE: api.call("GET", f"{path}?at={newest.version}"),
        MATCHING: _say(round_, newest.game, cursor),
        COMMAND: _say(round_, newest.game),
    }
    for question in allowed:
        reported = (answers[question].status, answers[question].json.get("code", ""))
        if reported not in allowed[question]:
            round_.players.ledger.find(f"with the log's end lost, {question} was answered {reported}")


def _say(round_: Round, game: str, tag: str = "") -> Answer:
    """Send a word from the first seat, which is legal at any time."""
    token, api = round_.players.board.all[game][0].token, round_.installation.service.api
    body, headers = {"type": "say", "text": "still there?"}, {"If-Match": f'"{tag}"'} if tag else {}
    return api.call("POST", f"/v1/games/{game}/commands", body, token=token, headers=headers)


def _fail_over(how: Failure, round_: Round) -> None:
    """Let the primary fail that has the game appended to last; its replica takes over."""
    round_.players.begin_bots_game()
    partition = round_.installation.partition_of(round_.players.ledger.acknowledged[-1].game)
    slot = key_slot(partition_tag(partition).encode())
    round_.note("takeover", round_.installation.cluster.fail_over(slot, how))


def _move_slots(round_: Round) -> None:
    """Move the slots of all partitions to other primaries, key by key."""
    round_.players.begin_bots_game()
    cluster = round_.installation.cluster
    primaries = [node for node in cluster.nodes if node.said()["role"] == "master"]
    for slot in slots_in_use(round_.installation.partitions):
        place = [node is cluster.primary_of(slot) for node in primaries].index(True)
        cluster.move(slot, primaries[(place + 1) % len(primaries)])


def _take_over_address(round_: Round) -> None:
    """Kill the primary of a pair: its replica takes over its address, and it becomes the replica."""
    round_.players.begin_bots_game()
    round_.installation.require_replicas(0)
    round_.installation.take_over()
    round_.installation.bring_back()


def restart(installation: Installation, name: str, number: signal.Signals) -> float:
    """End a process by SIGTERM or SIGKILL and start it again; return the seconds that it took to stop."""
    begun, service = time.monotonic(), installation.service
    (service.kill if number == signal.SIGKILL else service.stop)(name)
    took = time.monotonic() - begun
    service.start(name)
    return took


LOCAL, FSYNC, PROXIED = Setting("local"), Setting("fsync"), Setting("fsync", "proxied")
CLUSTER, PAIR = Setting("replicated", "cluster", SYSTEMS), Setting("replicated", "pair", SYSTEMS)
CUT: Final = "the end of the append-only file is cut off"
FAULTS: Final = (
    Fault("web-process", "SIGKILL of one of the web's processes", LOCAL, _kill_web_process),
    Fault("web", "SIGKILL of the web with all its processes", LOCAL, partial(_kill, "web")),
    Fault("web-master", "SIGKILL of the web's first process alone", LOCAL, _kill_web_master),
    Fault("worker", "SIGKILL of the worker in the middle of a job", LOCAL, _kill_worker),
    Fault("bots", "SIGKILL of the bots' process in the middle of a game", LOCAL, _kill_bots),
    Fault("projector", "SIGKILL of the projector", LOCAL, partial(_kill, "projector")),
    Fault("store-local", "SIGKILL of the store at level local", LOCAL, partial(_kill, STORE)),
    Fault("store-fsync", "SIGKILL of the store at level fsync", FSYNC, partial(_kill, STORE)),
    Fault("lost-replies", "a proxy drops replies of the store", PROXIED, _lose_replies),
    Fault("paused-store", "the store is paused", FSYNC, _pause_store),
    Fault("full-memory", "the store reaches maxmemory", FSYNC, _fill_memory),
    Fault("full-disk-local", "the store's disk is full at level local", LOCAL, _fill_disk),
    Fault("full-disk-fsync", "the store's disk is full at level fsync", FSYNC, _fill_disk),
    Fault("cut-log", f"{CUT}, and put back", FSYNC, partial(_cut_log, put_back=True)),
    Fault("given-up", f"{CUT}, and given up", FSYNC, partial(_cut_log, put_back=False)),
)
"""The faults of `python -m tests.campaigns faults`, in their order."""
FAILOVERS: Final = (
    Fault("killed", "SIGKILL of a primary of a cluster", CLUSTER, partial(_fail_over, Failure.KILLED)),
    Fault("paused", "a primary is paused", CLUSTER, partial(_fail_over, Failure.PAUSED)),
    Fault("handed-over", "a primary hands over", CLUSTER, partial(_fail_over, Failure.HANDED_OVER)),
    Fault("moved-slots", "all partitions move to other primaries", CLUSTER, _move_slots),
    Fault("address", "a replica takes over its killed primary's address", PAIR, _take_over_address),
    Fault("behind", "at fsync a replica that was behind takes over", Setting("fsync", "pair"), _fall_behind),
)
"""The faults of `python -m tests.campaigns failovers`, in their order."""


class Breakage(NamedTuple):
    """A way to break parts of an installation for a while, and to mend them."""

    name: str
    parts: tuple[str, ...]
    breaks: Callable[[Installation, str], object]
    mends: Callable[[Installation, str], object]


def _signal(number: signal.Signals) -> Callable[[Installation, str], None]:
    def send(installation: Installation, part: str) -> None:
        for _, each in installation.process_tree(part):
            with suppress(ProcessLookupError):
                os.kill(each, number)

    return send


def _killed(*parts: str) -> Breakage:
    name = f"{'+'.join(parts)} killed"
    return Breakage(name, parts, lambda each, part: each.service.kill(part), Installation.start)


def _paused(*parts: str) -> Breakage:
    return Breakage(f"{'+'.join(parts)} paused", parts, _signal(signal.SIGSTOP), _signal(signal.SIGCONT))


PARTS: Final = (STORE, "projector", "web")
"""The parts that clock faults break, in the order in which they are started."""
BREAKAGES: Final = (
    _killed("web"),
    _paused("web"),
    _killed("projector"),
    _paused("projector"),
    _killed(STORE),
    _paused(STORE),
    _killed(STORE, "web"),
    _killed("projector", "web"),
    _paused(STORE, "projector"),
    _killed(*PARTS),
    _paused(*PARTS),
    Breakage("stopped as planned", PARTS, lambda each, part: each.service.stop(part), Installation.start),
)
"""The faults of `python -m tests.campaigns clocks`, in their order."""
