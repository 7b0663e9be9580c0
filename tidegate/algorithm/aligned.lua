-- The twin of aligned.h: what the algorithms share whose edges are multiples of the period.
return {
  -- The stored time, rebased, and the key's own time of decision.
  pause = function(at, period, now)
    local rebased = math.min(at, now + period)
    return rebased, math.max(now, rebased)
  end,

  window_start = function(t, period)
    return t - t % period
  end,

  -- How many edges lie in (from, to].
  edges_between = function(from, to, period)
    return math.floor(to / period) - math.floor(from / period)
  end,
}
