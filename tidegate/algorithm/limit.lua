-- The twin of limit.h: a limit from its numbers, and what the algorithms derive from them.

local function gcd(a, b)
  while b > 0 do a, b = b, a % b end
  return a
end

local function bucket(limit, burst)
  local shared = gcd(limit.tokens, limit.period)
  limit.burst = burst
  limit.capacity = limit.tokens > 0 and burst or 0
  limit.drain = limit.tokens / shared
  limit.unit = limit.period / shared
  limit.refill_time = limit.drain > 0 and muldiv_up(burst, limit.unit, limit.drain) or 0
  return limit
end

local function window(limit, precision)
  limit.precision = precision
  limit.slot = limit.tokens > precision and ceil(limit.period / precision) or 1
  return limit
end

-- `option` is the burst of a bucket, the precision of a sliding window.
return function(form, tokens, period, option)
  local limit = {tokens = tokens, period = period, capacity = tokens}
  if form == 'token_bucket' then return bucket(limit, option) end
  if form == 'token_bucket_interval' then
    limit.interval = true
    return bucket(limit, option)
  end
  if form == 'sliding_window' then return window(limit, option) end
  return limit
end
