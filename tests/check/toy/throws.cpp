// What a plugin without the SDK's shims lets out.
#include <stdexcept>

extern "C" void toy_throw() { throw std::runtime_error("out of toys"); }
