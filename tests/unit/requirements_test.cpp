// What a job asks of an offer: driver, CUDA, images, place, service.
#include "gpuplan/compat.hpp"
#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

const CompatTable& compat() {
  static const CompatTable table = *builtin_compat_table();
  return table;
}

EnvironmentRules::Image image(const char* framework, const char* version, const char* cuda) {
  return {.framework = framework, .version = version, .cuda = cuda, .python = "3.12"};
}

// One offer of a V100 that says what the test puts into its rules.
struct Shop : Market {
  Shop() {
    platform("acme");
    Offer& machine = offer("v", "V100 SXM2 32GB", "1");
    auto own = std::make_shared<Rules>();
    rules = own.get();
    machine.rules = std::move(own);
    options.compat = &compat();
  }
  // The reason of the rejection as "code: words", or "taken".
  std::string asked(const std::string& key, const std::string& value) {
    job.require = {{key, value}};
    const Ranking ranking = rank();
    if (ranking.rejected.empty()) return "taken";
    const Reason& reason = ranking.rejected.front().reasons.front();
    return reason.code + ": " + reason.message;
  }
  Rules* rules;
};

}  // namespace

TEST_CASE("an older driver is no driver, a newer one is", "[rank][require]") {
  Shop shop;
  CHECK(shop.asked("driver", "550") == "driver_cuda: driver = 550 is asked for, the offer says: not stated");
  shop.rules->environment.driver = "535.161";
  CHECK(shop.asked("driver", "550") == "driver_cuda: driver = 550 is asked for, the offer says: 535.161");
  CHECK(shop.asked("driver", "535") == "taken");
}

TEST_CASE("the CUDA that is asked for is one that the driver knows", "[rank][require]") {
  Shop shop;
  shop.rules->environment.driver = "550.54.14";  // up to CUDA 12.4
  CHECK(shop.asked("cuda", "12.4") == "taken");
  CHECK(shop.asked("cuda", "12.8") ==
        "driver_cuda: cuda = 12.8 is asked for, the offer says: driver 550.54.14, up to CUDA 12.4");
}

TEST_CASE("a card that left CUDA is not saved by a new driver", "[rank][require]") {
  // CUDA 13 compiles for no V100
  Shop shop;
  shop.rules->environment.driver = "580.65.06";
  CHECK(shop.asked("cuda", "13.0").starts_with("driver_cuda: "));
  CHECK(shop.asked("cuda", "12.8") == "taken");
}

TEST_CASE("an image has the framework, new enough, built for this card", "[rank][require]") {
  Shop shop;
  CHECK(shop.asked("framework", "torch").starts_with("framework_image: "));
  shop.rules->environment.images = {image("torch", "2.6", "12.4"), image("torch", "2.9", "13.0")};
  CHECK(shop.asked("framework", "Torch") == "taken");
  CHECK(shop.asked("framework", "torch=2.6") == "taken");
  // torch 2.9 stands in an image with CUDA 13 alone, and that does not run on a V100
  CHECK(shop.asked("framework", "torch=2.9") ==
        "framework_image: framework = torch=2.9 is asked for, the offer says: torch=2.6 (CUDA 12.4), torch=2.9 (CUDA 13.0)");
  shop.rules->environment.custom_images = true;
  CHECK(shop.asked("framework", "torch=2.9") == "taken");
}

TEST_CASE("framework, version and Python are asked of one image", "[rank][require]") {
  Shop shop;
  CHECK(shop.asked("python", "3.11") == "framework_image: python = 3.11 is asked for, the offer says: not stated");
  shop.rules->environment.images = {image("torch", "2.6", "12.4"), image("jax", "0.7", "12.4")};
  shop.rules->environment.images[1].python = "3.13";
  CHECK(shop.asked("python", "3.11") == "taken");  // 3.12 is newer
  CHECK(shop.asked("python", "3.14").starts_with("framework_image: python = 3.14"));
  CHECK(shop.asked("images", "true") == "taken");
  CHECK(shop.asked("images", "torch=2.6") == "taken");
  CHECK(shop.asked("images", "tensorflow").starts_with("framework_image: images = tensorflow"));
  CHECK(shop.asked("version", "2.6") == "taken");
  CHECK(shop.asked("version", "2.7").starts_with("framework_image: version = 2.7"));
  const auto asked_both = [&](const std::string& python) {
    shop.job.require = {{"framework", "torch"}, {"python", python}};
    const Ranking ranking = shop.rank();
    return ranking.rejected.empty() ? 0 : ranking.rejected.front().reasons.size();
  };
  CHECK(asked_both("3.12") == 0);
  CHECK(asked_both("3.13") == 2);  // each is there, but not in one image
  CHECK(asked_both("3.14") == 1);  // only Python is to blame
}

TEST_CASE("several certificates are all wanted", "[rank][require]") {
  Shop shop;
  shop.rules->service.compliance = {"iso27001", "soc2"};
  CHECK(shop.asked("compliance", "SOC2,ISO27001") == "taken");
  CHECK(shop.asked("compliance", "soc2,hipaa").starts_with("compliance: "));
}

TEST_CASE("what nobody says is no yes, and false is none either", "[rank][require]") {
  Shop shop;
  CHECK(shop.asked("data_wiped", "true").starts_with("data_wiped: "));
  shop.rules->service.data_wiped = false;
  CHECK(shop.asked("data_wiped", "true") == "data_wiped: data_wiped = true is asked for, the offer says: false");
  CHECK(shop.asked("data_wiped", "false") == "taken");
  shop.rules->service.isolation = "virtual machine";
  CHECK(shop.asked("isolation", "true") == "taken");
  CHECK(shop.asked("isolation", "Virtual Machine") == "taken");
  CHECK(shop.asked("isolation", "bare metal").starts_with("isolation: "));
  shop.rules->service.compliance = {"iso27001", "soc2"};
  CHECK(shop.asked("compliance", "SOC2") == "taken");
  CHECK(shop.asked("compliance", "soc").starts_with("compliance: "));
  shop.rules->network.up_mbps = dec("500");
  CHECK(shop.asked("min_up_mbps", "500") == "taken");
  CHECK(shop.asked("min_up_mbps", "500.5").starts_with("bandwidth: "));
}

TEST_CASE("a wish that no offer can state is a mistake, all of them at once", "[rank][require]") {
  Market market;
  market.platform("acme");
  market.offer("v", "L4", "1");
  market.job.require = {{"data_wipe", "true"}, {"driver", "new"}, {"root", "maybe"}, {"min_up_mbps", "fast"}};
  const Tables tables{.cards = &known_cards(), .models = &known_models()};
  const auto ranked = rank_offers(market.job, *known_models().find("7b"), market.catalog, tables, market.options);
  REQUIRE_FALSE(ranked);
  std::vector<std::string> said;
  for (const Diagnostic& fault : ranked.errors()) said.push_back(fault.message + " | " + fault.hint);
  CHECK(said == std::vector<std::string>{
                    "nothing that an offer can state is named \"data_wipe\" | did you mean \"data_wiped\"?",
                    "driver=new: a version such as 570 or 12.8 is wanted | ",
                    "min_up_mbps=fast: a number is wanted | ", "root=maybe: true or false is wanted | "});
}

}  // namespace gpuplan::test
