-- Forgets states, whatever the keys hold.
return function(keys)
  return call('DEL', unpack(keys))
end
