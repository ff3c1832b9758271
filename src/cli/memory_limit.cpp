#include "cli/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "gpuplan/units.hpp"

namespace gpuplan::cli {
namespace {

rlim_t limit_of(int resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

}  // namespace

void limit_memory() {
#ifndef GPUPLAN_SANITIZED  // sanitizers reserve far more than they use
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  rlimit limit{};
  if (pages <= 0 || page <= 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur =
      std::min(limit.rlim_cur, static_cast<rlim_t>(pages) * static_cast<rlim_t>(page) / 4 * 3);
  (void)::setrlimit(RLIMIT_DATA, &limit);
#endif
}

Diagnostic out_of_memory() {
  const rlim_t most = std::min(limit_of(RLIMIT_DATA), limit_of(RLIMIT_AS));
  std::string message = "the inputs need more memory than there is";
  if (most != RLIM_INFINITY)
    message += ": at most " + show_bytes(Bytes::of(static_cast<std::int64_t>(most))) + " may be used";
  return {ErrorCode::unreadable, "memory", "", std::move(message),
          "leave out offers that do not matter, or use a machine with more memory"};
}

}  // namespace gpuplan::cli
