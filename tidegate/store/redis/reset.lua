-- Forgets states, whatever the keys hold.
return function(keys)
  return redis.call('DEL', unpack(keys))
end
