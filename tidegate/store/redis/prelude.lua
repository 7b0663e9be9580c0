-- What every part of the script uses: whole numbers in doubles, the time, and the parts themselves.
--
-- A double holds integers below 2^53 exactly, and then floor(x / y), ceil(x / y) and x % y are exact
-- as well. No product beyond that is ever formed: muldiv.lua divides it long.

local call, floor, ceil, min, max = redis.call, math.floor, math.ceil, math.min, math.max
local format = string.format

local NEVER = -1

-- A part is made when it is first used: a call that decides one take of one algorithm does not pay
-- for the functions of the others.
local make
local made = {}
local function use(name)
  local part = made[name]
  if not part then
    part = make(name)
    made[name] = part
  end
  return part
end

-- A key expires by Redis' clock as it was when the script began, in whole milliseconds: late is
-- harmless, early would be a fresh quota. Time that is given is not Redis' own at all.
local spare_ms = 1000

-- The time of a call. Asked of Redis once: TIME goes on while a script runs.
local function time_of(text)
  if text ~= '' then
    spare_ms = 3600000
    return tonumber(text)
  end
  local time = call('TIME')
  return time[1] * 1000000 + time[2]
end

local function ttl(reset_after)
  return ceil(reset_after / 1000) + spare_ms
end

local function problem_with(key, expected)
  return 'holds a ' .. call('TYPE', key).ok .. ' that is not ' .. expected
end

-- The fields of a state that is kept as a text; nothing when there is none; a problem when the key
-- holds something else.
local function fields_of(key, pattern, expected)
  local text = redis.pcall('GET', key)
  if not text then return nil end
  local fields = type(text) == 'string' and {text:match(pattern)} or {}
  if #fields == 0 then return nil, problem_with(key, expected) end
  for i = 1, #fields do fields[i] = tonumber(fields[i]) or fields[i] end
  return fields
end
