#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpuplan::hostile {

// How one run of a program ended.
struct Ended {
  int exit = -1;    // exit code; 128 + signal when one killed it
  std::string out;  // what it wrote to standard output
  std::string err;
  double cpu_s = 0;         // time that it computed, on all cores
  std::int64_t peak_kb = 0;  // most memory that it held
};

struct Setup {
  std::string out_file = {};  // where standard output goes instead; empty: it is kept
  bool close_out = false;  // nobody reads standard output
  std::vector<std::string> environment = {};  // "TZ=Asia/Shanghai": set over the own one
  std::int64_t most_kb = 0;  // of address space (`ulimit -v`); 0: as much as there is
  int interrupt_after_us = -1;  // SIGINT so long after the start; below 0: none
};

// Runs the program and waits for its end. A run that computes for more than a minute is killed.
Ended run(const std::vector<std::string>& words, const Setup& setup = {});

}  // namespace gpuplan::hostile
