"""Everything that the contract allows, and much that it does not, asked of a really running service.

schemathesis makes the requests: the examples, the limits of every parameter and body, thousands at random, and chains
of requests along the contract's links. Every answer is held to the contract.

`python -m tests.contract.campaign` asks five thousand times and more, as every kind of caller in turn; a short run is
among the tests.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from replay.client import Fieldbook
from service.access.game_tokens import GameTokens
from service.access.keys import OPERATOR
from service.access.store import Keys
from tests.support.processes import Service
from tests.support.servers import ROOT

CHECKS: Final = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance", "negative_data_rejection"),
    *("missing_required_header", "unsupported_method", "ignored_auth", "allow_header_conformance"),
)
"""All but those that need to know which requests the rules of a game accept."""
CALLERS: Final = ("operator", "integrator", "seat", "spectator", "nobody")
"""Who asks. With a key comes the token of a seat wherever nothing else will do."""
SETTINGS: Final = """\
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 428, 429, 431, "5xx"]
"""
"""An address or headers that are too long are refused as such, before anybody looks at what is in them."""
EVERY_PHASE: Final = "examples,coverage,fuzzing,stateful"
LEAST: Final = 5000
"""Cases of a whole campaign."""
_CASES: Final = re.compile(r"(\d+) generated")


def cast(service: Service) -> dict[str, object]:
    """Keys, and games in which somebody can do something, with the token of a seat and of a spectator of each."""
    store = service.open_store()
    operator = Keys(store).create("operator", (), 1, OPERATOR)
    integrator = service.key()
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", integrator)
    tokens = {}
    for system, seats in (("classic", 3), ("the-duel", 2), ("ladybohn", 3), ("ladybohn-expansion", 3)):
        made = fieldbook.create_game(system, [f"Player {seat}" for seat in range(seats)])
        first = fieldbook.table(made.game).waiting_for
        tokens[made.game] = made.seats[first[0] if first else 0].token
    opened = fieldbook.create_game("classic", ["Ann", None, None])
    tokens[opened.game] = opened.seats[0].token
    given = GameTokens(store)
    watching = {game: given.invite(game, "", giver="seat:0", at=1, request="campaign")[0] for game in tokens}
    store.close()
    return {
        "keys": {"operator": operator, "integrator": integrator},
        "tokens": tokens,
        "spectators": watching,
    }


def run(
    folder: Path, caller: str, *, cases: int, seconds: int, phases: str = EVERY_PHASE, seed: int = 1
) -> tuple[int, int, str]:
    """Ask so many cases of each operation as one caller: the exit status, how many there were, and what was said."""
    settings = folder / "schemathesis.toml"
    settings.write_text(SETTINGS)
    with Service(folder) as service:
        service.environment["FIELDBOOK_LIMITS"] = "off"
        service.start("store", "web", "projector", "worker", "bots")
        service.await_ready()
        address = f"http://127.0.0.1:{service.port}"
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings)),
            *("run", f"{address}/openapi.yaml", "--url", address),
            *("--phases", phases, "--max-examples", str(cases)),
            *("--checks", ",".join(CHECKS), "--seed", str(seed), "--generation-database", "none"),
            *("--workers", "1", "--continue-on-failure", "--no-color", "--request-timeout", "60"),
            *("--suppress-health-check", "all", "--warnings", "off", "--max-failures", "40", "--no-shrink"),
        ]
        done = subprocess.run(
            command,
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "SCHEMATHESIS_HOOKS": "tests.contract.hooks",
                "FIELDBOOK_CONTRACT_CAST": json.dumps({"caller": caller, **cast(service)}),
            },
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        said = done.stdout + done.stderr
        found = _CASES.search(said)
        return done.returncode, int(found[1]) if found else 0, said


if __name__ == "__main__":
    total, failed = 0, False
    for each in CALLERS:
        began = time.monotonic()
        with TemporaryDirectory() as place:
            status, asked, report = run(Path(place), each, cases=10, seconds=3600)
        if status:
            sys.stdout.write(report)
        passed = round(time.monotonic() - began)
        print(f"{each}: {asked} cases in {passed} seconds, status {status}", flush=True)  # noqa: T201 - the result
        total, failed = total + asked, failed or status != 0
    print(f"{total} cases")  # noqa: T201
    sys.exit(failed or total < LEAST)
