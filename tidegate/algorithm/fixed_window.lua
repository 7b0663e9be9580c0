-- The twin of fixed_window.h. The state is a text, for example
--   count 3 at 1790000000123456 under 5/60000000us
local aligned = use 'aligned'

local function read(state, limit, now)
  local at, paused = aligned.pause(state.at, limit.period, now)
  local start = aligned.window_start(paused, limit.period)
  return {at = at, now = paused, start = start, count = at >= start and state.count or 0}
end

return {
  load = function(key)
    local fields, problem = use 'fields_of'(key, '^count (%d+) at (%d+) under %d+/%d+us$',
                                            'the state of a fixed_window')
    if not fields then return {key = key, count = 0, at = 0, missing = true}, problem end
    return {key = key, count = fields[1], at = fields[2]}
  end,

  save = function(state, limit, ttl_ms)
    local text = string.format('count %.0f at %.0f under %.0f/%.0fus', state.count, state.at,
                               limit.tokens, limit.period)
    redis.call('SET', state.key, text, 'PX', ttl_ms)
  end,

  read = read,

  judge = function(view, limit, now, cost)
    local allowed = cost <= limit.tokens - view.count
    local used = allowed and view.count + cost or view.count
    local edge = view.start - now + limit.period
    return {
      at = view.now,
      allowed = allowed,
      remaining = math.max(0, limit.tokens - used),
      retry_after = allowed and 0 or cost > limit.tokens and NEVER or edge,
      reset_after = used > 0 and edge or 0,
    }
  end,

  charge = function(state, view, _, cost)
    state.at, state.count = view.now, view.count + cost
  end,

  repair = function(state, limit, now)
    local rebased = read(state, limit, now).at
    local due = rebased ~= state.at
    state.at = rebased
    return due
  end,

  give_back = function(state, limit, now, cost, at)
    local view = read(state, limit, now)
    local same_window = aligned.window_start(at, limit.period) == view.start
    if not same_window or view.count == 0 then return false end
    state.at, state.count = view.at, view.count - math.min(view.count, cost)
    return true
  end,

  oldest_charge = function()
    return 0
  end,
}
