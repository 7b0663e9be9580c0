-- The twin of token_bucket.h. The state is a text, for example
--   debt 3 + 5/12000000 at 1790000000123456 under 5/60000000us burst 7
-- As of `at`, 3 tokens and 5 / 12000000 of one are owed.
local aligned, muldiv = use 'aligned', use 'muldiv'

local function store(state, limit, at, tokens, fraction)
  state.at, state.tokens, state.fraction, state.unit = at, tokens, fraction, limit.unit
end

-- Amounts are two numbers: tokens, and units of which limit.unit make one more.
local function subtract(tokens, fraction, less_tokens, less_fraction, unit)
  if tokens < less_tokens or (tokens == less_tokens and fraction <= less_fraction) then
    return 0, 0
  end
  local borrow = fraction < less_fraction and 1 or 0
  return tokens - less_tokens - borrow, fraction - less_fraction + borrow * unit
end

-- Clamped to the burst before anything drains.
local function stored_debt(state, limit)
  local tokens, fraction = state.tokens, state.fraction
  if state.unit ~= limit.unit then
    fraction = muldiv.ceil(fraction, limit.unit, state.unit)
    if fraction == limit.unit then tokens, fraction = tokens + 1, 0 end
  end
  if tokens < limit.capacity then return tokens, fraction end
  return limit.capacity, 0
end

-- What comes back between two of the key's own times.
local function refilled(from, to, limit)
  if limit.interval then
    return math.min(limit.tokens * aligned.edges_between(from, to, limit.period), 2^32 - 1), 0
  end
  if to - from >= limit.refill_time then return limit.capacity, 0 end
  return muldiv.floor(to - from, limit.drain, limit.unit)
end

local function read(state, limit, now)
  local at, paused = math.min(state.at, now), now
  if limit.interval then at, paused = aligned.pause(state.at, limit.period, now) end
  local tokens, fraction = stored_debt(state, limit)
  local back_tokens, back_fraction = refilled(at, paused, limit)
  tokens, fraction = subtract(tokens, fraction, back_tokens, back_fraction, limit.unit)
  return {at = at, now = paused, tokens = tokens, fraction = fraction}
end

local function rounded_up(tokens, fraction)
  return fraction > 0 and tokens + 1 or tokens
end

local function time_to_drain(tokens, fraction, view, limit, now)
  if tokens == 0 and fraction == 0 then return 0 end
  if limit.interval then
    local edges = math.ceil(rounded_up(tokens, fraction) / limit.tokens)
    return aligned.window_start(view.now, limit.period) - now + edges * limit.period
  end
  local whole, rest = muldiv.floor(tokens, limit.unit, limit.drain)
  return whole + math.ceil((rest + fraction) / limit.drain)
end

return {
  load = function(key)
    local fields, problem = use 'fields_of'(
      key, '^debt (%d+) %+ (%d+)/(%d+) at (%d+) under %d+/%d+us burst %d+[a-z ]*$',
      'the state of a token_bucket')
    if not fields then
      return {key = key, tokens = 0, fraction = 0, unit = 1, at = 0, missing = true}, problem
    end
    return {key = key, tokens = fields[1], fraction = fields[2], unit = fields[3], at = fields[4]}
  end,

  save = function(state, limit, ttl_ms)
    local form = 'debt %.0f + %.0f/%.0f at %.0f under %.0f/%.0fus burst %.0f'
    if limit.interval then form = form .. ' refill interval' end
    local text = form:format(state.tokens, state.fraction, state.unit, state.at, limit.tokens,
                             limit.period, limit.burst)
    redis.call('SET', state.key, text, 'PX', ttl_ms)
  end,

  read = read,

  judge = function(view, limit, now, cost)
    local tokens, fraction = view.tokens, view.fraction
    local allowed = cost <= limit.capacity - rounded_up(tokens, fraction)
    local retry_after = 0
    if allowed then
      tokens = tokens + cost
    elseif cost > limit.capacity then
      retry_after = NEVER
    else
      retry_after = time_to_drain(tokens + cost - limit.capacity, fraction, view, limit, now)
    end
    return {
      at = view.now,
      allowed = allowed,
      remaining = limit.capacity - rounded_up(tokens, fraction),
      retry_after = retry_after,
      reset_after = time_to_drain(tokens, fraction, view, limit, now),
    }
  end,

  charge = function(state, view, limit, cost)
    store(state, limit, view.now, view.tokens + cost, view.fraction)
  end,

  repair = function(state, limit, now)
    local view = read(state, limit, now)
    if view.at == state.at then return false end
    store(state, limit, view.now, view.tokens, view.fraction)
    return true
  end,

  -- Only what has not drained since the take comes back.
  give_back = function(state, limit, now, cost, at)
    local view = read(state, limit, now)
    if at > view.now then return false end
    local gone, gone_fraction = refilled(at, view.now, limit)
    local back, back_fraction =
      subtract(math.min(cost, limit.capacity), 0, gone, gone_fraction, limit.unit)
    store(state, limit, view.now,
          subtract(view.tokens, view.fraction, back, back_fraction, limit.unit))
    return true
  end,

  oldest_charge = function()
    return 0
  end,
}
