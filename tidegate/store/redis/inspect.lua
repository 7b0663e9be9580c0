-- What keys hold, each under the limit that it was last used with. Changes nothing.
local limit_of = use 'limit'

-- That limit, and its text in the grammar of limits.
local function limit_used(algorithm, state)
  if algorithm == 'sliding_window' then
    return limit_of(algorithm, state.tokens, state.period, state.precision),
           string.format('%.0f/%.0fus precision %.0f', state.tokens, state.period, state.precision)
  end
  local text = redis.call('GET', state.key):match(' under (.+)$')
  local tokens, period = text:match('^(%d+)/(%d+)us')
  local form = text:find('refill interval', 1, true) and 'token_bucket_interval' or algorithm
  return limit_of(form, tokens, period, text:match('burst (%d+)')), text
end

local function inspect(key, algorithm, now)
  local twin = use(algorithm)
  local state, problem = twin.load(key)
  if problem then return problem end
  if state.missing then return false end
  local limit, text = limit_used(algorithm, state)
  local decision = twin.judge(twin.read(state, limit, now), limit, now, 0)
  return {text, decision.remaining, decision.reset_after, decision.at}
end

return function(keys, args)
  local now, reply = use 'time'.of(args[2]), {}
  for i, key in ipairs(keys) do reply[i] = inspect(key, args[2 + i], now) end
  return reply
end
