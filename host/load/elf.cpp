#include "host/load/elf.h"

#include "htp/entry.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace htp {

namespace {

#if defined(__x86_64__)
constexpr unsigned this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned this_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr unsigned this_machine = EM_RISCV;
#else
#error "name this machine's ELF number here"
#endif

// What the dynamic loader sees of a library: its program headers and what they lead to. (Sections are for linkers and
// may say something else, or be stripped.)
class Image {
public:
  explicit Image(std::string_view bytes) : bytes_(bytes) {}

  template <class T> std::optional<T> at(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  // Calls visit(program header) for each of a type.
  template <class Visit> void segments(const Elf64_Ehdr &header, uint32_t type, Visit visit) const {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment && segment->p_type == type) visit(*segment);
    }
  }
  // Where the file holds what will lie at an address; beyond the file when nowhere.
  uint64_t offset(const Elf64_Ehdr &header, uint64_t address) const {
    uint64_t result = bytes_.size();
    segments(header, PT_LOAD, [&](const Elf64_Phdr &segment) {
      if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        result = segment.p_offset + (address - segment.p_vaddr);
    });
    return result;
  }
  bool is_text(uint64_t offset, std::string_view text) const {
    return offset < bytes_.size() && bytes_.substr(offset).starts_with(text) && at<char>(offset + text.size()) == '\0';
  }
  // The NUL-terminated text at an offset; empty when it has no end.
  std::string_view text(uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    const size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }

private:
  std::string_view bytes_;
};

// The dynamic section: each tag's last value, and the texts that tags name.
struct Dynamic {
  std::map<int64_t, uint64_t> values;
  std::vector<uint64_t> needed, run_paths;
};

Dynamic dynamic_of(const Image &image, const Elf64_Phdr &segment) {
  Dynamic result;
  for (uint64_t used = 0; used + sizeof(Elf64_Dyn) <= segment.p_filesz; used += sizeof(Elf64_Dyn)) {
    const auto entry = image.at<Elf64_Dyn>(segment.p_offset + used);
    if (!entry || entry->d_tag == DT_NULL) break;
    result.values[entry->d_tag] = entry->d_un.d_val;
    if (entry->d_tag == DT_NEEDED) result.needed.push_back(entry->d_un.d_val);
    if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) result.run_paths.push_back(entry->d_un.d_val);
  }
  return result;
}

// How many symbols the dynamic table has: its hash table knows.
uint64_t symbol_count(const Image &image, const Elf64_Ehdr &header, const Dynamic &dynamic) {
  if (const auto hash = dynamic.values.find(DT_HASH); hash != dynamic.values.end())
    return image.at<uint32_t>(image.offset(header, hash->second) + 4).value_or(0);
  const auto hash = dynamic.values.find(DT_GNU_HASH);
  if (hash == dynamic.values.end()) return 0;
  struct Head {
    uint32_t buckets, first_symbol, bloom_words, bloom_shift;
  };
  const uint64_t begin = image.offset(header, hash->second);
  const auto head = image.at<Head>(begin);
  if (!head) return 0;
  const uint64_t buckets = begin + sizeof(Head) + uint64_t{head->bloom_words} * 8;
  const uint64_t chains = buckets + uint64_t{head->buckets} * 4;
  uint32_t last = 0;
  for (uint32_t i = 0; i < head->buckets; ++i) {
    const auto bucket = image.at<uint32_t>(buckets + uint64_t{i} * 4);
    if (!bucket) return 0;
    last = std::max(last, *bucket);
  }
  if (last < head->first_symbol) return head->first_symbol;
  for (;; ++last) {
    const auto chain = image.at<uint32_t>(chains + uint64_t{last - head->first_symbol} * 4);
    if (!chain || *chain & 1) return uint64_t{last} + 1;
  }
}

// Whether dlsym() would find it, as data.
bool is_exported_data(const Elf64_Sym &symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info), visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && (binding == STB_GLOBAL || binding == STB_WEAK) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED) && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT;
}

} // namespace

Expected<ElfFacts, std::string> read_elf(std::string_view bytes) {
  const auto refused = [](std::string why) { return Unexpected{std::move(why)}; };
  const Image image(bytes);
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) return refused("it is not an ELF file");
  const auto header = image.at<Elf64_Ehdr>(0);
  if (!header) return refused("it is cut off");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return refused("it is not 64-bit little-endian");
  if (header->e_machine != this_machine)
    return refused("it is for ELF machine " + std::to_string(header->e_machine) + ", this is " +
                   std::to_string(this_machine));
  if (header->e_type != ET_DYN) return refused("it is an ELF file, but not a shared library");
  std::optional<Elf64_Phdr> segment;
  if (header->e_phentsize == sizeof(Elf64_Phdr))
    image.segments(*header, PT_DYNAMIC, [&](const Elf64_Phdr &s) { segment = s; });
  if (!segment) return refused("it has no dynamic section");

  ElfFacts facts;
  const Dynamic dynamic = dynamic_of(image, *segment);
  const auto address = [&](int64_t tag) {
    const auto found = dynamic.values.find(tag);
    return found == dynamic.values.end() ? uint64_t{bytes.size()} : image.offset(*header, found->second);
  };
  const uint64_t strings = address(DT_STRTAB), symbols = address(DT_SYMTAB);
  for (const uint64_t at : dynamic.needed) facts.needed.emplace_back(image.text(strings + at));
  for (const uint64_t at : dynamic.run_paths) {
    std::string_view rest = image.text(strings + at);
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(':'), rest.size());
      facts.run_paths.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const std::string &path : facts.run_paths) facts.beside_itself |= path.find("$ORIGIN") != std::string::npos;
  const uint64_t count = symbol_count(image, *header, dynamic);
  for (uint64_t i = 1; i < count && !facts.has_entry; ++i) {
    const auto symbol = image.at<Elf64_Sym>(symbols + i * sizeof(Elf64_Sym));
    if (!symbol) break;
    facts.has_entry = is_exported_data(*symbol) && image.is_text(strings + symbol->st_name, HTP_ENTRY_SYMBOL);
  }
  return facts;
}

} // namespace htp
