-- sliding_window in a sorted set: a member for each hit, its score the time in milliseconds.
--
-- Whatever else a service calls its members; ours are `1790000000123-7`. A hit ahead of the clock
-- counts as of now.
local milliseconds = use 'milliseconds'

local function score(ms)
  return string.format('%.0f', ms)
end

local function load(key, limit)
  local size = redis.pcall('ZCARD', key)
  if type(size) == 'table' then return nil, use 'problem_with'(key, 'a sorted set') end
  return {key = key, missing = size == 0}, milliseconds.problem(limit)
end

local function save(state, _, ttl_ms)
  redis.call('PEXPIRE', state.key, ttl_ms)
end

local function read(state, limit, now)
  local view = {key = state.key, now = milliseconds.of(now)}
  view.out = view.now - milliseconds.period(limit)
  view.used = redis.call('ZCOUNT', state.key, '(' .. score(view.out), '+inf')
  return view
end

local function time_of_hit(view, i)
  local found = redis.call('ZRANGEBYSCORE', view.key, '(' .. score(view.out), '+inf', 'WITHSCORES',
                     'LIMIT', i, 1)
  return tonumber(found[2])
end

local function judge(view, limit, now, cost)
  return milliseconds.judge(view, limit, now, cost, time_of_hit)
end

local function forget_expired(view)
  redis.call('ZREMRANGEBYSCORE', view.key, '-inf', score(view.out))
end

local function add(view, hits)
  local number = redis.call('ZCARD', view.key)
  for _ = 1, hits do
    repeat
      local member = string.format('%.0f-%.0f', view.now, number)
      number = number + 1
    until redis.call('ZADD', view.key, 'NX', score(view.now), member) == 1
  end
end

local function repair(state, _, now)
  local ms = score(milliseconds.of(now))
  local ahead = redis.call('ZRANGEBYSCORE', state.key, '(' .. ms, '+inf')
  for _, member in ipairs(ahead) do redis.call('ZADD', state.key, ms, member) end
  return #ahead > 0
end

local function charge(state, view, limit, cost)
  forget_expired(view)
  repair(state, limit, view.now * 1000)
  add(view, cost)
end

local function give_back(state, limit, now, cost, at)
  repair(state, limit, now)
  forget_expired(read(state, limit, now))
  local ms = score(milliseconds.of(at))
  local hits = redis.call('ZRANGEBYSCORE', state.key, ms, ms, 'LIMIT', 0, math.min(cost, 2^31))
  for _, member in ipairs(hits) do redis.call('ZREM', state.key, member) end
  return true
end

local function oldest_charge(state, limit, now)
  local view = read(state, limit, now)
  return view.used > 0 and math.min(math.ceil(time_of_hit(view, 0)), view.now) * 1000 or now
end

return {load = load, save = save, read = read, judge = judge, charge = charge, repair = repair,
        give_back = give_back, oldest_charge = oldest_charge}
