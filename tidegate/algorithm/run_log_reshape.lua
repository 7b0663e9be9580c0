-- What touches every cell of a run_log: another capacity, wider sums, merging the runs of a slot.
local run_log = use 'run_log'

-- All cells but the newest's, in order.
local function cells_of(log)
  local ring = redis.call('GETRANGE', log.key, run_log.HEADER_BYTES, -1)
  local from = log.head * log.cell_bytes
  return (ring .. ring):sub(from + 1, from + (log.size - 1) * log.cell_bytes)
end

local function widen(log, cells)
  local wide = {cell = '>I6I4', wrap = 2^32, base = log.base}
  local widened = {}
  for i = 1, #cells, log.cell_bytes do
    widened[#widened + 1] = run_log.to_cell(wide, run_log.from_cell(log, cells, i))
  end
  log.width, log.cell, log.cell_bytes, log.wrap = 4, wide.cell, 10, wide.wrap
  return table.concat(widened)
end

-- Grows by a quarter, shrinks by half.
local function capacity_for(log, most)
  local capacity = log.capacity
  if log.size > capacity then
    return math.max(log.size, math.min(capacity + math.max(4, math.floor(capacity / 4)), most))
  end
  local sparse = capacity > 16 and log.size < capacity / 4
  return sparse and math.floor(capacity / 2) or capacity
end

return {
  -- Of the runs of one slot the last stays: its sum has the hits of all.
  coalesce = function(log, slot)
    local cells, kept, last = cells_of(log), {}, nil
    for i = 1, #cells, log.cell_bytes do
      local this = math.floor(run_log.from_cell(log, cells, i) / slot)
      if this ~= last then kept[#kept + 1] = '' end
      kept[#kept] = cells:sub(i, i + log.cell_bytes - 1)
      last = this
    end
    if last == math.floor(log.newest / slot) then kept[#kept] = nil end
    log.size = #kept + 1
    log.cells = table.concat(kept)
  end,

  -- In one SET of the right size: a SETRANGE beyond the end would make the string twice as long.
  save = function(log, limit, ttl_ms)
    local cells = log.cells or cells_of(log)
    if log.width == 2 and log.used >= 2^16 then cells = widen(log, cells) end
    log.head, log.capacity = 0, capacity_for(log, math.min(limit.tokens, limit.precision + 1))
    local newest = run_log.to_cell(log, log.newest, log.used)
    local unused = string.rep('\0', (log.capacity - log.size) * log.cell_bytes)
    redis.call('SET', log.key, run_log.header_of(log, limit) .. cells .. newest .. unused, 'PX',
               ttl_ms)
  end,
}
