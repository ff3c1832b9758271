// Tasks that cannot be dealt out evenly: two crews of machines under one bill.
#include "billing/crews.hpp"

#include <algorithm>

#include "billing/spot.hpp"

namespace gpuplan::billing {
namespace {

Bytes share_of(Bytes bytes, std::int64_t tasks, std::int64_t of) {
  const Wide part = (Wide{bytes.count()} * tasks + of / 2) / of;
  return Bytes::of(static_cast<std::int64_t>(part));
}

Job job_of_crew(const Job& whole, std::int64_t machines, std::int64_t tasks) {
  Job job = whole;
  job.machines = machines;
  job.splits = 1;
  if (!job.data.shared) job.data.upload = share_of(whole.data.upload, tasks, whole.splits);
  job.data.download = share_of(whole.data.download, tasks, whole.splits);
  return job;
}

class Half {
 public:
  Half(const BillRequest& asked, std::int64_t machines, std::int64_t each)
      : job_(job_of_crew(*asked.job, machines, machines * each)),
        prepared_(request_of(asked, job_, machines * each)) {}

  Prepared& prepared() { return prepared_; }
  void build(Notes& notes) {
    const Setup& setup = prepared_.setup;
    const std::unique_ptr<Lives> lives = setup.spot ? stated_lives(setup, notes) : nullptr;
    line_ = build_line(setup, lives.get(), notes);
  }
  Crew crew(std::int64_t first) const { return {&prepared_, &line_, first}; }

 private:
  static BillRequest request_of(BillRequest request, const Job& job, std::int64_t tasks) {
    const Wide run = (Wide{request.run.count()} * tasks + request.job->splits / 2) / request.job->splits;
    request.run = Duration{static_cast<std::int64_t>(run)};
    request.job = &job;
    return request;
  }

  Job job_;
  Prepared prepared_;
  Line line_;
};

void join(Notes& all, const Notes& others) {
  for (const Warning& warning : others.warnings)
    all.warn(warning.code, warning.message, warning.where);
  all.missing.insert(all.missing.end(), others.missing.begin(), others.missing.end());
}

}  // namespace

bool dealt_unevenly(const BillRequest& request) {
  const Job& job = *request.job;
  return job.splits > 1 && job.splits % job.machines != 0 && request.offer->tier != "serverless";
}

Result<Bill> bill_tasks(const BillRequest& asked) {
  const Job& job = *asked.job;
  // What the account includes is there once for all machines.
  AccountUse own;
  BillRequest request = asked;
  if (request.account == nullptr) request.account = &own;

  const std::int64_t machines = std::min(job.machines, job.splits);
  const std::int64_t each = job.splits / machines, more = job.splits % machines;
  Notes notes;
  if (machines < job.machines)
    notes.warn("machines_without_tasks",
               std::to_string(job.splits) + " tasks keep " + std::to_string(machines) +
                   " machines busy; the other " + std::to_string(job.machines - machines) +
                   " are not rented",
               "machines");
  std::vector<std::unique_ptr<Half>> halves;
  if (more > 0) halves.push_back(std::make_unique<Half>(request, more, each + 1));
  halves.push_back(std::make_unique<Half>(request, machines - more, each));

  std::vector<Crew> crews;
  Notes unheard;
  const Setup whole = set_up(request, unheard);
  std::int64_t first = 0;
  for (const auto& half : halves) {
    Setup& setup = half->prepared().setup;
    // The upload to the object store comes before any machine, for all of them.
    setup.stage_time = whole.stage_time;
    setup.for_the_job = crews.empty();
    setup.staged_object = whole.staged_object;
    Notes heard = std::move(half->prepared().notes);
    half->build(heard);
    join(notes, heard);
    crews.push_back(half->crew(first));
    first += setup.machines;
  }
  return bill_crews(crews, std::move(notes));
}

}  // namespace gpuplan::billing
