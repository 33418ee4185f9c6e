// htp_cpp/int_ranges.h — arithmetic of ranges of ints: between what a sum, a difference or a product lies of ints that
// lie in two ranges. An end that does not fit 64 bits is none: then it may be less, or more, than any number. A draft;
// of the SDK's library, `htp::lib`.
#pragma once

#include "htp_cpp/ints.h"

namespace htp::sdk {

IntRange operator+(const IntRange &a, const IntRange &b);
IntRange operator-(const IntRange &a, const IntRange &b);
IntRange operator-(const IntRange &a);
IntRange operator*(const IntRange &a, const IntRange &b);
// Of the lesser, the greater of two ints.
IntRange least(const IntRange &a, const IntRange &b);
IntRange most(const IntRange &a, const IntRange &b);
// Of an int that lies in one of them.
IntRange hull(const IntRange &a, const IntRange &b);

} // namespace htp::sdk
