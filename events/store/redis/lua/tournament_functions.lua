-- Part of the library that append_functions.lua begins: tournaments, each in a stream of its own.
--
-- The stream has everything, and its last entry says where it stands. The lists of a partition say which tournaments
-- there are, and when each is to be looked at: they are computed again from the streams where they are lost.

-- tournament: entries of one tournament, whole or not at all, after the entry that the caller saw last.
--
-- KEYS 1 its log (stream)            2 its answers (hash: number of an append's last entry -> hash after it)
--      3 quarantine (string)
--      of the partition: 4 list (sorted set, by creation)    5 due (sorted set, by when it is to be looked at)
-- ARGV 1 tournament's id             2 expected number       3 expected hash      4 number of the last entry
--      5 hash after it               6 when it was created   7 when it is due; '' for never
--      8 number of entries           then per entry: line, hash after it
--
-- Answers: {'appended'}              written
--          {'quarantined', reason}   nothing is written to this partition, as with all that follow
--          {'conflict', number}      where the tournament stands
--          {'damaged', what}         stored things disagree
--          {'incomplete'}            keys or arguments are missing
local ARGUMENTS_BEFORE_ENTRIES = 8

local function list_tournament(list, due, name, created, moment)
  redis.call('ZADD', list, created, name)
  if moment == '' then
    redis.call('ZREM', due, name)
  else
    redis.call('ZADD', due, moment, name)
  end
end

local function tournament(keys, args)
  local expected, created, count = tonumber(args[2]), tonumber(args[6]), tonumber(args[8])
  if #keys ~= 5 or not expected or not created or not (args[7] == '' or tonumber(args[7])) or not count or count < 1
    or #args ~= ARGUMENTS_BEFORE_ENTRIES + 2 * count or tonumber(args[4]) ~= expected + count then
    return {'incomplete'}
  end
  local stream, answers, quarantine, list, due = unpack(keys)
  local reason = redis.call('GET', quarantine)
  if reason then return {'quarantined', reason} end
  local length = redis.call('XLEN', stream)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if last and last[1] ~= length .. '-0' then
    return {'damaged', 'the tournament holds ' .. length .. ' entries up to ' .. last[1]}
  end
  if length ~= expected or (last and last[2][4] or GENESIS) ~= args[3] then return {'conflict', length} end
  -- Keys of another kind raise an error here, in a read, and not later in a write.
  redis.call('HLEN', answers)
  redis.call('ZCARD', list)
  redis.call('ZCARD', due)

  local at = ARGUMENTS_BEFORE_ENTRIES
  for i = 1, count do
    redis.call('XADD', stream, (length + i) .. '-0', 'l', args[at + 1], 'h', args[at + 2])
    at = at + 2
  end
  redis.call('HSET', answers, args[4], args[5])
  list_tournament(list, due, args[1], created, args[7])
  return {'appended'}
end

-- list_tournament: say when a tournament is to be looked at again, unless it has moved on since.
--
-- KEYS 1 its log (stream)            2 list                  3 due
-- ARGV 1 tournament's id             2 number of entries     3 when it was created    4 when it is due; '' for never
--
-- Answers: {'listed'} or {'conflict', number}
local function list_tournament_again(keys, args)
  if #keys ~= 3 or #args ~= 4 or not tonumber(args[3]) then return {'incomplete'} end
  local length = redis.call('XLEN', keys[1])
  if length ~= tonumber(args[2]) then return {'conflict', length} end
  list_tournament(keys[2], keys[3], args[1], args[3], args[4])
  return {'listed'}
end

redis.register_function('fieldbook_tournament', tournament)
redis.register_function('fieldbook_list_tournament', list_tournament_again)
