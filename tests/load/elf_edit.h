// elf_edit.h — changes a library's bytes in one place, to see what is said of it.
#pragma once

#include "htp/note.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace htp {

class ElfEdit {
public:
  explicit ElfEdit(std::string bytes) : bytes_(std::move(bytes)) {}

  const std::string &bytes() const { return bytes_; }

  Elf64_Phdr &segment(uint32_t type) {
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(bytes_.data());
    auto *all = reinterpret_cast<Elf64_Phdr *>(bytes_.data() + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; ++i)
      if (all[i].p_type == type) return all[i];
    ADD_FAILURE() << "no segment of type " << type;
    return all[0];
  }

  // Gives an entry of the dynamic section that nobody needs another tag and value.
  void set_dynamic(int64_t tag, uint64_t value) {
    const Elf64_Phdr &segment = this->segment(PT_DYNAMIC);
    auto *all = reinterpret_cast<Elf64_Dyn *>(bytes_.data() + segment.p_offset);
    for (size_t i = 0; i < segment.p_filesz / sizeof *all; ++i)
      if (all[i].d_tag == DT_RELACOUNT) {
        all[i].d_tag = tag;
        all[i].d_un.d_val = value;
        return;
      }
    ADD_FAILURE() << "no DT_RELACOUNT";
  }
  uint64_t dynamic(int64_t tag) {
    const Elf64_Phdr &segment = this->segment(PT_DYNAMIC);
    const auto *all = reinterpret_cast<const Elf64_Dyn *>(bytes_.data() + segment.p_offset);
    for (size_t i = 0; i < segment.p_filesz / sizeof *all; ++i)
      if (all[i].d_tag == tag) return all[i].d_un.d_val;
    ADD_FAILURE() << "no tag " << tag;
    return 0;
  }

  // Each occurrence; both must be of one length.
  void replace(const std::string &old, const std::string &text) {
    ASSERT_EQ(old.size(), text.size());
    size_t count = 0;
    for (size_t at = 0; (at = bytes_.find(old, at)) != std::string::npos; at += old.size(), ++count)
      bytes_.replace(at, old.size(), text);
    EXPECT_NE(count, 0u) << old;
  }

  // Makes its note say this, of today's ABI.
  void note(const std::string &id, const std::string &version) {
    const size_t at = bytes_.find(std::string(HTP_NOTE_OWNER, sizeof HTP_NOTE_OWNER));
    ASSERT_NE(at, std::string::npos);
    const uint32_t words[] = {HTP_ABI_MAJOR, HTP_ABI_MINOR, static_cast<uint32_t>(HTP_LAYOUT_ALL),
                              static_cast<uint32_t>(HTP_LAYOUT_ALL >> 32)};
    std::memcpy(bytes_.data() + at + 4, words, sizeof words);
    const std::string text = id + '\0' + version + '\0';
    bytes_.replace(at + 4 + sizeof words, text.size(), text);
  }

private:
  std::string bytes_;
};

} // namespace htp
