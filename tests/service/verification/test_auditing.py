"""`fieldbook audit`: every finished game asked again of the rules, a signed receipt for each, nothing rewritten."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import msgspec
import pytest
import redis
from click.testing import CliRunner, Result
from rq import Worker as RealWorker

from events.chain.hash_chain import GENESIS, link
from events.log.disclosure import PUBLIC, form_for
from events.transparency.audit_receipt import AuditReceipt
from events.transparency.signed_note import parse_note
from service.access.game_access import GamePolicy
from service.cli.audit import follow_run
from service.command_line import main
from service.jobs import jobs
from service.storage.queues import audit_queue
from service.storage.settings import StoreSettings
from service.verification import audit_run
from service.verification.audit_run import AuditRun, NoWorkers, Outcome
from service.verification.auditing import Auditor
from service.verification.finished_games import list_finished_games
from service.verification.signing_keys import SigningKeys, open_signing_keys
from service.verification.stored_record import GameUnreadable
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_worker import Worker, replace_entry
from tests.support.corrected_rules import corrected, without_version_one
from tests.support.recorded_games import recorded_game

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def keys(queue: redis.Redis) -> SigningKeys:
    """The keys of the installation whose store it is."""
    return open_signing_keys(StoreSettings.from_environment())


def audited(*arguments: str) -> Result:
    """What `fieldbook audit` does in this process."""
    return CliRunner().invoke(main, ["audit", *arguments])


def counted(result: Result) -> list[int]:
    """The numbers of the table: games, agree, differ pinned, differ today, invalid, not done, audited before."""
    rows = [line for line in result.stdout.splitlines() if line.startswith("│")]
    return [int(cell) for cell in rows[-1].strip("│").split("│")]


def receipts(api: InProcess, game: Stored) -> list[Any]:
    """The receipts of a game over the API."""
    found: list[Any] = api.get(f"/v1/games/{game.id}/validations")["receipts"]
    return found


def whole_log(api: InProcess, game: Stored) -> Any:
    """What the store holds of a game, to the byte."""
    name = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:log"
    return api.store.connection.command("XRANGE", name, "-", "+")


def test_every_finished_game_gets_a_signed_receipt(api: InProcess, keys: SigningKeys) -> None:
    """Running games are left alone; the note says what was asked, and is checked with the published key."""
    first, second, running = api.stored(1), api.stored(2), api.stored(3, stop_at=80)

    done = audited("--all", "--here")

    assert done.exit_code == 0, done.output
    assert counted(done) == [2, 2, 0, 0, 0, 0, 0]
    for game in (first, second):
        (receipt,) = receipts(api, game)
        note = parse_note(receipt["note"])
        assert note.require([keys.current]) == keys.current
        head = game.recorded.head
        expected = AuditReceipt(game.id, head.version, head.hash, "classic", 1, 1, "agrees")
        assert note.text == expected.text()
        assert receipt["commands"] == sum(bool(entry.command) for entry in game.recorded.log)
    assert receipts(api, running) == []


def test_what_has_its_receipts_is_not_audited_again(api: InProcess) -> None:
    """Unless it is asked for; then the receipt is a new one of the same text."""
    game = api.stored()
    audited("--all", "--here")
    before = receipts(api, game)

    assert counted(audited("--all", "--here")) == [1, 1, 0, 0, 0, 0, 1]
    assert receipts(api, game) == before
    assert counted(audited(game.id, "--here", "--again")) == [1, 1, 0, 0, 0, 0, 0]
    (after,) = receipts(api, game)
    assert after["at"] > before[0]["at"]
    assert after["note"] == before[0]["note"]


def test_a_run_goes_on_where_the_last_one_was_stopped(api: InProcess, keys: SigningKeys) -> None:
    """What was done before counts, and only the rest is to do."""
    games = [api.stored(seed).id for seed in range(1, 5)]
    stopped = AuditRun(api.store, games).here(Auditor(api.store, keys))
    assert [each.game for each in islice(stopped, 2)] == games[:2]

    again = AuditRun(api.store, games)

    assert [each.game for each in again.done] == games[:2]
    assert [each.game for each in again.here(Auditor(api.store, keys))] == games[2:]


def test_an_interrupted_command_says_how_to_go_on(
    api: InProcess, keys: SigningKeys, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends it with a sentence and status 130; nothing that was done is lost."""
    games = [api.stored(seed).id for seed in range(1, 4)]
    run = AuditRun(api.store, games)

    def interrupted() -> Iterator[Outcome]:
        yield from islice(run.here(Auditor(api.store, keys)), 2)
        raise KeyboardInterrupt

    assert follow_run(run, interrupted()) == 130
    assert "Games left: 1;" in capsys.readouterr().err
    assert counted(audited("--all", "--here")) == [3, 3, 0, 0, 0, 0, 2]


def test_the_job_may_run_any_number_of_times_at_once(api: InProcess, keys: SigningKeys) -> None:
    """One receipt comes of it."""
    game = api.stored()
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: Auditor(api.store, keys).audit(game.id, 5, again=True), range(6)))
    assert jobs.audit_game(game.id) == jobs.audit_game(game.id) == ""

    assert len(receipts(api, game)) == 1


def test_a_tampered_game_is_invalid(api: InProcess) -> None:
    """The receipt says so, over the head that the store names; status 1, and the version in a line of its own."""
    game, genuine = api.stored(1), api.stored(2)
    replace_entry(api, game, 100, a=1)

    done = audited("--all", "--here")

    assert done.exit_code == 1
    assert counted(done) == [2, 1, 0, 0, 1, 0, 0]
    assert f"{game.id}: invalid: version 100: " in done.stdout
    (receipt,) = receipts(api, game)
    assert parse_note(receipt["note"]).text.endswith("\nresult invalid\n")
    assert (receipt["pinned"], receipt["system"], receipt["system_version"]) == (True, "classic", 1)
    assert receipt["findings"][0]["version"] == 100
    assert receipts(api, genuine)[0]["result"] == "agrees"


def test_a_log_that_cannot_be_read_at_all_is_invalid_under_unknown_rules(api: InProcess) -> None:
    """Nothing drops out of the audit by being broken, not even a log that is gone."""
    game, gone = api.stored(1), api.stored(2)
    replace_entry(api, game, 1, d=b"\xff")
    name = f"{{p{api.store.partition_of(gone.id):02}}}:game:{gone.id}:log"
    api.store.connection.command("DEL", name)

    done = audited("--all", "--here")

    assert counted(done) == [2, 0, 0, 0, 2, 0, 0]
    for each in (game, gone):
        (receipt,) = receipts(api, each)
        text = parse_note(receipt["note"]).text
        assert "\nsystem unknown 0\n" in text
        assert f"\nhash {each.recorded.head.hash}\n" in text


def test_a_correction_of_the_rules_rewrites_no_game(api: InProcess) -> None:
    """Log and record stay the same to the byte, the verdict stays valid, and the difference is listed and signed."""
    game = api.stored()
    audited("--all", "--here")
    jobs.validate_game(game.id)
    log, record = whole_log(api, game), api.call("GET", f"/v1/games/{game.id}/events?as=all").body

    with corrected():
        done = audited("--all", "--here")
        jobs.validate_game(game.id)
        assert whole_log(api, game) == log
        assert api.call("GET", f"/v1/games/{game.id}/events?as=all").body == record
        assert api.get(f"/v1/games/{game.id}/validations")["validation"] == "valid"
        assert counted(audited("--all", "--here")) == [1, 0, 0, 1, 0, 0, 1]

    assert done.exit_code == 0, done.output
    assert counted(done) == [1, 0, 0, 1, 0, 0, 0]
    assert f"{game.id}: differ today: " in done.stdout
    found = {each["system_version"]: each for each in receipts(api, game)}
    assert {version: each["result"] for version, each in found.items()} == {1: "agrees", 2: "differs"}
    assert (found[1]["pinned"], found[2]["pinned"]) == (True, False)
    assert found[2]["differences"][0]["command"] == "draw"
    assert 20 == len(found[2]["differences"]) <= found[2]["differing"]
    assert whole_log(api, game) == log


def test_a_game_that_was_not_played_by_the_rules_it_pins_differs(api: InProcess) -> None:
    """Its record holds together, so it is not invalid; status 1."""
    with without_version_one():
        lax = recorded_game.__wrapped__(5, 4, (), 12)
    api.store.append(
        lax.table.game,
        lax.log,
        expected_version=0,
        command_id="t",
        fingerprint="t",
        private={"secret": lax.table.secret, **GamePolicy().private_fields()},
    )

    done = audited("--all", "--here")

    assert done.exit_code == 1
    assert counted(done) == [1, 0, 1, 0, 0, 0, 0]
    assert "differ pinned" in done.stdout
    assert "draw: the rules answer cards_drawn" in done.stdout


def pinned_to(api: InProcess, member: str, value: int) -> Stored:
    """A genuine game of a release that has other engines and rules: its first entry says so, and its chain holds."""
    game = api.stored()
    first = game.recorded.log[0]
    data = msgspec.json.encode({**msgspec.json.decode(first.data), member: value})
    changed = msgspec.structs.replace(first, data=data)
    key = game.recorded.table.key
    replace_entry(api, game, 1, d=data, h=link(GENESIS, form_for(changed, key, PUBLIC).entry))
    return game


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            "engine_version",
            "version 1: the game was played with engine version 9; this installation has version 1",
        ),
        ("system_version", "version 1: There is no rule system 'classic' in version 9"),
        ("schema", "version 40: "),
    ],
)
def test_what_another_release_wrote_is_refused_and_not_called_invalid(
    api: InProcess, keys: SigningKeys, change: str, reason: str
) -> None:
    """With version and reason; nothing is signed, by the audit or by the validator, and the API says it too."""
    if change == "schema":
        game = api.stored()
        replace_entry(api, game, 40, v=9)
        reason += f"{game.recorded.log[39].type} is of schema version 9, and 1 can be read here"
    else:
        game = pinned_to(api, change, 9)

    done = audited(game.id, "--here")
    jobs.validate_game(game.id)

    assert done.exit_code == 1
    assert counted(done) == [1, 0, 0, 0, 0, 1, 0]
    assert f"{game.id}: not done: {reason}" in done.stdout
    assert jobs.audit_game(game.id).startswith(reason)
    with pytest.raises(GameUnreadable):
        Auditor(api.store, keys).audit(game.id, 1)
    found = api.get(f"/v1/games/{game.id}/validations")
    assert (found["validation"], found["receipts"]) == ("pending", [])
    problem = api.call("GET", f"/v1/games/{game.id}")
    assert (problem.status, problem.json["code"]) == (501, "game_unreadable")
    assert reason.removeprefix("version 1: ").split(";")[0].lower() in problem.json["detail"].lower()


def test_a_game_whose_secret_is_lost_is_not_done(api: InProcess) -> None:
    """Nothing can be checked without it, and nothing is said against the game."""
    game = api.stored()
    name = f"{{p{api.store.partition_of(game.id):02}}}:game:{game.id}:private"
    assert api.store.connection.command("HDEL", name, "secret") == 1

    done = audited("--all", "--here")

    assert counted(done) == [1, 0, 0, 0, 0, 1, 0]
    assert "lost the game's secret" in done.stdout


def test_the_list_comes_from_the_log_and_not_from_a_projection(api: InProcess) -> None:
    """No projector has run here; a game whose end cannot be read is in the list."""
    finished, broken, _ = api.stored(1), api.stored(2), api.stored(3, stop_at=80)
    replace_entry(api, broken, len(broken.recorded.log), t=b"\xff")

    assert {*list_finished_games(api.store)} == {finished.id, broken.id}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Name games, or choose all of them with --all."),
        (("nobody",), "There is no game 'nobody'."),
        (("--all", "nobody"), "Name games, or choose all of them with --all."),
    ],
)
def test_wrong_use_ends_with_2(arguments: tuple[str, ...], sentence: str) -> None:
    """And a sentence."""
    done = audited(*arguments)

    assert done.exit_code == 2
    assert sentence in done.stderr


def test_a_running_game_is_not_audited(api: InProcess) -> None:
    """Status 2: its cards are hidden, and it has no verdict yet."""
    game = api.stored(stop_at=80)

    done = audited(game.id)

    assert done.exit_code == 2
    assert "is not finished" in done.stderr


# --- over workers ------------------------------------------------------------------------------------------


@pytest.fixture
def work(queue: redis.Redis) -> Callable[[float], int]:
    """Whoever waits for workers is one: instead of pausing it does what is in the queue, and says how much it was."""

    def work(_seconds: float) -> int:
        waiting = audit_queue(queue)
        count = len(waiting)
        Worker([waiting], connection=queue, serializer=waiting.serializer).work(
            burst=True, logging_level="ERROR"
        )
        return count

    return work


def test_workers_audit_what_a_run_enqueues(
    api: InProcess, queue: redis.Redis, work: Callable[[float], int]
) -> None:
    """The outcomes are the same as in this process; a job's id says what it asks."""
    games = [api.stored(seed) for seed in range(1, 4)]
    replace_entry(api, games[2], 100, a=1)
    run = AuditRun(api.store, [game.id for game in games])

    found = {each.game: each.outcome for each in run.by_workers(audit_queue(queue), pause=work)}

    assert found == {games[0].id: "agree", games[1].id: "agree", games[2].id: "invalid"}
    head = games[0].recorded.head
    assert queue.exists(f"rq:job:audit-{head.game}-{head.version}-1-1")


def test_a_job_takes_several_games_and_what_fails_is_asked_again_alone(
    api: InProcess, queue: redis.Redis, work: Callable[[float], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game that ends a job keeps none of the others from their outcome, and says why it has none."""
    monkeypatch.setattr(audit_run, "_SHARES", 1)
    games = [api.stored(seed, most_offers=5) for seed in range(1, 4)]
    audit_one, together = jobs.audit_game, list[int]()

    def audit_but_one(game: str, *, again: bool = False) -> str:
        if game == games[1].id:
            raise ZeroDivisionError("this game ends its job")
        return audit_one(game, again=again)

    def note(seconds: float) -> None:
        together.append(len(audit_queue(queue)))
        work(seconds)

    monkeypatch.setattr(jobs, "audit_game", audit_but_one)
    run = AuditRun(api.store, [game.id for game in games])

    found = {each.game: each for each in run.by_workers(audit_queue(queue), pause=note)}

    assert together == [1, 2, 1]
    assert found[games[0].id].outcome == found[games[2].id].outcome == "agree"
    assert found[games[1].id].outcome == "not done"
    assert "this game ends its job" in found[games[1].id].reason


def test_a_run_asked_again_makes_new_receipts_over_workers(
    api: InProcess, queue: redis.Redis, work: Callable[[float], int]
) -> None:
    """Jobs of the run before that are over make way."""
    game = api.stored()
    list(AuditRun(api.store, [game.id]).by_workers(audit_queue(queue), pause=work))
    before = receipts(api, game)[0]["at"]

    (outcome,) = AuditRun(api.store, [game.id], again=True).by_workers(audit_queue(queue), pause=work)

    assert outcome.outcome == "agree"
    assert receipts(api, game)[0]["at"] > before


def test_a_lost_queue_costs_only_the_jobs_under_way(
    api: InProcess, queue: redis.Redis, work: Callable[[float], int]
) -> None:
    """They are enqueued again."""
    game = api.stored()
    lost: list[int] = []

    def lose_first(seconds: float) -> None:
        if lost:
            work(seconds)
        else:
            lost.append(queue.delete(*queue.scan_iter("rq:*")))

    (outcome,) = AuditRun(api.store, [game.id]).by_workers(audit_queue(queue), pause=lose_first)

    assert lost[0] > 0
    assert outcome.outcome == "agree"


def test_a_run_that_nobody_works_for_says_what_to_do(api: InProcess, queue: redis.Redis) -> None:
    """Instead of waiting for ever; what is in the queue will be done when a worker comes."""
    game = api.stored()
    assert RealWorker.count(queue=audit_queue(queue)) == 0

    with pytest.raises(NoWorkers, match=r"fieldbook worker.*--here"):
        list(AuditRun(api.store, [game.id]).by_workers(audit_queue(queue), patience=0.3))
    assert len(audit_queue(queue)) == 1


def test_a_game_of_another_release_is_not_done_over_workers(
    api: InProcess, queue: redis.Redis, work: Callable[[float], int]
) -> None:
    """The worker hands back the reason; no job fails."""
    game = api.stored()
    replace_entry(api, game, 40, v=9)

    (outcome,) = AuditRun(api.store, [game.id]).by_workers(audit_queue(queue), pause=work)

    assert outcome.outcome == "not done"
    assert "version 40: " in outcome.reason
    assert len(audit_queue(queue).failed_job_registry) == 0
