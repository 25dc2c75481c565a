"""docs/branches.md is enough to read a token and to deal a branch's cards: its vectors, recomputed."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from events.game.dealing import shuffled
from events.log.actors import actor_name
from replay.branches import encode_token, find_origin, load_branch
from replay.branches.branch import MOST_COMMANDS
from replay.branches.chance import bot_seed, branch_key
from replay.branches.command_json import LONGEST_COMMAND
from replay.branches.saved.tokens import LARGEST_PAYLOAD, LONGEST_TOKEN, encode_payload
from tests.replay.branches.recordings import game

PAGE = (Path(__file__).parents[3] / "docs" / "branches.md").read_text(encoding="utf-8")
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

    branch = load_branch(vector["token"], find_origin(rules, log, vector["version"]))

    nodes = [
        [node.parent, actor_name(node.actor), msgspec.to_builtins(node.command)] for node in branch.nodes
    ]
    assert nodes == vector["commands"]
    assert (branch.seed, branch.here, branch.origin.version) == (
        vector["seed"],
        vector["here"],
        vector["version"],
    )
    assert encode_payload(branch).hex() == vector["payload"]
    assert load_branch(encode_token(branch), branch.origin) == branch


def test_the_page_states_the_bounds() -> None:
    """As they are."""
    for bound in (MOST_COMMANDS, LONGEST_COMMAND, LARGEST_PAYLOAD, LONGEST_TOKEN):
        assert f"{bound:,}" in PAGE
