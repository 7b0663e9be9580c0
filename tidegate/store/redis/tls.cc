#include "tidegate/store/redis/tls.h"

#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "tidegate/base/quote.h"

namespace tidegate::redis {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

using Load = std::function<void(ssl::context&, error_code&)>;

Expected<void> load(ssl::context& tls, std::string_view what, const std::string& path,
                    const Load& step) {
  if (path.empty()) return {};
  error_code problem;
  step(tls, problem);
  if (!problem) return {};
  return error("store URL, " + std::string{what},
               "cannot use " + quoted(path) + ": " + problem.message());
}

Expected<void> load_files(ssl::context& tls, const RedisTls& files) {
  const std::string& chain = files.cert;
  const std::string& key = files.key.empty() ? files.cert : files.key;
  return load(tls, "ca", files.ca,
              [&](auto& to, auto& problem) { to.load_verify_file(files.ca, problem); })
      .and_then([&] {
        return load(tls, "cert", chain, [&](auto& to, auto& problem) {
          to.use_certificate_chain_file(chain, problem);
        });
      })
      .and_then([&] {
        return load(tls, "key", key, [&](auto& to, auto& problem) {
          to.use_private_key_file(key, ssl::context::pem, problem);
        });
      });
}

}  // namespace

Expected<std::shared_ptr<ssl::context>> make_tls(const RedisOptions& options) {
  if (!options.tls) return nullptr;
  auto tls = std::make_shared<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  tls->set_verify_mode(ssl::verify_peer);
  if (options.tls->ca.empty()) {
    error_code ignored;  // without them no server is trusted, which the handshake tells
    tls->set_default_verify_paths(ignored);
  }
  return load_files(*tls, *options.tls).map([&] { return tls; });
}

}  // namespace tidegate::redis
