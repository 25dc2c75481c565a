-- Part of the library that append_functions.lua begins: what people say about a game, in a stream of its own.
--
-- The stream has everything. The index beside it says where each set stands and what was answered; where it is
-- missing, or is not about all of the stream (after a restored backup, for one), it is made again, in the same step.

-- Fields of an annotation in the stream, in this order: n(ame of the set), o(wner), l(ine), h(ash after it),
-- k(ey of the request that wrote it), a(nswer to remember).
local ANNOTATION_FIELDS = 6

-- The index: `entries` and `bytes` of the stream, `sets`, `of:<owner>` and `set:<name>` (number, hash, owner),
-- `room:<owner>` (bytes) and `request:<key>` (answer).

-- Whose room an owner's bytes are taken from: spectators have one together, for seats make as many as they like.
local function room_of(owner)
  return 'room:' .. (string.match(owner, '^(spectator):') or owner)
end

local function note_in_index(index, values)
  local name, owner, line, hash, key, answer = unpack(values)
  local found = redis.call('HGET', index, 'set:' .. name)
  local number = found and tonumber(string.match(found, '^(%d+) ')) or 0
  if number == 0 then
    redis.call('HINCRBY', index, 'sets', 1)
    redis.call('HINCRBY', index, 'of:' .. owner, 1)
  end
  redis.call('HSET', index, 'set:' .. name, (number + 1) .. ' ' .. hash .. ' ' .. owner)
  redis.call('HINCRBY', index, 'entries', 1)
  redis.call('HINCRBY', index, 'bytes', #line)
  redis.call('HINCRBY', index, room_of(owner), #line)
  if key ~= '' then redis.call('HSET', index, 'request:' .. key, answer) end
end

local function index_again(stream, index)
  redis.call('DEL', index)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do
    local values = {}
    for i = 1, ANNOTATION_FIELDS do values[i] = entry[2][2 * i] end
    note_in_index(index, values)
  end
end

-- A set goes as a whole: nobody but its owner has ever seen it.
local function remove_set(stream, index, name)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do
    if entry[2][2] == name then redis.call('XDEL', stream, entry[1]) end
  end
  index_again(stream, index)
end

-- annotate: entries of one set, whole or not at all, after the one that the caller saw last; none remove the set.
--
-- KEYS 1 head of the game (hash)    2 annotations (stream)    3 their index (hash)    4 quarantine (string)
-- ARGV 1 name of the set            2 its owner               3 expected number       4 expected hash
--      5 answer to remember         6 key of the request; '' for none
--      7 entries of a set, 8 sets of a game, 9 sets of an owner, 10 bytes of a game, 11 bytes of an owner, or of all
--        spectators: each at most for this owner
--      12 number of entries         then per entry: line, hash after it
--
-- Answers: {'appended'}             written, or removed
--          {'known', answer}        the request is known; nothing written, as with all that follow
--          {'missing'}              there is no such game
--          {'quarantined', reason}  nothing is written to this partition
--          {'foreign'}              the set is somebody else's
--          {'conflict', number, hash}   where the set stands
--          {'full', what}           there is no room
--          {'incomplete'}           keys or arguments are missing
local ARGUMENTS_BEFORE_ANNOTATIONS = 12

local function annotate(keys, args)
  local expected, count = tonumber(args[3]), tonumber(args[12])
  if #keys ~= 4 or not expected or not count
    or #args ~= ARGUMENTS_BEFORE_ANNOTATIONS + 2 * count then
    return {'incomplete'}
  end
  local head, stream, index, quarantine = unpack(keys)
  local name, owner, key = args[1], args[2], args[6]
  if redis.call('HEXISTS', head, 'version') == 0 then return {'missing'} end
  local length = redis.call('XLEN', stream)
  if tonumber(redis.call('HGET', index, 'entries') or '0') ~= length then
    index_again(stream, index)
  end

  local known = key ~= '' and redis.call('HGET', index, 'request:' .. key)
  if known then return {'known', known} end
  local reason = redis.call('GET', quarantine)
  if reason then return {'quarantined', reason} end
  local number, hash = 0, GENESIS
  local found = redis.call('HGET', index, 'set:' .. name)
  if found then
    local at, after, whose = string.match(found, '^(%d+) (%x+) (.*)$')
    if whose ~= owner then return {'foreign'} end
    number, hash = tonumber(at), after
  end
  if number ~= expected or hash ~= args[4] then return {'conflict', number, hash} end

  if count == 0 then
    remove_set(stream, index, name)
    if key ~= '' then redis.call('HSET', index, 'request:' .. key, args[5]) end
    return {'appended'}
  end
  local bytes, room = 0, room_of(owner)
  for i = ARGUMENTS_BEFORE_ANNOTATIONS + 1, #args, 2 do bytes = bytes + #args[i] end
  if number + count > tonumber(args[7]) then return {'full', 'entries'} end
  if bytes + tonumber(redis.call('HGET', index, 'bytes') or '0') > tonumber(args[10]) then return {'full', 'bytes'} end
  if bytes + tonumber(redis.call('HGET', index, room) or '0') > tonumber(args[11]) then
    return {'full', room == 'room:' .. owner and 'bytes of yours' or 'bytes of spectators'}
  end
  if not found and tonumber(redis.call('HGET', index, 'sets') or '0') >= tonumber(args[8]) then
    return {'full', 'sets'}
  end
  if not found and tonumber(redis.call('HGET', index, 'of:' .. owner) or '0') >= tonumber(args[9]) then
    return {'full', 'sets of yours'}
  end

  local at, last = ARGUMENTS_BEFORE_ANNOTATIONS, feed_extent(stream)
  for i = 1, count do
    local remembered = i == count and key or ''
    local values = {name, owner, args[at + 1], args[at + 2], remembered, remembered ~= '' and args[5] or ''}
    redis.call('XADD', stream, (last + i) .. '-0', 'n', values[1], 'o', values[2], 'l', values[3], 'h', values[4],
      'k', values[5], 'a', values[6])
    note_in_index(index, values)
    at = at + 2
  end
  return {'appended'}
end

redis.register_function('fieldbook_annotate', annotate)
