"""Where each subcommand of `fieldbook` is: imported only when called, so that the others start at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from replay.commands.shared.lazy_commands import LazyCommand

SUMMARIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "archive": "Move finished, validated games to the archive that FIELDBOOK_ARCHIVE names.",
        "audit": "Put every command of stored games to the rules again, and sign the results.",
        "backup": "Copy the whole installation to a folder or another target while games go on.",
        "catalogues": "Check custom catalogues, and show those that games can be created with.",
        "configuration": "Print every effective setting and where it comes from; passwords are left out.",
        "dataset": "Write finished games as typed tables in Parquet files, by rule system and month.",
        "demo": "Play a game of bots against a fresh service over HTTP, and check its record.",
        "disputes": "Settle disputes: list and read them, claim, rule, accept and appeal.",
        "keys": "Create, list and revoke the keys with which programs use the API.",
        "operator-acts": "List the audit log of privileged acts, newest first.",
        "partitions": "Inspect the partitions of the store, and release one that was quarantined.",
        "projections": "Inspect, rebuild and compare the list of games.",
        "ready": "Ask a running service whether it takes commands, and print what it says.",
        "replay": "Read the record of a game and trust nobody.",
        "report": "Write an overview of finished games as an HTML page, and as data.",
        "restore": "Restore a backup into an empty store and an empty data folder, and verify the result.",
        "screen": "Look for players who do more for each other than for others, in the store or a folder of records.",
        "signing-key": "Show or rotate the key that signs the heads of games and of the log.",
        "simulate": "Let bots play each other in this process, and show their results.",
        "webhooks": "List the registered webhooks, and disable one.",
    }
)
"""The first sentence of each subcommand's own help, by which it is listed."""
_ELSEWHERE: Final = {
    "disputes": "replay.commands.disputes",
    "operator-acts": "service.cli.keys",
    "replay": "replay.command_line",
    "restore": "service.cli.backup",
}
"""The modules of those that are not in one of their own name here."""
COMMANDS: Final[Mapping[str, LazyCommand]] = MappingProxyType(
    {
        name: LazyCommand(
            _ELSEWHERE.get(name, f"service.cli.{name.replace('-', '_')}"),
            name.replace("-", "_"),
            summary,
        )
        for name, summary in SUMMARIES.items()
    }
)
"""Every subcommand by its name."""
