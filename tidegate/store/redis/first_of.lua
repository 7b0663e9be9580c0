-- The first i from 0 that passes, `size` when none does; after one that passes all others do. The
-- first is the commonest answer, so it gallops before it halves.
return function(size, passes)
  local low, high, step = 0, size, 1
  while low < high do
    local probe = math.min(low + step - 1, high - 1)
    if passes(probe) then
      high = probe
      break
    end
    low, step = probe + 1, step * 2
  end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if passes(middle) then high = middle else low = middle + 1 end
  end
  return low
end
