"""All settings: every environment variable that a process of Fieldbook reads, in one table.

Here stands which there are and how they are read, so that they can be documented (docs/operating.md shows this very
table), printed (`fieldbook configuration`), told from typing errors, and refused at the start. Who needs one asks it
for its value: `HSTS.value()`. A new one is declared here, and used where it is needed.
"""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from service.platform import setting_kinds as kinds

PREFIX: Final = "FIELDBOOK_"
MASK: Final = "..."
Value = TypeVar("Value")
_PASSWORD: Final = re.compile(r"(?<=://).*(?=@)|^(?!.*://).*(?=@)|(?<=[?&]password=)[^&]*")


def without_password(address: str) -> str:
    """Return an address with its user and password masked."""
    return _PASSWORD.sub(MASK, address)


class BadSetting(ValueError):
    """A value cannot be understood; the sentence names the variable and what it takes."""


class Variable(msgspec.Struct, Generic[Value], frozen=True):
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
    read: Callable[[str], Value] = str  # type: ignore[assignment]
    """Makes the value of the text; a ValueError says what it must be. No process starts where one is raised."""

    def shown(self, value: str) -> str:
        """A value as it may be printed."""
        if self.kind == "secret" and value:
            return MASK
        return without_password(value) if self.kind == "address" else value

    def text(self, environment: Mapping[str, str] | None = None) -> str:
        """Return the value in the environment without blanks around it, or the default where nothing is left."""
        found = os.environ if environment is None else environment
        return found.get(self.name, "").strip() or self.default

    def value(self, environment: Mapping[str, str] | None = None) -> Value:
        """The value.

        Raises:
            BadSetting: it cannot be understood.
        """
        text = self.text(environment)
        try:
            return self.read(text)
        except ValueError as error:
            raise BadSetting(f"{self.name} must be {error}, not {self.shown(text)!r}.") from error


_TEN_YEARS: Final = 10 * 366 * 24 * 60 * 60


def _time_in_disputes(name: str, default: str, meaning: str) -> Variable[int]:
    return Variable(name, default, "web, worker", meaning, read=kinds.whole(1, _TEN_YEARS))


PORT: Final = Variable("PORT", "8000", "web", "its port", read=kinds.whole(1, 65535))
WEB_PROCESSES: Final = Variable(
    "WEB_PROCESSES", "2", "web", "processes of the HTTP interface", read=kinds.whole(1, 256)
)
ARCHIVE_AFTER: Final = Variable(
    "FIELDBOOK_ARCHIVE_AFTER",
    "30d",
    "worker, projector",
    "how long after its end a game is archived: `30d`, `12h`, `90m`, `60s`",
    read=kinds.age,
)
DISPUTE_SECONDS: Final = _time_in_disputes(
    "FIELDBOOK_DISPUTE_SECONDS", "1209600", "how long after its end a game may be disputed: 14 days"
)
CLAIM_SECONDS: Final = _time_in_disputes(
    "FIELDBOOK_CLAIM_SECONDS",
    "604800",
    "how long a dispute or an appeal waits for an arbiter before it lapses: 7 days",
)
RULING_SECONDS: Final = _time_in_disputes(
    "FIELDBOOK_RULING_SECONDS", "604800", "how long an arbiter who has claimed it has for the ruling: 7 days"
)
PAUSE_SECONDS: Final = _time_in_disputes(
    "FIELDBOOK_PAUSE_SECONDS", "86400", "how long a game waits for a dispute without a ruling: 1 day"
)
APPEAL_SECONDS: Final = _time_in_disputes(
    "FIELDBOOK_APPEAL_SECONDS", "86400", "how long a ruling waits for an appeal: 1 day"
)
STORE_MEMORY: Final = Variable(
    "FIELDBOOK_STORE_MEMORY",
    "half",
    "store",
    "how much memory the embedded store may take, such as `512mb` or `2gb`: beyond it nothing is written, and "
    "everything can still be read; `half` of the machine's, or `off`",
    read=kinds.size,
)
DISK_RESERVE: Final = Variable(
    "FIELDBOOK_DISK_RESERVE",
    "1gb",
    "web",
    "free space on the data folder's disk, such as `512mb` or `2gb`, below which `/readyz` says `degraded`; `off`",
    read=kinds.size_or_off,
)
BOT_PATIENCE: Final = Variable(
    "FIELDBOOK_BOT_PATIENCE",
    "10",
    "web, projector",
    "seconds that a bot whose turn it is waits, after the last event, for people to answer its offers or to make "
    "one, in games that are set up without `patience`; 0: not at all",
    read=kinds.seconds,
)
UNFINISHED_GAMES: Final = Variable(
    "FIELDBOOK_UNFINISHED_GAMES",
    "10000",
    "web, projector",
    "games that one integrator's key may have open or running at once; `0`: any number",
    read=kinds.whole(0, 1_000_000_000),
)
GUEST_GAMES: Final = Variable(
    "FIELDBOOK_GUEST_GAMES",
    "1000",
    "web",
    "games set up without a key that may be open or running at once, or `off`: it needs a key; how many of them one "
    "address sets up in an hour is the quota `guests`, see below",
    read=kinds.whole_or_off(1, 1_000_000),
)
UNTOUCHED_AFTER: Final = Variable(
    "FIELDBOOK_UNTOUCHED_AFTER",
    "14d",
    "web, projector",
    "how long after its last event a game that has not ended counts among the games of its key: `14d`, `12h`, `90m`",
    read=kinds.age,
)
WEBHOOK_GIVE_UP: Final = Variable(
    "FIELDBOOK_WEBHOOK_GIVE_UP",
    "24h",
    "webhooks",
    "how long something is tried before it is dead, and how long an endpoint may fail before it is disabled",
    read=kinds.age,
)
WITNESSES: Final = Variable(
    "FIELDBOOK_WITNESSES",
    "",
    "projector",
    "who is asked to co-sign the transparency log: `<key>=<address>` of each witness, with commas, or a file with "
    "one a line, see [witnesses](witnesses.md)",
    read=kinds.witnesses,
)
TRUSTED_PROXIES: Final = Variable(
    "FIELDBOOK_TRUSTED_PROXIES",
    "0",
    "web",
    "how many proxies stand in front of it; their `X-Forwarded-For` says where a request comes from",
    read=kinds.whole(0, 10),
)
HSTS: Final = Variable(
    "FIELDBOOK_HSTS",
    "0",
    "web",
    "seconds for which browsers are told to use HTTPS only; for a service behind TLS",
    read=kinds.whole(0, 2 * 366 * 24 * 3600),
)
METRICS: Final = Variable(
    "FIELDBOOK_METRICS", "on", "web", "`off`: there is no `/metrics`", read=kinds.switch
)
TRACES: Final = Variable(
    "FIELDBOOK_TRACES",
    "off",
    "all",
    "[traces](#traces) for OpenTelemetry: `off`; `on`: each request begins one, with a link to the caller's; "
    "`continued`: it goes on in the caller's, where that can be trusted",
    read=kinds.one_of("off", "on", "continued"),
)
SHORT_WAY: Final = Variable(
    "FIELDBOOK_SHORT_WAY",
    "on",
    "web",
    "`off`: commands, tables and polls of seats go behind Flask as all else does: slower, with the same answers",
    read=kinds.switch,
)
REQUEST_LOG: Final = Variable(
    "FIELDBOOK_REQUEST_LOG",
    "file",
    "up",
    "where `fieldbook up` puts the line for each request: `file` (`requests.log` in the data folder) or `terminal`",
    read=kinds.one_of("file", "terminal"),
)
REDIS_URL: Final = Variable(
    "REDIS_URL",
    "",
    "all",
    "an external Redis (7.0 or newer) or Valkey (8 or newer), or a cluster, see below; without it the embedded "
    "store runs",
    "address",
    read=kinds.store_address,
)
QUEUE_REDIS_URL: Final = Variable(
    "QUEUE_REDIS_URL",
    "",
    "all",
    "where the job queue is; a cluster cannot hold it",
    "address",
    fallback="the log's server",
    read=kinds.store_address,
)
DURABILITY: Final = Variable(
    "FIELDBOOK_DURABILITY",
    "fsync",
    "all",
    "the declared level, see below",
    read=kinds.one_of("memory", "local", "fsync", "replicated"),
)
PARTITIONS: Final = Variable(
    "FIELDBOOK_PARTITIONS",
    "",
    "all",
    "number of partitions, fixed at the first start",
    fallback="16",
    read=kinds.partitions,
)
TRUST_DURABILITY: Final = Variable(
    "FIELDBOOK_TRUST_DURABILITY",
    "0",
    "all",
    "`1`: believe the declared level where the server hides its settings",
    read=kinds.one_of("0", "1"),
)
WEBHOOK_NETWORKS: Final = Variable(
    "FIELDBOOK_WEBHOOK_NETWORKS",
    "",
    "web, webhooks",
    "networks that webhooks may reach besides the public internet, such as `127.0.0.0/8,10.1.0.0/16`",
    read=kinds.networks,
)
CORS_ORIGINS: Final = Variable(
    "FIELDBOOK_CORS_ORIGINS",
    "",
    "web",
    "web pages that may use the API from a browser: origins such as `https://beans.example`, with commas, or `*`",
    read=kinds.origins,
)
PARENT: Final = Variable(
    "FIELDBOOK_PARENT",
    "",
    "all",
    "set by `fieldbook up`: the process with whose end the store ends",
    read=kinds.process_id,
)
LOG_FORMAT: Final = Variable(
    "FIELDBOOK_LOG",
    "text",
    "all",
    "form of the log on standard error: `text` or `json`",
    read=kinds.one_of("text", "json"),
)

VARIABLES: Final[tuple[Variable[Any], ...]] = (
    Variable("HOST", "127.0.0.1", "web", "address that the HTTP interface listens on"),
    PORT,
    WEB_PROCESSES,
    REDIS_URL,
    QUEUE_REDIS_URL,
    Variable("FIELDBOOK_DATA", "./data", "all", "the data folder"),
    DURABILITY,
    Variable(
        "FIELDBOOK_NAME",
        "",
        "web, worker, projector",
        "what the service signs as, such as `beans.example/log`; fixed at the first start",
        fallback="made up at the first start",
    ),
    PARTITIONS,
    TRUST_DURABILITY,
    Variable(
        "FIELDBOOK_STORE_PROGRAM",
        "",
        "store",
        "server program for the embedded store instead of the one installed with Fieldbook",
    ),
    STORE_MEMORY,
    DISK_RESERVE,
    Variable(
        "FIELDBOOK_ARCHIVE",
        "",
        "all",
        "where finished games are archived, such as `file:///srv/archive` or `s3://bucket/prefix`",
        "address",
    ),
    Variable(
        "FIELDBOOK_ARCHIVE_OPTIONS",
        "",
        "all",
        "options of its file system, as a JSON object",
        "secret",
        read=kinds.json_object,
    ),
    ARCHIVE_AFTER,
    DISPUTE_SECONDS,
    CLAIM_SECONDS,
    RULING_SECONDS,
    PAUSE_SECONDS,
    APPEAL_SECONDS,
    Variable(
        "FIELDBOOK_CATALOGUES",
        "",
        "web, worker, projector",
        "a folder with catalogues of your own, see below",
    ),
    BOT_PATIENCE,
    UNFINISHED_GAMES,
    GUEST_GAMES,
    UNTOUCHED_AFTER,
    WEBHOOK_NETWORKS,
    WEBHOOK_GIVE_UP,
    WITNESSES,
    Variable(
        "FIELDBOOK_LIMITS",
        "on",
        "web",
        "rate limits: `on`, `off`, or other quotas than the usual ones, see below",
    ),
    TRUSTED_PROXIES,
    CORS_ORIGINS,
    HSTS,
    METRICS,
    TRACES,
    SHORT_WAY,
    LOG_FORMAT,
    REQUEST_LOG,
    PARENT,
)
"""Every setting, in the order of the documentation."""

OF_THE_TESTS: Final = re.compile(r"FIELDBOOK_(REQUIRE_[A-Z]+|SOAK)")
"""What only the tests read; it may stand in the environment of the processes that they start."""

_BY_NAME: Final = {variable.name: variable for variable in VARIABLES}


class Setting(msgspec.Struct, frozen=True):
    """A variable as it holds here."""

    variable: Variable[Any]
    value: str
    """The value in effect."""
    origin: Literal["environment", "default"]

    @property
    def shown(self) -> str:
        """The value as it may be printed."""
        return self.variable.shown(self.value) or self.variable.fallback


def setting(name: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a variable's value in the environment without blanks around it, or its default where nothing is left."""
    return _BY_NAME[name].text(environment)


def refused_settings(environment: Mapping[str, str] | None = None) -> list[str]:
    """A sentence for each value that cannot be understood."""
    sentences = []
    for each in VARIABLES:
        try:
            each.value(environment)
        except BadSetting as error:
            sentences.append(str(error))
    return sentences


def effective(environment: Mapping[str, str] | None = None) -> list[Setting]:
    """All settings with the values that hold, and where these come from."""
    found = os.environ if environment is None else environment
    return [
        Setting(each, each.text(found), "environment" if found.get(each.name, "").strip() else "default")
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
