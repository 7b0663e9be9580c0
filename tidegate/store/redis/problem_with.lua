-- What is wrong with a key that holds something else.
return function(key, expected)
  return 'holds a ' .. redis.call('TYPE', key).ok .. ' that is not ' .. expected
end
