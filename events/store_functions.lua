#!lua name=fieldbook_2
-- The server's side of the log. Redis Functions: Redis 7.0 or newer, Valkey 8 or newer.
--
-- A function that fails half-way keeps what it wrote, so each one checks everything first and writes last.
-- After a change in behaviour the library needs another number, in its name and in its functions' names:
-- processes of both versions run side by side while a service is being replaced.

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

-- append: one command's events into a game's stream, its partition's feed, and all that belongs to it.
--
-- KEYS 1 log (stream)         2 head (hash: version, hash)    3 commands (hash: command id -> answer)
--      4 private (hash)       5 feed (stream)                 6 feed head (string: last position)
--      7 quarantine (string: why nothing is appended to this partition)
-- ARGV 1 game id              2 expected version              3 expected hash     4 command id
--      5 answer to remember   6 number of events              7 number of private fields
--      then per event: type, schema, data, at, actor, command, state hash, hash
--      then per private field: name, value
--
-- Answers: {'appended'}                         written
--          {'known', answer}                    the command id is known; nothing written
--          {'quarantined', reason}              nothing is appended to this partition
--          {'conflict', version, entries}       not the expected version; the entries after it; nothing written
--          {'forked', version, hash}            another hash at the expected version; where the game is; nothing written
--          {'archived'}                         the game was archived, and nothing is appended to it any more
--          {'damaged', what}                    stored things disagree; nothing written
--          {'incomplete'}                       keys or arguments are missing; nothing written
local EVENT_FIELDS = 8
local ARGUMENTS_BEFORE_EVENTS = 7
-- The chain hash before the first event of a game.
local GENESIS = '0000000000000000000000000000000000000000000000000000000000000000'

-- The chain hash of one version, from its log entry.
local function hash_at(log, version)
  local entry = redis.call('XRANGE', log, version .. '-0', version .. '-0')[1]
  return entry and entry[2][2 * EVENT_FIELDS]
end

local function append(keys, args)
  local expected, count, private_count = tonumber(args[2]), tonumber(args[6]), tonumber(args[7])
  if #keys ~= 7 or not expected or not count or not private_count or count < 1
    or #args ~= ARGUMENTS_BEFORE_EVENTS + EVENT_FIELDS * count + 2 * private_count then
    return {'incomplete'}
  end
  local log, head, commands, private, feed, feed_head, quarantine = unpack(keys)
  local expected_hash, command_id = args[3], args[4]

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
    return {'conflict', version, redis.call('XRANGE', log, (expected + 1) .. '-0', '+')}
  end
  if hash ~= expected_hash then return {'forked', version, hash} end

  local position = tonumber(redis.call('GET', feed_head) or '0')
  local last, entries = feed_extent(feed)
  if last ~= position or entries ~= position then
    return {'damaged', 'the feed head says position ' .. tostring(position) .. ', the feed holds '
      .. entries .. ' entries up to ' .. tostring(last)}
  end

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

-- told: which games a stretch of a partition's feed tells of.
--
-- KEYS 1 feed (stream)        2 feed head (string: last position)
-- ARGV 1 after this position  2 so many entries at most
--
-- Answers: {'told', position, game, version, hash, ...}   up to this position; each game's last version and its hash
--          {'damaged', what}                              the feed and its head disagree
local function told(keys, args)
  local feed, feed_head = unpack(keys)
  local position = tonumber(redis.call('GET', feed_head) or '0')
  local last, entries = feed_extent(feed)
  if last ~= position or entries ~= position then
    return {'damaged', 'the feed head says position ' .. tostring(position) .. ', the feed holds '
      .. entries .. ' entries up to ' .. tostring(last)}
  end
  local found = redis.call('XRANGE', feed, (args[1] + 1) .. '-0', '+', 'COUNT', args[2])
  local answer, places = {'told', args[1] + #found}, {}
  for _, entry in ipairs(found) do
    local fields = entry[2]
    local place = places[fields[2]] or #answer + 1
    places[fields[2]] = place
    answer[place], answer[place + 1], answer[place + 2] = fields[2], fields[6], fields[8] or ''
  end
  return answer
end

-- What is wrong with one game of which a feed tells this version and hash; nil when nothing is.
local function fault(log, head, version_told, hash_told)
  local found = redis.pcall('HMGET', head, 'version', 'hash', 'archive')
  if found.err then return 'its head is of another kind' end
  local version, hash = tonumber(found[1]), found[2]
  if not version or not hash then return 'it has no head' end
  if version < version_told then
    return 'the feed tells of version ' .. version_told .. ', the head says version ' .. version
  end
  if version == version_told and hash_told ~= '' and hash ~= hash_told then
    return 'head and feed have different chain hashes at version ' .. version
  end
  if found[3] then
    if redis.call('EXISTS', log) == 1 then return 'it is archived and has a stream' end
    return nil
  end
  local length = redis.pcall('XLEN', log)
  if type(length) == 'table' then return 'its log is of another kind' end
  if length ~= version then
    return 'the head says version ' .. version .. ', the stream holds ' .. length .. ' entries'
  end
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if last[1] ~= version .. '-0' then
    return 'the head says version ' .. version .. ', the stream ends with entry ' .. last[1]
  end
  if last[2][2 * EVENT_FIELDS] ~= hash then return 'head and log have different chain hashes at version ' .. version end
end

-- compare: the heads of some games with their logs.
--
-- KEYS per game: log (stream), head (hash)
-- ARGV per game: version and hash that the feed tells; the hash may be empty
--
-- Answers: number of a game, what is wrong with it, and so on, for all with which something is
local function compare(keys, args)
  local answer = {}
  for i = 1, #keys, 2 do
    local what = fault(keys[i], keys[i + 1], tonumber(args[i]), args[i + 1])
    if what then
      answer[#answer + 1] = (i + 1) / 2
      answer[#answer + 1] = what
    end
  end
  return answer
end

local function is_of_type(key, wanted)
  local found = redis.call('TYPE', key).ok
  return found == 'none' or found == wanted
end

-- project: move a projection's checkpoint and its read model together, or neither.
--
-- KEYS 1 checkpoint (string: position)    2.. read model keys
-- ARGV 1 from position    2 to position    then per write: command, number of the key in KEYS,
--      number of arguments, arguments
--
-- Answers: {'moved'}                 applied
--          {'elsewhere', position}   the checkpoint is not at `from`; nothing written
--          {'invalid', what}         a write is malformed or meets another kind of key; nothing written
local function pairs_of(arguments) return #arguments >= 2 and #arguments % 2 == 0 end
local function some(arguments) return #arguments >= 1 end
local function scored(arguments)
  if not pairs_of(arguments) then return false end
  for i = 1, #arguments, 2 do
    if not string.match(arguments[i], '^%-?%d+%.?%d*$') then return false end
  end
  return true
end

local WRITES = {
  HSET = {kind = 'hash', accepts = pairs_of},
  HDEL = {kind = 'hash', accepts = some},
  ZADD = {kind = 'zset', accepts = scored},
  ZREM = {kind = 'zset', accepts = some},
  SADD = {kind = 'set', accepts = some},
  SREM = {kind = 'set', accepts = some},
  SET = {kind = 'string', accepts = function(arguments) return #arguments == 1 end},
  DEL = {accepts = function(arguments) return #arguments == 0 end},
}
-- Lua can hand on only so many values at once.
local MOST_ARGUMENTS = 4000

local function project(keys, args)
  local from, to = tonumber(args[1]), tonumber(args[2])
  if #keys < 1 or not from or not to or to < 0 then return {'invalid', 'checkpoint, from and to are needed'} end
  if not is_of_type(keys[1], 'string') then return {'invalid', keys[1] .. ' is no checkpoint'} end
  local stored = tonumber(redis.call('GET', keys[1]) or '0')
  if stored ~= from then return {'elsewhere', stored} end

  local kinds = {}
  for i = 2, #keys do kinds[i] = redis.call('TYPE', keys[i]).ok end
  local writes, at = {}, 3
  while at <= #args do
    local command, key_number, count = args[at], tonumber(args[at + 1]), tonumber(args[at + 2])
    local rule = WRITES[command]
    if not rule or not kinds[key_number] or not count or count < 0 or count > MOST_ARGUMENTS
      or at + 2 + count > #args then
      return {'invalid', 'write ' .. (#writes + 1) .. ' is unknown or incomplete'}
    end
    local call = {command, keys[key_number]}
    local arguments = {}
    for i = 1, count do
      arguments[i] = args[at + 2 + i]
      call[2 + i] = arguments[i]
    end
    local kind = kinds[key_number]
    if not rule.accepts(arguments) or (rule.kind and command ~= 'SET' and kind ~= 'none' and kind ~= rule.kind) then
      return {'invalid', command .. ' cannot be applied to ' .. keys[key_number]}
    end
    kinds[key_number] = rule.kind or 'none'
    writes[#writes + 1] = call
    at = at + 3 + count
  end

  for _, call in ipairs(writes) do redis.call(unpack(call)) end
  redis.call('SET', keys[1], to)
  return {'moved'}
end

-- archive: replace a game's stream and commands by a tombstone in its head, which stays for ever.
--
-- KEYS 1 log (stream)    2 head (hash)    3 commands (hash)    4 quarantine (string)
-- ARGV 1 version         2 hash           3 number of commands    4 tombstone    5 the commands, packed
--
-- Answers: {'archived'}              done
--          {'known', tombstone}      the game was archived before; nothing written
--          {'elsewhere', what}       the game is not what was archived; nothing written
local function archive(keys, args)
  if #keys ~= 4 or #args ~= 5 then return {'elsewhere', 'keys or arguments are missing'} end
  local log, head, commands, quarantine = unpack(keys)
  local found = redis.call('HMGET', head, 'version', 'hash', 'archive')
  if found[3] then return {'known', found[3]} end
  if redis.call('EXISTS', quarantine) == 1 then return {'elsewhere', 'its partition is quarantined'} end
  if found[1] ~= args[1] or found[2] ~= args[2] then
    return {'elsewhere', 'the game is at version ' .. tostring(found[1])}
  end
  local length, known = redis.call('XLEN', log), redis.call('HLEN', commands)
  if length ~= tonumber(args[1]) then return {'elsewhere', 'the stream holds ' .. length .. ' entries'} end
  if known ~= tonumber(args[3]) then return {'elsewhere', 'the game has ' .. known .. ' commands'} end

  redis.call('HSET', head, 'archive', args[4], 'commands', args[5])
  redis.call('HDEL', head, 'restored')
  redis.call('UNLINK', log, commands)
  return {'archived'}
end

-- restore: put an archived game's stream and commands back and take the tombstone away.
--
-- KEYS 1 log (stream)    2 head (hash)     3 commands (hash)
-- ARGV 1 tombstone       2 number of events    3 number of commands    4 time of day, or 0 to keep no word of it
--      then per event its eight values as for append, then per command: id, answer
--
-- Answers: {'restored'}              done, now or by the same call before, whose answer was lost
--          {'elsewhere', what}       this is not the game that was archived so; nothing written
local function restore(keys, args)
  local count, known = tonumber(args[2]), tonumber(args[3])
  if #keys ~= 3 or not count or not known or count < 1 or #args ~= 4 + EVENT_FIELDS * count + 2 * known then
    return {'elsewhere', 'keys or arguments are missing'}
  end
  local log, head, commands = unpack(keys)
  local found = redis.call('HMGET', head, 'version', 'hash', 'archive')
  if tonumber(found[1]) ~= count or found[2] ~= args[4 + EVENT_FIELDS * count] then
    return {'elsewhere', 'the entries do not end with the head'}
  end
  if not found[3] and redis.call('XLEN', log) == count and redis.call('HLEN', commands) == known then
    return {'restored'}
  end
  if found[3] ~= args[1] then return {'elsewhere', 'the game has another tombstone, or none'} end
  if redis.call('EXISTS', log, commands) ~= 0 then return {'elsewhere', 'a stream or commands are there'} end

  local at = 4
  for i = 1, count do
    redis.call('XADD', log, i .. '-0', 't', args[at + 1], 'v', args[at + 2],
      'd', args[at + 3], 'a', args[at + 4], 'w', args[at + 5], 'c', args[at + 6], 's', args[at + 7], 'h', args[at + 8])
    at = at + EVENT_FIELDS
  end
  for i = at + 1, at + 2 * known, 2 do
    redis.call('HSET', commands, args[i], args[i + 1])
  end
  redis.call('HDEL', head, 'archive', 'commands')
  if args[4] ~= '0' then redis.call('HSET', head, 'restored', args[4]) end
  return {'restored'}
end

redis.register_function('fieldbook_2_append', append)
redis.register_function('fieldbook_2_project', project)
redis.register_function('fieldbook_2_archive', archive)
redis.register_function('fieldbook_2_restore', restore)
redis.register_function{function_name = 'fieldbook_2_told', callback = told, flags = {'no-writes'}}
redis.register_function{function_name = 'fieldbook_2_compare', callback = compare, flags = {'no-writes'}}
