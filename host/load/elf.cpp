#include "host/load/elf.h"

#include "htp/entry.h"

#include <elf.h>

#include <cstring>
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
  // The NUL-terminated text at `index` of a string section; empty when it has none.
  std::string_view text(const Elf64_Shdr &strings, uint64_t index) const {
    if (index >= strings.sh_size || strings.sh_offset > bytes_.size()) return {};
    if (strings.sh_size > bytes_.size() - strings.sh_offset) return {};
    const std::string_view rest = bytes_.substr(strings.sh_offset + index, strings.sh_size - index);
    const size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }
  // Calls visit(entry, its section's strings) for each T of the sections of a type.
  template <class T, class Visit> void each(const Elf64_Ehdr &header, uint32_t type, Visit visit) const {
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      const auto section = this->section(header, i);
      if (!section || section->sh_type != type) continue;
      const auto strings = this->section(header, section->sh_link);
      for (uint64_t used = 0; strings && section->sh_size - used >= sizeof(T); used += sizeof(T)) {
        const auto entry = at<T>(section->sh_offset + used);
        if (!entry || !visit(*entry, *strings)) break;
      }
    }
  }

private:
  std::optional<Elf64_Shdr> section(const Elf64_Ehdr &header, uint64_t index) const {
    if (index >= header.e_shnum || header.e_shoff > bytes_.size()) return std::nullopt;
    return at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
  }
  std::string_view bytes_;
};

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
  if (header->e_shentsize != sizeof(Elf64_Shdr)) return refused("it has no section table");

  ElfFacts facts;
  image.each<Elf64_Dyn>(*header, SHT_DYNAMIC, [&](const Elf64_Dyn &entry, const Elf64_Shdr &strings) {
    if (entry.d_tag == DT_NEEDED) facts.needed.emplace_back(image.text(strings, entry.d_un.d_val));
    if ((entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) &&
        image.text(strings, entry.d_un.d_val).find("$ORIGIN") != std::string_view::npos)
      facts.beside_itself = true;
    return entry.d_tag != DT_NULL;
  });
  image.each<Elf64_Sym>(*header, SHT_DYNSYM, [&](const Elf64_Sym &symbol, const Elf64_Shdr &strings) {
    if (symbol.st_shndx != SHN_UNDEF && image.text(strings, symbol.st_name) == HTP_ENTRY_SYMBOL) facts.has_entry = true;
    return !facts.has_entry;
  });
  return facts;
}

} // namespace htp
