"""Counts leave no key behind for long."""

from events.store.redis.redis_store import RedisEventStore, require_redis
from service.storage.heartbeats import add_count, all_counts


def test_a_single_count_leaves_a_key_for_a_minute_at_most(store: RedisEventStore) -> None:
    """Its number serves to repeat one command after a lost reply, and is of no use after the call."""
    command = require_redis(store).connection.command
    for _ in range(3):
        add_count(store, ("webhook_deliveries", "delivered"))
    batches = command("KEYS", "{processes}:batch:*")
    assert all(0 < command("TTL", each) <= 60 for each in batches)
    assert all_counts(store) == {("webhook_deliveries", "delivered"): 3}
