-- The numbers of a state that is kept as a text; nothing when there is none; a problem when the key
-- holds something else.
return function(key, pattern, expected)
  local text = redis.pcall('GET', key)
  if not text then return nil end
  local fields = type(text) == 'string' and {text:match(pattern)} or {}
  if #fields == 0 then return nil, use 'problem_with'(key, expected) end
  for i = 1, #fields do fields[i] = tonumber(fields[i]) end
  return fields
end
