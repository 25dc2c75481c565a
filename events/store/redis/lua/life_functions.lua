-- Part of the library that append_functions.lua begins: the mark of life of a partition, and when there was none.

-- Milliseconds since the epoch, by the server: so who serves and who watches need not have the same time.
local function server_time()
  local seconds, micro = unpack(redis.call('TIME'))
  return tonumber(seconds) * 1000 + math.floor(tonumber(micro) / 1000)
end

-- serve: a web process takes requests, and reaches this partition.
--
-- KEYS 1 served (string: milliseconds since the epoch, by the server)
--
-- Answers: 1
local function serve(keys)
  redis.call('SET', keys[1], string.format('%.0f', server_time()))
  return 1
end

-- beat: whoever watches the time is there, and so is the store.
--
-- The mark says until when somebody watched and games could be played as well: it stops where no web process serves
-- them. Before one has ever said that it does, nothing is known of that, and watching is enough.
--
-- One that the server has got to later than it was sent says nothing of now: after a pause of the server it would say
-- that games could be played in the middle of it.
--
-- The mark never goes back. Where it is older than it may be, the gap is written down first; where there is none at
-- all and the partition has games, the time before now is such a gap as well: nobody knows it.
--
-- KEYS 1 mark (string: milliseconds since the epoch)    2 gaps (list: <since> <until> <reason>, oldest first)
--      3 stopping (string: when a stop was planned)     4 served (as above)
--      5 feed head (string: last position)
--      6 quarantine (string: why nothing is appended to this partition, so that nobody can play there)
-- ARGV 1 now    2 longest silence    3 settling time, which belongs to a gap    4 most gaps kept
--      5 the last moment at which it counts, by the server, or '' where the sender does not know the server's time
--
-- Answers: {mark, until of the last gap or 0, new gap or '', the server's time}
--          {'quarantined' or 'late', the same, '', the same}    nothing was written
local function beat(keys, args)
  local now, silence, settling, most = tonumber(args[1]), tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  local mark, gaps, stopping, served_key, feed_head, quarantine = unpack(keys)
  local alive = tonumber(redis.call('GET', mark) or '')
  local served = tonumber(redis.call('GET', served_key) or '')
  local last = redis.call('LINDEX', gaps, -1)
  local here, latest = server_time(), tonumber(args[5])
  local refused = redis.call('EXISTS', quarantine) == 1 and 'quarantined' or latest and here > latest and 'late'
  if refused then
    return {refused, last and string.match(last, '^%d+ (%d+)') or '0', '', string.format('%.0f', here)}
  end
  local playable = served and now - math.max(0, here - served) or now
  local planned = tonumber(redis.call('GET', stopping) or '')
  local begins = alive
  if not alive and redis.call('EXISTS', feed_head) == 1 then begins = 0 end
  local found = ''
  if begins and playable - begins > silence then
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
  if planned and playable > planned then redis.call('DEL', stopping) end
  if not alive or playable > alive then
    redis.call('SET', mark, string.format('%.0f', playable))
    alive = playable
  end
  return {
    string.format('%.0f', alive), last and string.match(last, '^%d+ (%d+)') or '0', found, string.format('%.0f', here),
  }
end

redis.register_function('fieldbook_serve', serve)
redis.register_function('fieldbook_beat', beat)
