#include "billing/account.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

constexpr std::size_t kItemCount = kItems.size();

// Of what a discount or credit holds: the whole bill, or the blocks of some terms only.
struct Scope {
  bool whole = false;
  std::vector<char> terms = {};  // 1: held, by the position of the offer's commitments
  bool nothing() const { return !whole && std::ranges::find(terms, 1) == terms.end(); }
};

// An empty list means all; "reserved" means every term. A bill under the plan "reserved" that is
// covered by blocks of several terms holds, for a list that names one of them, the blocks of that.
Scope scope_of(const std::vector<std::string>& plans, const Setup& setup) {
  Scope scope{.whole = plans.empty()};
  const auto& sold = setup.offer->price.commitments;
  scope.terms.resize(sold.size());
  for (const std::string& plan : plans) {
    scope.whole = scope.whole || plan == "all" || plan == setup.request->plan ||
                  (plan == "reserved" && setup.reserved);
    for (std::size_t i = 0; i < sold.size(); ++i)
      if (setup.reserved && plan == sold[i].name) scope.terms[i] = 1;
  }
  return scope;
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

// What is left to pay: cells by the stretch between two cuts, by term (0: not prepaid) and by item.
class Balance {
 public:
  Balance(const Setup& setup, const Cuts& cuts, const Drafts& drafts)
      : setup_(setup), cuts_(cuts), left_(cuts.at.size() + 1) {
    const auto& sold = setup.offer->price.commitments;
    for (auto& row : left_) row.resize(setup.reserved ? sold.size() + 1 : 1);
    for (const Draft& draft : drafts) {
      // What has no length belongs to what came before it.
      const Duration at = draft.from == draft.to ? draft.from - Duration{1} : draft.from;
      const auto term = std::ranges::find(sold, draft.term, &Commitment::name);
      const std::size_t place =
          draft.term.empty() ? 0 : static_cast<std::size_t>(term - sold.begin()) + 1;
      // A refund comes first: what is given back of a term is no longer there to be reduced.
      const Item item = draft.item == Item::refund ? Item::compute : draft.item;
      const std::size_t bucket = cuts.bucket(draft.item == Item::refund ? begin_of(draft, drafts) : at);
      Money& cell = left_[bucket][place][static_cast<std::size_t>(item)];
      cell += Money::nanos(draft.amount.nanos() * draft.count);
    }
  }

  // The stretch in which the block stands that a refund is for: the last one of its term.
  static Duration begin_of(const Draft& refund, const Drafts& drafts) {
    Duration begin = refund.from;
    for (const Draft& draft : drafts)
      if (draft.note == "prepaid" && draft.term == refund.term && draft.from < refund.from) begin = draft.from;
    return begin;
  }

  Money total(const Scope& scope, const std::vector<std::string>& items) const {
    Money sum;
    for (const auto& row : left_)
      for (std::size_t term = 0; term < row.size(); ++term)
        for (const Item item : kItems)
          if (holds(scope, term) && item_listed(items, item))
            sum += row[term][static_cast<std::size_t>(item)];
    return sum;
  }

  // Takes the same share off every listed cell; returns what that is. `part` of `whole` counts.
  Money reduce(const Scope& scope, const std::vector<std::string>& items, const Decimal& percent,
               Money part, Money whole) {
    Money taken, before, running;
    for (auto& row : left_)
      for (std::size_t term = 0; term < row.size(); ++term)
        for (const Item item : kItems) {
          Money& cell = row[term][static_cast<std::size_t>(item)];
          if (!holds(scope, term) || !item_listed(items, item) || cell.is_zero()) continue;
          running += cell;
          const Money until = percent_of(part_of(running, part, whole), percent);
          taken += until - before;
          cell -= until - before;
          before = until;
        }
    return taken;
  }

  // Takes at most `most` off what lies before `until` in one calendar month, or in all of them.
  Money spend(const Scope& scope, Money most, Duration until, std::optional<std::int64_t> month) {
    Money taken;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const Duration from = i == 0 ? Duration{0} : cuts_.at[i - 1];
      if (from >= until || (month && setup_.calendar.month_of(from) != *month)) continue;
      const Money part = std::min(open(left_[i], scope), most - taken);
      if (part <= Money{}) continue;
      taken += part;
      take(left_[i], scope, part);
    }
    return taken;
  }

 private:
  using Cells = std::array<Money, kItemCount>;

  static bool holds(const Scope& scope, std::size_t term) {
    return scope.whole || (term > 0 && scope.terms[term - 1] != 0);
  }

  static Money sum_of(const Cells& cells) {
    Money sum;
    for (const Money cell : cells) sum += cell;
    return sum;
  }

  static Money open(const std::vector<Cells>& row, const Scope& scope) {
    Money sum;
    for (std::size_t term = 0; term < row.size(); ++term)
      if (holds(scope, term)) sum += sum_of(row[term]);
    return sum;
  }

  static void take(std::vector<Cells>& row, const Scope& scope, Money amount) {
    for (std::size_t term = 0; term < row.size(); ++term) {
      if (!holds(scope, term)) continue;
      const Money part = scope.whole ? amount : std::min(amount, sum_of(row[term]));
      row[term][static_cast<std::size_t>(Item::credit)] -= part;
      amount -= part;
      if (amount.is_zero()) return;
    }
  }

  static Money part_of(Money amount, Money part, Money whole) {
    if (part == whole || whole.is_zero()) return amount;
    constexpr Wide kFits = INT64_MAX;
    if (part.nanos() > kFits || whole.nanos() > kFits)  // thousandths are near enough up there
      return share(amount, static_cast<std::uint64_t>(part.nanos() / 1'000'000),
                   static_cast<std::uint64_t>(whole.nanos() / 1'000'000));
    return share(amount, static_cast<std::uint64_t>(part.nanos()),
                 static_cast<std::uint64_t>(whole.nanos()));
  }

  const Setup& setup_;
  const Cuts& cuts_;
  std::vector<std::vector<Cells>> left_;
};

const Scope kWholeBill{.whole = true};
const std::vector<std::string> kAllItems;

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
  AccountUse* account = setup.request->account;
  const Money amount = exchange.convert(Money::rounded(*fee));
  const Duration last = std::max(line.keep_end - Duration{1}, Duration{0});
  for (std::int64_t month = calendar.month_of(Duration{0}); month <= calendar.month_of(last);
       ++month) {
    if (account != nullptr && !account->fee_months.insert(month).second) continue;
    add_line(out, Item::fees, std::max(calendar.month_begin(month), Duration{0}),
             std::min(calendar.month_begin(month + 1), line.keep_end), amount, "plan fee",
             "account.fee_month", *fee, Unit::count);
  }
}

void give_discounts(const Setup& setup, const Line& line, const Exchange& exchange,
                    Balance& balance, Drafts& out) {
  const AccountUse* account = setup.request->account;
  for (const Discount& discount : setup.platform->account.discounts) {
    const Scope scope = scope_of(discount.plans, setup);
    if (scope.nothing() || !who_listed(discount.who, *setup.job)) continue;
    const Money whole = balance.total(scope, discount.items);
    const Money spent = exchange.convert(setup.job->spent.value_or(Money{})) +
                        (account == nullptr ? Money{} : account->spent);
    const Money threshold =
        exchange.convert(Money::rounded(discount.above_spend.value_or(Decimal{})));
    const Money part = std::clamp(whole + spent - threshold, Money{}, std::max(whole, Money{}));
    const Money taken = balance.reduce(scope, discount.items, discount.percent, part, whole);
    if (!taken.is_zero())
      add_line(out, Item::discount, Duration{0}, line.keep_end, -taken, "discount",
               "account.discounts", discount.percent, Unit::percent);
  }
}

// The months that the time line touches.
std::pair<std::int64_t, std::int64_t> months_of(const Setup& setup, const Line& line) {
  const Duration last = std::max(line.keep_end - Duration{1}, Duration{0});
  return {setup.calendar.month_of(Duration{0}), setup.calendar.month_of(last)};
}

void give_credit(const Setup& setup, const Line& line, const Exchange& exchange, std::size_t index,
                 Balance& balance, Drafts& out) {
  const Credit& credit = setup.platform->account.credits[index];
  const Scope scope = scope_of(credit.plans, setup);
  if (scope.nothing() || !who_listed(credit.who, *setup.job)) return;
  const Duration until = expiry(credit).value_or(kNever);
  const Money most = exchange.convert(Money::rounded(credit.amount));
  AccountUse* account = setup.request->account;
  const auto give = [&](std::optional<std::int64_t> month, Money* used) {
    const Money left = used == nullptr ? most : most - *used;
    const Money taken = balance.spend(scope, left, until, month);
    if (taken.is_zero()) return;
    if (used != nullptr) *used += taken;
    add_line(out, Item::credit,
             month ? std::max(setup.calendar.month_begin(*month), Duration{0}) : Duration{0},
             line.keep_end, -taken, "credit", "account.credits", credit.amount, Unit::none);
  };
  if (!credit.monthly) {
    give({}, account == nullptr ? nullptr : &account->credits[index]);
    return;
  }
  const auto [first, last] = months_of(setup, line);
  for (std::int64_t month = first; month <= last; ++month)
    give(month, account == nullptr ? nullptr : &account->monthly_credits[{index, month}]);
}

// What the platform owes when the host was down for longer than it promises.
std::optional<Money> sla_credit(const Setup& setup, const Balance& balance,
                                const std::vector<std::string>& card_time) {
  const AccountRules& account = setup.platform->account;
  if (!account.sla_uptime_percent || !account.sla_credit_percent) return std::nullopt;
  return percent_of(balance.total(kWholeBill, card_time), *account.sla_credit_percent);
}

// A host that was down for longer than the platform promises: a share of the card time comes back.
void give_sla_credit(const Setup& setup, const Line& line, Balance& balance, Drafts& out,
                     Expected& expected) {
  const AccountRules& account = setup.platform->account;
  const std::vector<std::string> card_time{"compute", "startup", "transfer", "idle", "lost_work"};
  expected.credit_if_missed = sla_credit(setup, balance, card_time);
  const Duration whole = line.end - line.provisioned;
  if (!expected.credit_if_missed || whole.count() <= 0) return;
  // up / whole >= percent / 100, compared as whole numbers
  const Wide promised =
      Ratio{*account.sla_uptime_percent}.times(whole).over(std::uint64_t{100}).whole();
  expected.allowed_down = whole - Duration{static_cast<std::int64_t>(promised)};
  if (setup.down.count() == 0 || Wide{(whole - setup.down).count()} >= promised) return;
  const Money all = balance.total(kWholeBill, card_time);
  const Money taken = balance.reduce(kWholeBill, card_time, *account.sla_credit_percent, all, all);
  if (!taken.is_zero())
    add_line(out, Item::credit, Duration{0}, line.keep_end, -taken, "uptime not kept",
             "account.sla", *account.sla_credit_percent, Unit::percent);
}

void add_tax(const Setup& setup, const Line& line, Drafts& out) {
  const auto& percent = setup.platform->tax_percent;
  if (!percent || percent->is_zero()) return;
  Money sum;
  for (const Draft& draft : out) sum += Money::nanos(draft.amount.nanos() * draft.count);
  const Money tax = percent_of(std::max(sum, Money{}), *percent);
  add_line(out, Item::tax, Duration{0}, line.keep_end, tax, "tax", "tax_percent", *percent,
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
                  Drafts& out, Expected& expected) {
  bill_fees(setup, line, exchange, out);
  Balance balance(setup, cuts, out);
  give_discounts(setup, line, exchange, balance, out);
  give_sla_credit(setup, line, balance, out, expected);
  if (setup.request->account != nullptr)
    setup.request->account->spent += balance.total(kWholeBill, kAllItems);
  for (std::size_t i = 0; i < setup.platform->account.credits.size(); ++i)
    give_credit(setup, line, exchange, i, balance, out);
  add_tax(setup, line, out);
}

}  // namespace gpuplan::billing
