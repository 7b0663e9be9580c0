-- The twin of aligned.h: what the algorithms share whose edges are multiples of the period.
local aligned = {}

-- The stored time, rebased, and the key's own time of decision.
function aligned.pause(at, period, now)
  local rebased = min(at, now + period)
  return rebased, max(now, rebased)
end

function aligned.window_start(t, period)
  return t - t % period
end

-- How many edges lie in (from, to].
function aligned.edges_between(from, to, period)
  return floor(to / period) - floor(from / period)
end

return aligned
