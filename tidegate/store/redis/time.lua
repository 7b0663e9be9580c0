-- The time of a call, and for how long what it writes stays.

-- A key expires by Redis' clock as it was when the script began, in whole milliseconds: late is
-- harmless, early would be a fresh quota. Time that is given is not Redis' own at all.
local spare_ms = 1000

return {
  -- Asked of Redis once: TIME goes on while a script runs.
  of = function(text)
    if text ~= '' then
      spare_ms = 3600000
      return tonumber(text)
    end
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
  end,

  ttl = function(reset_after)
    return math.ceil(reset_after / 1000) + spare_ms
  end,
}
