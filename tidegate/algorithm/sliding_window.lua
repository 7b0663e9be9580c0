-- The twin of sliding_window.h, over a log that stays in Redis: a take reads the few runs it needs.
local run_log = use 'run_log'
local run = run_log.run

-- The first run that passes, the size when none does.
local function first_run(log, passes)
  return use 'first_of'(log.size, function(i) return passes(run(log, i)) end)
end

-- Runs from `first` on are live; `gone` hits lie before them.
local function read(log, limit, now)
  local out = now - limit.period
  local first, gone = log.size, log.used
  if log.size > 0 and log.newest > out then
    first, gone = 0, 0
    if run(log, 0) <= out then
      first = first_run(log, function(at) return at > out end)
      gone = select(2, run(log, first - 1))
    end
  end
  return {log = log, now = now, first = first, gone = gone, used = log.used - gone}
end

-- From `now` until a run leaves the window. A run ahead of the clock counts as of now.
local function time_left(at, limit, now)
  return math.min(at, now) - now + limit.period
end

-- Until `excess` hits have left the window.
local function wait(view, limit, excess)
  local at, through = run(view.log, view.first)
  if through < view.gone + excess then
    local last = first_run(view.log, function(_, hits) return hits >= view.gone + excess end)
    at = run(view.log, last)
  end
  return time_left(at, limit, view.now)
end

-- What is ahead of the clock becomes one run of now.
local function repair(log, _, now)
  if log.size == 0 or log.newest <= now then return false end
  log.size = first_run(log, function(at) return at >= now end) + 1
  log.newest = now
  return true
end

local function same_slot(a, b, limit)
  return math.floor(a / limit.slot) == math.floor(b / limit.slot)
end

-- Takes hits out of run i, which goes when none are left.
local function take_out(log, i, hits)
  local before = i > 0 and select(2, run(log, i - 1)) or 0
  local held = select(2, run(log, i)) - before
  local back, gone = math.min(held, hits), held <= hits and 1 or 0
  for j = i, log.size - 1 - gone do
    local at, through = run(log, j + gone)
    run_log.set(log, j, at, through - back)
  end
  if gone == 1 and i > 0 and i == log.size - 1 then log.newest = run(log, i - 1) end
  log.size, log.used = log.size - gone, log.used - back
end

return {
  load = run_log.load,
  save = run_log.save,
  read = read,
  repair = repair,

  judge = function(view, limit, now, cost)
    local allowed = cost <= limit.tokens - view.used
    local retry_after, reset_after = 0, 0
    if not allowed then
      retry_after = cost > limit.tokens and NEVER or
                    wait(view, limit, view.used + cost - limit.tokens)
    end
    if allowed and cost > 0 then
      reset_after = limit.period
    elseif view.used > 0 then
      reset_after = time_left(view.log.newest, limit, now)
    end
    return {
      at = now,
      allowed = allowed,
      remaining = math.max(0, limit.tokens - view.used - (allowed and cost or 0)),
      retry_after = retry_after,
      reset_after = reset_after,
    }
  end,

  charge = function(log, view, limit, cost)
    local now = view.now
    run_log.pop_front(log, view.first, view.gone)
    repair(log, limit, now)
    if log.size == 0 or not same_slot(log.newest, now, limit) then log.size = log.size + 1 end
    log.newest, log.used = now, log.used + cost
    if log.size > limit.precision + 1 then use 'run_log_reshape'.coalesce(log, limit.slot) end
  end,

  -- The run that holds `at` is the first whose newest hit is not before it.
  give_back = function(log, limit, now, cost, at)
    repair(log, limit, now)
    local view = read(log, limit, now)
    run_log.pop_front(log, view.first, view.gone)
    local i = first_run(log, function(newest) return newest >= at end)
    if i < log.size and same_slot(run(log, i), at, limit) then take_out(log, i, cost) end
    return true
  end,

  oldest_charge = function(log, limit, now)
    local view = read(log, limit, now)
    return view.first < log.size and math.min((run(log, view.first)), now) or now
  end,
}
