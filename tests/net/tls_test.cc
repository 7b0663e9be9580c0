// TLS on loopback, with certificates that openssl makes for the test.
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "tests/net/held_loop.h"
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
  using Configure = std::function<void(SSL_CTX*)>;

  explicit TlsClient(const net::Address& address, const std::string& identity = {},
                     const Configure& configure = {})
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
    if (configure) configure(context_.get());
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
  // Says that nothing more is sent.
  void end() { SSL_shutdown(session_.get()); }
  // Whether all was read, and the server said so; not that the line was cut.
  bool ended() {
    char byte = 0;
    return SSL_get_error(session_.get(), SSL_read(session_.get(), &byte, 1)) ==
           SSL_ERROR_ZERO_RETURN;
  }
  std::string protocol() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(session_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }
  // Which certificate the server showed, of two with the same name as well.
  std::string certificate() const {
    unsigned char print[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    X509_digest(SSL_get0_peer_certificate(session_.get()), EVP_sha256(), print, &size);
    return {reinterpret_cast<const char*>(print), size};
  }
  void close() { plain_.close(); }
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

TEST(Tls, Answers_who_has_said_all_and_says_goodbye) {
  RunningNetwork server{{}, certificates().files()};
  TlsClient client{server.at};
  client.write("a\nb\nhalf");
  client.end();
  EXPECT_EQ(client.read(100), "a\nb\n");
  EXPECT_TRUE(client.ended());
  client.close();
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kFinished) == 1; }));
}

// What has arrived is counted in bytes of TLS, which are more than they carry.
TEST(Tls, Waits_for_nothing_more_once_it_has_drained) {
  RunningNetwork server{{.threads = 2, .max_output = 1, .timeouts = {.drain = 5s}},
                        certificates().files()};
  TestClient on_the_first_loop{server.at};
  TlsClient client{server.at};
  EXPECT_EQ(client.ask("a\n"), "a\n");
  HeldLoop held{server.network, 1};
  held.drain();
  client.write("b\n");
  client.write("c\n");
  held.release();
  EXPECT_EQ(client.read(4), "b\nc\n");
  EXPECT_TRUE(client.ended());
  client.close();
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
  EXPECT_EQ(server.events.count(net::Cause::kDrainTimeout), 0);
}

TEST(Tls, Refuses_versions_before_1_2) {
  RunningNetwork server{{}, certificates().files()};
  const auto only = [](int version) {
    return [version](SSL_CTX* context) {
      SSL_CTX_set_security_level(context, 0);
      SSL_CTX_set_min_proto_version(context, version);
      SSL_CTX_set_max_proto_version(context, version);
    };
  };
  EXPECT_FALSE((TlsClient{server.at, "", only(TLS1_1_VERSION)}.connected));
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION})
    EXPECT_EQ((TlsClient{server.at, "", only(version)}.ask("a\n")), "a\n");
}

TEST(Tls, Refuses_a_certificate_of_another_authority) {
  const Certificates strangers;
  RunningNetwork server{{}, certificates().files(true)};
  TlsClient client{server.at, "", [&](SSL_CTX* context) {
                     SSL_CTX_use_certificate_file(context, strangers.file("client.pem").c_str(),
                                                  SSL_FILETYPE_PEM);
                     SSL_CTX_use_PrivateKey_file(context, strangers.file("client.key").c_str(),
                                                 SSL_FILETYPE_PEM);
                   }};
  EXPECT_EQ(client.ask("a\n"), "");
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kTls) == 1; }));
  EXPECT_TRUE(server.peers().empty());
}

TEST(Tls, Agrees_on_a_protocol_or_on_nothing) {
  RunningNetwork server{{},
                        net::Listen{.address = {.host = "127.0.0.1"},
                                    .connect = {},
                                    .tls = certificates().files(),
                                    .protocols = {"h2", "echo"}}};
  const auto offer = [](std::string_view list) {
    return [list](SSL_CTX* context) {
      SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(list.data()),
                              static_cast<unsigned>(list.size()));
    };
  };
  TlsClient both{server.at, "", offer("\4echo\2h2")};
  EXPECT_EQ(both.ask("a\n"), "a\n");
  EXPECT_EQ(both.protocol(), "h2") << "the server's choice";
  EXPECT_EQ(server.peers().at(0).protocol, "h2");
  EXPECT_FALSE((TlsClient{server.at, "", offer("\10http/1.0")}.connected));
  TlsClient silent{server.at};
  EXPECT_EQ(silent.ask("a\n"), "a\n");
  EXPECT_EQ(silent.protocol(), "");
}

// The network looks at its files once a second.
TEST(Tls, Shows_a_new_certificate_to_who_comes_later) {
  const Certificates own;
  RunningNetwork server{{}, own.files()};
  const auto trust = [](SSL_CTX* context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
  };
  TlsClient before{server.at, "", trust};
  own.make("server");
  EXPECT_TRUE(within(5s, [&] { return server.events.reloads > 0; }));
  TlsClient after{server.at, "", trust};
  EXPECT_EQ(after.ask("a\n"), "a\n");
  EXPECT_NE(after.certificate(), before.certificate());
  EXPECT_EQ(before.ask("b\n"), "b\n") << "who is in goes on";
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
