-- Part of the library that append_functions.lua begins: moving projections.

local function number_in(key) return tonumber(redis.call('GET', key) or '0') end

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

-- switch: have everybody read a projection's next generation in this partition, once it knows as much.
--
-- KEYS 1 generation in use (string)    2 its checkpoint    3 the next one's checkpoint    4 feed head
-- ARGV 1 generation in use             2 the next one
--
-- Answers: {'switched'}                done, now or before
--          {'elsewhere', generation}   another generation is in use; nothing written
--          {'behind', position}        the next one has to come as far as this first; nothing written
local function switch(keys, args)
  if #keys ~= 4 or #args ~= 2 then return {'invalid', 'keys or arguments are missing'} end
  local current = redis.call('GET', keys[1]) or '1'
  if current == args[2] then return {'switched'} end
  if current ~= args[1] then return {'elsewhere', tonumber(current)} end
  -- A generation that says to be ahead of its feed is no measure: the store has lost what it had read.
  local needed = math.min(number_in(keys[2]), number_in(keys[4]))
  if number_in(keys[3]) < needed then return {'behind', needed} end
  redis.call('SET', keys[1], args[2])
  return {'switched'}
end

-- report: keep a game's validation reports together with the verdict by which the list finds the game.
--
-- KEYS 1 reports (hash)    2 games of this verdict (sorted set)    3 games of the other one (sorted set)
-- ARGV 1 game              2 the reports as they were read; '' for none       3 the reports to keep
--      4 when the game was created (milliseconds)
--
-- Answers: {'kept'}         done
--          {'elsewhere'}    somebody else has kept one meanwhile; nothing written
local function report(keys, args)
  if #keys ~= 3 or #args ~= 4 or not tonumber(args[4]) then return {'invalid', 'keys or arguments are missing'} end
  if not is_of_type(keys[2], 'zset') or not is_of_type(keys[3], 'zset') then
    return {'invalid', 'the verdicts are no sorted sets'}
  end
  if (redis.call('HGET', keys[1], args[1]) or '') ~= args[2] then return {'elsewhere'} end
  redis.call('HSET', keys[1], args[1], args[3])
  redis.call('ZADD', keys[2], args[4], args[1])
  redis.call('ZREM', keys[3], args[1])
  return {'kept'}
end

redis.register_function('fieldbook_project', project)
redis.register_function('fieldbook_switch', switch)
redis.register_function('fieldbook_report', report)
