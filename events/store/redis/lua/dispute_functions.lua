-- Part of the library that append_functions.lua begins: the cases of a game, in a stream of their own beside its log.
--
-- The stream has everything. The index beside it says where it stands and what was answered; where it is missing, or
-- is not about all of the stream (after a restored backup, for one), it is made again, in the same step. The queue of
-- a partition says which cases have not ended: it is computed again from the streams where it is lost.

-- Fields of an entry in the stream, in this order: l(ine), h(ash after it), k(ey of the request that wrote it; '' for
-- none), a(nswer to remember).
local DISPUTE_FIELDS = 4

local function note_dispute(index, values)
  redis.call('HINCRBY', index, 'entries', 1)
  redis.call('HSET', index, 'hash', values[2])
  if values[3] ~= '' then redis.call('HSET', index, 'request:' .. values[3], values[4]) end
end

local function index_disputes_again(stream, index)
  redis.call('DEL', index)
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do
    local values = {}
    for i = 1, DISPUTE_FIELDS do values[i] = entry[2][2 * i] end
    note_dispute(index, values)
  end
end

-- The row of a case in the queue of its partition: while it has not ended by the time at which it was opened, and by
-- its deadline where it has one. A row of '' is taken away. A result of '' leaves what is known of the game's.
local function queue_case(queue, rows, due, results, game, member, opened, row, deadline, result)
  if row == '' then
    redis.call('ZREM', queue, member)
    redis.call('HDEL', rows, member)
  else
    redis.call('ZADD', queue, opened, member)
    redis.call('HSET', rows, member, row)
  end
  if deadline == '' then
    redis.call('ZREM', due, member)
  else
    redis.call('ZADD', due, deadline, member)
  end
  if result ~= '' then redis.call('HSET', results, game, result) end
end

-- dispute: entries of one case, whole or not at all, after the entry of the game's cases that the caller saw last; and
-- what they bring about in the game itself, in the same step.
--
-- KEYS 1 head of the game (hash)    2 its cases (stream)    3 their index (hash)    4 quarantine (string)
--      of the partition: 5 queue (sorted set, by opening)   6 rows (hash)           7 due (sorted set, by deadline)
--                         8 results (hash: game -> the result that rulings gave it after its end)
--      then, where the game's log gets entries too, the keys of append
-- ARGV 1 game id                    2 expected number       3 expected hash         4 key of the request
--      5 answer to remember         6 name of the case in the queue                 7 when it was opened
--      8 its row; '' where it has ended                     9 its deadline; '' for none
--     10 the game's result by rulings after its end; '' for none
--     11 number of entries          then per entry: line, hash after it; then the arguments of append
--
-- Answers: {'appended'}             written
--          {'known', answer}        the request is known; nothing written, as with all that follow
--          {'missing'}              there is no such game
--          {'quarantined', reason}  nothing is written to this partition
--          {'conflict', number}     where the cases stand
--          {'game', ...}            what append answered, which wrote nothing either
--          {'damaged', what}        stored things disagree
--          {'incomplete'}           keys or arguments are missing
local ARGUMENTS_BEFORE_DISPUTES = 11
local DISPUTE_KEYS = 8

local function rest_of(values, first)
  local rest = {}
  for i = first, #values do rest[#rest + 1] = values[i] end
  return rest
end

local function dispute(keys, args)
  local expected, opened, count = tonumber(args[2]), tonumber(args[7]), tonumber(args[11])
  local has_deadline = args[9] == '' or tonumber(args[9])
  if #keys < DISPUTE_KEYS or not expected or not opened or not has_deadline or not count or count < 1
    or #args < ARGUMENTS_BEFORE_DISPUTES + 2 * count
    or (#keys == DISPUTE_KEYS) ~= (#args == ARGUMENTS_BEFORE_DISPUTES + 2 * count) then
    return {'incomplete'}
  end
  local head, stream, index, quarantine, queue, rows, due, results = unpack(keys)
  if redis.call('HEXISTS', head, 'version') == 0 then return {'missing'} end
  local length = redis.call('XLEN', stream)
  if tonumber(redis.call('HGET', index, 'entries') or '0') ~= length then index_disputes_again(stream, index) end

  local known = redis.call('HGET', index, 'request:' .. args[4])
  if known then return {'known', known} end
  local reason = redis.call('GET', quarantine)
  if reason then return {'quarantined', reason} end
  if length ~= expected or (redis.call('HGET', index, 'hash') or GENESIS) ~= args[3] then
    return {'conflict', length}
  end
  -- Keys of another kind raise an error here, in a read, and not later in a write.
  redis.call('ZCARD', queue)
  redis.call('HLEN', rows)
  redis.call('ZCARD', due)
  redis.call('HLEN', results)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if last and last[1] ~= length .. '-0' then
    return {'damaged', 'the cases hold ' .. length .. ' entries up to ' .. last[1]}
  end

  if #keys > DISPUTE_KEYS then
    local answer = append(rest_of(keys, DISPUTE_KEYS + 1), rest_of(args, ARGUMENTS_BEFORE_DISPUTES + 2 * count + 1))
    if answer[1] ~= 'appended' then return {'game', unpack(answer)} end
  end
  local at = ARGUMENTS_BEFORE_DISPUTES
  for i = 1, count do
    local is_last = i == count
    local values = {args[at + 1], args[at + 2], is_last and args[4] or '', is_last and args[5] or ''}
    redis.call('XADD', stream, (length + i) .. '-0', 'l', values[1], 'h', values[2], 'k', values[3], 'a', values[4])
    note_dispute(index, values)
    at = at + 2
  end
  queue_case(queue, rows, due, results, args[1], args[6], opened, args[8], args[9], args[10])
  return {'appended'}
end

-- queue_dispute: put the row of a case back as its stream says it is, unless the stream has moved on since.
--
-- KEYS 1 cases of the game (stream)    2 queue    3 rows    4 due    5 results
-- ARGV 1 number of entries             2 name of the case    3 when it was opened    4 its row    5 its deadline
--      6 the game's result by rulings  7 game id
--
-- Answers: {'queued'} or {'conflict', number}
local function queue_dispute(keys, args)
  local opened = tonumber(args[3])
  if #keys ~= 5 or #args ~= 7 or not opened then return {'incomplete'} end
  local length = redis.call('XLEN', keys[1])
  if length ~= tonumber(args[1]) then return {'conflict', length} end
  queue_case(keys[2], keys[3], keys[4], keys[5], args[7], args[2], opened, args[4], args[5], args[6])
  return {'queued'}
end

redis.register_function('fieldbook_dispute', dispute)
redis.register_function('fieldbook_queue_dispute', queue_dispute)
