# Joins the files of the Redis script into one text, and that into a source file:
#   cmake -DOUT=script.cc -DDIR=tidegate -P cmake/lua.cmake
# prelude.lua comes first, main.lua last; every other file is a part, a branch of the function `use`.
file(GLOB parts ${DIR}/algorithm/*.lua ${DIR}/store/redis/*.lua ${DIR}/store/redis/layouts/*.lua)
list(FILTER parts EXCLUDE REGEX "/(prelude|main)\\.lua$")

file(READ ${DIR}/store/redis/prelude.lua script)
string(APPEND script "\nuse = function(name)\n")
foreach(part IN LISTS parts)
  get_filename_component(name ${part} NAME_WE)
  file(READ ${part} text)
  string(APPEND script "\nif name == '${name}' then\n${text}end\n")
endforeach()
file(READ ${DIR}/store/redis/main.lua text)
string(APPEND script "\nend\n${text}")
string(SHA1 sha1 "${script}")

file(WRITE ${OUT} "#include \"tidegate/store/redis/script.h\"

namespace tidegate::redis {

std::string_view script_text() {
  return R\"lua(${script})lua\";
}

std::string_view script_sha1() {
  return \"${sha1}\";
}

}  // namespace tidegate::redis
")
