#include "host/load/elf.h"

#include "host/load/elf_image.h"
#include "htp/entry.h"
#include "htp/note.h"

#include <algorithm>
#include <cstddef>

namespace htp {

namespace {

#if defined(__x86_64__)
constexpr unsigned this_machine = EM_X86_64;
constexpr uint64_t relative_by_function = R_X86_64_IRELATIVE;
#elif defined(__aarch64__)
constexpr unsigned this_machine = EM_AARCH64;
constexpr uint64_t relative_by_function = R_AARCH64_IRELATIVE;
#elif defined(__riscv)
constexpr unsigned this_machine = EM_RISCV;
constexpr uint64_t relative_by_function = 58; // R_RISCV_IRELATIVE
#else
#error "name this machine's ELF number here"
#endif

std::optional<std::string> refusal(const ElfImage &image, std::string_view bytes) {
  if (!bytes.starts_with(std::string_view(ELFMAG, SELFMAG))) return "it is not an ELF file";
  if (bytes.size() < sizeof(Elf64_Ehdr)) return "it is cut off";
  const Elf64_Ehdr &header = image.header();
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "it is not 64-bit little-endian";
  if (header.e_machine != this_machine)
    return "it is for ELF machine " + std::to_string(header.e_machine) + ", this is " + std::to_string(this_machine);
  if (header.e_type != ET_DYN) return "it is an ELF file, but not a shared library";
  for (const Elf64_Phdr &segment : image.segments())
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > bytes.size() || segment.p_filesz > bytes.size() - segment.p_offset))
      return "it is cut off: it has " + std::to_string(bytes.size()) + " bytes, and not all that its header speaks of";
  if (!image.is_dynamic()) return "it has no dynamic section";
  return std::nullopt;
}

// How many symbols the dynamic table has: its hash table knows.
uint64_t symbol_count(const ElfImage &image) {
  if (image.value(DT_HASH)) return image.at<uint32_t>(image.offset_of(DT_HASH) + 4).value_or(0);
  const uint64_t begin = image.offset_of(DT_GNU_HASH);
  const auto head = image.at<GnuHash>(begin);
  if (!head) return 0;
  uint32_t last = 0;
  for (uint32_t i = 0; i < head->buckets; ++i) {
    const auto bucket = image.at<uint32_t>(head->bucket_offset(begin) + uint64_t{i} * 4);
    if (!bucket) return 0;
    last = std::max(last, *bucket);
  }
  if (last < head->first_symbol) return head->first_symbol;
  for (;; ++last) {
    const auto chain = image.at<uint32_t>(head->chain_offset(begin, last));
    if (!chain || *chain & 1) return uint64_t{last} + 1;
  }
}

// The texts of the string table. Names may lie within each other, so that a small file could spell out a huge amount:
// together they may be as long as eight times the file, which no linker comes near.
class Names {
public:
  explicit Names(const ElfImage &image)
      : image_(image), begin_(image.offset_of(DT_STRTAB)), left_(8 * image.size() + 4096) {}

  std::string_view operator()(uint64_t at) {
    if (left_ == 0) return {};
    const std::string_view text = image_.text(begin_ + at);
    left_ -= std::min<uint64_t>(left_, text.size() + 1);
    return text;
  }
  bool too_long() const { return left_ == 0; }

private:
  const ElfImage &image_;
  uint64_t begin_, left_;
};

void read_libraries(const ElfImage &image, Names &names, ElfFacts &facts) {
  for (const uint64_t at : image.values(DT_NEEDED)) facts.needed.emplace_back(names(at));
  for (const int64_t tag : {DT_AUXILIARY, DT_FILTER, DT_AUDIT, DT_DEPAUDIT, DT_CONFIG})
    for (const uint64_t at : image.values(tag)) facts.other_libraries.emplace_back(names(at));
  if (const auto at = image.value(DT_SONAME)) facts.name = names(*at);
  facts.is_runpath = image.value(DT_RUNPATH).has_value();
  for (const int64_t tag : {DT_RPATH, DT_RUNPATH})
    for (const uint64_t at : image.values(tag)) {
      const std::string_view paths = names(at);
      for (size_t begin = 0; begin <= paths.size();) { // an empty part counts: it is the working directory
        const size_t end = std::min(paths.find(':', begin), paths.size());
        facts.run_paths.emplace_back(paths.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  for (const std::string &path : facts.run_paths)
    facts.beside_itself |= path.find("$ORIGIN") != std::string::npos || path.find("${ORIGIN}") != std::string::npos;
}

// Chains of (library, its versions), each entry saying how far away the next is.
void read_needed_versions(const ElfImage &image, Names &names, ElfFacts &facts) {
  uint64_t at = image.offset_of(DT_VERNEED);
  uint64_t left = image.value(DT_VERNEEDNUM).value_or(0);
  for (uint64_t seen = 0; left-- > 0 && seen < image.size() / sizeof(Elf64_Vernaux);) {
    const auto library = image.at<Elf64_Verneed>(at);
    if (!library) return;
    uint64_t inner = at + library->vn_aux;
    const std::string name(names(library->vn_file));
    for (unsigned i = 0; i < library->vn_cnt; ++i, ++seen) {
      const auto version = image.at<Elf64_Vernaux>(inner);
      if (!version || names.too_long()) return;
      if (!(version->vna_flags & VER_FLG_WEAK))
        facts.needed_versions.push_back({name, std::string(names(version->vna_name))});
      if (version->vna_next == 0) break;
      inner += version->vna_next;
    }
    if (library->vn_next == 0) return;
    at += library->vn_next;
  }
}

void read_symbols(const ElfImage &image, Names &names, ElfFacts &facts) {
  const uint64_t symbols = image.offset_of(DT_SYMTAB), count = symbol_count(image);
  for (uint64_t i = 1; i < count && !names.too_long(); ++i) {
    const auto symbol = image.at<Elf64_Sym>(symbols + i * sizeof(Elf64_Sym));
    if (!symbol) break;
    const unsigned binding = ELF64_ST_BIND(symbol->st_info), type = ELF64_ST_TYPE(symbol->st_info);
    const unsigned visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    if (symbol->st_shndx == SHN_UNDEF) {
      if (binding == STB_GLOBAL) facts.undefined.emplace_back(names(symbol->st_name));
      continue;
    }
    facts.resolvers += type == STT_GNU_IFUNC;
    if (binding == STB_LOCAL || (visibility != STV_DEFAULT && visibility != STV_PROTECTED)) continue;
    const std::string_view name = names(symbol->st_name);
    if (name == HTP_ENTRY_SYMBOL)
      facts.has_entry |= type == STT_OBJECT && (binding == STB_GLOBAL || binding == STB_WEAK);
    else if (binding == STB_GNU_UNIQUE)
      facts.unique.emplace_back(name);
    else if (binding == STB_GLOBAL && symbol->st_shndx != SHN_ABS) // absolute: a version's name
      facts.exports.emplace_back(name);
    else
      facts.weak_exports += binding == STB_WEAK;
  }
}

// What runs of it beside what it is asked for, and how it wants to be mapped.
void read_behaviour(const ElfImage &image, ElfFacts &facts) {
  const auto entries = [&](int64_t tag) { return image.value(tag).value_or(0) / 8; };
  facts.constructors = entries(DT_INIT_ARRAYSZ) + entries(DT_PREINIT_ARRAYSZ);
  facts.destructors = entries(DT_FINI_ARRAYSZ);
  const std::pair<int64_t, int64_t> tables[] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
  for (const auto &[tag, size] : tables) {
    const uint64_t begin = image.offset_of(tag), count = image.value(size).value_or(0) / sizeof(Elf64_Rela);
    for (uint64_t i = 0; i < count; ++i) {
      const auto info = image.at<uint64_t>(begin + i * sizeof(Elf64_Rela) + offsetof(Elf64_Rela, r_info));
      if (!info) break;
      facts.resolvers += ELF64_R_TYPE(*info) == relative_by_function;
    }
  }
  const uint64_t flags = image.value(DT_FLAGS).value_or(0);
  facts.text_relocations = image.value(DT_TEXTREL).has_value() || (flags & DF_TEXTREL);
  facts.static_tls = flags & DF_STATIC_TLS;
  const uint64_t more_flags = image.value(DT_FLAGS_1).value_or(0);
  facts.stays = more_flags & DF_1_NODELETE;
  facts.bound_at_once = (flags & DF_BIND_NOW) || (more_flags & DF_1_NOW) || image.value(DT_BIND_NOW).has_value();
  facts.executable_stack = true; // what the loader takes one without this header for
  for (const Elf64_Phdr &segment : image.segments()) {
    if (segment.p_type == PT_GNU_STACK) facts.executable_stack = segment.p_flags & PF_X;
    if (segment.p_type == PT_LOAD) facts.writable_code |= (segment.p_flags & PF_W) && (segment.p_flags & PF_X);
  }
}

std::optional<PluginNote> read_note(std::string_view bytes) {
  struct Head {
    uint32_t abi_major, abi_minor, layout_low, layout_high;
  } head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  PluginNote note{head.abi_major, head.abi_minor, uint64_t{head.layout_high} << 32 | head.layout_low, {}, {}};
  for (std::string *text : {&note.id, &note.version}) {
    const size_t end = bytes.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    *text = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
  }
  return note;
}

void read_notes(const ElfImage &image, ElfFacts &facts) {
  constexpr std::string_view owner(HTP_NOTE_OWNER, sizeof HTP_NOTE_OWNER);
  for (const Elf64_Phdr &segment : image.segments()) {
    if (segment.p_type != PT_NOTE) continue;
    const std::string_view notes = image.bytes(segment.p_offset, segment.p_filesz);
    const uint64_t step = segment.p_align == 8 ? 8 : 4;
    const auto up = [&](uint64_t n) { return (n + step - 1) / step * step; };
    for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data() + at, sizeof note);
      const uint64_t name = at + sizeof note, bytes = at + up(sizeof note + note.n_namesz);
      if (bytes + note.n_descsz > notes.size()) break;
      if (note.n_type == HTP_NOTE_PLUGIN && notes.substr(name, note.n_namesz) == owner) {
        auto read = read_note(notes.substr(bytes, note.n_descsz));
        facts.damaged_note |= !read;
        if (read) facts.notes.push_back(std::move(*read));
      }
      at = up(bytes + note.n_descsz);
    }
  }
}

} // namespace

Expected<ElfFacts, std::string> read_elf(std::string_view bytes) {
  const ElfImage image(bytes);
  if (auto why = refusal(image, bytes)) return Unexpected{std::move(*why)};
  ElfFacts facts;
  Names names(image);
  read_libraries(image, names, facts);
  read_needed_versions(image, names, facts);
  read_symbols(image, names, facts);
  read_behaviour(image, facts);
  read_notes(image, facts);
  if (names.too_long()) return Unexpected{std::string("its names are longer than the file")};
  return facts;
}

bool is_for_this_machine(std::string_view head) {
  const ElfImage image(head);
  return head.starts_with(std::string_view(ELFMAG, SELFMAG)) && image.header().e_ident[EI_CLASS] == ELFCLASS64 &&
         image.header().e_machine == this_machine;
}

// ── looking up ──────────────────────────────────────────────────────────────────────────────────────────────────────

ElfSymbols::ElfSymbols(std::string_view bytes) : image_(std::make_unique<ElfImage>(bytes)) {}
ElfSymbols::~ElfSymbols() = default;
ElfSymbols::ElfSymbols(ElfSymbols &&) noexcept = default;

bool ElfSymbols::defines(std::string_view symbol) const {
  const ElfImage &image = *image_;
  const uint64_t symbols = image.offset_of(DT_SYMTAB), strings = image.offset_of(DT_STRTAB);
  const auto is_it = [&](uint64_t index) {
    const auto found = image.at<Elf64_Sym>(symbols + index * sizeof(Elf64_Sym));
    return found && found->st_shndx != SHN_UNDEF && ELF64_ST_BIND(found->st_info) != STB_LOCAL &&
           image.is_text(strings + found->st_name, symbol);
  };
  const uint64_t begin = image.offset_of(DT_GNU_HASH);
  if (const auto head = image.at<GnuHash>(begin); head && head->buckets != 0) {
    uint32_t hash = 5381;
    for (const char c : symbol) hash = hash * 33 + static_cast<unsigned char>(c);
    auto index = image.at<uint32_t>(head->bucket_offset(begin) + uint64_t{hash % head->buckets} * 4);
    if (!index || *index < head->first_symbol) return false;
    for (;; ++*index) {
      const auto chain = image.at<uint32_t>(head->chain_offset(begin, *index));
      if (!chain) return false;
      if ((*chain | 1) == (hash | 1) && is_it(*index)) return true;
      if (*chain & 1) return false;
    }
  }
  const uint64_t old = image.offset_of(DT_HASH);
  const auto buckets = image.at<uint32_t>(old), count = image.at<uint32_t>(old + 4);
  if (!buckets || !count || *buckets == 0) return false;
  uint32_t hash = 0;
  for (const char c : symbol) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    hash = (hash ^ (hash & 0xf0000000) >> 24) & 0x0fffffff;
  }
  auto index = image.at<uint32_t>(old + 8 + uint64_t{hash % *buckets} * 4);
  const uint64_t most = std::min<uint64_t>(*count, image.size() / sizeof(uint32_t)); // a chain may run in a circle
  for (uint64_t steps = 0; index && *index != 0 && steps < most; ++steps) {
    if (is_it(*index)) return true;
    index = image.at<uint32_t>(old + 8 + (uint64_t{*buckets} + *index) * 4);
  }
  return false;
}

bool ElfSymbols::has_versions() const { return image_->value(DT_VERDEF).has_value(); }

bool ElfSymbols::defines_version(std::string_view version) const {
  const ElfImage &image = *image_;
  const uint64_t strings = image.offset_of(DT_STRTAB);
  uint64_t at = image.offset_of(DT_VERDEF), left = image.value(DT_VERDEFNUM).value_or(0);
  for (left = std::min(left, image.size() / sizeof(Elf64_Verdef)); left > 0; --left) {
    const auto defined = image.at<Elf64_Verdef>(at);
    if (!defined) return false;
    const auto name = image.at<Elf64_Verdaux>(at + defined->vd_aux);
    if (name && image.is_text(strings + name->vda_name, version)) return true;
    if (defined->vd_next == 0) return false;
    at += defined->vd_next;
  }
  return false;
}

} // namespace htp
