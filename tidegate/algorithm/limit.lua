-- The twin of limit.h: a limit from its numbers, and what its algorithm derives from them.

local function gcd(a, b)
  while b > 0 do a, b = b, a % b end
  return a
end

local function bucket(tokens, period, burst, interval)
  local shared = gcd(tokens, period)
  local drain, unit = tokens / shared, period / shared
  return {
    tokens = tokens,
    period = period,
    burst = burst,
    interval = interval,
    capacity = tokens > 0 and burst or 0,
    drain = drain,
    unit = unit,
    refill_time = drain > 0 and use 'muldiv'.ceil(burst, unit, drain) or 0,
  }
end

-- `option` is the burst of a bucket, the precision of a sliding window.
return function(form, tokens, period, option)
  if form == 'sliding_window' then
    local slot = tokens > option and ceil(period / option) or 1
    return {tokens = tokens, period = period, precision = option, slot = slot}
  end
  if form == 'token_bucket' then return bucket(tokens, period, option, false) end
  if form == 'token_bucket_interval' then return bucket(tokens, period, option, true) end
  return {tokens = tokens, period = period}
end
