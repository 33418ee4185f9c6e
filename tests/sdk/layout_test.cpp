// The table sdk/layout.def is complete, and htp/layout_hash.h is made from it.
#include "host/base/fs.h"
#include "host/base/process.h"
#include "htp/htp.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp {
namespace {

const std::string include = HTP_SOURCE_DIR "/sdk/include/htp/";

// Structs of the headers that stay on one side of the border.
const std::set<std::string> local = {"htp_walk", "htp_run"};

// The names of the structs that a header defines. `#define` bodies do not count: they are the node table's.
std::set<std::string> defined_in(const std::string &text) {
  std::string code;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "/*") == 0)
      at = text.find("*/", at) + 1;
    else if (text.compare(at, 2, "//") == 0)
      at = text.find('\n', at);
    else if (text[at] == '#')
      while (at < text.size() && text[at] != '\n') at += text.compare(at, 2, "\\\n") == 0 ? 2 : 1;
    else
      code += text[at];
  }
  const auto word = [&](size_t from) {
    while (from < code.size() && std::isspace(static_cast<unsigned char>(code[from]))) ++from;
    size_t to = from;
    while (to < code.size() && (std::isalnum(static_cast<unsigned char>(code[to])) || code[to] == '_')) ++to;
    return std::pair(code.substr(from, to - from), to);
  };
  std::set<std::string> names;
  for (size_t at = code.find("struct"); at != std::string::npos; at = code.find("struct", at + 1)) {
    const auto [name, end] = word(at + 6);
    size_t brace = end;
    while (brace < code.size() && std::isspace(static_cast<unsigned char>(code[brace]))) ++brace;
    if (brace == code.size() || code[brace] != '{') continue;
    if (!name.empty()) {
      names.insert(name);
      continue;
    }
    int depth = 0; // a typedef without a tag: its name comes after
    do depth += code[brace] == '{' ? 1 : code[brace] == '}' ? -1 : 0;
    while (++brace < code.size() && depth > 0);
    names.insert(word(brace).first);
  }
  return names;
}

struct Member {
  std::string name;
  size_t offset, size, alignment;
};
struct Struct {
  size_t size, alignment;
  std::vector<Member> members;
};

std::map<std::string, Struct> table() {
  std::map<std::string, Struct> structs;
  std::string last;
#define HTP_STRUCT(s, size_) structs[last = #s] = {sizeof(s), alignof(s), {}};
#define HTP_MEMBER(s, m, offset_)                                                                                      \
  structs[last].members.push_back({#m, offsetof(s, m), sizeof(s::m), alignof(decltype(s::m))});
#define HTP_UNION HTP_MEMBER
#include "layout.def"
  return structs;
}

TEST(Layout, HasEachStructOfTheHeaders) {
  const auto structs = table();
  std::set<std::string> defined;
  const auto headers = list_folder(include);
  for (const FolderEntry &header : *headers)
    if (header.name.ends_with(".h"))
      for (const std::string &name : defined_in(*read_file(include + header.name)))
        if (!name.starts_with("htp_fields_")) defined.insert(name); // the hash has the node table itself
  for (const std::string &name : defined)
    EXPECT_TRUE(structs.contains(name) != local.contains(name)) << name << " is in layout.def, or local";
  for (const auto &[name, one] : structs) EXPECT_TRUE(defined.contains(name)) << name << " is in no header";
  EXPECT_GT(defined.size(), 40u);
}

// The members follow one another with no more room between them than alignment needs: none is left out.
TEST(Layout, HasEachMember) {
  for (const auto &[name, one] : table()) {
    size_t end = 0;
    const auto aligned = [&](size_t alignment) { return (end + alignment - 1) / alignment * alignment; };
    for (const Member &member : one.members) {
      EXPECT_EQ(member.offset, aligned(member.alignment)) << name << "::" << member.name;
      end = member.offset + member.size;
    }
    EXPECT_EQ(aligned(one.alignment), one.size) << name;
  }
}

TEST(Layout, ItsHashesAreThoseOfTheTree) {
  ProcessRequest request;
  request.argv = {HTP_GENERATE};
  const auto generated = run_process(request);
  ASSERT_TRUE(generated);
  EXPECT_EQ(generated->out, *read_file(include + "layout_hash.h"))
      << "build the target htp_layout_hash and commit what it wrote";
}

} // namespace
} // namespace htp
