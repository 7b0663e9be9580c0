-- The twin of sliding_window.h, over a log that stays in Redis: a take reads the few runs it needs.
local run_log = use 'run_log'

-- Runs from `first` on are live; `gone` hits lie before them.
local function read(log, limit, now)
  local out = now - limit.period
  local first, gone = log.size, log.used
  if log.size > 0 and log.newest > out then
    first, gone = 0, 0
    if run_log.run(log, 0) <= out then
      first = run_log.first(log, function(at) return at > out end)
      gone = select(2, run_log.run(log, first - 1))
    end
  end
  return {log = log, now = now, first = first, gone = gone, used = log.used - gone}
end

-- From `now` until a run leaves the window. A run ahead of the clock counts as of now.
local function time_left(at, limit, now)
  return min(at, now) - now + limit.period
end

-- Until `excess` hits have left the window.
local function wait(view, limit, excess)
  local log, through = view.log, view.gone + excess
  local last = run_log.first(log, function(_, hits) return hits >= through end)
  return time_left((run_log.run(log, last)), limit, view.now)
end

local function judge(view, limit, now, cost)
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
    remaining = max(0, limit.tokens - view.used - (allowed and cost or 0)),
    retry_after = retry_after,
    reset_after = reset_after,
  }
end

local function repair(log, limit, now)
  if log.size == 0 or log.newest <= now then return false end
  run_log.merge_from(log, run_log.first(log, function(at) return at >= now end), now)
  return true
end

local function same_slot(a, b, limit)
  return floor(a / limit.slot) == floor(b / limit.slot)
end

local function charge(log, view, limit, cost)
  local now = view.now
  run_log.pop_front(log, view.first, view.gone)
  repair(log, limit, now)
  if log.size > 0 and same_slot(log.newest, now, limit) then
    run_log.add_to_back(log, now, cost)
  else
    run_log.push_back(log, now, cost)
  end
  if log.size > limit.precision + 1 then run_log.coalesce(log, limit.slot) end
end

-- The run that holds `at` is the first whose newest hit is not before it.
local function give_back(log, limit, now, cost, at)
  repair(log, limit, now)
  local view = read(log, limit, now)
  run_log.pop_front(log, view.first, view.gone)
  local i = run_log.first(log, function(newest) return newest >= at end)
  if i < log.size and same_slot((run_log.run(log, i)), at, limit) then
    run_log.take_out(log, i, cost)
  end
  return true
end

local function oldest_charge(log, limit, now)
  local view = read(log, limit, now)
  return view.first < log.size and min((run_log.run(log, view.first)), now) or now
end

return {load = run_log.load, save = run_log.save, read = read, judge = judge, charge = charge,
        repair = repair, give_back = give_back, oldest_charge = oldest_charge}
