-- sliding_window in a list: the time of each hit in milliseconds, the newest first.
local milliseconds, first_of = use 'milliseconds', use 'first_of'

local function text_of(ms)
  return string.format('%.0f', ms)
end

-- What is no time is taken to have long expired.
local function time_of_hit(key, from_oldest)
  return tonumber((redis.call('LINDEX', key, -1 - from_oldest))) or 0
end

local function load(key, limit)
  local size = redis.pcall('LLEN', key)
  if type(size) == 'table' then return nil, use 'problem_with'(key, 'a list') end
  return {key = key, size = size, missing = size == 0}, milliseconds.problem(limit)
end

local function save(state, _, ttl_ms)
  redis.call('PEXPIRE', state.key, ttl_ms)
end

local function read(state, limit, now)
  local view = {key = state.key, now = milliseconds.of(now)}
  local out = view.now - milliseconds.period(limit)
  view.expired = first_of(state.size, function(i) return time_of_hit(state.key, i) > out end)
  view.used = state.size - view.expired
  return view
end

local function time_of_live(view, i)
  return time_of_hit(view.key, view.expired + i)
end

local function judge(view, limit, now, cost)
  return milliseconds.judge(view, limit, now, cost, time_of_live)
end

local function forget_expired(state, view)
  if view.expired == 0 then return end
  redis.call('LTRIM', state.key, 0, -1 - view.expired)
  state.size = view.used
end

local function repair(state, _, now)
  local ms, i = milliseconds.of(now), 0
  while i < state.size and time_of_hit(state.key, state.size - 1 - i) > ms do
    redis.call('LSET', state.key, i, text_of(ms))
    i = i + 1
  end
  return i > 0
end

local function charge(state, view, limit, cost)
  forget_expired(state, view)
  repair(state, limit, view.now * 1000)
  for _ = 1, cost do redis.call('LPUSH', state.key, text_of(view.now)) end
  state.size = state.size + cost
end

local function give_back(state, limit, now, cost, at)
  repair(state, limit, now)
  forget_expired(state, read(state, limit, now))
  local hits = text_of(milliseconds.of(at))
  state.size = state.size - redis.call('LREM', state.key, math.min(cost, 2^31), hits)
  return true
end

local function oldest_charge(state, limit, now)
  local view = read(state, limit, now)
  return view.used > 0 and math.min(math.ceil(time_of_live(view, 0)), view.now) * 1000 or now
end

return {load = load, save = save, read = read, judge = judge, charge = charge, repair = repair,
        give_back = give_back, oldest_charge = oldest_charge}
