-- What the layouts of sliding_window share: whole milliseconds, and a hit for each token.
local milliseconds = {}

local MOST_TOKENS = 65536

function milliseconds.of(us)
  return math.floor(us / 1000)
end

function milliseconds.period(limit)
  return math.ceil(limit.period / 1000)
end

function milliseconds.problem(limit)
  if limit.tokens > MOST_TOKENS then
    return 'keeps each hit, too many under a limit of more than 65536 tokens'
  end
end

-- The part of a layout that decides: given at(view, i), the time of live hit i from the oldest.
function milliseconds.judge(view, limit, now, cost, at)
  local function time_left(hit)
    return (math.min(math.ceil(hit), view.now) + milliseconds.period(limit)) * 1000 - now
  end
  local allowed = cost <= limit.tokens - view.used
  local retry_after, reset_after = 0, 0
  if not allowed then
    local excess = view.used + cost - limit.tokens
    retry_after = cost > limit.tokens and NEVER or time_left(at(view, excess - 1))
  end
  if allowed and cost > 0 then
    reset_after = time_left(view.now)
  elseif view.used > 0 then
    reset_after = time_left(at(view, view.used - 1))
  end
  return {
    at = view.now * 1000,
    allowed = allowed,
    remaining = math.max(0, limit.tokens - view.used - (allowed and cost or 0)),
    retry_after = retry_after,
    reset_after = reset_after,
  }
end

return milliseconds
