// Certificates of a test's own, made by the openssl command: an authority, and whom it vouches for.
//
//   Certificates certificates;
//   certificates.ca();  certificates.make("server", "localhost", "127.0.0.1");  // .cert, .key
//
// Thread safety: none. Cost: some 20 ms each.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/redis_server.h"

namespace tidegate::test {

class Certificates {
 public:
  struct Pair {
    std::string cert;
    std::string key;
  };

  Certificates() {
    run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj '/CN=test authority' -keyout ca.key -out ca.crt");
  }

  std::string ca() const { return folder_.file("ca.crt"); }

  // For a host name and an address.
  Pair make(const std::string& name, const std::string& host, const std::string& ip) const {
    folder_.write(name + ".ext", "subjectAltName=DNS:" + host + ",IP:" + ip + "\n");
    run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=" + name +
        "' -keyout " + name + ".key -out " + name + ".csr");
    run("openssl x509 -req -days 2 -in " + name + ".csr -CA ca.crt -CAkey ca.key " +
        "-CAcreateserial -extfile " + name + ".ext -out " + name + ".crt");
    return {folder_.file(name + ".crt"), folder_.file(name + ".key")};
  }

 private:
  void run(const std::string& command) const {
    const std::string quiet = "cd " + folder_.path() + " && " + command + " 2>log";
    if (std::system(quiet.c_str()) != 0) throw std::runtime_error{"failed: " + command};
  }

  TestFolder folder_;
};

}  // namespace tidegate::test
