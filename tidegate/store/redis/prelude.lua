-- What every part of the script uses: whole numbers in doubles, the time, and the parts themselves.
--
-- A double holds integers below 2^53 exactly, and then floor(x / y), ceil(x / y) and x % y are exact
-- as well. No product beyond that is ever formed: muldiv divides it long.

local call, floor, ceil, min, max = redis.call, math.floor, math.ceil, math.min, math.max
local format = string.format

local NEVER = -1

-- A part is made when it is first used: a call that decides one take of one algorithm does not pay
-- for the functions of the others.
local parts, made = {}, {}
local function use(name)
  if not made[name] then made[name] = parts[name]() end
  return made[name]
end

-- floor(x * a / b) and what is left over, for x < 2^53, a and b <= 2^46, and a quotient < 2^53.
local function muldiv(x, a, b)
  local whole = floor(a / b)
  a = a - whole * b
  local q, r = 0, 0
  if x * a < 2^53 then
    q = floor(x * a / b)
    r = x * a - q * b
  else
    for digit = 8, 0, -1 do
      r = r * 64 + a * (floor(x / 64^digit) % 64)
      local fits = floor(r / b)
      q = q * 64 + fits
      r = r - fits * b
    end
  end
  return q + whole * x, r
end

local function muldiv_up(x, a, b)
  local q, r = muldiv(x, a, b)
  return r > 0 and q + 1 or q
end

-- The first i from 0 that passes, `size` when none does; after one that passes all others do. The
-- first is the commonest answer, so it gallops before it halves.
local function first_of(size, passes)
  local low, high, step = 0, size, 1
  while low < high do
    local probe = min(low + step - 1, high - 1)
    if passes(probe) then
      high = probe
      break
    end
    low, step = probe + 1, step * 2
  end
  while low < high do
    local middle = floor((low + high) / 2)
    if passes(middle) then high = middle else low = middle + 1 end
  end
  return low
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
