#!lua name=fieldbook
-- The server's side of the log. Redis Functions: Redis 7.0 or newer, Valkey 8 or newer.
--
-- A function that fails half-way keeps what it wrote, so each one checks everything first and writes last.
-- A release that changes behaviour names the library and its functions `fieldbook_2`, the next one `fieldbook_3`:
-- processes of both releases run side by side while a service is being replaced.

-- The feed's last entry number and its number of entries (0, 0 when there is no feed yet). Its ids are 1-0, 2-0,
-- 3-0 ..., so the two leave no room for a gap, a trim or a deleted entry.
local function feed_extent(key)
  local info = redis.pcall('XINFO', 'STREAM', key)
  if info.err then
    if redis.call('EXISTS', key) == 0 then return 0, 0 end
    error(info)
  end
  local last, length
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = tonumber(string.match(info[i + 1], '^(%d+)%-0$')) end
    if info[i] == 'length' then length = info[i + 1] end
  end
  return last, length
end

-- What is wrong where a feed does not hold exactly the positions up to the one that its head says; nil when nothing is.
local function feed_disagreement(feed, position)
  local last, entries = feed_extent(feed)
  if last == position and entries == position then return nil end
  return 'the feed head says position ' .. tostring(position) .. ', the feed holds '
    .. entries .. ' entries up to ' .. tostring(last)
end

-- append: one command's events into a game's stream, its partition's feed, and all that belongs to it.
--
-- KEYS 1 log (stream)         2 head (hash: version, hash)    3 commands (hash: command id -> answer)
--      4 private (hash)       5 feed (stream)                 6 feed head (string: last position)
--      7 quarantine (string: why nothing is appended to this partition)
-- ARGV 1 game id              2 expected version              3 expected hash     4 command id
--      5 answer to remember   6 number of events              7 number of private fields
--      8 number of required private fields
--      then per event: type, schema, data, at, actor, command, state hash, hash
--      then per private field: name, value
--      then per required private field: name, value
--
-- Answers: {'appended'}                         written
--          {'unmet', field}                     a required private field has another value; nothing written
--          {'known', answer}                    the command id is known; nothing written
--          {'quarantined', reason}              nothing is appended to this partition
--          {'conflict', version, entries}       not the expected version; the first MOST_MISSED entries after it;
--                                               nothing written
--          {'forked', version, hash}            another hash at the expected version; where the game is; nothing written
--          {'archived'}                         the game was archived, and nothing is appended to it any more
--          {'damaged', what}                    stored things disagree; nothing written
--          {'incomplete'}                       keys or arguments are missing; nothing written
local EVENT_FIELDS = 8
local ARGUMENTS_BEFORE_EVENTS = 8
-- As in `events.store.event_store`: a game may have 24,000 entries, and other replies wait on the same connection.
local MOST_MISSED = 64
-- The chain hash before the first event of a game.
local GENESIS = '0000000000000000000000000000000000000000000000000000000000000000'

-- The chain hash of one version, from its log entry.
local function hash_at(log, version)
  local entry = redis.call('XRANGE', log, version .. '-0', version .. '-0')[1]
  return entry and entry[2][2 * EVENT_FIELDS]
end

local function append(keys, args)
  local expected, count = tonumber(args[2]), tonumber(args[6])
  local private_count, required_count = tonumber(args[7]), tonumber(args[8])
  if #keys ~= 7 or not expected or not count or not private_count or not required_count or count < 1
    or #args ~= ARGUMENTS_BEFORE_EVENTS + EVENT_FIELDS * count + 2 * (private_count + required_count) then
    return {'incomplete'}
  end
  local log, head, commands, private, feed, feed_head, quarantine = unpack(keys)
  local expected_hash, command_id = args[3], args[4]

  for i = #args - 2 * required_count + 1, #args, 2 do
    if redis.call('HGET', private, args[i]) ~= args[i + 1] then return {'unmet', args[i]} end
  end
  -- A key of another kind raises an error here, in a read, and not later in a write.
  local known = redis.call('HGET', commands, command_id)
  if known then return {'known', known} end
  local reason = redis.call('GET', quarantine)
  if reason then return {'quarantined', reason} end
  if private_count > 0 then redis.call('HLEN', private) end
  if redis.call('HEXISTS', head, 'archive') == 1 then return {'archived'} end

  local version = tonumber(redis.call('HGET', head, 'version') or '0')
  local length = redis.call('XLEN', log)
  if length ~= version then
    return {'damaged', 'the head says version ' .. tostring(version) .. ', the stream holds ' .. length .. ' entries'}
  end
  local hash = redis.call('HGET', head, 'hash') or GENESIS
  if expected > 0 and expected < version and hash_at(log, expected) ~= expected_hash then
    return {'forked', version, hash}
  end
  if version ~= expected then
    return {'conflict', version, redis.call('XRANGE', log, (expected + 1) .. '-0', '+', 'COUNT', MOST_MISSED)}
  end
  if hash ~= expected_hash then return {'forked', version, hash} end

  local position = tonumber(redis.call('GET', feed_head) or '0')
  local disagreement = feed_disagreement(feed, position)
  if disagreement then return {'damaged', disagreement} end

  -- Always the same fields in the same order: then a stream's node stores their names only once.
  local at = ARGUMENTS_BEFORE_EVENTS
  for i = 1, count do
    local added = redis.pcall('XADD', log, (version + i) .. '-0', 't', args[at + 1], 'v', args[at + 2],
      'd', args[at + 3], 'a', args[at + 4], 'w', args[at + 5], 'c', args[at + 6], 's', args[at + 7], 'h', args[at + 8])
    -- Only the first one can fail, when the stream's last id is ahead of its length; so far nothing is written.
    if type(added) == 'table' and added.err then
      return {'damaged', 'the stream takes no version ' .. (version + i) .. ': ' .. added.err}
    end
    at = at + EVENT_FIELDS
  end
  redis.call('XADD', feed, (position + 1) .. '-0', 'g', args[1], 'f', version + 1, 'l', version + count, 'h', args[at])
  redis.call('SET', feed_head, position + 1)
  redis.call('HSET', head, 'version', version + count, 'hash', args[at])
  redis.call('HSET', commands, command_id, args[5])
  for i = at + 1, at + 2 * private_count, 2 do
    redis.call('HSET', private, args[i], args[i + 1])
  end
  return {'appended'}
end

redis.register_function('fieldbook_append', append)
