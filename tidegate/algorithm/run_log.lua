-- The twin of run_log.h, in one string: a header, then a ring of cells, oldest first.
--
--   header  bytes of a sum; head, runs and capacity of the ring; time of the newest hit; hits before
--           the oldest run; hits in all runs; tokens, period and precision of the limit last used
--   cell    time of the newest hit of a run, modulo 2^48; hits up to and with this run since the log
--           began, modulo 2^16, or 2^32 once more than 65535 hits are in it
-- As sums only grow, what lies before a time and when enough hits will have left are found by
-- halving, and hits that have expired are dropped by moving the head. Every run lies within 366 days
-- of the newest, so 48 bits of a time say all.
-- A call writes one cell and the header. What it changes in the newest run or the header is written
-- by `save`; everything else at once.
local pack, unpack = struct.pack, struct.unpack
local HEADER, HEADER_BYTES = '>BI3I3I3I7I4I4I4I6I2', 37
local MOST_NARROW = 2^16 - 1

local function set_width(log, width)
  log.width = width
  if width == 2 then log.cell, log.cell_bytes, log.wrap = '>I6I2', 8, 2^16 end
  if width == 4 then log.cell, log.cell_bytes, log.wrap = '>I6I4', 10, 2^32 end
  return log
end

-- Without a header, an empty one.
local function log_of(key, header)
  local width, head, size, capacity, newest, base, used, tokens, period, precision = 2, 0, 0, 0, 0, 0, 0
  if header then
    width, head, size, capacity, newest, base, used, tokens, period, precision =
      unpack(HEADER, header)
  end
  return set_width({
    key = key,
    missing = not header,
    head = head,
    size = size,
    capacity = capacity,
    newest = newest,
    base = base,
    used = used,
    tokens = tokens,
    period = period,
    precision = precision,
    cell = '',
    cell_bytes = 0,
    wrap = 0,
    width = 0,
  }, width)
end

local function load(key)
  local header = redis.pcall('GETRANGE', key, 0, HEADER_BYTES - 1)
  if header == '' and call('EXISTS', key) == 0 then return log_of(key) end
  local width = type(header) == 'string' and #header == HEADER_BYTES and header:byte()
  if width == 2 or width == 4 then return log_of(key, header) end
  return nil, problem_with(key, 'the state of a sliding_window')
end

local function header_of(log, limit)
  return pack(HEADER, log.width, log.head, log.size, log.capacity, log.newest, log.base, log.used,
              limit.tokens, limit.period, limit.precision)
end

local function cell_of(log, at, through)
  return pack(log.cell, at % 2^48, (log.base + through) % log.wrap)
end

local function from_cell(log, cells, position)
  local at, sum = unpack(log.cell, cells, position)
  return log.newest - (log.newest - at) % 2^48, (sum - log.base) % log.wrap
end

local function place_of(log, i)
  return HEADER_BYTES + (log.head + i) % log.capacity * log.cell_bytes
end

-- The time of a run, and the hits up to and with it.
local function run(log, i)
  if i == log.size - 1 then return log.newest, log.used end
  local place = place_of(log, i)
  return from_cell(log, call('GETRANGE', log.key, place, place + log.cell_bytes - 1), 1)
end

-- The first run that passes, the size when none does.
local function first(log, passes)
  return use 'first_of'(log.size, function(i) return passes(run(log, i)) end)
end

-- `hits` are those in the runs that go.
local function pop_front(log, runs, hits)
  if runs == 0 then return end
  log.head = (log.head + runs) % log.capacity
  log.size = log.size - runs
  log.base = (log.base + hits) % 2^32
  log.used = log.used - hits
end

-- Run i and all later ones become one, at a time.
local function merge_from(log, i, at)
  log.size, log.newest = i + 1, at
end

-- A run of so many hits after all others. The newest run must be as it was saved.
local function push_back(log, at, hits)
  log.size, log.newest, log.used = log.size + 1, at, log.used + hits
end

local function add_to_back(log, at, hits)
  log.newest, log.used = at, log.used + hits
end

-- Takes hits out of run i, which goes when none are left.
local function take_out(log, i, hits)
  local before = i > 0 and select(2, run(log, i - 1)) or 0
  local held = select(2, run(log, i)) - before
  local back, gone = min(held, hits), held <= hits and 1 or 0
  for j = i, log.size - 1 - gone do
    local at, through = run(log, j + gone)
    call('SETRANGE', log.key, place_of(log, j), cell_of(log, at, through - back))
  end
  if gone == 1 and i > 0 and i == log.size - 1 then log.newest = run(log, i - 1) end
  log.size, log.used = log.size - gone, log.used - back
end

-- All cells but the newest's, in order.
local function cells_of(log)
  local ring = call('GETRANGE', log.key, HEADER_BYTES, -1)
  local from = log.head * log.cell_bytes
  return (ring .. ring):sub(from + 1, from + (log.size - 1) * log.cell_bytes)
end

-- Of the runs of one slot the last stays: its sum has the hits of all.
local function coalesce(log, slot)
  local cells, kept, last = cells_of(log), {}, nil
  for i = 1, #cells, log.cell_bytes do
    local this = floor(from_cell(log, cells, i) / slot)
    if this ~= last then kept[#kept + 1] = '' end
    kept[#kept] = cells:sub(i, i + log.cell_bytes - 1)
    last = this
  end
  if last == floor(log.newest / slot) then kept[#kept] = nil end
  log.size = #kept + 1
  log.cells = table.concat(kept)
end

local function widen(log, cells)
  local wide, widened = set_width({base = log.base}, 4), {}
  for i = 1, #cells, log.cell_bytes do
    widened[#widened + 1] = cell_of(wide, from_cell(log, cells, i))
  end
  set_width(log, 4)
  return table.concat(widened)
end

-- Grows by a quarter, shrinks by half.
local function capacity_for(log, most)
  if log.size > log.capacity then
    return max(log.size, min(log.capacity + max(4, floor(log.capacity / 4)), most))
  end
  local sparse = log.capacity > 16 and log.size < log.capacity / 4
  return sparse and floor(log.capacity / 2) or log.capacity
end

-- SETRANGE never goes beyond the end, where the string would grow to twice its size.
local function rewrite(log, limit, capacity, ttl_ms)
  local cells = log.cells or cells_of(log)
  if log.width == 2 and log.used > MOST_NARROW then cells = widen(log, cells) end
  log.head, log.capacity = 0, capacity
  local unused = string.rep('\0', (capacity - log.size) * log.cell_bytes)
  call('SET', log.key, header_of(log, limit) .. cells .. cell_of(log, log.newest, log.used) ..
       unused, 'PX', ttl_ms)
end

local function save(log, limit, ttl_ms)
  if log.size == 0 then return call('DEL', log.key) end
  local capacity = capacity_for(log, min(limit.tokens, limit.precision + 1))
  local too_narrow = log.width == 2 and log.used > MOST_NARROW
  if log.cells or too_narrow or capacity ~= log.capacity then
    return rewrite(log, limit, capacity, ttl_ms)
  end
  call('SETRANGE', log.key, place_of(log, log.size - 1), cell_of(log, log.newest, log.used))
  call('SETRANGE', log.key, 0, header_of(log, limit))
  call('PEXPIRE', log.key, ttl_ms)
end

return {load = load, run = run, first = first, pop_front = pop_front, merge_from = merge_from,
        push_back = push_back, add_to_back = add_to_back, take_out = take_out,
        coalesce = coalesce, save = save}
