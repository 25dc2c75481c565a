"""Commands of `fieldbook` that are imported only when they are asked for, so that the others start at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LATER: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "bench": ("benchmarks.command", "bench"),
        "catalogues": ("service.catalogue_commands", "catalogues"),
        "disputes": ("replay.disputing.group", "disputes"),
        "keys": ("service.key_commands", "keys"),
        "operator-acts": ("service.key_commands", "operator_acts"),
        "partitions": ("service.partition_commands", "partitions"),
        "replay": ("replay.command_line", "replay"),
        "signing-key": ("service.signing_key_commands", "signing_key"),
        "webhooks": ("service.webhook_commands", "webhooks"),
        "simulate": ("service.simulate_command", "simulate"),
    }
)
"""Where each of them is: module and name."""
