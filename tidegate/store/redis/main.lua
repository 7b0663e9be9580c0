-- One call: script.h says what is in KEYS and ARGV.
return use(ARGV[1] == 'check' and 'take' or ARGV[1])(KEYS, ARGV)
