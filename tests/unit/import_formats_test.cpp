// Lists of gpuhunt and answers of the clouds' own interfaces.
#include <algorithm>
#include <vector>

#include "import_world.hpp"

namespace {

using namespace import_world;

TEST_CASE("gpuhunt: the row on demand and the row of spot of one machine are one offer") {
  const auto list = listing(ImportFormat::gpuhunt, "aws.csv",
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n"
      "g6.xlarge,us-east-1,0.8048,4,16.0,1,L4,22,False,,nvidia,,x86,{}\n"
      "g6.xlarge,us-east-1,0.0987,4,16.0,1,L4,22,True,,nvidia,,x86,{}\n"
      "g6.xlarge,us-east-1,0.8048,4,16.0,1,L4,22,False,,nvidia,,x86,{}\n"
      "g6.xlarge,us-east-1,0.0971,4,16.0,1,L4,22,True,,nvidia,,x86,{}\n"
      "g6.xlarge,us-east-1,0.8048,4,16.0,1,L4,22,False,,nvidia,,x86,{}\n"
      "g6.xlarge,us-east-1,0.8048,4,16.0,1,L4,22,False,,nvidia,,x86,{}\n"
      "c7a.large,us-east-1,0.1,2,4.0,0,,,False,,,,x86,{}\n"
      "tpu-v5e-8,us-east1,9.6,112,192.0,8,tpu-v5e,16,False,,google,,x86,\"{\"\"zone\"\": 1}\"\n"
      "broken,us-east-1,0.8048,4,16.0,1,L4,22,perhaps,,nvidia,,x86,{}\n");
  CHECK(price(list.offer("g6.xlarge@us-east-1").price.on_demand) == "0.8048");
  CHECK(price(list.offer("g6.xlarge@us-east-1").price.spot) == "0.0987");
  CHECK(price(list.offer("g6.xlarge@us-east-1#2").price.spot) == "0.0971");
  CHECK(price(list.offer("g6.xlarge@us-east-1#3").price.spot) == "none");  // four zones, two with spot
  CHECK(list.offer("g6.xlarge@us-east-1").card == "L4");                   // 22 GiB are what it shows
  CHECK(list.offer("tpu-v5e-8@us-east1").card == "TPU v5e");
  CHECK(list.offer("tpu-v5e-8@us-east1").gpus == 8);
  CHECK(list.found("no_accelerator") == "1");
  CHECK(list.found("duplicate_row") == "1 aws.csv:7");
  CHECK(list.found("malformed_row") == "1 aws.csv:10");
}

const std::string kVastOffer = R"({"id": 7, "gpu_name": "RTX 4090", "num_gpus": 2, "gpu_ram": 24564, "dph_base": 0.61, "dph_total": 0.66,
  "min_bid": 0.31, "storage_cost": 0.15, "inet_up_cost": 0.004, "inet_down_cost": 0.002, "inet_up": 810.5, "inet_down": 905,
  "disk_bw": 2100, "cpu_cores_effective": 24, "cpu_ram": 128000, "geolocation": "Norway, NO", "verification": "verified",
  "reliability": 0.998, "duration": 864000.7, "driver_version": "550.90", "rentable": true, "rented": false})";

TEST_CASE("vast: every host has its own prices of disk and traffic, and its own lines") {
  const auto list = listing(ImportFormat::vast, "offers.json", R"({"offers": [)" + kVastOffer + "]}");
  const Offer& offer = list.offer("7@NO/Norway-verified");
  CHECK(list.catalog.platforms[0].id == "vastai");
  CHECK(price(offer.price.on_demand) == "0.61");  // without the disk that the search asked for
  CHECK(price(offer.price.spot) == "0.31");
  CHECK(offer.region == "NO");
  CHECK(price(offer.ram_gb) == "128");
  CHECK(price(offer.rules->storage.at(StorageKind::data).price) == "0.15");
  CHECK(offer.rules->storage.at(StorageKind::data).with_instance == true);
  CHECK(price(offer.rules->network.egress_per_gb) == "0.004");
  CHECK(price(offer.rules->network.ingress_per_gb) == "0.002");
  CHECK(price(offer.rules->network.up_mbps) == "905");  // what the machine takes in is what one sends up
  CHECK(price(offer.rules->network.down_mbps) == "810.5");
  REQUIRE(offer.rules->quota);
  CHECK(price(offer.rules->quota->session_max_s) == "864000");
  CHECK(offer.rules->environment.driver == "550.90");
}

TEST_CASE("vast: a bare list, a single offer, and what cannot be rented") {
  CHECK(listing(ImportFormat::vast, "a.json", "[" + kVastOffer + "]").catalog.offers.size() == 1);
  CHECK(listing(ImportFormat::vast, "a.json", R"({"offers": )" + kVastOffer + "}").catalog.offers.size() == 1);
  const auto list = listing(ImportFormat::vast, "a.json",
      R"([{"id": 1, "gpu_name": "RTX 3090", "num_gpus": 1, "dph_total": 0.2, "rented": true}, {"id": 2, "num_gpus": 1, "dph_base": 1}, {}])");
  REQUIRE(list.catalog.offers.size() == 1);
  CHECK(list.catalog.offers[0].stock == "none");
  CHECK(list.catalog.offers[0].note == "with the disk that the search asked for");
  CHECK(list.found("malformed_row") == "2 a.json#/1");
}

TEST_CASE("runpod: prices are for one card, the tier is part of the offer, plans are paid in advance") {
  const auto list = listing(ImportFormat::runpod, "gpus.json", R"({"data": {"gpuTypes": [
    {"id": "NVIDIA A40", "displayName": "A40", "memoryInGb": 48, "maxGpuCount": 2, "secureCloud": true, "communityCloud": true,
     "securePrice": 0.44, "communityPrice": 0.35, "secureSpotPrice": 0.28, "communitySpotPrice": null, "oneMonthPrice": 0.4,
     "lowestPrice": {"minVcpu": 9, "minMemory": 50, "stockStatus": "High"}},
    {"id": "NVIDIA H100 80GB HBM3", "displayName": "H100 SXM", "memoryInGb": 80, "maxGpuCount": 1, "secureCloud": true,
     "securePrice": 2.99, "lowestPrice": {"stockStatus": null}},
    {"id": "unknown", "displayName": "unknown", "securePrice": 1},
    {"id": "NVIDIA L4", "displayName": "L4", "memoryInGb": 24, "maxGpuCount": 1, "securePrice": null}]}})");
  CHECK(price(list.offer("NVIDIA-A40-x1-secure").price.on_demand) == "0.44");
  const Offer& two = list.offer("NVIDIA-A40-x2-secure");
  CHECK(price(two.price.on_demand) == "0.88");
  CHECK(price(two.price.spot) == "0.56");
  CHECK(price(two.vcpus) == "18");
  REQUIRE(two.price.commitments.size() == 1);
  CHECK(two.price.commitments[0].price.to_string() == "584");  // 0.4 x 730 h x 2 cards
  CHECK(price(list.offer("NVIDIA-A40-x2-community").price.on_demand) == "0.7");
  CHECK(list.offer("NVIDIA-A40-x2-community").price.commitments.empty());
  CHECK(list.offer("NVIDIA-H100-80GB-HBM3-x1-secure").card == "H100 SXM5 80GB");
  CHECK(list.offer("NVIDIA-H100-80GB-HBM3-x1-secure").stock == "none");  // null: not to be had now
  CHECK(list.found("malformed_row") == "1 gpus.json#/data/gpuTypes/2");
  CHECK(list.found("nothing_to_rent") == "1 gpus.json#/data/gpuTypes/3");
}

TEST_CASE("lambda: cents, GiB, and only the regions in which a machine is free") {
  const auto list = listing(ImportFormat::lambda, "types.json", R"json({"data": {
    "gpu_8x_h100_sxm5gdr": {"instance_type": {"name": "gpu_8x_h100_sxm5gdr", "gpu_description": "H100 (80 GB SXM5)", "price_cents_per_hour": 3592,
      "specs": {"vcpus": 208, "memory_gib": 1800, "storage_gib": 24780, "gpus": 8}},
      "regions_with_capacity_available": [{"name": "us-east-1"}, {"name": "us-west-1"}]},
    "gpu_1x_a6000": {"instance_type": {"name": "gpu_1x_a6000", "price_cents_per_hour": 109}, "regions_with_capacity_available": []},
    "cpu_4x_general": {"instance_type": {"name": "cpu_4x_general", "price_cents_per_hour": 16, "specs": {"gpus": 0}}, "regions_with_capacity_available": []},
    "strange": {"instance_type": {"name": "strange", "price_cents_per_hour": 5}, "regions_with_capacity_available": []}}})json");
  REQUIRE(list.catalog.offers.size() == 3);
  const Offer& offer = list.offer("gpu_8x_h100_sxm5gdr@us-west-1");
  CHECK(price(offer.price.on_demand) == "35.92");
  CHECK(offer.card == "H100 SXM5 80GB");
  CHECK(price(offer.ram_gb) == "1932.735");
  CHECK(list.offer("gpu_1x_a6000").card == "RTX A6000");
  CHECK(list.offer("gpu_1x_a6000").stock == "none");
  CHECK(list.found("not_available") == "1 types.json#/data/gpu_1x_a6000");
  CHECK(list.found("no_accelerator") == "1");
  CHECK(list.found("malformed_row") == "1 types.json#/data/strange");
}

std::string azure_item(const std::string& sku, const std::string& product, const std::string& name, const std::string& more) {
  return R"({"armSkuName": ")" + sku + R"(", "armRegionName": "eastus", "productName": ")" + product + R"(", "skuName": ")" + name + R"(", "meterName": ")" + name + "\", " + more + "}";
}

TEST_CASE("azure: one offer of a size, whose spot price is never taken for the one on demand") {
  const std::string sku = "Standard_NC40ads_H100_v5", product = "Virtual Machines NCadsH100v5 Series";
  const auto list = listing(ImportFormat::azure, "azure.json", R"({"BillingCurrency": "USD", "Items": [)" +
      azure_item(sku, product, "NC40 Spot", R"("retailPrice": 2.19, "unitOfMeasure": "1 Hour", "type": "Consumption")") + "," +
      azure_item(sku, product, "NC40", R"("retailPrice": 6.98, "unitOfMeasure": "1 Hour", "type": "Consumption")") + "," +
      azure_item(sku, product + " Windows", "NC40", R"("retailPrice": 8.82, "unitOfMeasure": "1 Hour", "type": "Consumption")") + "," +
      azure_item(sku, product, "NC40 Low Priority", R"("retailPrice": 1.4, "unitOfMeasure": "1 Hour", "type": "Consumption")") + "," +
      azure_item(sku, product, "NC40", R"("retailPrice": 5.1, "unitOfMeasure": "1 Hour", "type": "DevTestConsumption")") + "," +
      azure_item(sku, product, "NC40", R"("retailPrice": 50000, "unitOfMeasure": "1 Hour", "type": "Reservation", "reservationTerm": "1 Year")") + "," +
      azure_item(sku, product, "NC40", R"("retailPrice": 3, "unitOfMeasure": "1 GB/Month", "type": "Consumption")") + "," +
      azure_item("Standard_D2s_v5", "Virtual Machines Dsv5 Series", "D2s", R"("retailPrice": 0.1, "unitOfMeasure": "1 Hour")") + "," +
      azure_item("Standard_NC999_X_v9", "Virtual Machines NC", "NC999", R"("retailPrice": 99, "unitOfMeasure": "1 Hour")") + "]}");
  REQUIRE(list.catalog.offers.size() == 1);
  const Offer& offer = list.offer("Standard_NC40ads_H100_v5@eastus");
  CHECK(price(offer.price.on_demand) == "6.98");
  CHECK(price(offer.price.spot) == "2.19");
  REQUIRE(offer.price.commitments.size() == 1);
  CHECK(offer.price.commitments[0].name == "1-year");
  CHECK(offer.price.commitments[0].price.to_string() == "50000");  // of the whole year
  CHECK(offer.card == "H100 NVL 94GB");
  CHECK(list.found("not_linux") == "1 azure.json#/Items/2");
  CHECK(list.found("not_on_demand") == "2 azure.json#/Items/3");
  CHECK(list.found("unit_unknown") == "1 azure.json#/Items/6");
  CHECK(list.found("no_accelerator") == "1");
  CHECK(list.found("machine_unknown") == "1 azure.json#/Items/8");
}

TEST_CASE("azure: prices stay in the currency that was asked for, a hundred hours are one by one") {
  const auto list = listing(ImportFormat::azure, "azure.json", R"({"BillingCurrency": "GBP", "Items": [)" +
      azure_item("Standard_NC4as_T4_v3", "Virtual Machines NCasT4 v3 Series", "NC4as T4 v3", R"("retailPrice": 41.5, "unitOfMeasure": "100 Hours", "currencyCode": "GBP")") + "]}");
  CHECK(list.catalog.currency == "GBP");
  CHECK(price(list.catalog.offers.front().price.on_demand) == "0.415");
}

std::string aws_product(const std::string& type, const std::string& gpu, const std::string& system) {
  return R"({"product": {"sku": "S", "productFamily": "Compute Instance", "attributes": {"instanceType": ")" + type + R"(", )" +
         (gpu.empty() ? "" : R"("gpu": ")" + gpu + "\", ") + R"("regionCode": "us-east-1", "operatingSystem": ")" + system +
         R"(", "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used", "memory": "1,152 GiB", "vcpu": "96"}},
    "publicationDate": "2026-02-05T20:45:00Z", "terms": {
    "OnDemand": {"S.A": {"priceDimensions": {"S.A.1": {"unit": "Hrs", "pricePerUnit": {"USD": "21.9576000000"}}}}},
    "Reserved": {"S.B": {"termAttributes": {"LeaseContractLength": "1yr", "OfferingClass": "standard", "PurchaseOption": "Partial Upfront"},
      "priceDimensions": {"S.B.1": {"unit": "Quantity", "pricePerUnit": {"USD": "40000"}}, "S.B.2": {"unit": "Hrs", "pricePerUnit": {"USD": "7.1200000000"}}}}}}})";
}

TEST_CASE("aws: a term paid in part in advance has both of its prices") {
  const auto list = listing(ImportFormat::aws, "aws.json", aws_product("p4d.24xlarge", "8", "Linux"));
  const Offer& offer = list.offer("p4d.24xlarge@us-east-1");
  CHECK(offer.card == "A100 SXM4 40GB");
  CHECK(offer.gpus == 8);
  CHECK(price(offer.price.on_demand) == "21.9576");
  CHECK(price(offer.ram_gb) == "1236.951");  // "1,152 GiB"
  CHECK(offer.as_of == parse_date("2026-02-05"));
  REQUIRE(offer.price.commitments.size() == 1);
  CHECK(offer.price.commitments[0].name == "1yr standard Partial Upfront");
  CHECK(offer.price.commitments[0].price.to_string() == "40000");
  CHECK(price(offer.price.commitments[0].hourly) == "7.12");
  CHECK(list.found("price_rounded").empty());  // zeros behind a price are no dust
}

TEST_CASE("aws: machines without cards and with other systems are counted") {
  const auto list = listing(ImportFormat::aws, "aws.json",
      "[" + aws_product("m5.large", "", "Linux") + "," + aws_product("g5.xlarge", "1", "Windows") + "," + aws_product("x9.large", "1", "Linux") + ",{}]");
  CHECK(list.catalog.offers.empty());
  CHECK(list.found("no_accelerator") == "1");
  CHECK(list.found("not_linux") == "1 aws.json#/1");
  CHECK(list.found("machine_unknown") == "1 aws.json#/2");
  CHECK(list.found("malformed_row") == "1 aws.json#/3");
}

TEST_CASE("aws: the spot advisor adds rates of interruption to prices read before") {
  const ImportFile files[] = {{"aws.json", aws_product("p4d.24xlarge", "8", "Linux")},
      {"advisor.json", R"({"ranges": [{"index": 0, "max": 5}, {"index": 2, "max": 16}, {"index": 4, "max": 100}],
        "spot_advisor": {"us-east-1": {"Linux": {"p4d.24xlarge": {"s": 67, "r": 2}, "g5.xlarge": {"s": 59, "r": 4}, "g6.xlarge": {"s": 0, "r": 0}, "m5.large": {"s": 50, "r": 0}}}}})"}};
  const auto imported = import_catalog(files, {.format = ImportFormat::aws, .platform = {}, .as_of = {}}, cards(), known());
  REQUIRE(imported);
  REQUIRE(imported->catalog.offers.size() == 1);
  CHECK(price(imported->catalog.offers[0].rules->spot.interruption_percent_month) == "16");
  std::vector<std::string> codes;
  for (const ImportFinding& finding : imported->report.findings) codes.push_back(finding.code);
  // "More than 20 %" has no upper edge; no saving in the lowest class means that there are no data.
  CHECK(std::ranges::find(codes, "interruption_open_ended") != codes.end());
  CHECK(std::ranges::find(codes, "nothing_to_rent") != codes.end());
}

std::string sku(const std::string& description, const std::string& group, const std::string& usage, const std::string& unit, const std::string& price) {
  return R"({"description": ")" + description + R"(", "category": {"resourceGroup": ")" + group + R"(", "usageType": ")" + usage +
         R"("}, "serviceRegions": ["us-central1"], "pricingInfo": [{"pricingExpression": {"usageUnit": ")" + unit + R"(", "tieredRates": [{"startUsageAmount": 0, "unitPrice": )" + price + "}]}}]}";
}

TEST_CASE("gcp: a machine is the sum of card, cores and memory; a commitment is never on demand") {
  const auto list = listing(ImportFormat::gcp, "skus.json", R"({"skus": [)" +
      sku("Nvidia Tesla A100 GPU running in Americas", "GPU", "OnDemand", "h", R"({"currencyCode": "USD", "units": "2", "nanos": 933908000})") + "," +
      sku("Commitment v1: Nvidia Tesla A100 GPU in Americas for 1 Year", "GPU", "OnDemand", "h", R"({"currencyCode": "USD", "units": "1", "nanos": 0})") + "," +
      sku("A2 Instance Core running in Americas", "CPU", "OnDemand", "h", R"({"currencyCode": "USD", "nanos": 31611000})") + "," +
      sku("A2 Instance Ram running in Americas", "RAM", "OnDemand", "GiBy.h", R"({"currencyCode": "USD", "units": "0", "nanos": 4237000})") + "," +
      sku("Nvidia Tesla T4 GPU running in Americas", "GPU", "OnDemand", "h", R"({"currencyCode": "USD", "units": "0", "nanos": 350000000})") + "," +
      sku("Network Egress", "Network", "OnDemand", "GiBy", R"({"currencyCode": "USD", "nanos": 1})") + "]}");
  const Offer& offer = list.offer("a2-highgpu-1g@us-central1");
  REQUIRE(offer.components.size() == 3);
  CHECK(offer.components[0].what == "gpu");
  CHECK(price(offer.components[0].price) == "2.933908");
  CHECK(price(offer.components[1].price) == "0.031611");
  CHECK(price(offer.components[2].price) == "0.360145");  // 85 GiB x 0.004237
  CHECK(offer.card == "A100 SXM4 40GB");
  CHECK(list.offer("a2-highgpu-8g@us-central1").gpus == 8);
  CHECK(list.found("not_on_demand") == "1 skus.json#/skus/1");
  CHECK(list.found("host_missing") == "1 skus.json");  // the T4: no N1 prices in this list
  CHECK(list.found("no_accelerator") == "1");
}

TEST_CASE("gcp: cards without prices of their cores are never ranked on their part alone") {
  const auto list = listing(ImportFormat::gcp, "skus.json", R"({"skus": [)" +
      sku("Nvidia Tesla A100 GPU running in Americas", "GPU", "OnDemand", "h", R"({"currencyCode": "USD", "units": "2"})") + "]}");
  CHECK(list.catalog.offers.empty());
  CHECK(list.found("part_missing") == "5 skus.json us-central1");
}

TEST_CASE("shadeform: cents and dollars, old and new answers, regions that are sold out") {
  const auto list = listing(ImportFormat::shadeform, "types.json", R"({"instance_types": [
    {"cloud": "lambdalabs", "shade_instance_type": "B200x8", "gpu_type": "B200", "num_gpus": 8, "hourly_price": 5352, "interconnect": "sxm6",
     "availability": [{"region": "dulles-usa-1", "available": false}, {"region": "dulles-usa-1", "available": true, "rental_type": "spot", "hourly_price": "26.76"}]},
    {"cloud": "massedcompute", "shade_instance_type": "A6000", "hourly_price": 57,
     "configuration": {"gpu_type": "A6000", "num_gpus": 1, "vcpus": 6, "memory_in_gb": 48, "vram_per_gpu_in_gb": 48, "storage_in_gb": 256},
     "availability": [{"region": "us-central-2", "available": true}]},
    {"cloud": "x", "shade_instance_type": "H200x8", "gpu_type": "H200", "num_gpus": 8, "hourly_price": 3200, "availability": []},
    {"cloud": "y", "shade_instance_type": "cpu", "gpu_type": "", "num_gpus": 0, "hourly_price": 10}]})");
  CHECK(price(list.offer("lambdalabs_B200x8@dulles-usa-1").price.on_demand) == "53.52");
  CHECK(list.offer("lambdalabs_B200x8@dulles-usa-1").stock == "none");
  CHECK(list.offer("lambdalabs_B200x8@dulles-usa-1").card == "B200 SXM 180GB");
  CHECK(price(list.offer("lambdalabs_B200x8@dulles-usa-1-spot").price.spot) == "26.76");
  CHECK(price(list.offer("lambdalabs_B200x8@dulles-usa-1-spot").price.on_demand) == "none");
  const Offer& old = list.offer("massedcompute_A6000@us-central-2");
  CHECK(price(old.price.on_demand) == "0.57");
  CHECK(old.card == "RTX A6000");
  CHECK(price(old.disk_gb) == "256");
  CHECK(list.offer("x_H200x8").stock == "none");
  CHECK(list.found("no_accelerator") == "1");
}

TEST_CASE("answers that are no such list are refused") {
  for (const ImportFormat format : {ImportFormat::vast, ImportFormat::runpod, ImportFormat::lambda, ImportFormat::azure,
                                    ImportFormat::aws, ImportFormat::gcp, ImportFormat::shadeform}) {
    const ImportFile file{"x.json", R"({"error": "denied"})"};
    const auto imported = import_catalog({&file, 1}, {.format = format, .platform = {}, .as_of = {}}, cards(), known());
    REQUIRE_FALSE(imported);
    CHECK(imported.errors().front().hint == "is --from right?");
  }
}

}  // namespace
