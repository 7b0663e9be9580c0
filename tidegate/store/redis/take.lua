-- A request of takes: all judged at one instant, then charged, or repaired alone.
local settle, limit_of, time = use 'settle', use 'limit', use 'time'

-- Takes of one key are decided as one, by the first of them, for the sum of their costs.
local function takes_of(keys, args)
  local takes, leaders, twins = {}, {}, {}
  for i, key in ipairs(keys) do
    local form, role, cost, tokens, period, option = unpack(args, 6 * i - 2, 6 * i + 3)
    local take = {key = key, role = role, cost = tonumber(cost), leader = leaders[key],
                  twin = twins[form], limit = false, state = false, view = false, decision = false}
    if take.leader then
      take.leader.cost = take.leader.cost + take.cost
    else
      leaders[key] = take
      take.twin = take.twin or use(form)
      twins[form] = take.twin
      take.limit = limit_of(form, tokens, period, option)
    end
    takes[i] = take
  end
  return takes
end

local function judge_all(takes, now)
  for i, take in ipairs(takes) do
    if take.leader then
      take.decision = take.leader.decision
    else
      local twin, limit, problem = take.twin, take.limit, nil
      take.state, problem = twin.load(take.key, limit)
      if problem then return string.format('TIDEGATE key %d %s', i, problem) end
      take.view = twin.read(take.state, limit, now)
      take.decision = twin.judge(take.view, limit, now, take.cost)
    end
  end
end

-- A key that has lost its TTL would stay for ever.
local function write(take, charged, now)
  local twin, state, limit = take.twin, take.state, take.limit
  local ttl_ms = time.ttl(take.decision.reset_after)
  if charged then
    twin.charge(state, take.view, limit, take.cost)
    twin.save(state, limit, ttl_ms)
  elseif twin.repair(state, limit, now) then
    twin.save(state, limit, ttl_ms)
  elseif not state.missing and redis.call('PTTL', take.key) == -1 then
    redis.call('PEXPIRE', take.key, ttl_ms)
  end
end

-- What a judgement foretold for a take that would be charged does not hold when it was not.
local function finish(take, admitted, each, writes, now)
  local decision = take.decision
  local charged = decision.allowed and (admitted or each)
  if decision.allowed and not charged then
    local kept = take.twin.judge(take.view, take.limit, now, 0)
    decision.remaining, decision.reset_after = kept.remaining, kept.reset_after
  end
  if writes and take.cost > 0 then write(take, charged, now) end
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
  local now = time.of(args[2])
  local takes = takes_of(keys, args)
  local problem = judge_all(takes, now)
  if problem then return redis.error_reply(problem) end
  local admitted = settle.admitted(takes)
  for _, take in ipairs(takes) do
    if not take.leader then finish(take, admitted, args[3] == 'each', args[1] == 'take', now) end
  end
  return reply_of(takes, admitted)
end
