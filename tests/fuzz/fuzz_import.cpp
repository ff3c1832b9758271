// fuzz_import [EXECUTIONS] [SEED]: catalogs and lists of every kind, changed at random, fed to their
// readers. What is accepted must be written, read again as the same, and be looked at.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/import.hpp"
#include "gpuplan/lint.hpp"

namespace {

using namespace gpuplan;

struct Seed {
  std::optional<ImportFormat> format;  // none: a catalog
  std::string text;
};

const std::array kSeeds{
    Seed{ImportFormat::skypilot,
         "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"
         "p5.48xlarge,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}]}\",98.32,30.9,us-west-2,usw2-az1\n"
         "a2-highgpu-1g,,,12,85,,0.9,0.3,r,z\n,A100,1.0,,,,2.9,1.1,r,z\n,tpu-v3-8,1.0,,,tpu-v3-8,8.0,,r,z\nx,L4,0.5,4,16,,0.0,0.0,\", US, NA\",\n"},
    Seed{ImportFormat::gpuhunt,
         "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n"
         "g6.xlarge,us-east-1,0.8048,4,16.0,1,L4,22,False,,nvidia,,x86,{}\ng6.xlarge,us-east-1,0.0987,4,16.0,1,L4,22,True,,nvidia,,x86,{}\n"},
    Seed{ImportFormat::vast, R"({"offers": [{"id": 7, "gpu_name": "RTX 4090", "num_gpus": 2, "gpu_ram": 24564, "dph_base": 0.61, "min_bid": 0.31, "storage_cost": 0.15, "inet_up_cost": 0.004, "inet_up": 810.5, "duration": 864000.7, "driver_version": "550", "cpu_ram": 128000, "geolocation": "Norway, NO", "rentable": true, "reliability": 0.99}]})"},
    Seed{ImportFormat::runpod, R"({"data": {"gpuTypes": [{"id": "NVIDIA A40", "displayName": "A40", "memoryInGb": 48, "maxGpuCount": 2, "secureCloud": true, "securePrice": 0.44, "communityPrice": 0.35, "oneMonthPrice": 0.4, "lowestPrice": {"minVcpu": 9, "minMemory": 50, "stockStatus": "High"}}]}})"},
    Seed{ImportFormat::lambda, R"json({"data": {"gpu_8x_h100_sxm5": {"instance_type": {"name": "gpu_8x_h100_sxm5", "gpu_description": "H100 (80 GB SXM5)", "price_cents_per_hour": 3592, "specs": {"vcpus": 208, "memory_gib": 1800, "gpus": 8}}, "regions_with_capacity_available": [{"name": "us-east-1"}]}}})json"},
    Seed{ImportFormat::azure, R"({"BillingCurrency": "USD", "Items": [{"armSkuName": "Standard_NC4as_T4_v3", "armRegionName": "eastus", "currencyCode": "USD", "unitOfMeasure": "100 Hours", "retailPrice": 52.6, "type": "Consumption", "skuName": "NC4as", "meterName": "NC4as Spot"}, {"armSkuName": "Standard_NC4as_T4_v3", "armRegionName": "eastus", "retailPrice": 5000, "type": "Reservation", "reservationTerm": "3 Years"}]})"},
    Seed{ImportFormat::aws, R"([{"product": {"attributes": {"instanceType": "p4d.24xlarge", "gpu": "8", "regionCode": "us-east-1", "memory": "1,152 GiB", "vcpu": "96"}}, "terms": {"OnDemand": {"a": {"priceDimensions": {"b": {"unit": "Hrs", "pricePerUnit": {"USD": "21.9576000000"}}}}}, "Reserved": {"c": {"termAttributes": {"LeaseContractLength": "1yr", "PurchaseOption": "No Upfront"}, "priceDimensions": {"d": {"unit": "Hrs", "pricePerUnit": {"USD": "7.12"}}}}}}}])"},
    Seed{ImportFormat::gcp, R"({"skus": [{"description": "Nvidia Tesla A100 GPU running in Americas", "category": {"resourceGroup": "GPU", "usageType": "OnDemand"}, "serviceRegions": ["r"], "pricingInfo": [{"pricingExpression": {"usageUnit": "h", "tieredRates": [{"unitPrice": {"currencyCode": "USD", "units": "2", "nanos": 933908000}}]}}]}, {"description": "A2 Instance Core running in Americas", "category": {"resourceGroup": "CPU"}, "serviceRegions": ["r"], "pricingInfo": [{"pricingExpression": {"usageUnit": "h", "tieredRates": [{"unitPrice": {"currencyCode": "USD", "nanos": 31611000}}]}}]}, {"description": "A2 Instance Ram running", "category": {"resourceGroup": "RAM"}, "serviceRegions": ["r"], "pricingInfo": [{"pricingExpression": {"usageUnit": "GiBy.h", "tieredRates": [{"unitPrice": {"currencyCode": "USD", "nanos": 4237000}}]}}]}]})"},
    Seed{ImportFormat::shadeform, R"({"instance_types": [{"cloud": "x", "shade_instance_type": "B200x8", "gpu_type": "B200", "num_gpus": 8, "hourly_price": 5352, "interconnect": "sxm6", "configuration": {"vcpus": 6, "vram_per_gpu_in_gb": 180}, "availability": [{"region": "r", "available": true, "rental_type": "spot", "hourly_price": "26.76"}]}]})"},
    Seed{std::nullopt, R"({"schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "fx": {"CNY": 0.14}, "contract": [{"card": "L4", "discount_percent": 5}], "defaults": {"meter": {"quantum_s": 60}}, "platforms": [{"id": "p", "currency": "CNY", "stop": "held", "account": {"credits": [{"amount": 10}]}, "storage": {"data": {"per_gb_month": 0.1}}, "offers": [{"card": "L4", "gpu_counts": [1, 2], "memory": "24GiB", "price": {"on_demand": 1.2, "spot": 0.5, "commitments": [{"name": "3-month", "hours": 2190, "price": 10}]}}, {"card": "A100", "components": [{"what": "gpu", "price": 0.1, "per": "day"}], "spot": {"notice_s": 5}}]}]})"}};

std::string changed(std::string text, std::mt19937_64& random) {
  constexpr std::string_view kBytes = "0123456789.,-+eE\"'{}[]:\\\n\r ntfalsexyzNaI\x00\x80\xff";
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0: text[at] = kBytes[below(kBytes.size())]; break;
      case 1: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
      case 2: text.erase(at, 1 + below(8)); break;
      case 3: text.insert(at, text.substr(below(text.size()), below(60))); break;
      default: text.resize(at); break;
    }
  }
  return text;
}

[[noreturn]] void fail(const char* why, const std::string& text) {
  std::fprintf(stderr, "%s\n%s\n", why, text.c_str());
  std::exit(1);
}

void look_at(const Catalog& catalog, const CardTable& cards, const std::string& text) {
  for (const Offer& offer : catalog.offers)
    if (offer.rules == nullptr || offer.gpus < 1 || offer.id.empty()) fail("an offer is not whole", text);
  if (!select_offers(catalog, cards, {.filters = {"price>=0"}, .sort = "per_card", .group = "card"})) fail("not selected", text);
  (void)lint_catalog(catalog, cards);
  if (!writing_faults(catalog).empty()) return;
  const std::string written = write_catalog(catalog);
  const auto again = read_catalog(written, "written");
  if (!again) fail(to_text(again.errors().front()).c_str(), text + "\n" + written);
  if (again->offers.size() != catalog.offers.size()) fail("offers were lost", text);
  if (!diff_catalogs(catalog, *again).changed.empty()) fail("offers were changed", text);
}

}  // namespace

int main(int argc, char** argv) {
  const long executions = argc > 1 ? std::atol(argv[1]) : 100'000;
  std::mt19937_64 random(argc > 2 ? static_cast<std::uint64_t>(std::atoll(argv[2])) : 1);
  const CardTable cards = *builtin_card_table();
  const Catalog known = *read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "aws-ec2", "currency": "EUR", "stop": "released", "storage": {"data": {"per_gb_month": 1}}}]})", "known");
  long accepted = 0;
  for (long n = 0; n < executions; ++n) {
    const Seed& seed = kSeeds[static_cast<std::size_t>(random() % kSeeds.size())];
    const std::string text = changed(seed.text, random);
    const auto begin = std::chrono::steady_clock::now();
    if (!seed.format) {
      if (const auto catalog = read_catalog(text, "fuzz")) ++accepted, look_at(*catalog, cards, text);
    } else {
      const ImportFile file{"aws.csv", text};
      const auto imported = import_catalog({&file, 1}, {.format = *seed.format, .platform = {}, .as_of = {}}, cards, known);
      if (imported) {
        ++accepted;
        (void)import_report_json(imported->report, *seed.format);
        look_at(imported->catalog, cards, text);
      }
    }
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(1)) fail("took a second", text);
  }
  std::printf("%ld executions, %ld accepted\n", executions, accepted);
}
