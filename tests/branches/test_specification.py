"""docs/branches.md is enough to read a token and to deal a branch's cards: its vectors, recomputed."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from events.actors import actor_name
from events.dealing import shuffled
from replay.branches import branch_in, origin_at, token_of
from replay.branches.branch import MOST_COMMANDS
from replay.branches.chance import bot_seed, branch_key
from replay.branches.reading import LONGEST_COMMAND
from replay.branches.tokens import LARGEST_PAYLOAD, LONGEST_TOKEN, payload_of
from tests.branches.recordings import game

PAGE = (Path(__file__).parents[2] / "docs" / "branches.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = {
    vector["vector"]: vector
    for vector in map(json.loads, re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
}


def test_the_key_of_a_branch_and_of_its_bots() -> None:
    """From the seed and the chain hash at the origin."""
    vector = VECTORS["branch key"]
    key = branch_key(vector["seed"], vector["hash"])

    assert key.hex() == vector["key"]
    assert bot_seed(key, vector["seat"]) == vector["bot_seed"]


def test_a_fresh_shuffle() -> None:
    """By the shuffle of every game, under a purpose of its own."""
    vector = VECTORS["fresh shuffle"]
    order = shuffled(bytes.fromhex(vector["key"]), vector["purpose"], tuple(vector["cards"]))

    assert list(order) == vector["order"]


def test_a_token() -> None:
    """Its payload byte for byte; compressors may differ, so the token is only read."""
    vector = VECTORS["token"]
    rules, log = game(vector["record"].removeprefix("tests/logs/"))

    branch = branch_in(vector["token"], origin_at(rules, log, vector["version"]))

    nodes = [
        [node.parent, actor_name(node.actor), msgspec.to_builtins(node.command)] for node in branch.nodes
    ]
    assert nodes == vector["commands"]
    assert (branch.seed, branch.here, branch.origin.version) == (
        vector["seed"],
        vector["here"],
        vector["version"],
    )
    assert payload_of(branch).hex() == vector["payload"]
    assert branch_in(token_of(branch), branch.origin) == branch


def test_the_page_states_the_bounds() -> None:
    """As they are."""
    for bound in (MOST_COMMANDS, LONGEST_COMMAND, LARGEST_PAYLOAD, LONGEST_TOKEN):
        assert f"{bound:,}" in PAGE
