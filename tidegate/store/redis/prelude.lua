-- Before all parts of the script: how they find each other, and what they take for granted.
--
-- Numbers are doubles, which hold integers below 2^53 exactly; floor(x / y), ceil(x / y) and x % y
-- of those are exact too. No product beyond that is ever formed: muldiv.lua divides it long.
--
-- Redis makes every function and table of a script anew with each call, which is most of what a
-- call costs. So a part is made only where it is used, and tables are written with all their
-- fields.

local NEVER = -1

-- use 'muldiv' makes the part of muldiv.lua.
local use
