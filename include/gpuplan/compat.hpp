#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/date.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// A version as drivers, toolkits and frameworks write it: "570.124.04", "12.8", "2.9.1". Parts that
// are not written count as 0 when two are compared.
struct Version {
  std::vector<int> parts = {};
  std::string written = {};  // as it was read: "570.124.04"

  // Figures with dots between them, at most four; nothing for any other text.
  static std::optional<Version> parse(std::string_view text);
  int part(std::size_t index) const { return index < parts.size() ? parts[index] : 0; }
  int major() const { return part(0); }
  std::string to_string() const;  // as it was written

  friend std::strong_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
};

// Where a row of the table comes from.
struct CompatSource {
  std::optional<Date> as_of = {};
  std::string source = {};                  // empty: general knowledge only
  std::vector<std::string> unsourced = {};  // fields that no source states
};

// A branch of the driver and the newest CUDA that it knows ("CUDA Version" of nvidia-smi).
struct DriverBranch {
  int branch = 0;
  std::optional<Version> cuda = {};  // absent: not known
  std::string support = {}, end_of_life = {};
  bool ended = false;
  CompatSource from = {};
};

// A toolkit and the oldest Linux driver that knows it in full.
struct Toolkit {
  Version cuda = {};
  std::optional<Version> driver = {};
  CompatSource from = {};
};

// Programs built with any toolkit of this major version run from this driver on.
struct MajorFloor {
  int major = 0;
  Version driver = {};
  CompatSource from = {};
};

// A generation of chips: the toolkits that compile for it and the last driver that drives it.
struct Architecture {
  Version capability = {};
  std::string name = {};
  Version first_cuda = {};
  std::optional<Version> last_cuda = {};
  int last_driver = 0;  // branch; 0: every newer one too
  CompatSource from = {};
};

// One build of a framework: the CUDA it carries, and what it was compiled for where that is known.
struct FrameworkBuild {
  Version cuda = {};
  std::vector<Version> capabilities = {};
  std::optional<Version> ptx = {};  // newer chips compile this form when the program starts
  std::string source = {};
};

struct FrameworkRelease {
  std::string name = {};             // "torch", "vllm", "flash-attn"
  std::optional<Version> release = {};  // major.minor; absent: every release
  std::optional<Version> default_cuda = {};  // of what the package index gives without asking
  std::vector<FrameworkBuild> builds = {};
  std::optional<Version> needs_torch = {};
  std::optional<Version> least_capability = {}, most_capability = {};
  std::optional<Version> least_cuda = {}, least_torch = {};
  CompatSource from = {};
};

// What goes with what: read from `gpuplan.compat/1` (data/README.md).
struct CompatTable {
  std::optional<Date> as_of = {};
  std::vector<DriverBranch> drivers = {};      // ascending
  std::vector<Toolkit> toolkits = {};          // ascending
  std::vector<MajorFloor> majors = {};
  std::vector<Architecture> architectures = {};
  std::vector<FrameworkRelease> frameworks = {};

  // The branch of a driver: exactly, or nothing.
  const DriverBranch* branch(const Version& driver) const;
  const Toolkit* toolkit(const Version& cuda) const;  // by major and minor
  const MajorFloor* floor_of(int cuda_major) const;
  const Architecture* architecture(const Version& capability) const;
  // The row of this release (by major and minor), or the one that holds for all of them.
  const FrameworkRelease* framework(std::string_view name, const Version& release) const;
  std::vector<std::string_view> framework_names() const;
};

Result<CompatTable> read_compat(std::string_view text, const std::string& source);
// The table that was built into the program; parsed at each call.
Result<CompatTable> builtin_compat_table();

}  // namespace gpuplan
