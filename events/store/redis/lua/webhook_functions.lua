-- What the server does in one step with webhooks and with what they are to be told; see `service.webhooks.store`.
--
-- Times are milliseconds since the epoch. A webhook is served by one sender at a time: `hold` says until when nobody
-- else may, because somebody is at it, or because it failed and is left alone for a while.

-- A new webhook, unless it is known or its key has as many as a key may have.
local function webhook_register(keys, args)
  if redis.call('HEXISTS', keys[1], args[1]) == 1 then return 'known' end
  if redis.call('SCARD', keys[2]) >= tonumber(args[3]) then return 'full' end
  redis.call('HSET', keys[1], args[1], args[2])
  redis.call('SADD', keys[2], args[1])
  redis.call('INCR', keys[3])
  return 'added'
end

-- Another webhook in the place of one whose state is as it was read.
local function webhook_replace(keys, args)
  local stored = redis.call('HGET', keys[1], args[1])
  if not stored then return 0 end
  if stored == args[4] then return 1 end
  local known = cjson.decode(stored)
  if known.state ~= args[2] or known.since ~= tonumber(args[3]) then return 0 end
  redis.call('HSET', keys[1], args[1], args[4])
  redis.call('INCR', keys[2])
  return 1
end

-- A webhook is forgotten.
local function webhook_remove(keys, args)
  redis.call('SREM', keys[2], args[1])
  redis.call('INCR', keys[3])
  return redis.call('HDEL', keys[1], args[1])
end

-- A new delivery at the end of its game's queue; one of the kind that gives way replaces one that waits behind.
local function delivery_add(keys, args)
  local webhooks, due, hold, deliveries, waiting, games, queue = unpack(keys)
  local webhook, id, delivery, game, now, most, gives_way = unpack(args)
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
end

-- The webhook that is due longest, of those whose keys are not among the arguments, held until the lease ends; and its
-- key.
local DUE_LOOKS = 100

local function delivery_claim(keys, args)
  local due, hold, webhooks = unpack(keys)
  local now, lease, busy = args[1], args[2], {}
  for i = 3, #args do busy[args[i]] = true end
  local from = 0
  while true do
    local found = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', from, DUE_LOOKS)
    for _, each in ipairs(found) do
      local known = redis.call('HGET', webhooks, each)
      local key = known and cjson.decode(known).key or ''
      if not busy[key] then
        redis.call('ZADD', due, lease, each)
        redis.call('HSET', hold, each, lease)
        return {each, key}
      end
    end
    if #found < DUE_LOOKS then return false end
    from = from + DUE_LOOKS
  end
end

-- The game whose first delivery is due longest, with a new lease; nothing where none is or somebody else holds it.
local function delivery_next(keys, args)
  local due, hold, games = unpack(keys)
  local webhook, held, now, lease = unpack(args)
  if redis.call('HGET', hold, webhook) ~= held then return false end
  local found = redis.call('ZRANGEBYSCORE', games, '-inf', now, 'LIMIT', 0, 1)
  if #found == 0 then return false end
  redis.call('ZADD', due, lease, webhook)
  redis.call('HSET', hold, webhook, lease)
  return found[1]
end

-- Done with a webhook for now: it is due with its first game, but not before the pause is over.
local function delivery_release(keys, args)
  local due, hold, games = unpack(keys)
  local webhook, held, pause = unpack(args)
  if redis.call('HGET', hold, webhook) ~= held then return 0 end
  if tonumber(pause) > 0 then redis.call('HSET', hold, webhook, pause) else redis.call('HDEL', hold, webhook) end
  local first = redis.call('ZRANGE', games, 0, 0, 'WITHSCORES')
  if #first == 0 then
    redis.call('ZREM', due, webhook)
  else
    redis.call('ZADD', due, math.max(tonumber(first[2]), tonumber(pause)), webhook)
  end
  return 1
end

-- Whether a sender has lost its webhook: its lease ended, and another one may be at it. Without a lease nobody has.
local function is_lost(hold, webhook, held)
  return held ~= '' and redis.call('HGET', hold, webhook) ~= held
end

-- An attempt failed: the whole game waits for the next one, so that its order stays.
local function delivery_retry(keys, args)
  local deliveries, games, hold = unpack(keys)
  local id, delivery, game, at, webhook, held = unpack(args)
  if is_lost(hold, webhook, held) or redis.call('HEXISTS', deliveries, id) == 0 then return 0 end
  redis.call('HSET', deliveries, id, delivery)
  redis.call('ZADD', games, 'XX', at, game)
  return 1
end

-- A delivery has ended, delivered or dead; the oldest of its kind is forgotten where too many are kept.
local function delivery_end(keys, args)
  local deliveries, waiting, games, queue, ended, hold = unpack(keys)
  local id, delivery, game, now, keep, webhook, held = unpack(args)
  if is_lost(hold, webhook, held) or redis.call('HEXISTS', deliveries, id) == 0 then return 0 end
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
end

-- An ended delivery waits again, at the end of its game's queue.
local function delivery_again(keys, args)
  local webhooks, due, hold, deliveries, waiting, games, queue, delivered, dead = unpack(keys)
  local webhook, id, delivery, game, now = unpack(args)
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
end

redis.register_function('fieldbook_webhook_register', webhook_register)
redis.register_function('fieldbook_webhook_replace', webhook_replace)
redis.register_function('fieldbook_webhook_remove', webhook_remove)
redis.register_function('fieldbook_delivery_add', delivery_add)
redis.register_function('fieldbook_delivery_claim', delivery_claim)
redis.register_function('fieldbook_delivery_next', delivery_next)
redis.register_function('fieldbook_delivery_release', delivery_release)
redis.register_function('fieldbook_delivery_retry', delivery_retry)
redis.register_function('fieldbook_delivery_end', delivery_end)
redis.register_function('fieldbook_delivery_again', delivery_again)
