// TLS on loopback, with certificates that openssl makes for the test.
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/net/network.h"

namespace tidegate::test {
namespace {

// A folder with an authority, and certificates that it signed.
class Certificates {
 public:
  Certificates() {
    folder_ = testing::TempDir() + "tidegate-tls-XXXXXX";
    mkdtemp(folder_.data());
    run("req -x509 " + key("ca") + " -days 2 -subj /CN=authority -out " + file("ca.pem"));
    make("server");
    make("client");
  }
  ~Certificates() { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  void make(const std::string& name) const {
    run("req " + key(name) + " -subj /CN=" + name + " -out " + file(name + ".csr"));
    run("x509 -req -in " + file(name + ".csr") + " -days 2 -CA " + file("ca.pem") + " -CAkey " +
        file("ca.key") + " -set_serial 1 -out " + file(name + ".new"));
    std::filesystem::rename(file(name + ".new"), file(name + ".pem"));
  }

  net::TlsFiles files(bool client_ca = false) const {
    return {.cert = file("server.pem"),
            .key = file("server.key"),
            .client_ca = client_ca ? file("ca.pem") : ""};
  }

 private:
  std::string key(const std::string& name) const {
    return "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout " + file(name + ".key");
  }
  static void run(const std::string& arguments) {
    const std::string command = "openssl " + arguments + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

  std::string folder_;
};

const Certificates& certificates() {
  static const Certificates made;
  return made;
}

class TlsClient {
 public:
  explicit TlsClient(const net::Address& address, const std::string& identity = {})
      : plain_{address},
        context_{SSL_CTX_new(TLS_client_method()), SSL_CTX_free},
        session_{nullptr, SSL_free} {
    SSL_CTX_load_verify_locations(context_.get(), certificates().file("ca.pem").c_str(), nullptr);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    if (!identity.empty()) {
      SSL_CTX_use_certificate_file(context_.get(), certificates().file(identity + ".pem").c_str(),
                                   SSL_FILETYPE_PEM);
      SSL_CTX_use_PrivateKey_file(context_.get(), certificates().file(identity + ".key").c_str(),
                                  SSL_FILETYPE_PEM);
    }
    session_.reset(SSL_new(context_.get()));
    SSL_set_fd(session_.get(), plain_.fd());
    connected = SSL_connect(session_.get()) == 1;
  }

  std::string ask(std::string_view text) {
    SSL_write(session_.get(), text.data(), static_cast<int>(text.size()));
    return read(text.size());
  }
  std::string read(std::size_t bytes) {
    std::string all;
    char some[20'000];
    while (all.size() < bytes) {
      const int got = SSL_read(session_.get(), some, sizeof some);
      if (got <= 0) break;
      all.append(some, static_cast<std::size_t>(got));
    }
    return all;
  }
  void write(std::string_view text) {
    SSL_write(session_.get(), text.data(), static_cast<int>(text.size()));
  }
  bool connected = false;

 private:
  TestClient plain_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> session_;
};

TEST(Tls, Answers) {
  RunningNetwork server{{}, certificates().files()};
  TlsClient client{server.at};
  ASSERT_TRUE(client.connected);
  EXPECT_EQ(client.ask("hello\n"), "hello\n");
}

TEST(Tls, Carries_more_than_any_record_or_buffer_holds) {
  RunningNetwork server{{.max_output = 30'000}, certificates().files()};
  TlsClient client{server.at};
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + "\n";
  // OpenSSL's session is for one thread; the network must take all while nothing is read of it.
  for (std::size_t at = 0; at < text.size(); at += 10'000) {
    const std::string piece = text.substr(at, 10'000);
    client.write(piece);
  }
  EXPECT_EQ(client.read(text.size()), text);
}

TEST(Tls, Knows_who_shows_a_certificate_and_lets_in_nobody_else) {
  RunningNetwork server{{}, certificates().files(true)};
  TlsClient known{server.at, "client"};
  EXPECT_EQ(known.ask("a\n"), "a\n");
  EXPECT_EQ(server.peers().at(0).subject, "/CN=client");
  TlsClient unknown{server.at};
  EXPECT_EQ(unknown.ask("a\n"), "");
  EXPECT_EQ(server.peers().size(), 1u);
}

TEST(Tls, Closes_who_does_not_speak_it) {
  RunningNetwork server{{}, certificates().files()};
  TestClient client{server.at};
  client.send("hello\n");
  client.read_to_end();
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kTls) == 1; }));
}

TEST(Tls, Closes_who_never_shakes_hands) {
  RunningNetwork server{{.timeouts = {.handshake = 40ms}}, certificates().files()};
  TestClient client{server.at};
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(server.events.count(net::Cause::kTls), 1);
}

TEST(Tls, Answers_what_has_arrived_when_it_drains) {
  RunningNetwork server{{}, certificates().files()};
  TlsClient client{server.at};
  EXPECT_EQ(client.ask("a\n"), "a\n");
  client.write("b\n");
  server.network.drain();
  EXPECT_EQ(client.read(2), "b\n");
}

TEST(Tls, Takes_new_files_and_keeps_the_old_ones_while_they_do_not_fit) {
  Certificates own;
  auto context = net::TlsContext::load(own.files());
  ASSERT_TRUE(context) << context.error().message();
  EXPECT_FALSE((*context)->reload().value()) << "nothing has changed";
  own.make("server");
  EXPECT_TRUE((*context)->reload().value());
  std::filesystem::copy_file(own.file("client.key"), own.file("server.key"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE((*context)->reload()) << "a key of another certificate";
  EXPECT_FALSE((*context)->reload().value()) << "told once";
  EXPECT_NE((*context)->accept(net::Socket{}), nullptr);
}

TEST(Tls, Refuses_files_that_are_none) {
  net::TlsFiles files = certificates().files();
  files.key = "/nowhere";
  const auto context = net::TlsContext::load(files);
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().where, "TLS file /nowhere");
}

}  // namespace
}  // namespace tidegate::test
