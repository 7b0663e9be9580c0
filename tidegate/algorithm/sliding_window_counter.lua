-- The twin of sliding_window_counter.h. The state is a text, for example
--   current 3 previous 5 at 1790000000123456 under 5/60000000us
local aligned, muldiv = use 'aligned', use 'muldiv'

local function store(state, view, limit, current, previous)
  state.at, state.period, state.current, state.previous = view.now, limit.period, current, previous
end

-- What counters kept under another period estimated at `at` counts as taken at `at`.
local function estimate_at(state)
  local ahead = state.period - state.at % state.period
  return math.min(state.current + muldiv.ceil(state.previous, ahead, state.period), 2^32 - 1)
end

local function read(state, limit, now)
  local period = limit.period
  local at, paused = aligned.pause(state.at, period, now)
  local start = aligned.window_start(paused, period)
  local current, previous = state.current, state.previous
  if state.period ~= period then current, previous = estimate_at(state), 0 end
  if at < start then current, previous = 0, at >= start - period and current or 0 end
  return {at = at, now = paused, start = start, current = current, previous = previous}
end

-- Until enough of the previous window has slid out: in this window or, once the present one has
-- become the previous, in the next.
local function wait(view, limit, now, cost)
  local fits = limit.tokens - cost
  local here = fits >= view.current
  local room = here and fits - view.current or fits
  local sliding = here and view.previous or view.current
  local to_end = view.start - now + limit.period * (here and 1 or 2)
  return to_end - (muldiv.floor(room, limit.period, sliding))
end

local function reset(view, limit, now, charging)
  if charging or view.current > 0 then return view.start - now + 2 * limit.period end
  return view.previous > 0 and view.start - now + limit.period or 0
end

return {
  load = function(key)
    local fields, problem = use 'fields_of'(
      key, '^current (%d+) previous (%d+) at (%d+) under %d+/(%d+)us$',
      'the state of a sliding_window_counter')
    if not fields then
      return {key = key, current = 0, previous = 0, at = 0, period = 1, missing = true}, problem
    end
    return {key = key, current = fields[1], previous = fields[2], at = fields[3],
            period = fields[4]}
  end,

  save = function(state, limit, ttl_ms)
    local text = string.format('current %.0f previous %.0f at %.0f under %.0f/%.0fus',
                               state.current, state.previous, state.at, limit.tokens, limit.period)
    redis.call('SET', state.key, text, 'PX', ttl_ms)
  end,

  read = read,

  judge = function(view, limit, now, cost)
    local ahead = view.start - view.now + limit.period
    local sliding = muldiv.ceil(view.previous, ahead, limit.period)
    local room = limit.tokens - view.current - sliding
    local allowed = cost <= room
    local retry_after = 0
    if not allowed then
      retry_after = cost > limit.tokens and NEVER or wait(view, limit, now, cost)
    end
    return {
      at = view.now,
      allowed = allowed,
      remaining = math.max(0, allowed and room - cost or room),
      retry_after = retry_after,
      reset_after = reset(view, limit, now, allowed and cost > 0),
    }
  end,

  charge = function(state, view, limit, cost)
    store(state, view, limit, view.current + cost, view.previous)
  end,

  repair = function(state, limit, now)
    local view = read(state, limit, now)
    if view.at == state.at then return false end
    store(state, view, limit, view.current, view.previous)
    return true
  end,

  give_back = function(state, limit, now, cost, at)
    local view = read(state, limit, now)
    local current, previous = view.current, view.previous
    if at >= view.start + limit.period or at < view.start - limit.period then return false end
    if at >= view.start then
      current = current - math.min(current, cost)
    else
      previous = previous - math.min(previous, cost)
    end
    store(state, view, limit, current, previous)
    return true
  end,

  oldest_charge = function(state, limit, now)
    local view = read(state, limit, now)
    local before = view.previous > 0 and view.start >= limit.period
    return before and view.start - limit.period or view.start
  end,
}
