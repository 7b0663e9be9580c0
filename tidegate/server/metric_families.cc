#include "tidegate/server/metric_families.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>

namespace tidegate::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

constexpr double kMicroseconds = 1e6;  // a second

ClientMetric::Histogram histogram_of(const frontend::Latency& latency) {
  ClientMetric::Histogram histogram;
  for (std::size_t i = 0; i < latency.counts.size(); ++i) {
    histogram.sample_count += latency.counts[i];
    const bool last = i == frontend::Latency::kBounds.size();
    const double bound = last ? std::numeric_limits<double>::infinity()
                              : static_cast<double>(frontend::Latency::kBounds[i]) / kMicroseconds;
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  histogram.sample_sum = static_cast<double>(latency.total_us) / kMicroseconds;
  return histogram;
}

}  // namespace

struct MetricFamilies::Parts {
  std::vector<prometheus::MetricFamily> families;

  void begin(std::string_view name, std::string_view help, MetricType type) {
    families.push_back({std::string{name}, std::string{help}, type, {}});
  }
  ClientMetric& add(Labels labels) {
    ClientMetric& metric = families.back().metric.emplace_back();
    for (const auto& [name, value] : labels)
      metric.label.push_back({std::string{name}, std::string{value}});
    return metric;
  }
};

MetricFamilies::MetricFamilies() : parts_{std::make_unique<Parts>()} {}

MetricFamilies::~MetricFamilies() = default;

MetricFamilies& MetricFamilies::counter(std::string_view name, std::string_view help) {
  parts_->begin(name, help, MetricType::Counter);
  return *this;
}

MetricFamilies& MetricFamilies::gauge(std::string_view name, std::string_view help) {
  parts_->begin(name, help, MetricType::Gauge);
  return *this;
}

MetricFamilies& MetricFamilies::histogram(std::string_view name, std::string_view help) {
  parts_->begin(name, help, MetricType::Histogram);
  return *this;
}

MetricFamilies& MetricFamilies::add(Labels labels, double value) {
  const bool counter = parts_->families.back().type == MetricType::Counter;
  ClientMetric& metric = parts_->add(labels);
  (counter ? metric.counter.value : metric.gauge.value) = value;
  return *this;
}

MetricFamilies& MetricFamilies::add(Labels labels, const frontend::Latency& latency) {
  parts_->add(labels).histogram = histogram_of(latency);
  return *this;
}

std::string MetricFamilies::text() const {
  return prometheus::TextSerializer{}.Serialize(parts_->families);
}

}  // namespace tidegate::server
