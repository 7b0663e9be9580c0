#include "tidegate/frontend/http/reply.h"

#include <algorithm>
#include <utility>

namespace tidegate::frontend::http {
namespace {

std::string_view reason(int status) {
  constexpr std::pair<int, std::string_view> kReasons[] = {
      {200, "OK"},
      {400, "Bad Request"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {413, "Content Too Large"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
      {505, "HTTP Version Not Supported"},
  };
  const auto* const found = std::find_if(std::begin(kReasons), std::end(kReasons),
                                         [&](const auto& one) { return one.first == status; });
  return found == std::end(kReasons) ? std::string_view{} : found->second;
}

}  // namespace

void append_reply(std::string& out, const Reply& reply, const Manner& manner) {
  out.append("HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  out.append(reason(reply.status)).append("\r\n");
  out.append("Content-Type: ").append(reply.type).append("\r\n");
  out.append("Content-Length: ").append(std::to_string(reply.body.size())).append("\r\n");
  out.append("Cache-Control: no-store\r\n").append(reply.fields);
  if (manner.close) {
    out.append("Connection: close\r\n");
  } else if (manner.of_1_0) {
    out.append("Connection: keep-alive\r\n");
  }
  out.append("\r\n");
  if (!manner.head_alone) out.append(reply.body);
}

}  // namespace tidegate::frontend::http
