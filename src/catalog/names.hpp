#pragma once

#include <array>

#include "gpuplan/catalog.hpp"

// The words of the catalog for its enumerations.
namespace gpuplan::detail {

inline constexpr std::array kStates{
    Named<State>{State::running, "running"},       Named<State>{State::held, "held"},
    Named<State>{State::released, "released"},     Named<State>{State::hibernated, "hibernated"},
    Named<State>{State::cardless, "cardless"},     Named<State>{State::gone, "gone"},
    Named<State>{State::not_offered, "not_offered"}};
inline constexpr std::array kStorageNames{Named<StorageKind>{StorageKind::system, "system"},
                                          Named<StorageKind>{StorageKind::data, "data"},
                                          Named<StorageKind>{StorageKind::volume, "volume"},
                                          Named<StorageKind>{StorageKind::image, "image"},
                                          Named<StorageKind>{StorageKind::object, "object"}};
inline constexpr std::array kRounds{Named<Round>{Round::up, "up"}, Named<Round>{Round::nearest, "nearest"},
                                    Named<Round>{Round::none, "none"}};
inline constexpr std::array kAligns{Named<Align>{Align::start, "start"}, Named<Align>{Align::clock, "clock"}};
inline constexpr std::array kBilledFrom{Named<BilledFrom>{BilledFrom::request, "request"},
                                        Named<BilledFrom>{BilledFrom::provisioning, "provisioning"},
                                        Named<BilledFrom>{BilledFrom::ready, "ready"}};
inline constexpr std::array kBases{Named<StorageBasis>{StorageBasis::provisioned, "provisioned"},
                                   Named<StorageBasis>{StorageBasis::used_mean, "used_mean"},
                                   Named<StorageBasis>{StorageBasis::used_max_day, "used_max_day"}};
inline constexpr std::array kQuanta{Named<StorageQuantum>{StorageQuantum::second, "second"},
                                    Named<StorageQuantum>{StorageQuantum::hour, "hour"},
                                    Named<StorageQuantum>{StorageQuantum::day, "day"}};
inline constexpr std::array kAtEnds{Named<AtEnd>{AtEnd::renew, "renew"},
                                    Named<AtEnd>{AtEnd::on_demand, "on_demand"},
                                    Named<AtEnd>{AtEnd::stop, "stop"}};
inline constexpr std::array kPriceUnits{Named<PriceUnit>{PriceUnit::second, "second"},
                                        Named<PriceUnit>{PriceUnit::hour, "hour"},
                                        Named<PriceUnit>{PriceUnit::day, "day"},
                                        Named<PriceUnit>{PriceUnit::month, "month"}};
inline constexpr std::array kWireNames{Named<Wire>{Wire::nvlink, "nvlink"},
                                       Named<Wire>{Wire::nvswitch, "nvswitch"},
                                       Named<Wire>{Wire::pcie, "pcie"}, Named<Wire>{Wire::none, "none"}};
// Words for a truth value: false first.
inline constexpr std::array kUnits{Named<bool>{false, "GB"}, Named<bool>{true, "GiB"}};
inline constexpr std::array kIncludedPer{Named<bool>{false, "instance"}, Named<bool>{true, "account"}};
inline constexpr std::array kCovers{Named<bool>{false, "instance"}, Named<bool>{true, "gpu"}};
inline constexpr std::array kSpotDisk{Named<bool>{false, "lost"}, Named<bool>{true, "keep"}};
inline constexpr std::array kPriceKinds{Named<bool>{false, "list"}, Named<bool>{true, "quote"}};
inline constexpr std::array kEvery{Named<bool>{false, "once"}, Named<bool>{true, "month"}};

}  // namespace gpuplan::detail
