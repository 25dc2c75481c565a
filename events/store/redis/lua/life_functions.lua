-- Part of the library that append_functions.lua begins: the mark of life of a partition, and when there was none.

-- beat: whoever watches the time is there, and so is the store.
--
-- The mark never goes back. Where it is older than it may be, the gap is written down first; where there is none at
-- all and the partition has games, the time before now is such a gap as well: nobody knows it.
--
-- KEYS 1 mark (string: milliseconds since the epoch)    2 gaps (list: <since> <until> <reason>, oldest first)
--      3 stopping (string: when a stop was planned)     4 feed head (string: last position)
--      5 quarantine (string: why nothing is appended to this partition, so that nobody can play there)
-- ARGV 1 now    2 longest silence    3 settling time, which belongs to a gap    4 most gaps kept
--
-- Answers: {mark, until of the last gap or 0, new gap or ''}
--          {'quarantined', the same, ''}            nothing was written
local function beat(keys, args)
  local now, silence, settling, most = tonumber(args[1]), tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  local mark, gaps, stopping, feed_head, quarantine = unpack(keys)
  local alive = tonumber(redis.call('GET', mark) or '')
  local last = redis.call('LINDEX', gaps, -1)
  if redis.call('EXISTS', quarantine) == 1 then
    return {'quarantined', last and string.match(last, '^%d+ (%d+)') or '0', ''}
  end
  local planned = tonumber(redis.call('GET', stopping) or '')
  local begins = alive
  if not alive and redis.call('EXISTS', feed_head) == 1 then begins = 0 end
  local found = ''
  if begins and now - begins > silence then
    local reason = planned and planned >= begins - silence and 'maintenance' or 'outage'
    found = string.format('%.0f %.0f %s', begins, now + settling, reason)
    redis.call('RPUSH', gaps, found)
    last = found
    -- Of more than are kept the two oldest become one: what was given back once is given back still.
    while redis.call('LLEN', gaps) > most do
      local oldest, next_one = redis.call('LPOP', gaps), redis.call('LPOP', gaps)
      redis.call('LPUSH', gaps, string.match(oldest, '^%d+') .. string.match(next_one, '^%d+(.*)$'))
    end
  end
  if planned and now > planned then redis.call('DEL', stopping) end
  if not alive or now > alive then
    redis.call('SET', mark, string.format('%.0f', now))
    alive = now
  end
  return {string.format('%.0f', alive), last and string.match(last, '^%d+ (%d+)') or '0', found}
end

redis.register_function('fieldbook_4_beat', beat)
