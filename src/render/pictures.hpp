#pragma once

#include "gpuplan/advice.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"
#include "gpuplan/render.hpp"
#include "render/picture.hpp"

namespace gpuplan {

// The pictures of each answer; none where there is nothing to draw.
Pictures pictures_of(const Estimate& estimate);
Pictures pictures_of(const Ranking& ranking);
Pictures pictures_of(const SimulateResult& result);
Pictures pictures_of(const BreakEven& answer);
Pictures pictures_of(const TransferPlan& plan);
Pictures pictures_of(const EdgePlan& plan);
Pictures pictures_of(const Checklist& list);
Pictures pictures_of(const TeamPlan& plan);
// The offers of a catalog, or its groups, by the price of one card.
Pictures pictures_of(const CatalogView& view);

// A size on an axis with the digits of the JSON: money in major units, bytes in GiB, time in hours.
Drawn drawn(Money money);
Drawn drawn(Bytes bytes);
Drawn drawn(Duration time);

}  // namespace gpuplan
