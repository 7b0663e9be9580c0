// What a client needs for TLS, from the files that its options name.
//
// Thread safety: a function. Cost: reads the files once.
#pragma once

#include <memory>

#include "tidegate/base/expected.h"
#include "tidegate/store/redis/options.h"

namespace boost::asio::ssl {
class context;
}

namespace tidegate::redis {

// Null without TLS. TLS 1.2 and newer; the server's certificate is verified.
Expected<std::shared_ptr<boost::asio::ssl::context>> make_tls(const RedisOptions& options);

}  // namespace tidegate::redis
