// host/load/elf_image.h — reads an ELF file's bytes as the dynamic loader would, without ever leaving them. (Sections
// are for linkers, and may be stripped or say something else.) Private to elf.cpp.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace htp {

class ElfImage {
public:
  explicit ElfImage(std::string_view bytes) : bytes_(bytes) {
    header_ = at<Elf64_Ehdr>(0).value_or(Elf64_Ehdr{});
    if (header_.e_phentsize != sizeof(Elf64_Phdr)) header_.e_phnum = 0;
    for (unsigned i = 0; i < header_.e_phnum; ++i)
      if (const auto segment = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr))) segments_.push_back(*segment);
    for (const Elf64_Phdr &segment : segments_)
      if (segment.p_type == PT_DYNAMIC) read_dynamic(segment);
  }

  const Elf64_Ehdr &header() const { return header_; }
  const std::vector<Elf64_Phdr> &segments() const { return segments_; }
  bool is_dynamic() const { return dynamic_; }
  uint64_t size() const { return bytes_.size(); }
  uint64_t nowhere() const { return bytes_.size(); } // an offset that nothing is at

  template <class T> std::optional<T> at(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  // The NUL-terminated text at an offset; empty when it has no end.
  std::string_view text(uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    const size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }
  bool is_text(uint64_t offset, std::string_view text) const {
    return offset < bytes_.size() && bytes_.substr(offset).starts_with(text) && at<char>(offset + text.size()) == '\0';
  }
  std::string_view bytes(uint64_t offset, uint64_t size) const {
    return offset > bytes_.size() || size > bytes_.size() - offset ? std::string_view() : bytes_.substr(offset, size);
  }

  // Where the file holds what will lie at an address; nowhere() when it does not.
  uint64_t offset(uint64_t address) const {
    for (const Elf64_Phdr &segment : segments_)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    return nowhere();
  }

  // The dynamic section: a tag's last value, all values of one.
  std::optional<uint64_t> value(int64_t tag) const {
    const auto found = values_.find(tag);
    return found == values_.end() ? std::nullopt : std::optional(found->second.back());
  }
  const std::vector<uint64_t> &values(int64_t tag) const {
    static const std::vector<uint64_t> none;
    const auto found = values_.find(tag);
    return found == values_.end() ? none : found->second;
  }
  uint64_t offset_of(int64_t tag) const {
    const auto address = value(tag);
    return address ? offset(*address) : nowhere();
  }

private:
  void read_dynamic(const Elf64_Phdr &segment) {
    dynamic_ = true;
    values_.clear();
    for (uint64_t used = 0; used + sizeof(Elf64_Dyn) <= segment.p_filesz; used += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(segment.p_offset + used);
      if (!entry || entry->d_tag == DT_NULL) break;
      values_[entry->d_tag].push_back(entry->d_un.d_val);
    }
  }

  std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  bool dynamic_ = false;
  std::map<int64_t, std::vector<uint64_t>> values_;
};

struct GnuHash {
  uint32_t buckets, first_symbol, bloom_words, bloom_shift;
  uint64_t bucket_offset(uint64_t begin) const { return begin + sizeof(GnuHash) + uint64_t{bloom_words} * 8; }
  uint64_t chain_offset(uint64_t begin, uint64_t symbol) const {
    return bucket_offset(begin) + uint64_t{buckets} * 4 + (symbol - first_symbol) * 4;
  }
};

} // namespace htp
