// What to do before the start and while it runs.
#include <algorithm>

#include "advice/checklist_parts.hpp"
#include "billing/exact.hpp"
#include "billing/ledger.hpp"
#include "gpuplan/advice.hpp"

namespace gpuplan::detail {
namespace {

using std::chrono::hours;
using Variant = ChecklistFacts::Variant;

constexpr hours kNight{12};

std::string seconds_text(const Decimal& seconds) {
  return show_duration(billing::duration_of(seconds, billing::kSecond));
}

}  // namespace

// ---- before the start ----

ChecklistMaybe environment_item(const ChecklistFacts& f) {
  const EnvironmentRules& stated = f.rules().environment;
  std::string why = "a driver, CUDA or framework that does not go with the card is found in a minute";
  if (stated.driver) why += "; the platform states driver " + *stated.driver;
  if (!stated.driver && stated.images.empty())
    why += "; the platform states neither driver nor images";
  return ChecklistItem{.code = "check_environment",
                       .what = "check what goes with what: nvidia-smi | gpuplan check --card " +
                               shell_word(f.offer().card) + " --framework torch=RELEASE --from -",
                       .why = why,
                       .costs_if_forgotten = f.extra_idle(hours{1}),
                       .costs_what = "an hour of looking for the fault while the card is paid"};
}

ChecklistMaybe whole_card_item(const ChecklistFacts& f) {
  const auto& exclusive = f.rules().service.exclusive;
  const std::string stated = !exclusive   ? "whether the card is yours alone is not stated"
                             : *exclusive ? "the platform says that the card is yours alone"
                                          : "the platform says that cards are shared";
  return ChecklistItem{.code = "check_card",
                       .what = "measure the card: run a standard test, then gpuplan check --card " +
                               shell_word(f.offer().card) + " --measured-tflops RATE --from -",
                       .why = stated + ": half of the published rate means that somebody else is "
                              "on it",
                       .costs_if_forgotten = f.extra_run(f.list().run),
                       .costs_what = "the work at half the rate"};
}

ChecklistMaybe upload_item(const ChecklistFacts& f) {
  const Job& job = f.job();
  if (job.data.upload.count() == 0) return std::nullopt;
  const TransferRequest request{.size = job.data.upload,
                                .files = {},
                                .line_up = job.data.line_up,
                                .line_down = job.data.line_down,
                                .compression = job.data.compression,
                                .public_name = {},
                                .catalog = f.list().request.catalog,
                                .offer = &f.offer(),
                                .plan = f.list().request.plan,
                                .currency = f.list().currency};
  const auto plan = plan_transfer(request);
  if (!plan) return std::nullopt;
  const auto direct = std::ranges::find(plan->routes, std::string("direct"), &Route::route);
  const Route& best = plan->routes.front();
  std::optional<Money> lost;
  if (direct->total && best.total && *best.total < *direct->total)
    lost = *direct->total - *best.total;
  const std::string line =
      job.data.line_up ? "" : "; say how fast your line is with --line, then this has a figure";
  return ChecklistItem{.code = "upload",
                       .what = "bring " + show_bytes(job.data.upload) + " there by the route " +
                               best.route + ": gpuplan transfer has the commands",
                       .why = "while data is on its way to a running machine its card is paid" + line,
                       .costs_if_forgotten = lost,
                       .costs_what = "sent straight to the running machine instead"};
}

ChecklistMaybe automatic_stop_item(const ChecklistFacts& f) {
  const ProvisionRules& p = f.rules().provision;
  const bool inside = f.rules().stop.guest_shutdown.value_or(State::running) != State::running;
  std::string what;
  if (p.auto_stop_idle_s)
    what = "switch on the platform's automatic stop (after " + seconds_text(*p.auto_stop_idle_s) +
           " of idling)";
  else if (p.auto_stop_wall_s)
    what = "set the platform's longest run time";
  else if (inside)
    what = "end the script with a shutdown: ./run.sh; sudo shutdown -h now";
  else
    what = "end the script with a call that terminates the machine (the platform's command line)";
  std::string why = p.auto_stop_default_on.value_or(false)
                        ? "it is on unless somebody switched it off"
                        : "nobody stops the machine when the work is done";
  if (!inside && !p.auto_stop_idle_s && !p.auto_stop_wall_s)
    why += "; a shutdown from inside is not stated to end the bill here";
  return ChecklistItem{.code = "automatic_stop",
                       .what = what,
                       .why = why,
                       .costs_if_forgotten = f.extra_idle(kNight),
                       .costs_what = "a night of 12 h forgotten"};
}

ChecklistMaybe checkpoints_item(const ChecklistFacts& f) {
  const auto& plan = f.job().checkpoint;
  if (!plan && f.list().run <= hours{1} && !f.spot()) return std::nullopt;
  if (plan && plan->every > Duration{0})
    return ChecklistItem{
        .code = "checkpoints",
        .what = "save every " + show_duration(plan->every) + ", and try once to start from a saved "
                "state",
        .why = "a fault then costs the time since the last saved state, and not the whole run",
        .costs_if_forgotten = f.extra_run(f.list().run),
        .costs_what = "a fault at the end: all the work again"};
  return ChecklistItem{.code = "checkpoints",
                       .what = "let the program save its state, to a place that outlives the machine",
                       .why = f.spot() ? "the machine can be taken away at any time"
                                       : "a run of " + show_duration(f.list().run) +
                                             " that fails at the end starts from the beginning",
                       .costs_if_forgotten = f.extra_run(f.list().run),
                       .costs_what = "a fault at the end: all the work again"};
}

ChecklistMaybe spot_notice_item(const ChecklistFacts& f) {
  if (!f.spot()) return std::nullopt;
  const auto& notice = f.rules().spot.notice_s;
  const bool kept = f.rules().spot.disk_kept.value_or(false);
  return ChecklistItem{
      .code = "spot_notice",
      .what = notice && *notice > 0
                  ? "let the program save its state within " +
                        show_duration(billing::seconds_of(*notice)) + " of the notice"
                  : "expect no notice: save often",
      .why = kept ? "the disk outlives the machine"
                  : "the disk of the machine goes with it: save to object storage or a volume",
      .costs_if_forgotten = f.extra_run(f.list().run),
      .costs_what = "everything lost at the end"};
}

ChecklistMaybe session_limit_item(const ChecklistFacts& f) {
  const auto& quota = f.rules().quota;
  if (!quota || !quota->session_max_s) return std::nullopt;
  const Duration most = billing::duration_of(*quota->session_max_s, billing::kSecond);
  if (f.list().run <= most) return std::nullopt;
  return ChecklistItem{.code = "session_limit",
                       .what = "cut the work into parts of less than " + show_duration(most),
                       .why = "a session here ends after that time, whatever runs",
                       .costs_if_forgotten = f.extra_run(std::min(most, f.list().run)),
                       .costs_what = "one session done again"};
}

ChecklistMaybe credit_item(const ChecklistFacts& f) {
  for (const Credit& one : f.platform().account.credits) {
    if (!one.expires_days) continue;
    const billing::Exchange exchange(*f.list().request.catalog, f.platform().currency,
                                     f.list().currency);
    return ChecklistItem{.code = "use_credit",
                         .what = "use the credit of " + one.amount.to_string() + " " +
                                 f.platform().currency + " within " +
                                 one.expires_days->to_string() + " days",
                         .why = "it is lost after that",
                         .costs_if_forgotten = exchange.convert(Money::rounded(one.amount)),
                         .costs_what = "the credit"};
  }
  return std::nullopt;
}

ChecklistMaybe price_date_item(const ChecklistFacts& f) {
  const auto& day = f.offer().as_of;
  std::string what = "look the price up again";
  std::string why = day ? "the price here is of " + to_string(*day)
                        : "of which day the price here is is not stated";
  if (day && f.list().request.as_of)
    why += ", " + std::to_string(days_between(*day, *f.list().request.as_of)) + " days old";
  return ChecklistItem{.code = "look_up_price", .what = what, .why = why};
}

ChecklistMaybe ask_early_item(const ChecklistFacts& f) {
  const ProvisionRules& p = f.rules().provision;
  if (!p.queue_s && !p.available) return std::nullopt;
  std::string why;
  if (p.queue_s && !p.queue_s->is_zero())
    why = "a machine is given after " + seconds_text(*p.queue_s);
  if (p.available)
    why += (why.empty() ? "" : ", and ") +
           ("a request is served with probability " + p.available->to_string());
  if (why.empty()) return std::nullopt;
  return ChecklistItem{.code = "ask_early",
                       .what = "ask for the machine early, and know the second choice",
                       .why = why};
}

ChecklistMaybe privacy_item(const ChecklistFacts& f) {
  const ServiceRules& s = f.rules().service;
  if (s.data_wiped.value_or(false)) return std::nullopt;
  return ChecklistItem{.code = "protect_data",
                       .what = "put no secrets on the machine, and encrypt what must stay yours",
                       .why = s.data_wiped ? "disks are not wiped here after use"
                                           : "whether disks are wiped after use is not stated"};
}

// ---- while it runs ----

ChecklistMaybe utilisation_item(const ChecklistFacts& f) {
  return ChecklistItem{
      .code = "utilisation",
      .what = "after ten minutes look how busy the card is: nvidia-smi "
              "--query-gpu=index,utilization.gpu,memory.used --format=csv -l 5",
      .why = "below 50 % with a busy disk the job waits for data; below 80 % more cards do not help",
      .costs_if_forgotten = f.extra_run(f.list().run),
      .costs_what = "the whole run with a card that is half idle"};
}

ChecklistMaybe log_peak_item(const ChecklistFacts&) {
  return ChecklistItem{.code = "log_peak",
                       .what = "keep that log: gpuplan estimate --measured-peak LOG reads it",
                       .why = "next time the card is chosen by what the job really takes"};
}

ChecklistMaybe first_hour_item(const ChecklistFacts& f) {
  const auto bill = f.bill([](Variant& v) {
    v.run = hours{1};
    v.job.machines = v.job.splits = 1;
    v.job.data = DataPlan{};
    v.job.keep = Keep{};
    v.job.idle = Duration{0};
  });
  if (!bill) return std::nullopt;
  return ChecklistItem{.code = "first_hour",
                       .what = "look at the platform's bill after the first hour: one machine "
                               "should show " +
                               f.money(bill->total),
                       .why = "another amount means another price, machine or metering than planned"};
}

}  // namespace gpuplan::detail
