-- The twin of run_log.h, in one string: a header, then a ring of cells, oldest first.
--
--   header  bytes of a sum; head, runs and capacity of the ring; time of the newest hit; hits
--           before the oldest run; hits in all runs; tokens, period and precision of the limit
--           last used
--   cell    time of the newest hit of a run, modulo 2^48; hits up to and with this run since the
--           log began, modulo 2^16, or 2^32 once more than 65535 hits are in it
--
-- As sums only grow, what lies before a time and when enough hits will have left are found by
-- halving, and hits that have expired are dropped by moving the head. Every run lies within 366
-- days of the newest, so 48 bits of a time say all.
-- A call writes the newest cell and the header, both with `save`; whoever changes the newest run or
-- the header need only do so in the log.
local HEADER, HEADER_BYTES = '>BI3I3I3I7I4I4I4I6I2', 37

local function log_of(key, width, head, size, capacity, newest, base, used, tokens, period,
                      precision)
  return {key = key, width = width, head = head, size = size, capacity = capacity, newest = newest,
          base = base, used = used, tokens = tokens, period = period, precision = precision,
          cell = width == 2 and '>I6I2' or '>I6I4', cell_bytes = 6 + width, wrap = 256 ^ width,
          cells = false, missing = size == 0}
end

local function header_of(log, limit)
  return struct.pack(HEADER, log.width, log.head, log.size, log.capacity, log.newest, log.base,
                     log.used, limit.tokens, limit.period, limit.precision)
end

local function place_of(log, i)
  return HEADER_BYTES + (log.head + i) % log.capacity * log.cell_bytes
end

local function from_cell(log, cells, position)
  local at, sum = struct.unpack(log.cell, cells, position)
  return log.newest - (log.newest - at) % 2^48, (sum - log.base) % log.wrap
end

local function to_cell(log, at, through)
  return struct.pack(log.cell, at % 2^48, (log.base + through) % log.wrap)
end

local function set(log, i, at, through)
  redis.call('SETRANGE', log.key, place_of(log, i), to_cell(log, at, through))
end

return {
  HEADER_BYTES = HEADER_BYTES,
  header_of = header_of,
  from_cell = from_cell,
  to_cell = to_cell,
  set = set,

  load = function(key)
    local header = redis.pcall('GETRANGE', key, 0, HEADER_BYTES - 1)
    if header == '' and redis.call('EXISTS', key) == 0 then
      return log_of(key, 2, 0, 0, 0, 0, 0, 0)
    end
    local width = type(header) == 'string' and #header == HEADER_BYTES and header:byte()
    if width == 2 or width == 4 then return log_of(key, struct.unpack(HEADER, header)) end
    return nil, use 'problem_with'(key, 'the state of a sliding_window')
  end,

  -- The time of a run, and the hits up to and with it.
  run = function(log, i)
    if i == log.size - 1 then return log.newest, log.used end
    local place = place_of(log, i)
    local cell = redis.call('GETRANGE', log.key, place, place + log.cell_bytes - 1)
    return from_cell(log, cell, 1)
  end,

  -- `hits` are those in the runs that go.
  pop_front = function(log, runs, hits)
    if runs == 0 then return end
    log.head = (log.head + runs) % log.capacity
    log.size = log.size - runs
    log.base = (log.base + hits) % 2^32
    log.used = log.used - hits
  end,

  save = function(log, limit, ttl_ms)
    if log.size == 0 then return redis.call('DEL', log.key) end
    local too_narrow = log.width == 2 and log.used >= 2^16
    local too_sparse = log.capacity > 16 and log.size < log.capacity / 4
    if log.cells or too_narrow or too_sparse or log.size > log.capacity then
      return use 'run_log_reshape'.save(log, limit, ttl_ms)
    end
    set(log, log.size - 1, log.newest, log.used)
    redis.call('SETRANGE', log.key, 0, header_of(log, limit))
    redis.call('PEXPIRE', log.key, ttl_ms)
  end,
}
