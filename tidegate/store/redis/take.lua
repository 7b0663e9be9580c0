-- A request of takes: all read and judged at one instant, then charged, or repaired alone.
local settle, limit_of = use 'settle', use 'limit'

local function twin_of(form)
  return use(form == 'token_bucket_interval' and 'token_bucket' or form)
end

local function load_take(key, form, role, cost, tokens, period, option)
  local twin = twin_of(form)
  local limit = limit_of(form, tonumber(tokens), tonumber(period), tonumber(option))
  local state, problem = twin.load(key, limit)
  return {
    role = role,
    cost = tonumber(cost),
    twin = twin,
    limit = limit,
    state = state,
    leader = false,
    view = false,
    decision = false,
  }, problem
end

-- The takes, each with its state. Takes of one key are decided as one, by the first of them.
local function load_all(keys, args)
  local takes, leaders, problem = {}, {}, nil
  for i, key in ipairs(keys) do
    local first = 6 * i - 2
    local leader = leaders[key]
    if leader then
      local cost = tonumber(args[first + 2])
      leader.cost = leader.cost + cost
      takes[i] = {role = args[first + 1], cost = cost, leader = leader}
    else
      takes[i], problem = load_take(key, unpack(args, first, first + 5))
      leaders[key] = takes[i]
      if problem then return nil, format('TIDEGATE key %d %s', i, problem) end
    end
  end
  return takes
end

local function judge_all(takes, now)
  for _, take in ipairs(takes) do
    if not take.leader then
      take.view = take.twin.read(take.state, take.limit, now)
      take.decision = take.twin.judge(take.view, take.limit, now, take.cost)
    else
      take.decision = take.leader.decision
    end
  end
end

-- A key that has lost its TTL would stay for ever.
local function arm(take)
  local state = take.state
  if not state.missing and call('PTTL', state.key) == -1 then
    call('PEXPIRE', state.key, ttl(take.decision.reset_after))
  end
end

local function write(take, charged, now)
  local twin, state, limit, decision = take.twin, take.state, take.limit, take.decision
  if charged then
    twin.charge(state, take.view, limit, take.cost)
    twin.save(state, limit, ttl(decision.reset_after))
  elseif twin.repair(state, limit, now) then
    twin.save(state, limit, ttl(decision.reset_after))
  else
    arm(take)
  end
end

-- What a judgement foretold for a take that would be charged does not hold when it was not.
local function correct(take, now)
  local kept = take.twin.judge(take.view, take.limit, now, 0)
  take.decision.remaining, take.decision.reset_after = kept.remaining, kept.reset_after
end

local function settle_all(takes, now, each, writes)
  local admitted = settle.admitted(takes)
  for _, take in ipairs(takes) do
    if not take.leader then
      local charged = take.decision.allowed and (admitted or each)
      if take.decision.allowed and not charged then correct(take, now) end
      if writes and take.cost > 0 then write(take, charged, now) end
    end
  end
  return admitted
end

local function reply_of(takes, admitted)
  local reply = {admitted and 1 or 0, settle.binding_take(takes, admitted) - 1}
  for _, take in ipairs(takes) do
    local decision, n = take.decision, #reply
    reply[n + 1] = decision.allowed and 1 or 0
    reply[n + 2] = decision.remaining
    reply[n + 3] = decision.retry_after
    reply[n + 4] = decision.reset_after
    reply[n + 5] = decision.at
  end
  return reply
end

return function(keys, args)
  local now = time_of(args[2])
  local takes, problem = load_all(keys, args)
  if not takes then return redis.error_reply(problem) end
  judge_all(takes, now)
  return reply_of(takes, settle_all(takes, now, args[3] == 'each', args[1] == 'take'))
end
