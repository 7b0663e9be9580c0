// --grpc of a whole server: calls over a socket, and how they end with it.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "tests/server/running.h"
#include "tests/support/http2_client.h"

namespace tidegate::server {
namespace {

constexpr char kShouldRateLimit[] = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
constexpr char kWatch[] = "/grpc.health.v1.Health/Watch";

// A field of protobuf that has a length, and a message of gRPC; both short.
std::string field(int number, std::string_view bytes) {
  std::string text{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())};
  return text.append(bytes);
}
std::string message(std::string_view bytes) {
  return std::string{"\0\0\0\0", 4}.append(1, static_cast<char>(bytes.size())).append(bytes);
}

// An HTTP/2 client on a socket.
class Client {
 public:
  explicit Client(const net::Address& address) : socket_{net::connect_to(address).value()} {}

  std::int32_t call(const std::string& path, const std::string& body) {
    return http2_.request(path, body, {{"content-type", "application/grpc"}});
  }

  // Both ways until the condition holds; false when the other end or ten seconds come first.
  template <class Condition>
  bool talk_until(Condition&& condition) {
    while (!condition()) {
      const std::string up = http2_.output();
      send(socket_.fd(), up.data(), up.size(), MSG_NOSIGNAL);
      pollfd ready{.fd = socket_.fd(), .events = POLLIN, .revents = 0};
      char down[65'536];
      if (poll(&ready, 1, 10'000) != 1) return false;
      const ssize_t size = recv(socket_.fd(), down, sizeof down, 0);
      if (size <= 0) return false;
      http2_.feed({down, static_cast<std::size_t>(size)});
    }
    return true;
  }

  void leave() { socket_.close(); }

  const test::Http2Client::Reply& reply(std::int32_t id) { return http2_.reply(id); }

 private:
  net::Socket socket_;
  test::Http2Client http2_;
};

class GrpcServer : public testing::Test {
 protected:
  static std::string rules() {
    const auto path = std::filesystem::path{testing::TempDir()} /
                      ("grpc_rules." + std::to_string(getpid()) + ".yaml");
    std::ofstream{path} << "domain: api\n"
                           "descriptors: [{key: user, rate_limit: {limit: 1/min}}]\n";
    return path;
  }
  ~GrpcServer() override { std::filesystem::remove(path_); }

  const std::string path_ = rules();
  test::Running running_{
      {{"resp", "none"}, {"grpc", "127.0.0.1:0"}, {"rules", path_}, {"response-headers", "ietf"}}};
  Client client_{running_.server().addresses().at(0)};
};

TEST_F(GrpcServer, Decides_by_its_rules) {
  const std::string entry = field(1, "user") + field(2, "42");
  const std::string asked = message(field(1, "api") + field(2, field(1, entry)));
  for (const char* code : {"\x08\x01", "\x08\x02"}) {
    const auto id = client_.call(kShouldRateLimit, asked);
    ASSERT_TRUE(client_.talk_until([&] { return client_.reply(id).closed; }));
    EXPECT_EQ(client_.reply(id).header("grpc-status"), "0");
    EXPECT_EQ(client_.reply(id).body.substr(5, 2), code);
    EXPECT_NE(client_.reply(id).body.find("RateLimit-Policy"), std::string::npos);
  }
}

TEST_F(GrpcServer, Tells_who_watches_that_it_ends) {
  const auto id = client_.call(kWatch, message(""));
  const std::string serving = message("\x08\x01");
  ASSERT_TRUE(client_.talk_until([&] { return client_.reply(id).body == serving; }));
  std::jthread stopping{[this] { running_.stop(); }};
  EXPECT_TRUE(client_.talk_until([&] { return client_.reply(id).closed; }));
  EXPECT_EQ(client_.reply(id).body, serving + message("\x08\x02"));
  EXPECT_EQ(client_.reply(id).header("grpc-status"), "14");
  client_.leave();
}

}  // namespace
}  // namespace tidegate::server
