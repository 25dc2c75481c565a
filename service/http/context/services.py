"""What the views work with: made once in `create_app`, found again in every request."""

import logging
from typing import Final

from flask import current_app

from service.access.game_access import GameAccess
from service.access.game_tokens import GameTokens
from service.access.store import AuditLog, Keys, Tickets
from service.annotations.store import Annotations
from service.catalogues.catalogues import Catalogues
from service.disputes.dispute_resolution import open_dispute_resolution
from service.disputes.evidence import EvidencePacks
from service.disputes.previews import Previews
from service.disputes.queue import DisputeQueue
from service.http.context.open_tables import OpenTables
from service.http.context.presence import Presence
from service.http.push.feed_notifier import FeedNotifier
from service.http.push.streams import Streams
from service.operations.readiness import Readiness
from service.platform.cached_calls import CachedCall
from service.platform.configuration import BOT_PATIENCE, GUEST_GAMES, UNFINISHED_GAMES, UNTOUCHED_AFTER
from service.platform.metrics import Metrics
from service.platform.setting_kinds import Network
from service.play.command_handling import CommandHandling
from service.play.lobby import Lobby
from service.play.tables import Tables
from service.players.merged_ids import MergedIds
from service.players.shown_names import ShownNames
from service.players.store import PlayerRecords
from service.projections.game_list import GameList
from service.projections.unfinished_games import UnfinishedGames
from service.ratings.store import RatingRecords
from service.storage.kept_readings import KeptReadings
from service.storage.partition_pauses import PartitionPauses
from service.storage.server import memory_use
from service.storage.store import Store
from service.tournaments.tournaments import Tournaments
from service.verification.signing_keys import SigningKeys
from service.verification.store import Receipts, Validations
from service.verification.transparency_log import TransparencyLog
from service.webhooks.registry import Webhooks
from service.webhooks.store import Deliveries

EXTENSION = "fieldbook"
SETTINGS: Final = "fieldbook-settings"
"""Where the application's `WebSettings` are."""
MEMORY_SECONDS: Final = 1.0
"""How old an answer about the store's memory may be."""
KEPT_ANSWERS: Final = 16_000_000
"""Bytes of answers about tournaments that a process keeps in memory."""
_log = logging.getLogger("fieldbook.http")


class Services:
    """Everything behind the HTTP interface."""

    def __init__(
        self,
        store: Store,
        signing_keys: SigningKeys,
        catalogues: Catalogues,
        metrics: Metrics,
        readiness: Readiness,
        *,
        webhook_networks: tuple[Network, ...] = (),
    ) -> None:
        """Wired to a store, the keys that the service signs with, what can be played, and what is counted."""
        self.store = store
        self.tables = Tables(store)
        self.open_tables = OpenTables(store)
        self.game_access = GameAccess(store)
        self.game_tokens = GameTokens(store)
        self.handling = CommandHandling(store, self.tables, metrics)
        self.shown_names = ShownNames(store)
        self.players = PlayerRecords(store)
        self.merged_ids = MergedIds(store)
        self.ratings = RatingRecords(store)
        self.lobby = Lobby(store, self.tables, self.handling, catalogues, int(BOT_PATIENCE.value()))
        self.catalogues = catalogues
        self.keys = Keys(store)
        self.key_uses: dict[str, int] = {}
        """When this process last wrote down that a key is in use (milliseconds since the epoch), by the key's id."""
        self.acts = AuditLog(store)
        self.games = GameList(store)
        self.validations = Validations(store)
        self.receipts = Receipts(store)
        self.signing_keys = signing_keys
        self.transparency = TransparencyLog(store, signing_keys)
        self.notifier = FeedNotifier(store)
        self.streams = Streams(self.notifier)
        self.readiness = readiness
        self.creation_pauses = PartitionPauses(_log)
        """The partitions in which no game can be set up now."""
        self.unfinished_games = UnfinishedGames(store, UNTOUCHED_AFTER.value())
        self.most_unfinished = UNFINISHED_GAMES.value()
        """Games that one integrator's key may have open or running at once; 0 for any number."""
        self.most_of_guests = GUEST_GAMES.value()
        """Games set up without a key that may be open or running at once; 0 where a key is needed."""
        self.untouched_after = UNTOUCHED_AFTER.text()
        """How long after its last event such a game counts, for people."""
        self.memory_filled = CachedCall(lambda: memory_use(store).filled, MEMORY_SECONDS)
        """How full the store's memory is, of 1."""
        self.presence = Presence(store)
        self.tickets = Tickets(store)
        self.dispute_resolution = open_dispute_resolution(store, self.tables)
        self.previews = Previews(store, self.tables)
        self.dispute_queue = DisputeQueue(store)
        self.evidence = EvidencePacks(store)
        self.annotations = Annotations(store)
        self.tournaments = Tournaments(store)
        self.tournament_answers = KeptReadings[bytes](KEPT_ANSWERS)
        """Answers about tournaments, by entity tag."""
        self.webhooks = Webhooks(store)
        self.deliveries = Deliveries(store)
        self.webhook_networks = webhook_networks
        """Networks that webhooks may reach besides the public internet."""


def services() -> Services:
    """The services of the application that answers this request."""
    found: Services = current_app.extensions[EXTENSION]
    return found
