// The metrics of a server in Prometheus's text format; docs/metrics.md lists them.
//
// How many series there are depends on the rules and the settings alone, never on keys. Thread
// safety: may be called from any thread. Cost: O(rules), some microseconds each.
#pragma once

#include <string>
#include <vector>

#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/http/service.h"
#include "tidegate/frontend/protocol.h"
#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/net/network.h"
#include "tidegate/server/rule_files.h"
#include "tidegate/server/stores.h"

namespace tidegate::server {

// What is told of.
struct MetricSources {
  std::string version;
  std::vector<frontend::Protocol> protocols;  // that are served
  const frontend::RuleService& rules;
  const frontend::RespService& resp;
  const frontend::HttpService& http;
  const frontend::GrpcService& grpc;
  const Stores& stores;
  const net::Network& network;
  const RuleFiles& rule_files;
};

std::string metrics(const MetricSources& sources);

}  // namespace tidegate::server
