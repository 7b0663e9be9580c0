-- Undoes a take. Without its time the oldest charge that the state still knows is reduced.
local limit_of = use 'limit'

return function(keys, args)
  local now, at = time_of(args[2]), tonumber(args[3])
  local form, _, cost, tokens, period, option = unpack(args, 4, 9)
  local limit = limit_of(form, tonumber(tokens), tonumber(period), tonumber(option))
  local twin = use(form == 'token_bucket_interval' and 'token_bucket' or form)
  local state, problem = twin.load(keys[1], limit)
  if problem then return redis.error_reply('TIDEGATE key 1 ' .. problem) end
  if state.missing then return 0 end
  at = at or twin.oldest_charge(state, limit, now)
  if tonumber(cost) > 0 and twin.give_back(state, limit, now, tonumber(cost), at) then
    local left = twin.judge(twin.read(state, limit, now), limit, now, 0)
    twin.save(state, limit, ttl(left.reset_after))
  end
  return 1
end
