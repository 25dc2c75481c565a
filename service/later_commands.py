"""Commands of `fieldbook` that are imported only when they are asked for, so that the others start at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from replay.later_commands import Later

LATER: Final[Mapping[str, Later]] = MappingProxyType(
    {
        "bench": Later(
            "benchmarks.command",
            "bench",
            "Measure how fast Fieldbook is on this machine, beside what one would pick instead.",
        ),
        "catalogues": Later(
            "service.catalogue_commands",
            "catalogues",
            "Check catalogues of your own, and show which ones games are set up with.",
        ),
        "disputes": Later(
            "replay.disputing.group",
            "disputes",
            "Settle disputes: list and read them, claim, rule, accept and appeal.",
        ),
        "keys": Later(
            "service.key_commands", "keys", "Make, list and revoke the keys with which programs use the API."
        ),
        "operator-acts": Later(
            "service.key_commands",
            "operator_acts",
            "List what was done with keys that may do what others may not, newest first.",
        ),
        "partitions": Later(
            "service.partition_commands",
            "partitions",
            "The partitions of the store: a damaged one takes nothing until it is released.",
        ),
        "replay": Later("replay.command_line", "replay", "Read the record of a game and trust nobody."),
        "signing-key": Later(
            "service.signing_key_commands",
            "signing_key",
            "The key with which heads of games and of the log are signed.",
        ),
        "webhooks": Later(
            "service.webhook_commands", "webhooks", "List and stop the addresses that are told of games."
        ),
        "simulate": Later(
            "service.simulate_command",
            "simulate",
            "Let bots play against each other in this process, and show how they did.",
        ),
    }
)
"""Where each of them is, and what it is about."""
