"""What is configured about the HTTP interface."""

from collections.abc import Mapping
from typing import Self

import msgspec

from service.access.rate_limits import Kind, Quota, configured_quotas
from service.platform.configuration import (
    CORS_ORIGINS,
    HSTS,
    METRICS,
    PORT,
    SHORT_WAY,
    TRUST_DURABILITY,
    TRUSTED_PROXIES,
    WEB_PROCESSES,
    WEBHOOK_NETWORKS,
    setting,
)
from service.platform.setting_kinds import Network


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
            cors_origins=CORS_ORIGINS.value(environment),
            hsts_seconds=HSTS.value(environment),
            metrics=METRICS.value(environment),
            short_way=SHORT_WAY.value(environment),
            webhook_networks=WEBHOOK_NETWORKS.value(environment),
            trust_durability=TRUST_DURABILITY.value(environment) == "1",
        )
