// TLS for a listener, over OpenSSL: TLS 1.2 and newer, with client certificates by option. When the
// files change, connections to come get the new ones.
//
// Thread safety: every member of TlsContext may be called from any thread. Cost: `accept` allocates
// a session; `reload` is a stat of each file while nothing has changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/base/spin_lock.h"
#include "tidegate/base/thread_annotations.h"
#include "tidegate/net/transport.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace tidegate::net {

struct TlsFiles {
  std::string cert;       // PEM, the chain included
  std::string key;        // PEM, without a passphrase
  std::string client_ca;  // PEM; empty: clients show no certificate
};

class TlsContext {
 public:
  // `protocols` are offered by ALPN, the first being preferred; without any there is no ALPN.
  static Expected<std::unique_ptr<TlsContext>> load(TlsFiles files,
                                                    const std::vector<std::string>& protocols = {});

  const TlsFiles& files() const { return files_; }

  // Takes the files anew if they have changed: true when it did. After an error the old ones go on,
  // and it is not told again until they change once more.
  Expected<bool> reload();

  std::unique_ptr<Transport> accept(Socket socket);

 private:
  TlsContext(TlsFiles files, const std::vector<std::string>& protocols);
  Expected<std::shared_ptr<ssl_ctx_st>> make() const;
  std::string fingerprint() const;

  const TlsFiles files_;
  const std::string protocols_;  // as ALPN has them on the wire
  SpinLock lock_;
  std::string seen_ TIDEGATE_GUARDED_BY(lock_);  // the files' fingerprint
  std::shared_ptr<ssl_ctx_st> context_ TIDEGATE_GUARDED_BY(lock_);
};

}  // namespace tidegate::net
