#include "webdriver.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "catch.hpp"
#include "core/json.hpp"
#include "run_program.hpp"

namespace {

std::string find_program(const std::string& name) {
  std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  path += ":/usr/lib/chromium";
  std::size_t from = 0;
  while (from <= path.size()) {
    const auto end = std::min(path.find(':', from), path.size());
    const std::string file = path.substr(from, end - from) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
    from = end + 1;
  }
  return {};
}

std::string browser_program() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (const std::string file = find_program(name); !file.empty()) return file;
  return {};
}

std::string json_text(const std::string& text) {
  std::string out;
  gpuplan::write_json_text(text, out);
  return out;
}

// One request to 127.0.0.1; the body of the answer.
std::string http(int port, const std::string& method, const std::string& path,
                 const std::string& body) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    throw std::runtime_error("the driver does not answer");
  }
  const std::string request = method + " " + path +
                              " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                              "Content-Type: application/json\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body;
  std::size_t sent = 0;
  while (sent < request.size()) {
    const ssize_t wrote = ::write(socket, request.data() + sent, request.size() - sent);
    if (wrote <= 0) break;
    sent += static_cast<std::size_t>(wrote);
  }
  std::string answer;
  std::size_t wanted = std::string::npos;  // with the head; the driver may keep the line open
  char block[65536];
  while (answer.size() < wanted) {
    const ssize_t got = ::read(socket, block, sizeof block);
    if (got <= 0) break;
    answer.append(block, static_cast<std::size_t>(got));
    const auto head = answer.find("\r\n\r\n");
    if (head == std::string::npos || wanted != std::string::npos) continue;
    for (const char* name : {"Content-Length:", "content-length:"})
      if (const auto at = answer.find(name); at < head)
        wanted = head + 4 + std::stoul(answer.substr(at + 15));
  }
  ::close(socket);
  const auto head = answer.find("\r\n\r\n");
  return head == std::string::npos ? std::string{} : answer.substr(head + 4);
}

}  // namespace

std::optional<std::string> Browser::missing() {
  if (browser_program().empty()) return "no chromium is installed";
  if (find_program("chromedriver").empty()) return "no chromedriver is installed";
  return std::nullopt;
}

Browser::Browser() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  driver_ = ::fork();
  if (driver_ == 0) {
    ::setpgid(0, 0);
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    const std::string program = find_program("chromedriver");
    ::execl(program.c_str(), "chromedriver", "--port=0", nullptr);
    std::_Exit(127);
  }
  ::close(ends[1]);
  std::string said;
  char block[4096];
  const std::string sign = "started successfully on port ";
  while (said.find(sign) == std::string::npos || said.back() != '\n') {
    const ssize_t got = ::read(ends[0], block, sizeof block);
    if (got <= 0) throw std::runtime_error("chromedriver does not start: " + said);
    said.append(block, static_cast<std::size_t>(got));
  }
  port_ = std::stoi(said.substr(said.find(sign) + sign.size()));
  ::close(ends[0]);
  const std::string sandbox = ::geteuid() == 0 ? R"("--no-sandbox",)" : "";
  const std::string answer = http(
      port_, "POST", "/session",
      R"({"capabilities":{"alwaysMatch":{"browserName":"chrome","goog:loggingPrefs":)"
      R"({"browser":"ALL","performance":"ALL"},"goog:chromeOptions":{"binary":)" +
          json_text(browser_program()) + R"(,"args":["--headless=new",)" + sandbox +
          R"("--disable-gpu","--disable-dev-shm-usage","--window-size=1280,900"]}}}})");
  const auto document = json_of(answer);
  INFO(answer.substr(0, 600));
  session_ = std::string(at(document.root(), "value/sessionId").text);
}

Browser::~Browser() {
  try {
    if (!session_.empty()) http(port_, "DELETE", "/session/" + session_, "");
  } catch (const std::exception&) {
  }
  if (driver_ > 0) {
    ::kill(-driver_, SIGTERM);
    ::waitpid(driver_, nullptr, 0);
  }
}

std::string Browser::call(const std::string& method, const std::string& path,
                          const std::string& body) {
  const std::string answer = http(port_, method, "/session/" + session_ + path, body);
  const auto document = json_of(answer);
  const gpuplan::JsonNode& value = at(document.root(), "value");
  INFO(answer.substr(0, 800));
  REQUIRE(value.find("error") == nullptr);
  return value.is(gpuplan::JsonNode::Kind::string) ? std::string(value.text)
                                                   : gpuplan::to_json(value);
}

void Browser::open(const std::string& file) {
  call("POST", "/url", R"({"url":)" + json_text("file://" + file) + "}");
}

std::string Browser::run(const std::string& body) {
  return call("POST", "/execute/sync", R"({"script":)" + json_text(body) + R"(,"args":[]})");
}

void Browser::command(const std::string& name, const std::string& parameters) {
  call("POST", "/goog/cdp/execute",
       R"({"cmd":)" + json_text(name) + R"(,"params":)" + parameters + "}");
}

std::string Browser::log(const std::string& kind) {
  return call("POST", "/se/log", R"({"type":)" + json_text(kind) + "}");
}

std::string Browser::print() { return call("POST", "/print", "{}"); }
