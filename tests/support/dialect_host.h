// Dialects under test in a real host: loaded plugins, a program, and what their units make of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct htp_host;
struct htp_ctx;

namespace htp::test {

// One program and the plugins given, by their folders' names in the build's plugins/.
class DialectHost {
public:
  // `hardware`: the target's facts, by dotted path.
  DialectHost(const std::vector<std::string> &plugins, const std::string &program, const std::string &entry,
              std::map<std::string, std::string> hardware = {});
  DialectHost(DialectHost &&) noexcept;
  ~DialectHost();

  bool check();                        // every dialect's check
  bool pass(const std::string &name);  // false: it failed, and the program is what it was
  bool holds(const std::string &term); // what the verifier says is kept in `said`
  std::string text() const;            // the program as a stage shows it
  // What was reported so far: `LINE:COL severity code: message`, then its labels, notes and hints, a line each.
  std::string said() const;
  // Calls `f` with the program, as a unit sees it.
  void look(const std::function<void(const htp_host *, htp_ctx *, uint32_t root)> &f) const;
  // Whether the last pass gave back the very tree it was given.
  bool unchanged() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

// The path of something beside this project's tests, and its text.
std::string source_path(const std::string &relative);
std::string read_text(const std::string &path);
// The named files of a folder with this ending, sorted, without it.
std::vector<std::string> names_in(const std::string &folder, const std::string &ending);
// The part of `text` below the line `# ── <title> ──…`, up to the next such line; the head has the title "".
std::string section(const std::string &text, const std::string &title);
// Puts a section's text; with $HTP_UPDATE set, tests write what they got.
void update_section(const std::string &path, const std::string &title, const std::string &text);
bool updating();

} // namespace htp::test
