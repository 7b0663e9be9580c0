-- The twin of settle.h: from the judgements of a request's takes to its verdict.

-- Whether `a` binds tighter than `b` does. Never is the longest wait.
local function tighter(a, b, admitted)
  if admitted then return a.remaining < b.remaining end
  if a.allowed ~= b.allowed then return not a.allowed end
  if a.retry_after == NEVER or b.retry_after == NEVER then return b.retry_after ~= NEVER end
  return a.retry_after > b.retry_after
end

return {
  admitted = function(takes)
    local has_quota, quota_left = false, false
    for _, take in ipairs(takes) do
      local allowed = take.decision.allowed
      if take.role == 'binding' and not allowed then return false end
      if take.role == 'quota' then
        has_quota = true
        quota_left = quota_left or allowed
      end
    end
    return not has_quota or quota_left
  end,

  binding_take = function(takes, admitted)
    local bound
    for i, take in ipairs(takes) do
      if take.role ~= 'shadow' and
         (not bound or tighter(take.decision, takes[bound].decision, admitted)) then
        bound = i
      end
    end
    return bound or 1
  end,
}
