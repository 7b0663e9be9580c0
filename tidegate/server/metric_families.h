// Families of metrics, one after the other, as Prometheus's client library writes them.
//
//   MetricFamilies out;
//   out.counter("tidegate_takes_total", "Takes of ...").add({{"outcome", "allowed"}}, 12);
//   out.text();
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/frontend/latency.h"

namespace tidegate::server {

using Label = std::pair<std::string_view, std::string_view>;
using Labels = std::initializer_list<Label>;

class MetricFamilies {
 public:
  MetricFamilies();
  ~MetricFamilies();
  MetricFamilies(const MetricFamilies&) = delete;
  MetricFamilies& operator=(const MetricFamilies&) = delete;

  // What follows belongs to this family.
  MetricFamilies& counter(std::string_view name, std::string_view help);
  MetricFamilies& gauge(std::string_view name, std::string_view help);
  MetricFamilies& histogram(std::string_view name, std::string_view help);

  // One series of it.
  MetricFamilies& add(Labels labels, double value);
  MetricFamilies& add(Labels labels, const frontend::Latency& latency);

  std::string text() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace tidegate::server
