// What the compiler has declared to work in is what the simulated processors use, of every instruction and shape.
#include "plugins/backend-a2a3/analyses/scratch.h"
#include "work.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <tuple>

namespace {

using htp_sim::Op;
using htp_sim::Type;

struct Dtype {
  Type type;
  int64_t bytes;
  bool real;
};
constexpr Dtype dtypes[] = {
    {Type::i8, 1, false}, {Type::i16, 2, false}, {Type::f16, 2, true}, {Type::i32, 4, false}, {Type::f32, 4, true}};

TEST(Agreement, WorkOfEveryInstruction) {
  size_t asked = 0;
  const auto compare = [&](Op op, std::string word) {
    for (char &letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const Dtype &d : dtypes)
      for (const int32_t rows : {1, 2, 8, 16, 31, 64, 128})
        for (const int32_t columns : {1,   2,   7,   8,   16,   31,   32,   63,   64,   65,   127,  128,  129,
                                      192, 256, 320, 512, 1000, 1024, 1025, 2048, 4096, 4097, 6000, 8192, 16384})
          for (const int32_t room : {8, 16, 32, 40, 512, 1024}) {
            htp_sim::Operand target, through;
            target.columns = room;
            through.type = d.type, through.valid_rows = rows, through.valid_columns = columns;
            const auto is = htp::a2a3sim::work_of(op, target, through);
            const auto wanted = htp::pto::scratch_of(
                word, {.size = d.bytes, .real = d.real, .rows = rows, .columns = columns, .target_columns = room});
            ASSERT_EQ(std::tuple(is.rows, is.columns, is.bytes), std::tuple(wanted.rows, wanted.columns, wanted.bytes))
                << word << " of " << rows << " x " << columns << ", " << d.bytes << " bytes each";
            asked += is.rows + is.bytes > 0;
          }
  };
#define PTO(name, ...) compare(Op::name, #name);
#include "instructions.def"
  EXPECT_GT(asked, 0u);
}

} // namespace
