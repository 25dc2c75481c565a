-- Part of the library that append_functions.lua begins: comparing what feeds, heads and logs say.

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
  local disagreement = feed_disagreement(feed, position)
  if disagreement then return {'damaged', disagreement} end
  local found = redis.call('XRANGE', feed, (args[1] + 1) .. '-0', '+', 'COUNT', args[2])
  local answer, places = {'told', args[1] + #found}, {}
  for _, entry in ipairs(found) do
    local fields = entry[2]
    local place = places[fields[2]] or #answer + 1
    places[fields[2]] = place
    answer[place], answer[place + 1], answer[place + 2] = fields[2], fields[6], fields[8]
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
  if version == version_told and hash ~= hash_told then
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
-- ARGV per game: version and hash that the feed tells
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

redis.register_function{function_name = 'fieldbook_told', callback = told, flags = {'no-writes'}}
redis.register_function{function_name = 'fieldbook_compare', callback = compare, flags = {'no-writes'}}
