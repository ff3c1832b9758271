#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"
#include "gpuplan/catalog.hpp"

// The parts of a catalog, each read from its JSON object.
namespace gpuplan::detail {

// An offer as it is written: still without the id, date and rules that its platform decides.
struct WrittenOffer {
  Offer offer;
  std::vector<std::int64_t> counts;  // gpu_counts; empty: `gpus` counts
};
WrittenOffer read_offer(const JsonReader& reader);
// The same of an offer that says nothing unusual and has no fault; false for any other, of which
// `offer` then holds a part.
bool read_plain_offer(const JsonNode& node, class TextPool& texts, Offer& offer);
// Prices and sizes that were written for one card, for that many. False when a figure becomes too
// long to stay exact.
bool multiply(Offer& offer, std::int64_t count);
bool times(Decimal& value, std::int64_t count);

ContractTerm read_contract_term(const JsonReader& reader);
AccountRules read_account(const JsonReader& reader);
// The keys that start with x_.
std::vector<OwnKey> own_keys(const JsonNode& object);
// A platform or offer without the id that it gets from its card: "acme/L40S-x1@eu".
std::string default_id(const std::string& platform, const Offer& offer);

}  // namespace gpuplan::detail
