-- The twin of limit.h: a limit from its numbers, and what its algorithm derives from them.

local function gcd(a, b)
  while b > 0 do a, b = b, a % b end
  return a
end

local function bucket(tokens, period, burst, interval)
  local shared = gcd(tokens, period)
  local drain, unit = tokens / shared, period / shared
  local refill_time = drain > 0 and use 'muldiv'.ceil(burst, unit, drain) or 0
  return {tokens = tokens, period = period, burst = burst, interval = interval,
          capacity = tokens > 0 and burst or 0, drain = drain, unit = unit,
          refill_time = refill_time}
end

-- `option` is the burst of a bucket, the precision of a sliding window.
return function(form, tokens, period, option)
  tokens, period = tonumber(tokens), tonumber(period)
  if form == 'token_bucket' then return bucket(tokens, period, tonumber(option), false) end
  if form == 'token_bucket_interval' then return bucket(tokens, period, tonumber(option), true) end
  if form ~= 'sliding_window' then return {tokens = tokens, period = period} end
  local precision = tonumber(option)
  local slot = tokens > precision and math.ceil(period / precision) or 1
  return {tokens = tokens, period = period, precision = precision, slot = slot}
end
