// HTTP/1.1 replies as bytes.
//
// Thread safety: pure. Cost: a copy of the body.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::frontend::http {

struct Reply {
  int status = 200;
  std::string body = {};
  std::string_view type = "text/plain; charset=utf-8";  // of the body
  std::string fields = {};                              // more of them: `Allow: GET\r\n`
};

// How a reply depends on its request.
struct Manner {
  bool head_alone = false;  // of an answer to HEAD
  bool close = false;       // nothing comes after it
  bool of_1_0 = false;      // HTTP/1.0 wants to be told when more may come
};

void append_reply(std::string& out, const Reply& reply, const Manner& manner);

}  // namespace tidegate::frontend::http
