-- fixed_window in a counter with a TTL: the number of hits, until Redis forgets it.
--
-- A window begins with its first hit and ends with its key, whoever made that: so a period never
-- meets more than two windows, though other writers of the same period share the key.

local function load(key)
  local fields, problem = use 'fields_of'(key, '^%-?%d+$', 'a counter')
  if not fields then return {key = key, count = 0, missing = true, ttl_ms = -1}, problem end
  return {key = key, count = math.max(0, fields[1]), ttl_ms = redis.call('PTTL', key)}
end

-- A key of which the TTL was lost gets a whole period.
local function ttl_of(state, limit)
  return state.ttl_ms >= 0 and state.ttl_ms or math.ceil(limit.period / 1000)
end

-- `stop` is the first time at which Redis has forgotten the key.
local function read(state, limit, now)
  local stop = (math.floor(now / 1000) + ttl_of(state, limit) + 1) * 1000
  return {now = now, count = state.count, stop = stop}
end

local function judge(view, limit, now, cost)
  local allowed = cost <= limit.tokens - view.count
  local used = allowed and view.count + cost or view.count
  return {
    at = now,
    allowed = allowed,
    remaining = math.max(0, limit.tokens - used),
    retry_after = allowed and 0 or cost > limit.tokens and NEVER or view.stop - now,
    reset_after = used > 0 and view.stop - now or 0,
  }
end

local function charge(state, view, _, cost)
  state.count = view.count + cost
end

local function save(state, limit)
  local ttl_ms = math.max(1, ttl_of(state, limit))
  redis.call('SET', state.key, string.format('%.0f', state.count), 'PX', ttl_ms)
end

local function repair()
  return false
end

local function give_back(state, limit, now, cost, at)
  local stop = read(state, limit, now).stop
  if at < stop - (math.ceil(limit.period / 1000) + 1) * 1000 then return false end
  state.count = state.count - math.min(state.count, cost)
  return true
end

local function oldest_charge()
  return 0
end

return {load = load, save = save, read = read, judge = judge, charge = charge, repair = repair,
        give_back = give_back, oldest_charge = oldest_charge}
