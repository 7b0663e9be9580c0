-- The twin of muldiv.h: x * a / b without ever forming a product beyond 2^53, for x < 2^53, a and
-- b <= 2^46, and a quotient < 2^53.
local floor = math.floor
local muldiv = {floor = false, ceil = false}

-- Rounded down, and what is left over.
function muldiv.floor(x, a, b)
  local whole = floor(a / b)
  a = a - whole * b
  if x * a < 2^53 then
    local q = floor(x * a / b)
    return q + whole * x, x * a - q * b
  end
  local q, r = 0, 0
  for digit = 8, 0, -1 do
    r = r * 64 + a * (floor(x / 64^digit) % 64)
    local fits = floor(r / b)
    q = q * 64 + fits
    r = r - fits * b
  end
  return q + whole * x, r
end

function muldiv.ceil(x, a, b)
  local q, r = muldiv.floor(x, a, b)
  return r > 0 and q + 1 or q
end

return muldiv
