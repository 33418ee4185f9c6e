#include "host/load/elf.h"

#include "htp/htp.h"
#include "tests/load/elf_edit.h"
#include "tests/load/fixture.h"

#include <elf.h>

#include <cstdlib>

namespace htp {
namespace {

std::string library(const std::string &name) { return *read_file(fixture_folder(name) + "/libfixture.so"); }

std::string refusal(std::string_view bytes) {
  const auto facts = read_elf(bytes);
  return facts ? "accepted" : facts.error();
}

TEST(Elf, SaysWhatALibraryNeedsAndExports) {
  const auto ok = read_elf(library("ok"));
  ASSERT_TRUE(ok);
  EXPECT_TRUE(ok->has_entry);
  EXPECT_FALSE(ok->beside_itself);
  const auto beside = read_elf(library("beside_itself"));
  ASSERT_TRUE(beside);
  EXPECT_TRUE(beside->beside_itself);
  ASSERT_FALSE(beside->needed.empty());
  EXPECT_EQ(beside->needed[0], "libfixture_side.so");
  EXPECT_FALSE(read_elf(library("no_entry"))->has_entry);
  EXPECT_FALSE(read_elf(library("entry_function"))->has_entry);
}

// A name alone is not an export: the dynamic loader would not find these.
TEST(Elf, TakesNoEntryThatTheLoaderWouldNot) {
  const std::string good = library("ok");
  const auto with = [&](auto change) {
    std::string bytes = good;
    change(*entry_symbol(bytes));
    return read_elf(bytes)->has_entry;
  };
  EXPECT_TRUE(with([](Elf64_Sym &) {}));
  EXPECT_TRUE(with([](Elf64_Sym &s) { s.st_info = ELF64_ST_INFO(STB_WEAK, STT_OBJECT); }));
  EXPECT_FALSE(with([](Elf64_Sym &s) { s.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT); }));
  EXPECT_FALSE(with([](Elf64_Sym &s) { s.st_shndx = SHN_UNDEF; }));
  EXPECT_FALSE(with([](Elf64_Sym &s) { s.st_other = STV_HIDDEN; }));
}

// What counts is what the loader reads: the section table may be gone.
TEST(Elf, NeedsNoSections) {
  std::string bytes = library("beside_itself");
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  header->e_shoff = header->e_shnum = header->e_shstrndx = header->e_shentsize = 0;
  const auto facts = read_elf(bytes);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->has_entry);
  EXPECT_EQ(facts->needed[0], "libfixture_side.so");
  EXPECT_EQ(facts->run_paths, std::vector<std::string>{"$ORIGIN"});
}

TEST(Elf, StrippingLeavesTheNote) {
  const auto folder = TemporaryFolder::make();
  const std::string stripped = folder->path() + "/stripped.so";
  const std::string command = "strip --strip-all -o " + stripped + " " + fixture_folder("ok") + "/libfixture.so";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto facts = read_elf(*read_file(stripped));
  ASSERT_TRUE(facts);
  ASSERT_EQ(facts->notes.size(), 1u);
  EXPECT_EQ(facts->notes[0].id, "test.ok");
  EXPECT_EQ(facts->notes[0].version, "1.0.0");
  EXPECT_EQ(facts->notes[0].abi_major, HTP_ABI_MAJOR);
  EXPECT_EQ(facts->notes[0].abi_minor, HTP_ABI_MINOR);
  EXPECT_EQ(facts->notes[0].layout, HTP_LAYOUT_ALL);
}

// Names within names: a few bytes each in the tables, and the longest of all texts.
TEST(Elf, NamesAreReadInTimeLinearInTheFile) {
  std::string bytes = library("ok") + std::string(8 << 20, 'a') + std::string(1, '\0');
  ElfEdit edit(bytes);
  const uint64_t far = library("ok").size() - edit.dynamic(DT_STRTAB);
  // A dynamic section behind it all, with as many NEEDED of the long name.
  std::vector<Elf64_Dyn> dynamic(200);
  for (Elf64_Dyn &entry : dynamic) entry.d_tag = DT_NEEDED, entry.d_un.d_val = far;
  dynamic[0] = {DT_STRTAB, {edit.dynamic(DT_STRTAB)}};
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const uint64_t at = bytes.size();
  bytes.append(reinterpret_cast<const char *>(dynamic.data()), dynamic.size() * sizeof(Elf64_Dyn));
  ElfEdit whole(bytes);
  whole.segment(PT_DYNAMIC).p_offset = at;
  whole.segment(PT_DYNAMIC).p_filesz = dynamic.size() * sizeof(Elf64_Dyn);
  EXPECT_EQ(refusal(whole.bytes()), "its names are longer than the file");
}

TEST(Elf, FindsSymbolsAsTheLoaderDoes) {
  const std::string side = *read_file(fixture_folder("beside_itself") + "/libfixture_side.so");
  const ElfSymbols symbols(side);
  EXPECT_TRUE(symbols.defines("fixture_side_answer"));
  EXPECT_FALSE(symbols.defines("fixture_side_answe"));
  EXPECT_FALSE(symbols.defines("printf"));
  EXPECT_FALSE(symbols.has_versions());
  const std::string plugin = library("ok");
  EXPECT_TRUE(ElfSymbols(plugin).has_versions());
  EXPECT_TRUE(ElfSymbols(plugin).defines_version("HTP"));
  EXPECT_FALSE(ElfSymbols(plugin).defines_version("HTQ"));
}

TEST(Elf, NamesWhatItIsNot) {
  std::string bytes = library("ok");
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  const Elf64_Ehdr good = *header;
  EXPECT_EQ(refusal(""), "it is not an ELF file");
  EXPECT_EQ(refusal(std::string_view(bytes).substr(0, 20)), "it is cut off");
  header->e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(refusal(bytes), "it is not 64-bit little-endian");
  *header = good;
  header->e_machine = EM_S390;
  EXPECT_EQ(refusal(bytes), "it is for ELF machine 22, this is " + std::to_string(good.e_machine));
  *header = good;
  header->e_type = ET_REL;
  EXPECT_EQ(refusal(bytes), "it is an ELF file, but not a shared library");
  *header = good;
  header->e_phnum = 0;
  EXPECT_EQ(refusal(bytes), "it has no dynamic section");
}

// Every cut and a spread of flipped bytes: no read beyond the bytes (the sanitizers look), whatever the answer.
TEST(Elf, SurvivesDamage) {
  const std::string whole = library("beside_itself");
  for (size_t size = 0; size < whole.size(); size += 7) read_elf(std::string(whole, 0, size));
  for (size_t at = 0; at < whole.size(); at += at < 4096 ? 1 : 61)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = value;
      read_elf(bytes);
    }
}

} // namespace
} // namespace htp
