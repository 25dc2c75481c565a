"""What the views work with: made once in `create_app`, found again in every request."""

from dataclasses import dataclass

from flask import current_app

from service.access.game_access import GameAccess
from service.access.game_tokens import GameTokens
from service.access.store import AuditLog, Keys, Tickets
from service.catalogues.catalogues import Catalogues
from service.disputes.dispute_resolution import DisputeResolution, open_dispute_resolution
from service.disputes.evidence import EvidencePacks
from service.disputes.previews import Previews
from service.disputes.queue import DisputeQueue
from service.http.context.presence import Presence
from service.http.push.feed_notifier import FeedNotifier
from service.http.push.streams import Streams
from service.operations.readiness import Readiness
from service.platform.metrics import Metrics
from service.play.command_handling import CommandHandling
from service.play.lobby import Lobby
from service.play.tables import Tables
from service.projections.read_models import GameList
from service.storage.store import Store
from service.verification.signing_keys import SigningKeys
from service.verification.store import Receipts, Validations
from service.verification.transparency_log import TransparencyLog
from service.webhooks.delivery.addresses import Network
from service.webhooks.registry import Webhooks
from service.webhooks.store import Deliveries

EXTENSION = "fieldbook"


@dataclass(frozen=True, slots=True)
class Services:
    """Everything behind the HTTP interface."""

    store: Store
    tables: Tables
    game_access: GameAccess
    game_tokens: GameTokens
    handling: CommandHandling
    lobby: Lobby
    catalogues: Catalogues
    keys: Keys
    key_uses: dict[str, int]
    """When this process last wrote down that a key is in use (milliseconds since the epoch), by the key's id."""
    acts: AuditLog
    games: GameList
    validations: Validations
    receipts: Receipts
    signing_keys: SigningKeys
    transparency: TransparencyLog
    notifier: FeedNotifier
    streams: Streams
    readiness: Readiness
    presence: Presence
    tickets: Tickets
    dispute_resolution: DisputeResolution
    previews: Previews
    dispute_queue: DisputeQueue
    evidence: EvidencePacks
    webhooks: Webhooks
    deliveries: Deliveries
    webhook_networks: tuple[Network, ...]
    """Networks that webhooks may reach besides the public internet."""


def make_services(
    store: Store,
    signing_keys: SigningKeys,
    catalogues: Catalogues,
    metrics: Metrics,
    readiness: Readiness,
    *,
    webhook_networks: tuple[Network, ...] = (),
) -> Services:
    """Wire everything to a store, the keys that the service signs with, what can be played, and what is counted."""
    tables = Tables(store)
    handling = CommandHandling(store, tables, metrics)
    notifier = FeedNotifier(store)
    return Services(
        store=store,
        tables=tables,
        game_access=GameAccess(store),
        game_tokens=GameTokens(store),
        handling=handling,
        lobby=Lobby(store, tables, handling, catalogues),
        catalogues=catalogues,
        keys=Keys(store),
        key_uses={},
        acts=AuditLog(store),
        games=GameList(store),
        validations=Validations(store),
        receipts=Receipts(store),
        signing_keys=signing_keys,
        transparency=TransparencyLog(store, signing_keys),
        notifier=notifier,
        streams=Streams(notifier),
        readiness=readiness,
        presence=Presence(store),
        tickets=Tickets(store),
        previews=Previews(store, tables),
        dispute_resolution=open_dispute_resolution(store, tables),
        dispute_queue=DisputeQueue(store),
        evidence=EvidencePacks(store),
        webhooks=Webhooks(store),
        deliveries=Deliveries(store),
        webhook_networks=webhook_networks,
    )


def services() -> Services:
    """The services of the application that answers this request."""
    found: Services = current_app.extensions[EXTENSION]
    return found
