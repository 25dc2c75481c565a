"""What the views work with: made once in `create_app`, found again in every request."""

from dataclasses import dataclass

from flask import current_app

from events.redis_store import RedisEventStore
from service.admission import Admissions
from service.catalogues import Catalogues
from service.command_handling import CommandHandling
from service.delayed_tables import DelayedTables
from service.dispute_queue import DisputeQueue
from service.evidence import EvidencePacks
from service.game_tokens import GameTokens
from service.http.news import News
from service.http.presence import Presence
from service.http.streams import Streams
from service.keys import Keys
from service.lobby import Lobby
from service.metrics import Metrics
from service.operator_acts import OperatorActs
from service.previews import Previews
from service.read_models import GameList
from service.readiness import Readiness
from service.receipts import Receipts
from service.settling import Settling, settling
from service.signing_keys import SigningKeys
from service.tables import Tables
from service.tickets import Tickets
from service.transparency_log import TransparencyLog
from service.validations import Validations
from service.webhooks.addresses import Network
from service.webhooks.deliveries import Deliveries
from service.webhooks.registry import Webhooks

EXTENSION = "fieldbook"


@dataclass(frozen=True, slots=True)
class Services:
    """Everything behind the HTTP interface."""

    store: RedisEventStore
    tables: Tables
    delayed: DelayedTables
    admissions: Admissions
    game_tokens: GameTokens
    handling: CommandHandling
    lobby: Lobby
    catalogues: Catalogues
    keys: Keys
    key_uses: dict[str, int]
    """When this process last wrote down that a key is in use (milliseconds since the epoch), by the key's id."""
    acts: OperatorActs
    games: GameList
    validations: Validations
    receipts: Receipts
    signing_keys: SigningKeys
    transparency: TransparencyLog
    news: News
    streams: Streams
    readiness: Readiness
    presence: Presence
    tickets: Tickets
    settling: Settling
    previews: Previews
    dispute_queue: DisputeQueue
    evidence: EvidencePacks
    webhooks: Webhooks
    deliveries: Deliveries
    webhook_networks: tuple[Network, ...]
    """Networks that webhooks may reach besides the public internet."""


def make_services(
    store: RedisEventStore,
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
    news = News(store)
    return Services(
        store=store,
        tables=tables,
        delayed=DelayedTables(store, tables),
        admissions=Admissions(store),
        game_tokens=GameTokens(store),
        handling=handling,
        lobby=Lobby(store, tables, handling, catalogues),
        catalogues=catalogues,
        keys=Keys(store),
        key_uses={},
        acts=OperatorActs(store),
        games=GameList(store),
        validations=Validations(store),
        receipts=Receipts(store),
        signing_keys=signing_keys,
        transparency=TransparencyLog(store, signing_keys),
        news=news,
        streams=Streams(news),
        readiness=readiness,
        presence=Presence(store),
        tickets=Tickets(store),
        previews=Previews(store, tables),
        settling=settling(store, tables),
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
