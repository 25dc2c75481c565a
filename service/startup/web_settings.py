"""What is configured about the HTTP interface."""

import re
from collections.abc import Mapping
from typing import Final, Self

import msgspec

from service.access.rate_limits import Kind, Quota, configured_quotas
from service.platform.configuration import (
    HSTS,
    METRICS,
    PORT,
    SHORT_WAY,
    TRUSTED_PROXIES,
    WEB_PROCESSES,
    BadSetting,
    setting,
)
from service.webhooks.delivery.addresses import Network, allowed_networks

_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?")


class WebSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the HTTP interface; as made, without any, it is what tests want."""

    host: str = "127.0.0.1"
    port: int = 8000
    processes: int = 1
    quotas: Mapping[str, Mapping[Kind, Quota]] | None = None
    """The rate limits, or None for none."""
    trusted_proxies: int = 0
    """How many proxies in front say where a request comes from."""
    cors_origins: tuple[str, ...] = ()
    """Origins of web pages that may use the API; `*` for all."""
    hsts_seconds: int = 0
    """How long browsers shall use HTTPS only; 0 says nothing."""
    metrics: bool = True
    """Whether there is a /metrics."""
    short_way: bool = True
    """Whether frequent requests of seats may go without Flask (`service.http.short_way`)."""
    webhook_networks: tuple[Network, ...] = ()
    """Networks that webhooks may reach besides the public internet."""
    trust_durability: bool = False
    """Believe the declared durability where the server hides its settings."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings from environment variables; empty ones count as absent.

        Raises:
            BadSetting: a value cannot be understood; the sentence names the variable.
        """
        return cls(
            host=setting("HOST", environment),
            port=PORT.value(environment),
            processes=WEB_PROCESSES.value(environment),
            quotas=configured_quotas(environment),
            trusted_proxies=TRUSTED_PROXIES.value(environment),
            cors_origins=_origins(setting("FIELDBOOK_CORS_ORIGINS", environment)),
            hsts_seconds=HSTS.value(environment),
            metrics=METRICS.value(environment),
            short_way=SHORT_WAY.value(environment),
            webhook_networks=allowed_networks(environment),
            trust_durability=setting("FIELDBOOK_TRUST_DURABILITY", environment) == "1",
        )


def _origins(text: str) -> tuple[str, ...]:
    """The origins in a list with commas (RFC 6454, section 6.2)."""
    origins = tuple(each.strip().lower() for each in text.split(",") if each.strip())
    for origin in origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise BadSetting(
                "FIELDBOOK_CORS_ORIGINS takes * or origins such as https://beans.example, without a path and with"
                f" commas between, not {origin!r}."
            )
    return origins
