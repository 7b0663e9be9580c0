-- A token bucket that is refilled at multiples of the period has the same state.
return use 'token_bucket'
