-- Undoes a take. Without its time the oldest charge that the state still knows is reduced.
local time = use 'time'

return function(keys, args)
  local now, at = time.of(args[2]), tonumber(args[3])
  local form, _, cost, tokens, period, option = unpack(args, 4, 9)
  local twin, limit = use(form), use 'limit'(form, tokens, period, option)
  local state, problem = twin.load(keys[1], limit)
  if problem then return redis.error_reply('TIDEGATE key 1 ' .. problem) end
  if state.missing then return 0 end
  at, cost = at or twin.oldest_charge(state, limit, now), tonumber(cost)
  if cost > 0 and twin.give_back(state, limit, now, cost, at) then
    local left = twin.judge(twin.read(state, limit, now), limit, now, 0)
    twin.save(state, limit, time.ttl(left.reset_after))
  end
  return 1
end
