-- Part of the library that append_functions.lua begins: putting games into the archive and back.

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

redis.register_function('fieldbook_archive', archive)
redis.register_function('fieldbook_restore', restore)
