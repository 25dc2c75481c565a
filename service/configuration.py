"""All settings: every environment variable that a process of Fieldbook reads, in one table.

What a variable's value means is decided where it is used. Here stands which there are, so that they can be documented
(docs/operating.md shows this very table), printed (`fieldbook configuration`), and told from typing errors.
"""

import difflib
import os
import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

PREFIX: Final = "FIELDBOOK_"
MASK: Final = "..."
_PASSWORD: Final = re.compile(r"(?<=://).*(?=@)|(?<=[?&]password=)[^&]*")


class BadSetting(ValueError):
    """A value cannot be understood; the sentence names the variable and what it takes."""


class Variable(msgspec.Struct, frozen=True):
    """One environment variable."""

    name: str
    default: str
    """The value that holds where it is absent; empty for none."""
    readers: str
    """Which processes read it, for people."""
    meaning: str
    """What it does, in one line of the documentation."""
    kind: Literal["plain", "address", "secret"] = "plain"
    """An address may hold a password, which is never shown; a secret is never shown at all."""
    fallback: str = ""
    """What holds in words where there is no default value."""

    def shown(self, value: str) -> str:
        """A value as it may be printed."""
        if self.kind == "secret" and value:
            return MASK
        return _PASSWORD.sub(MASK, value) if self.kind == "address" else value


VARIABLES: Final = (
    Variable("HOST", "127.0.0.1", "web", "address that the HTTP interface listens on"),
    Variable("PORT", "8000", "web", "its port"),
    Variable("WEB_PROCESSES", "2", "web", "processes of the HTTP interface"),
    Variable(
        "REDIS_URL",
        "",
        "all",
        "an external Redis (7.0 or newer) or Valkey (8 or newer), or a cluster, see below; without it the embedded "
        "store runs",
        "address",
    ),
    Variable(
        "QUEUE_REDIS_URL",
        "",
        "all",
        "where the job queue is; a cluster cannot hold it",
        "address",
        fallback="the log's server",
    ),
    Variable("FIELDBOOK_DATA", "./data", "all", "the data folder"),
    Variable("FIELDBOOK_DURABILITY", "fsync", "all", "the declared level, see below"),
    Variable(
        "FIELDBOOK_NAME",
        "",
        "web, worker",
        "what the service signs as, such as `beans.example/log`; fixed at the first start",
        fallback="made up at the first start",
    ),
    Variable(
        "FIELDBOOK_PARTITIONS", "", "all", "number of partitions, fixed at the first start", fallback="16"
    ),
    Variable(
        "FIELDBOOK_TRUST_DURABILITY",
        "0",
        "all",
        "`1`: believe the declared level where the server hides its settings",
    ),
    Variable(
        "FIELDBOOK_STORE_PROGRAM",
        "",
        "store",
        "server program for the embedded store instead of the one installed with Fieldbook",
    ),
    Variable(
        "FIELDBOOK_ARCHIVE",
        "",
        "all",
        "where finished games are archived, such as `file:///srv/archive` or `s3://bucket/prefix`",
        "address",
    ),
    Variable(
        "FIELDBOOK_ARCHIVE_OPTIONS", "", "all", "options of its file system, as a JSON object", "secret"
    ),
    Variable(
        "FIELDBOOK_ARCHIVE_AFTER",
        "30d",
        "worker, projector",
        "how long after its end a game is archived: `30d`, `12h`, `90m`, `60s`",
    ),
    Variable(
        "FIELDBOOK_DISPUTE_SECONDS",
        "1209600",
        "web, worker",
        "how long after its end a game may be disputed: 14 days",
    ),
    Variable(
        "FIELDBOOK_CLAIM_SECONDS",
        "604800",
        "web, worker",
        "how long a dispute or an appeal waits for an arbiter before it lapses: 7 days",
    ),
    Variable(
        "FIELDBOOK_RULING_SECONDS",
        "604800",
        "web, worker",
        "how long an arbiter who has claimed it has for the ruling: 7 days",
    ),
    Variable(
        "FIELDBOOK_APPEAL_SECONDS", "86400", "web, worker", "how long a ruling waits for an appeal: 1 day"
    ),
    Variable("FIELDBOOK_CATALOGUES", "", "web, worker", "a folder with catalogues of your own, see below"),
    Variable(
        "FIELDBOOK_BOT_PATIENCE",
        "20",
        "bots",
        "seconds that a bot whose turn it is waits, after the last event, for people to answer its offers or to make "
        "one; 0: not at all",
    ),
    Variable(
        "FIELDBOOK_WEBHOOK_NETWORKS",
        "",
        "web, webhooks",
        "networks that webhooks may reach besides the public internet, such as `127.0.0.0/8,10.1.0.0/16`",
    ),
    Variable(
        "FIELDBOOK_WEBHOOK_GIVE_UP",
        "24h",
        "webhooks",
        "how long something is tried before it is dead, and how long an endpoint may fail before it is disabled",
    ),
    Variable(
        "FIELDBOOK_LIMITS",
        "on",
        "web",
        "rate limits: `on`, `off`, or other quotas than the usual ones, see below",
    ),
    Variable(
        "FIELDBOOK_TRUSTED_PROXIES",
        "0",
        "web",
        "how many proxies stand in front of it; their `X-Forwarded-For` says where a request comes from",
    ),
    Variable(
        "FIELDBOOK_CORS_ORIGINS",
        "",
        "web",
        "web pages that may use the API from a browser: origins such as `https://beans.example`, with commas, or `*`",
    ),
    Variable(
        "FIELDBOOK_HSTS",
        "0",
        "web",
        "seconds for which browsers are told to use HTTPS only; for a service behind TLS",
    ),
    Variable("FIELDBOOK_METRICS", "on", "web", "`off`: there is no `/metrics`"),
    Variable("FIELDBOOK_LOG", "text", "all", "form of the log on standard error: `text` or `json`"),
    Variable(
        "FIELDBOOK_PARENT", "", "all", "set by `fieldbook up`: the process with whose end the store ends"
    ),
)
"""Every setting, in the order of the documentation."""

OF_THE_TESTS: Final = re.compile(r"FIELDBOOK_(REQUIRE_[A-Z]+|SOAK)")
"""What only the tests read; it may stand in the environment of the processes that they start."""

_BY_NAME: Final = {variable.name: variable for variable in VARIABLES}


class Setting(msgspec.Struct, frozen=True):
    """A variable as it holds here."""

    variable: Variable
    value: str
    """The value in effect."""
    origin: Literal["environment", "default"]

    @property
    def shown(self) -> str:
        """The value as it may be printed."""
        return self.variable.shown(self.value) or self.variable.fallback


def setting(name: str, environment: Mapping[str, str] | None = None) -> str:
    """The value of a variable, or its default; an empty one counts as absent."""
    found = os.environ if environment is None else environment
    return found.get(name) or _BY_NAME[name].default


def whole_number(name: str, environment: Mapping[str, str] | None, least: int, most: int) -> int:
    """The value of a variable that takes a number within bounds.

    Raises:
        BadSetting: it is none.
    """
    text = setting(name, environment)
    if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
        raise BadSetting(f"{name} must be a number from {least} to {most}, not {text!r}.")
    return int(text)


def effective(environment: Mapping[str, str] | None = None) -> list[Setting]:
    """All settings with the values that hold, and where these come from."""
    found = os.environ if environment is None else environment
    return [
        Setting(each, setting(each.name, found), "environment" if found.get(each.name) else "default")
        for each in VARIABLES
    ]


def unknown_variables(environment: Mapping[str, str] | None = None) -> list[str]:
    """A sentence for each FIELDBOOK_ variable that nothing reads: mostly typing errors."""
    found = os.environ if environment is None else environment
    sentences = []
    for name in sorted(found):
        if not name.startswith(PREFIX) or name in _BY_NAME or OF_THE_TESTS.fullmatch(name):
            continue
        known = [each.removeprefix(PREFIX) for each in _BY_NAME if each.startswith(PREFIX)]
        near = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1, cutoff=0.7)
        guess = f"; did you mean {PREFIX}{near[0]}?" if near else "."
        sentences.append(f"Nothing reads the variable {name}{guess}")
    return sentences


def documented_table() -> str:
    """The table of docs/operating.md."""
    lines = ["| variable | default | read by | meaning |", "|---|---|---|---|"]
    for each in VARIABLES:
        default = f"`{each.default}`" if each.default else each.fallback
        lines.append(f"| `{each.name}` | {default} | {each.readers} | {each.meaning} |")
    return "\n".join(lines)
