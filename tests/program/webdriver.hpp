#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

// A browser without a window, driven through chromedriver (WebDriver, W3C).
class Browser {
 public:
  // Nothing where chromium or chromedriver is not installed; `why` says which.
  static std::optional<std::string> missing();
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& file);
  // The text that the function body returns.
  std::string run(const std::string& body);
  // A command of the browser's own protocol, parameters as JSON.
  void command(const std::string& name, const std::string& parameters);
  // Entries of a log ("browser", "performance") since the last call, as JSON.
  std::string log(const std::string& kind);
  // The page as PDF, in base64.
  std::string print();

 private:
  std::string call(const std::string& method, const std::string& path, const std::string& body);
  pid_t driver_ = -1;
  int port_ = 0;
  std::string session_;
};
