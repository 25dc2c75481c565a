-- Part of the library that append_functions.lua begins: reading the list of games.

-- Whether `a` stands behind `b` in the list, where both have one time: ids downwards, byte by byte.
local function is_behind(a, b)
  for i = 1, math.min(#a, #b) do
    local one, other = string.byte(a, i), string.byte(b, i)
    if one ~= other then return one < other end
  end
  return #a < #b
end

local function stands_in(keys, first, last, game)
  for i = first, last do
    if redis.call('ZSCORE', keys[i], game) then return true end
  end
  return false
end

-- list: some of a partition's games, newest first, that stand in all of some sorted sets and in none of others.
-- It walks along the smallest of them, so it looks at little more than what it returns.
--
-- KEYS 1 generation in use (string)     2 summaries (hash)     3 games found valid    4 games found invalid
--      5.. the sets a game must stand in, at least one; then those it must not stand in
-- ARGV 1 generation that is read        2 number of sets that it must stand in        3 games at most
--      4 games looked at at most        5 created at this time or later; 0 for any time
--      then, to go on behind a place:   6 its time                           7 its game
--
-- Answers: {'elsewhere', generation}                            another generation is in use
--          {'listed', time, game, summary, verdict, time ...}   '' as the last time where no more is wanted, else
--                                                               the place to go on behind: time, game
local LOOKS = 100

local function walk(keys, wanted, unwanted, game, time, from)
  for i = 5, 4 + wanted do
    if keys[i] ~= from and not redis.call('ZSCORE', keys[i], game) then return nil end
  end
  if stands_in(keys, 5 + wanted, 4 + wanted + unwanted, game) then return nil end
  local summary = redis.call('HGET', keys[2], game)
  if not summary then return nil end
  local verdict = 'pending'
  if redis.call('ZSCORE', keys[3], game) then verdict = 'valid' end
  if redis.call('ZSCORE', keys[4], game) then verdict = 'invalid' end
  return {time, game, summary, verdict}
end

local function first_rank(from, time, game)
  if not time then return 0 end
  if redis.call('ZSCORE', from, game) == time then return redis.call('ZREVRANK', from, game) + 1 end
  return redis.call('ZCOUNT', from, '(' .. time, '+inf')
end

local function list(keys, args)
  local wanted, limit, most = tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  local earliest = tonumber(args[5])
  if not wanted or wanted < 1 or #keys < 4 + wanted or not limit or not most or not earliest then
    return {'invalid', 'keys or arguments are missing'}
  end
  local current = redis.call('GET', keys[1]) or '1'
  if current ~= args[1] then return {'elsewhere', tonumber(current)} end
  local time, game = args[6], args[7]
  local from, smallest = keys[5], nil
  for i = 5, 4 + wanted do
    local size = redis.call('ZCARD', keys[i])
    if not smallest or size < smallest then from, smallest = keys[i], size end
  end

  local answer, found, looked, rank = {'listed'}, 0, 0, first_rank(from, time, game)
  while found < limit and looked < most do
    local some = redis.call('ZREVRANGE', from, rank, rank + LOOKS - 1, 'WITHSCORES')
    if #some == 0 then
      answer[#answer + 1] = ''
      return answer
    end
    for i = 1, #some, 2 do
      if tonumber(some[i + 1]) < earliest then
        answer[#answer + 1] = ''
        return answer
      end
      local is_next = not time or some[i + 1] ~= time or is_behind(some[i], game)
      if is_next then
        time, game, looked = some[i + 1], some[i], looked + 1
        local row = walk(keys, wanted, #keys - 4 - wanted, game, time, from)
        if row then
          for each = 1, 4 do answer[#answer + 1] = row[each] end
          found = found + 1
        end
      end
      rank = rank + 1
      if found == limit or looked == most then break end
    end
  end
  answer[#answer + 1] = time
  answer[#answer + 1] = game
  return answer
end

redis.register_function{function_name = 'fieldbook_list', callback = list, flags = {'no-writes'}}
