// SkyPilot's lists as a renter finds them: what a row means, and what becomes of one that cannot be
// used.
#include <algorithm>

#include "import_world.hpp"

namespace {

using namespace import_world;

const std::string kAws =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n";

TEST_CASE("a machine keeps its zone, its own spot price there, and the vendor's names") {
  const auto list = listing(ImportFormat::skypilot, "lists/aws/vms.csv", kAws +
      "p5.48xlarge,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}\",98.32,30.967600,us-west-2,usw2-az1\n"
      "p5.48xlarge,H100,8.0,192.0,2048.0,\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}\",98.32,41.1441,us-west-2,usw2-az2\n"
      "c7a.large,,,2.0,4.0,,0.10264,0.05,us-west-2,usw2-az1\n");
  REQUIRE(list.catalog.platforms.size() == 1);
  CHECK(list.catalog.platforms[0].id == "aws-ec2");
  const Offer& first = list.offer("p5.48xlarge@us-west-2/usw2-az1");
  CHECK(price(first.price.on_demand) == "98.32");
  CHECK(price(first.price.spot) == "30.9676");
  CHECK(first.gpus == 8);
  CHECK(first.card == "H100 SXM5 80GB");  // what AWS builds into a p5
  CHECK_FALSE(first.memory);              // the card's own
  CHECK(price(first.ram_gb) == "2199.023");  // 2048 GiB
  CHECK(price(list.offer("p5.48xlarge@us-west-2/usw2-az2").price.spot) == "41.1441");
  const auto own = std::ranges::find(first.own, "x_card", &OwnKey::key);
  REQUIRE(own != first.own.end());
  CHECK(own->json == "\"H100\"");
  CHECK(list.found("no_accelerator") == "1");
  CHECK(list.report.rows == 3);
}

TEST_CASE("names as long as anybody can write them make ids that a catalog can be read with", "[import]") {
  // Found by fuzzing: type and region have each as many bytes as a name may have, together twice as many.
  const std::string longest = std::string(150, 'x') + "\xF0\x9F\x98\x80\xF0\x9F\x98\x80" + std::string(60, 'y');
  const std::string row = longest + ",L40S,1,8,64,,1.5,," + longest + ",zone\n";
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws + row + row + longest + ",L40S,2,8,64,,3,," + longest + ",other\n");
  REQUIRE_FALSE(list.catalog.offers.empty());
  for (const Offer& offer : list.catalog.offers) CHECK(offer.id.size() <= 200);
}

TEST_CASE("the rules of the platform come from what is known of it, its date does not") {
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws + "g4dn.xlarge,T4,1.0,4.0,16.0,,0.526,,us-east-1,use1-az1\n");
  const Offer& offer = list.offer("g4dn.xlarge@us-east-1/use1-az1");
  CHECK(offer.rules->stop.stop == State::released);
  CHECK(offer.rules->meter.minimum_s == 60);
  CHECK_FALSE(offer.as_of);
  CHECK_FALSE(list.catalog.as_of);
}

TEST_CASE("rules without prices hold in every currency, prices do not") {
  const auto list = listing(ImportFormat::skypilot, "ovhcloud.csv", kAws + "t1-45,V100,1,8,45,,2.19,,GRA,GRA7\n");
  const Platform& platform = list.catalog.platforms.front();
  CHECK(platform.currency == "USD");
  CHECK(platform.rules->meter.quantum_s == 3600);
  CHECK(platform.rules->storage.empty());  // 0.04 EUR a GB is not 0.04 USD
  CHECK(list.found("rules_left_out") == "1 ovhcloud");
}

TEST_CASE("a list that does not say its cloud is read all the same") {
  const auto list = listing(ImportFormat::skypilot, "<stdin>", kAws + "x,L4,1,8,32,,0.7,,here,\n");
  CHECK(list.found("platform_not_stated") == "1 <stdin>");
  CHECK(listing(ImportFormat::skypilot, "<stdin>", kAws + "x,L4,1,8,32,,0.7,,here,\n", "aws").catalog.platforms[0].id == "aws-ec2");
}

TEST_CASE("the memory of all cards is not taken for that of one") {
  // Four L4 of 24 GiB: the list gives 89 GiB for each, and four times that together.
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws +
      "g6.12xlarge,L4,4.0,48.0,192.0,\"{'Gpus': [{'Name': 'L4', 'Count': 4, 'MemoryInfo': {'SizeInMiB': 91553}}], 'TotalGpuMemoryInMiB': 366212}\",4.6016,,us-east-1,use1-az1\n");
  CHECK(list.offer("g6.12xlarge@us-east-1/use1-az1").card == "L4");
  CHECK_FALSE(list.offer("g6.12xlarge@us-east-1/use1-az1").memory);
  CHECK(list.found("memory_of_all_cards") == "1 aws.csv:2");
}

const std::string kGcp = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n";

TEST_CASE("a Google machine costs its host and its cards, of the same zone") {
  const auto list = listing(ImportFormat::skypilot, "gcp.csv", kGcp +
      "a3-highgpu-8g,208.0,1872.0,,,,us-central1,us-central1-a,9.46006,6.67223\n"
      "a3-highgpu-8g,208.0,1872.0,,,,us-east9,us-east9-b,9.5,6.7\n"
      ",,,H100,8.0,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]},us-central1,us-central1-a,78.3724,55.27592\n"
      ",,,H100,8.0,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]},us-west9,us-west9-a,78.3724,55.27592\n");
  REQUIRE(list.catalog.offers.size() == 1);
  const Offer& machine = list.offer("a3-highgpu-8g@us-central1-a");
  CHECK(price(machine.price.on_demand) == "87.83246");  // 9.46006 + 78.3724
  CHECK(price(machine.price.spot) == "61.94815");       // 6.67223 + 55.27592
  CHECK(machine.gpus == 8);
  CHECK(machine.card == "H100 SXM5 80GB");
  // Neither a host nor cards alone are ever ranked on their part of the price.
  CHECK(list.found("accelerator_missing") == "1 gcp.csv:3");
  CHECK(list.found("host_missing") == "1 gcp.csv:5");
}

TEST_CASE("an N1 host takes cards within Google's limits") {
  const auto list = listing(ImportFormat::skypilot, "gcp.csv", kGcp +
      "n1-standard-8,8.0,30.0,,,,us-central1,us-central1-a,0.38,0.08\n"
      "n1-standard-16,16.0,60.0,,,,us-central1,us-central1-a,0.76,0.16\n"
      ",,,V100,1.0,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 16384}}]},us-central1,us-central1-a,2.48,0.74\n"
      "n2-standard-8,8.0,32.0,,,,us-central1,us-central1-a,0.39,0.09\n");
  // One V100 goes with 12 vCPUs at most, and never with an N2.
  REQUIRE(list.catalog.offers.size() == 1);
  CHECK(price(list.offer("n1-standard-8+1xV100@us-central1-a").price.on_demand) == "2.86");
  CHECK(list.found("no_accelerator") == "2");
}

TEST_CASE("TPU slices are counted in chips, and what stands twice stands once") {
  const auto list = listing(ImportFormat::skypilot, "gcp.csv", kGcp +
      ",,,tpu-v3-32,1.0,tpu-v3-32,us-east1,us-east1-d,32.0,\n"
      ",,,tpu-v4-8,1.0,tpu-v4-8,us-central2,us-central2-b,12.88,3.88\n"
      ",,,tpu-v4-8,1.0,tpu-v4-8,us-central2,us-central2-b,12.88,3.88\n");
  REQUIRE(list.catalog.offers.size() == 2);
  CHECK(list.catalog.offers[0].card == "TPU v3");
  CHECK(list.catalog.offers[0].gpus == 16);  // 32 cores, two of them in a chip
  CHECK(list.catalog.offers[1].gpus == 4);
  CHECK(list.found("duplicate_row") == "1 gcp.csv:4");
}

TEST_CASE("a price of 0 is unknown, a part of a card is no whole one") {
  const auto list = listing(ImportFormat::skypilot, "azure.csv",
      "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation\n"
      "Standard_NC40ads_H100_v5,H100,1,40.0,320,H100,0.0,0.0,eastus,V2\n"
      "Standard_NV6ads_A10_v5,A10,1,6.0,55,A10,0.454,0.0908,eastus,V2\n"
      "Standard_NC4as_T4_v3,T4,1,4.0,28,T4,,,eastus,V2\n"
      "Standard_NC8as_T4_v3,T4,1,8.0,56,T4,0.752,0.11,eastus,V2\n"
      "Standard_NC8as_T4_v3,T4,1,8.0,56,T4,0.7,0.11,eastus,V2\n");
  CHECK(list.found("price_zero") == "1 azure.csv:2");
  CHECK(list.found("spot_zero") == "1 azure.csv:2");
  CHECK(list.found("price_missing") == "1 azure.csv:4");
  CHECK(price(list.offer("Standard_NC40ads_H100_v5@eastus").price.spot) == "none");
  CHECK(list.offer("Standard_NC40ads_H100_v5@eastus").card == "H100 NVL 94GB");
  const Offer& part = list.offer("Standard_NV6ads_A10_v5@eastus");
  REQUIRE(part.share);
  CHECK(part.share->to_string() == "0.166666667");  // a sixth of an A10, with 4 GiB
  CHECK(part.memory == Bytes::gib(4));
  // Both prices of the same machine are kept, and told.
  CHECK(price(list.offer("Standard_NC8as_T4_v3@eastus").price.on_demand) == "0.752");
  CHECK(price(list.offer("Standard_NC8as_T4_v3@eastus#2").price.on_demand) == "0.7");
  CHECK(list.found("prices_differ") == "1 azure.csv:6");
}

TEST_CASE("dust of binary sums is no price") {
  const auto list = listing(ImportFormat::skypilot, "fluidstack.csv",
      "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
      "recA,H100,8,252,1440,30.000000000100002,canada,,\nrecB,A40,1,8,64,2.3799999999,norway,,\nrecC,A40,1,8,64,0.776415123,norway,,\n");
  CHECK(price(list.offer("recA@canada").price.on_demand) == "30");
  CHECK(price(list.offer("recB@norway").price.on_demand) == "2.38");
  CHECK(price(list.offer("recC@norway").price.on_demand) == "0.776415123");
  CHECK(list.found("price_rounded") == "2 fluidstack.csv:2");
}

const std::string kVast = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\n";
std::string vast_row(const std::string& type, const std::string& name, int count, long mib, const std::string& region) {
  return type + "," + name + "," + std::to_string(count) + ",32,64.0,\"{'Gpus': [{'Name': '" + name + "', 'Count': " + std::to_string(count) +
         ", 'MemoryInfo': {'SizeInMiB': " + std::to_string(mib) + "}}], 'TotalGpuMemoryInMiB': " + std::to_string(mib) + "}\",0.80,0.00,\"" + region + "\"\n";
}

TEST_CASE("a market's list: total memory, modified boards, cards of one short name") {
  const auto list = listing(ImportFormat::skypilot, "vast.csv", kVast +
      vast_row("2x-RTX_4090-32-65536", "RTX4090", 2, 49128, "St.-Petersburg, RU, EU") +
      vast_row("2x-RTX_4090-32-65536", "RTX4090", 2, 98280, "Hong Kong, HK, AS") +
      vast_row("8x-H100_NVL-32-65536", "H100", 8, 766640, ", US, NA") +
      vast_row("1x-RTX_4080S-32-65536", "RTX4080", 1, 16376, "Norway, NO, EU"));
  REQUIRE(list.catalog.offers.size() == 4);
  CHECK(list.catalog.offers[0].card == "RTX 4090");
  CHECK(list.catalog.offers[1].card == "RTX 4090 48GB (modified)");
  CHECK(list.found("memory_differs") == "1 vast.csv:3");
  CHECK(list.catalog.offers[2].card == "H100 NVL 94GB");
  CHECK(list.catalog.offers[2].region == "US");  // not ", US, NA"
  CHECK(list.catalog.offers[0].region == "RU");
  CHECK(list.catalog.offers[0].zone == "St.-Petersburg");
  CHECK(list.catalog.offers[3].card == "RTX 4080 SUPER");
  CHECK(list.found("spot_zero") == "4 vast.csv:2");
}

TEST_CASE("GiB in a field for MiB, several forms of one card") {
  const auto list = listing(ImportFormat::skypilot, "shadeform/vms.csv",
      "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
      "crusoe_A100-80G-sxm4x8,A100-80GB,8.0,96.0,960,18.4,culpeper-usa-1,\"{'Gpus': [{'Name': 'A100-80GB', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 80}, 'TotalGpuMemoryInMiB': 640}]}\",\n"
      "some_V100x2,V100,2,16,120,1.9,here,\"{'Gpus': [{'Name': 'V100', 'Count': 2, 'MemoryInfo': {'SizeInMiB': 32768}}]}\",\n");
  CHECK(list.offer("crusoe_A100-80G-sxm4x8@culpeper-usa-1").card == "A100 SXM4 80GB");
  CHECK(list.found("memory_in_gib") == "1 shadeform/vms.csv:2");
  // 32 GB, but whether on a PCIe or SXM2 board the list does not say.
  CHECK(list.offer("some_V100x2@here").card == "V100 32GB");
}

TEST_CASE("cards that nobody knows are kept with the memory that the list states") {
  const auto list = listing(ImportFormat::skypilot, "lambda.csv", kVast + "gpu_8x_b999,B999,8,200,1800,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 393216}}]}\",30,,us\n");
  const Offer& offer = list.catalog.offers.front();
  CHECK(offer.card == "B999");
  CHECK(offer.memory == Bytes::gib(384));
  CHECK(list.found("card_unknown") == "1 lambda.csv:2");
}

TEST_CASE("rows that are broken are told with their line, and the others are read") {
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws +
      "g6.xlarge,L4,1.0,4.0\n"
      "g6.xlarge,L4,none,4.0,16.0,,0.8048,,us-east-1,use1-az1\n"
      "g6.xlarge,L4,1.0,4.0,16.0,,\"0,8048\",,us-east-1,use1-az2\n"
      "g6.xlarge,L4,1.0,4.0,16.0,,NaN,inf,us-east-1,use1-az3\n"
      "g6.xlarge,L4,1.0,4.0,16.0,,-0.8,,us-east-1,use1-az4\n"
      "\n"
      "g6.xlarge,L4,1.0,4.0,16.0,,0.8048,N/A,us-east-1,use1-az5\n");
  CHECK(list.found("malformed_row") == "2 aws.csv:2");
  CHECK(list.found("price_not_a_number") == "4 aws.csv:4");  // 0,8048 and NaN, inf and -0.8
  REQUIRE(list.catalog.offers.size() == 4);
  CHECK(price(list.offer("g6.xlarge@us-east-1/use1-az2").price.on_demand) == "none");  // not 8048
  CHECK(price(list.offer("g6.xlarge@us-east-1/use1-az5").price.on_demand) == "0.8048");
  CHECK(price(list.offer("g6.xlarge@us-east-1/use1-az5").price.spot) == "none");
}

TEST_CASE("a card whose name is nothing but control characters is none", "[import]") {
  // Found by fuzzing: the offer was written without a card, and the catalog was refused.
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws +
      std::string("x1,\x01,1,4,16,,0.8,,us-east-1,use1-az1\nx2, \x02,1,4,16,,0.8,,us-east-1,use1-az1\n") +
      "g6.xlarge,L4,1,4,16,,0.8048,,us-east-1,use1-az1\n");
  CHECK(list.found("malformed_row") == "2 aws.csv:2");
  REQUIRE(list.catalog.offers.size() == 1);
  CHECK(list.catalog.offers[0].card == "L4");
}

TEST_CASE("a memory that is too small to be written down is not known", "[import]") {
  // Found by fuzzing: 0 GB was written, which no reader accepts.
  const auto list = listing(ImportFormat::skypilot, "aws.csv", kAws + "x1,L4,1,4,0.0001,,0.8,,us-east-1,use1-az1\n");
  REQUIRE(list.catalog.offers.size() == 1);
  CHECK_FALSE(list.catalog.offers[0].ram_gb);
}

TEST_CASE("a file of another kind is refused with what is wanted") {
  const ImportFile file{"prices.csv", "id;price_hour\nx;9,99\n"};
  const auto imported = import_catalog({&file, 1}, {.format = ImportFormat::skypilot, .platform = {}, .as_of = {}}, cards(), known());
  REQUIRE_FALSE(imported);
  CHECK(imported.errors().front().message == "the columns InstanceType, AcceleratorName, AcceleratorCount, Price are missing");
}

}  // namespace
