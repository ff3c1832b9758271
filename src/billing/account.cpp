#include "billing/account.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

constexpr std::size_t kItemCount = kItems.size();

// An empty list means all; "reserved" means every term.
bool plan_listed(const std::vector<std::string>& plans, const Setup& setup) {
  if (plans.empty()) return true;
  return std::ranges::any_of(plans, [&](const std::string& plan) {
    return plan == "all" || plan == setup.request->plan || (plan == "reserved" && setup.reserved);
  });
}

bool who_listed(const std::vector<std::string>& who, const Job& job) {
  if (who.empty()) return true;
  return std::ranges::any_of(who, [&](const std::string& one) {
    return one == "any" || std::ranges::find(job.who, one) != job.who.end();
  });
}

bool item_listed(const std::vector<std::string>& items, Item item) {
  return items.empty() || std::ranges::any_of(items, [&](const std::string& one) {
           return one == "all" || one == name_of(item);
         });
}

std::optional<Duration> expiry(const Credit& credit) {
  if (!credit.expires_days) return std::nullopt;
  return duration_of(*credit.expires_days, kDay);
}

// What is left to pay, by the stretch between two cuts and by item.
class Balance {
 public:
  Balance(const Cuts& cuts, const Drafts& drafts) : cuts_(cuts), left_(cuts.at.size() + 1) {
    for (const Draft& draft : drafts) {
      // What has no length belongs to what came before it.
      const Duration at = draft.from == draft.to ? draft.from - Duration{1} : draft.from;
      Money& cell = left_[cuts.bucket(at)][static_cast<std::size_t>(draft.item)];
      cell += Money::nanos(draft.amount.nanos() * draft.count);
    }
  }

  Money total(const std::vector<std::string>& items) const {
    Money sum;
    for (const auto& row : left_)
      for (const Item item : kItems)
        if (item_listed(items, item)) sum += row[static_cast<std::size_t>(item)];
    return sum;
  }

  // Takes the same share off every listed cell; returns what that is. `part` of `whole` counts.
  Money reduce(const std::vector<std::string>& items, const Decimal& percent, Money part,
               Money whole) {
    Money taken, before, running;
    for (auto& row : left_) {
      for (const Item item : kItems) {
        Money& cell = row[static_cast<std::size_t>(item)];
        if (!item_listed(items, item) || cell.is_zero()) continue;
        running += cell;
        const Money until = percent_of(part_of(running, part, whole), percent);
        taken += until - before;
        cell -= until - before;
        before = until;
      }
    }
    return taken;
  }

  // Takes at most `most` off what lies before `until` in one calendar month, or in all of them.
  Money spend(Money most, Duration until, const Calendar& calendar,
              std::optional<std::int64_t> month) {
    Money taken;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const Duration from = i == 0 ? Duration{0} : cuts_.at[i - 1];
      if (from >= until || (month && calendar.month_of(from) != *month)) continue;
      Money open;
      for (const Money cell : left_[i]) open += cell;
      const Money part = std::min(open, most - taken);
      if (part <= Money{}) continue;
      taken += part;
      left_[i][static_cast<std::size_t>(Item::credit)] -= part;
    }
    return taken;
  }

 private:
  static Money part_of(Money amount, Money part, Money whole) {
    if (part == whole || whole.is_zero()) return amount;
    constexpr Wide kFits = INT64_MAX;
    if (part.nanos() > kFits || whole.nanos() > kFits)  // thousandths are near enough up there
      return share(amount, static_cast<std::uint64_t>(part.nanos() / 1'000'000),
                   static_cast<std::uint64_t>(whole.nanos() / 1'000'000));
    return share(amount, static_cast<std::uint64_t>(part.nanos()),
                 static_cast<std::uint64_t>(whole.nanos()));
  }

  const Cuts& cuts_;
  std::vector<std::array<Money, kItemCount>> left_;
};

void add_line(Drafts& out, Item item, Duration from, Duration to, Money amount,
              std::string_view note, std::string_view rule, const Decimal& price, Unit unit) {
  out.push_back({.from = from,
                 .to = to,
                 .item = item,
                 .state = "running",
                 .amount = amount,
                 .unit = unit,
                 .quantity = 1,
                 .unit_name = unit == Unit::count ? "month" : "",
                 .price = price,
                 .note = note,
                 .rule = rule});
}

void bill_fees(const Setup& setup, const Line& line, const Exchange& exchange, Drafts& out) {
  const auto& fee = setup.platform->account.fee_month;
  if (!fee || fee->is_zero()) return;
  const Calendar& calendar = setup.calendar;
  const Money amount = exchange.convert(Money::rounded(*fee));
  const Duration last = std::max(line.keep_end - Duration{1}, Duration{0});
  for (std::int64_t month = calendar.month_of(Duration{0}); month <= calendar.month_of(last);
       ++month)
    add_line(out, Item::fees, std::max(calendar.month_begin(month), Duration{0}),
             std::min(calendar.month_begin(month + 1), line.keep_end), amount, "plan fee",
             "platform account.fee_month", *fee, Unit::count);
}

void give_discounts(const Setup& setup, const Line& line, const Exchange& exchange,
                    Balance& balance, Drafts& out) {
  for (const Discount& discount : setup.platform->account.discounts) {
    if (!plan_listed(discount.plans, setup) || !who_listed(discount.who, *setup.job)) continue;
    const Money whole = balance.total(discount.items);
    const Money spent = exchange.convert(setup.job->spent.value_or(Money{}));
    const Money threshold =
        exchange.convert(Money::rounded(discount.above_spend.value_or(Decimal{})));
    const Money part = std::clamp(whole + spent - threshold, Money{}, std::max(whole, Money{}));
    const Money taken = balance.reduce(discount.items, discount.percent, part, whole);
    if (!taken.is_zero())
      add_line(out, Item::discount, Duration{0}, line.keep_end, -taken, "discount",
               "platform account.discounts", discount.percent, Unit::percent);
  }
}

void give_credits(const Setup& setup, const Line& line, const Exchange& exchange, Balance& balance,
                  Drafts& out) {
  const Calendar& calendar = setup.calendar;
  for (const Credit& credit : setup.platform->account.credits) {
    if (!plan_listed(credit.plans, setup) || !who_listed(credit.who, *setup.job)) continue;
    const Duration until = expiry(credit).value_or(kNever);
    const Money most = exchange.convert(Money::rounded(credit.amount));
    const auto give = [&](std::optional<std::int64_t> month) {
      const Money taken = balance.spend(most, until, calendar, month);
      if (!taken.is_zero())
        add_line(out, Item::credit,
                 month ? std::max(calendar.month_begin(*month), Duration{0}) : Duration{0},
                 line.keep_end, -taken, "credit", "platform account.credits", credit.amount,
                 Unit::none);
    };
    if (!credit.monthly) {
      give({});
      continue;
    }
    const Duration last = std::max(line.keep_end - Duration{1}, Duration{0});
    for (std::int64_t month = calendar.month_of(Duration{0}); month <= calendar.month_of(last);
         ++month)
      give(month);
  }
}

// A host that was down for longer than the platform promises: a share of the card time comes back.
void give_sla_credit(const Setup& setup, const Line& line, Balance& balance, Drafts& out) {
  const AccountRules& account = setup.platform->account;
  if (!account.sla_uptime_percent || !account.sla_credit_percent || setup.down.count() == 0) return;
  const Duration whole = line.end - line.provisioned;
  if (whole.count() <= 0) return;
  // up / whole >= percent / 100, compared as whole numbers
  const Wide promised =
      Ratio{*account.sla_uptime_percent}.times(whole).over(std::uint64_t{100}).whole();
  if (Wide{(whole - setup.down).count()} >= promised) return;
  const std::vector<std::string> card_time{"compute", "startup", "transfer", "idle", "lost_work"};
  const Money all = balance.total(card_time);
  const Money taken = balance.reduce(card_time, *account.sla_credit_percent, all, all);
  if (!taken.is_zero())
    add_line(out, Item::credit, Duration{0}, line.keep_end, -taken, "uptime not kept",
             "platform account.sla", *account.sla_credit_percent, Unit::percent);
}

void add_tax(const Setup& setup, const Line& line, Drafts& out) {
  const auto& percent = setup.platform->tax_percent;
  if (!percent || percent->is_zero()) return;
  Money sum;
  for (const Draft& draft : out) sum += Money::nanos(draft.amount.nanos() * draft.count);
  const Money tax = percent_of(std::max(sum, Money{}), *percent);
  add_line(out, Item::tax, Duration{0}, line.keep_end, tax, "tax", "platform tax_percent", *percent,
           Unit::percent);
}

bool by_month(const Setup& setup) {
  const Rules& rules = *setup.rules;
  const bool credits = std::ranges::any_of(setup.platform->account.credits, &Credit::monthly);
  const bool caps = rules.meter.cap_month || rules.network.ip_cap_month ||
                    std::ranges::any_of(rules.storage, [](const auto& rule) {
                      return rule.second.cap_month.has_value();
                    });
  return credits || caps || rules.meter.month_hours == 0;
}

}  // namespace

Cuts cuts_for(const Setup& setup, const Line& line) {
  Cuts cuts;
  if (by_month(setup)) {
    for (std::int64_t month = setup.calendar.month_of(Duration{0}) + 1;
         setup.calendar.month_begin(month) < line.keep_end; ++month)
      cuts.at.push_back(setup.calendar.month_begin(month));
  }
  for (const Credit& credit : setup.platform->account.credits)
    if (const auto end = expiry(credit); end && *end < line.keep_end) cuts.at.push_back(*end);
  std::ranges::sort(cuts.at);
  cuts.at.erase(std::unique(cuts.at.begin(), cuts.at.end()), cuts.at.end());
  return cuts;
}

void bill_account(const Setup& setup, const Line& line, const Cuts& cuts, const Exchange& exchange,
                  Drafts& out) {
  bill_fees(setup, line, exchange, out);
  Balance balance(cuts, out);
  give_discounts(setup, line, exchange, balance, out);
  give_sla_credit(setup, line, balance, out);
  give_credits(setup, line, exchange, balance, out);
  add_tax(setup, line, out);
}

}  // namespace gpuplan::billing
