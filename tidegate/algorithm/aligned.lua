-- The twin of aligned.h: what the algorithms share whose edges are multiples of the period.

-- The stored time, rebased, and the key's own time of decision.
local function pause(at, period, now)
  local rebased = min(at, now + period)
  return rebased, max(now, rebased)
end

local function window_start(t, period)
  return t - t % period
end

-- How many edges lie in (from, to].
local function edges_between(from, to, period)
  return floor(to / period) - floor(from / period)
end

return {pause = pause, window_start = window_start, edges_between = edges_between}
