"""Disputes on the command line, each command a process: the whole way of a case, and every kind of ruling."""

import difflib
from collections.abc import Iterator

import pytest

from tests.service.disputes.dispute_tour import KEPT, NAMES, Tour, toured
from tests.support.processes import EVERYTHING, Service

pytestmark = pytest.mark.xdist_group("disputes")
WHY = ("--scope", "the game", "--reason", "The log shows it.")
KINDS = {
    "dismissed": ((), ("running", None)),
    "annulled": ((), ("finished", [])),
    "rewound": (("--to", "13", "--seen-confirmed"), ("running", None)),
    "awarded": (("--winner", "1"), ("finished", [1])),
    "replaced": (("--winner", "0", "--score", "3", "--score", "2", "--score", "1"), ("finished", [0])),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a running service with everything that belongs to it."""
    with Service(tmp_path_factory.mktemp("service")) as service:
        service.start(*EVERYTHING)
        service.await_ready()
        yield service


def test_the_tour_shows_what_it_showed_when_it_was_kept(service: Service) -> None:
    """After an intended change: `python -m tests.service.disputes.dispute_tour`, and read it."""
    shown, kept = toured(service), KEPT.read_text("utf-8")
    assert shown == kept, "\n".join(difflib.unified_diff(kept.splitlines(), shown.splitlines(), lineterm=""))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_ruling_is_given_and_applied(service: Service, kind: str) -> None:
    """Opened, claimed, looked at, ruled and accepted by everybody."""
    options, (status, winners) = KINDS[kind]
    tour = Tour(service)
    case = f"{tour.game}/1"
    opening = ("open", tour.game, "--version", "14", "--reason", "other", "--text", "Look at this.")
    for who, *arguments in (
        ("Ann", *opening),
        ("Ada", "claim", case),
        ("Ada", "rule", case, "--kind", kind, *options, *WHY, "--preview"),
        ("Ada", "rule", case, "--kind", kind, *options, *WHY),
        *((name, "accept", case) for name in NAMES[:2]),
    ):
        done = tour.run(who, "disputes", *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
    assert "is final" in tour.run("Cat", "disputes", "accept", case).stdout
    table = service.api.call("GET", f"/v1/games/{tour.game}").json
    assert (table["status"], table["result"] and table["result"]["winners"]) == (status, winners)


def test_a_wrong_use_has_status_2_and_a_refusal_status_1(service: Service) -> None:
    """With a sentence that says what to do, and no traceback."""
    tour = Tour(service)
    for status, who, *arguments in (
        (2, "Ada", "show", "no-case"),
        (2, "Ada", "rule", f"{tour.game}/1", "--kind", "fair", *WHY),
        (1, "Ada", "show", f"{tour.game}/7"),
        (1, "Ada", "claim", f"{tour.game}/1"),
        (1, "Ben", "list"),
        (1, "Ada", "open", tour.game, "--version", "14", "--reason", "other", "--text", "No seat of mine."),
    ):
        done = tour.run(str(who), "disputes", *map(str, arguments))
        assert done.returncode == status, (arguments, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
    away = tour.run("Ada", "disputes", "--service", "http://127.0.0.1:9", "list")
    assert away.returncode == 2
    assert "does not answer" in away.stderr
