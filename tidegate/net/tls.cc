#include "tidegate/net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>

namespace tidegate::net {
namespace {

struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};
using Session = std::unique_ptr<SSL, FreeSession>;

// What OpenSSL says about its last failure, and leaves its queue empty.
std::string last_problem() {
  char text[256] = "no reason given";
  if (const unsigned long code = ERR_peek_last_error(); code != 0)
    ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return text;
}

class TlsTransport final : public Transport {
 public:
  TlsTransport(Socket socket, Session session)
      : Transport{std::move(socket)}, session_{std::move(session)} {
    SSL_set_fd(session_.get(), this->socket().fd());
    SSL_set_accept_state(session_.get());
  }

  Io handshake() override {
    ERR_clear_error();
    return outcome(SSL_do_handshake(session_.get()), 0);
  }
  Io read(char* into, std::size_t size) override {
    ERR_clear_error();
    std::size_t got = 0;
    const int done = SSL_read_ex(session_.get(), into, size, &got);
    return outcome(done, got);
  }
  Io write(std::string_view bytes) override {
    ERR_clear_error();
    std::size_t sent = 0;
    const int done = SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &sent);
    return outcome(done, sent);
  }
  bool holds_bytes() const override { return SSL_pending(session_.get()) > 0; }
  void end() override {
    ERR_clear_error();
    if (!broken_) SSL_shutdown(session_.get());
    Transport::end();
  }

  std::string subject() const override {
    X509* const certificate = SSL_get0_peer_certificate(session_.get());
    if (certificate == nullptr) return {};
    char name[256] = "";
    X509_NAME_oneline(X509_get_subject_name(certificate), name, sizeof name);
    return name;
  }
  std::string protocol() const override {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(session_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }
  std::string problem() const override { return problem_; }

 private:
  Io outcome(int done, std::size_t bytes) {
    if (done == 1) return {Io::Status::kDone, bytes};
    switch (SSL_get_error(session_.get(), done)) {
      case SSL_ERROR_WANT_READ:
        return {Io::Status::kWaitRead};
      case SSL_ERROR_WANT_WRITE:
        return {Io::Status::kWaitWrite};
      case SSL_ERROR_ZERO_RETURN:
        return {Io::Status::kEnd};
      default:
        broken_ = true;
        problem_ = last_problem();
        return {Io::Status::kBroken};
    }
  }

  Session session_;
  bool broken_ = false;
  std::string problem_;
};

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void* ours) {
  const auto& list = *static_cast<const std::string*>(ours);
  unsigned char* match = nullptr;
  const int found =
      SSL_select_next_proto(&match, size, reinterpret_cast<const unsigned char*>(list.data()),
                            static_cast<unsigned>(list.size()), offered, offered_size);
  *chosen = match;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// A key with a passphrase is an error, not a question at the terminal.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

void configure(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(
      context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_default_passwd_cb(context, no_passphrase);
  constexpr unsigned char kName[] = "tidegate";
  SSL_CTX_set_session_id_context(context, kName, sizeof kName - 1);
}

tl::unexpected<Error> fail(const std::string& file) {
  return error("TLS file " + file, last_problem());
}

Expected<void> load_pair(SSL_CTX* context, const TlsFiles& files) {
  if (SSL_CTX_use_certificate_chain_file(context, files.cert.c_str()) != 1) return fail(files.cert);
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    return fail(files.key);
  return {};
}

Expected<void> load_client_ca(SSL_CTX* context, const std::string& file) {
  STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(file.c_str());
  if (names == nullptr || SSL_CTX_load_verify_locations(context, file.c_str(), nullptr) != 1)
    return fail(file);
  SSL_CTX_set_client_CA_list(context, names);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return {};
}

std::string on_the_wire(const std::vector<std::string>& protocols) {
  std::string list;
  for (const std::string& name : protocols)
    (list += static_cast<char>(std::min<std::size_t>(name.size(), UCHAR_MAX))) += name;
  return list;
}

std::string state_of(const std::string& file) {
  struct stat status {};
  if (file.empty() || stat(file.c_str(), &status) != 0) return "-";
  return std::to_string(status.st_ino) + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

TlsContext::TlsContext(TlsFiles files, const std::vector<std::string>& protocols)
    : files_{std::move(files)}, protocols_{on_the_wire(protocols)} {}

Expected<std::unique_ptr<TlsContext>> TlsContext::load(TlsFiles files,
                                                       const std::vector<std::string>& protocols) {
  std::unique_ptr<TlsContext> context{new TlsContext{std::move(files), protocols}};
  return context->reload().map([&](bool) { return std::move(context); });
}

Expected<std::shared_ptr<ssl_ctx_st>> TlsContext::make() const {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context{SSL_CTX_new(TLS_server_method()), SSL_CTX_free};
  configure(context.get());
  if (!protocols_.empty())
    SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol,
                               const_cast<std::string*>(&protocols_));
  Expected<void> loaded = load_pair(context.get(), files_);
  if (loaded && !files_.client_ca.empty()) loaded = load_client_ca(context.get(), files_.client_ca);
  return loaded.map([&] { return std::move(context); });
}

std::string TlsContext::fingerprint() const {
  return state_of(files_.cert) + "|" + state_of(files_.key) + "|" + state_of(files_.client_ca);
}

Expected<bool> TlsContext::reload() {
  const std::string now = fingerprint();
  {
    const SpinGuard guard{lock_};
    if (now == std::exchange(seen_, now)) return false;
  }
  return make().map([&](std::shared_ptr<SSL_CTX> made) {
    const SpinGuard guard{lock_};
    context_.swap(made);  // what there was goes after the lock does
    return true;
  });
}

std::unique_ptr<Transport> TlsContext::accept(Socket socket) {
  std::shared_ptr<SSL_CTX> context;
  {
    const SpinGuard guard{lock_};
    context = context_;
  }
  return std::make_unique<TlsTransport>(std::move(socket), Session{SSL_new(context.get())});
}

}  // namespace tidegate::net
