-- What keys hold, each under the limit that it was last used with. Changes nothing.
local limit_of = use 'limit'

-- The numbers of that limit, and its text in the grammar of limits.
local function limit_used(form, state)
  if form == 'sliding_window' then
    return state.tokens, state.period, state.precision,
           format('%.0f/%.0fus precision %.0f', state.tokens, state.period, state.precision)
  end
  local text = call('GET', state.key):match(' under (.+)$')
  local tokens, period = text:match('^(%d+)/(%d+)us')
  return tonumber(tokens), tonumber(period), tonumber(text:match('burst (%d+)')), text
end

local function inspect(key, form, now)
  local twin = use(form)
  local state, problem = twin.load(key)
  if problem then return problem end
  if state.missing then return false end
  local tokens, period, option, text = limit_used(form, state)
  if text:find('refill interval', 1, true) then form = 'token_bucket_interval' end
  local limit = limit_of(form, tokens, period, option)
  local decision = twin.judge(twin.read(state, limit, now), limit, now, 0)
  return {text, decision.remaining, decision.reset_after, decision.at}
end

return function(keys, args)
  local now, reply = time_of(args[2]), {}
  for i, key in ipairs(keys) do
    local form = args[2 + i]
    reply[i] = inspect(key, form == 'token_bucket_interval' and 'token_bucket' or form, now)
  end
  return reply
end
