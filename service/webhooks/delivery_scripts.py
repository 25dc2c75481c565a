"""What the server does in one step with the deliveries of a webhook; see `service.webhooks.deliveries`.

Times are milliseconds since the epoch. A webhook is served by one sender at a time: `hold` says until when nobody
else may, because somebody is at it, or because it failed and is left alone for a while.
"""

from typing import Final

ADD: Final = """
local webhooks, due, hold, deliveries, waiting, games, queue = unpack(KEYS)
local webhook, id, delivery, game, now, most, gives_way = unpack(ARGV)
local known = redis.call('HGET', webhooks, webhook)
-- Only a challenge is about no game, and for those who are not active.
if not known or (game ~= '' and cjson.decode(known).state ~= 'active') then return 'gone' end
if redis.call('HEXISTS', deliveries, id) == 1 then return 'known' end
if redis.call('ZCARD', waiting) >= tonumber(most) then return 'full' end
-- What is first may be on its way; what stands behind it was never sent.
if gives_way ~= '' and redis.call('LLEN', queue) > 1 then
  local last = redis.call('LINDEX', queue, -1)
  local behind = cjson.decode(redis.call('HGET', deliveries, last))
  if behind.type == gives_way and not behind.again then
    redis.call('RPOP', queue)
    redis.call('HDEL', deliveries, last)
    redis.call('ZREM', waiting, last)
  end
end
redis.call('HSET', deliveries, id, delivery)
redis.call('ZADD', waiting, now, id)
redis.call('RPUSH', queue, id)
redis.call('ZADD', games, 'NX', now, game)
local at = math.max(tonumber(now), tonumber(redis.call('HGET', hold, webhook) or 0))
redis.call('ZADD', due, 'NX', at, webhook)
redis.call('ZADD', due, 'LT', at, webhook)
return 'added'
"""
"""A new delivery at the end of its game's queue; one of the kind that gives way replaces one that waits behind."""

CLAIM: Final = """
local due, hold = unpack(KEYS)
local now, lease = unpack(ARGV)
local found = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 1)
if #found == 0 then return false end
redis.call('ZADD', due, lease, found[1])
redis.call('HSET', hold, found[1], lease)
return found[1]
"""
"""The webhook that is due longest, held until the lease ends."""

NEXT: Final = """
local due, hold, games = unpack(KEYS)
local webhook, held, now, lease = unpack(ARGV)
if redis.call('HGET', hold, webhook) ~= held then return false end
local found = redis.call('ZRANGEBYSCORE', games, '-inf', now, 'LIMIT', 0, 1)
if #found == 0 then return false end
redis.call('ZADD', due, lease, webhook)
redis.call('HSET', hold, webhook, lease)
return found[1]
"""
"""The game whose first delivery is due longest, with a new lease; nothing where none is or somebody else holds it."""

RELEASE: Final = """
local due, hold, games = unpack(KEYS)
local webhook, held, pause = unpack(ARGV)
if redis.call('HGET', hold, webhook) ~= held then return 0 end
if tonumber(pause) > 0 then redis.call('HSET', hold, webhook, pause) else redis.call('HDEL', hold, webhook) end
local first = redis.call('ZRANGE', games, 0, 0, 'WITHSCORES')
if #first == 0 then
  redis.call('ZREM', due, webhook)
else
  redis.call('ZADD', due, math.max(tonumber(first[2]), tonumber(pause)), webhook)
end
return 1
"""
"""Done with a webhook for now: it is due with its first game, but not before the pause is over."""

RETRY: Final = """
local deliveries, games = unpack(KEYS)
local id, delivery, game, at = unpack(ARGV)
if redis.call('HEXISTS', deliveries, id) == 0 then return 0 end
redis.call('HSET', deliveries, id, delivery)
redis.call('ZADD', games, 'XX', at, game)
return 1
"""
"""An attempt failed: the whole game waits for the next one, so that its order stays."""

END: Final = """
local deliveries, waiting, games, queue, ended = unpack(KEYS)
local id, delivery, game, now, keep = unpack(ARGV)
if redis.call('HEXISTS', deliveries, id) == 0 then return 0 end
redis.call('LREM', queue, 0, id)
redis.call('ZREM', waiting, id)
redis.call('HSET', deliveries, id, delivery)
redis.call('ZADD', ended, now, id)
local over = redis.call('ZCARD', ended) - tonumber(keep)
if over > 0 then
  for _, each in ipairs(redis.call('ZRANGE', ended, 0, over - 1)) do
    redis.call('HDEL', deliveries, each)
    redis.call('ZREM', ended, each)
  end
end
if redis.call('EXISTS', queue) == 0 then redis.call('ZREM', games, game)
else redis.call('ZADD', games, 'XX', now, game) end
return 1
"""
"""A delivery has ended, delivered or dead; the oldest of its kind is forgotten where too many are kept."""

AGAIN: Final = """
local webhooks, due, hold, deliveries, waiting, games, queue, delivered, dead = unpack(KEYS)
local webhook, id, delivery, game, now = unpack(ARGV)
if redis.call('HEXISTS', webhooks, webhook) == 0 then return 0 end
if redis.call('HEXISTS', deliveries, id) == 0 then return 0 end
if redis.call('ZSCORE', waiting, id) then return 1 end
redis.call('ZREM', delivered, id)
redis.call('ZREM', dead, id)
redis.call('HSET', deliveries, id, delivery)
redis.call('ZADD', waiting, now, id)
redis.call('RPUSH', queue, id)
redis.call('ZADD', games, 'NX', now, game)
local at = math.max(tonumber(now), tonumber(redis.call('HGET', hold, webhook) or 0))
redis.call('ZADD', due, 'NX', at, webhook)
redis.call('ZADD', due, 'LT', at, webhook)
return 1
"""
"""An ended delivery waits again, at the end of its game's queue."""
