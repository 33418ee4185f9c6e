// The verbs before a run: validate, build, load. The driver's compiler is what a package is built by; what it gives
// lies in the cache.
#include "loaded.h"

namespace htp::opencl {

namespace {

constexpr std::string_view binary_name = "program.bin";
// Sums may not be reordered, nor divisions made products: a device says by itself whether it divides as IEEE has it.
constexpr const char options[] = "-cl-std=CL1.2";
constexpr const char exact_options[] = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
constexpr uint64_t correctly_rounded = 1 << 7;

std::string read(const Context &c, const std::string &path) {
  htp_str bytes{};
  return c.host()->read_file(c.ctx(), str(path), &bytes) == HTP_OK ? std::string(view(bytes)) : std::string();
}

const char *options_of(const Driver &d) {
  uint64_t config = 0;
  d.cl.GetDeviceInfo(d.device, device_fp_config, sizeof config, &config, nullptr);
  return config & correctly_rounded ? exact_options : options;
}

bool build_program(const Context &c, const Driver &d, Handle program) {
  if (d.cl.BuildProgram(program, 1, &d.device, options_of(d), nullptr, nullptr) == 0) return true;
  size_t size = 0;
  d.cl.GetProgramBuildInfo(program, d.device, build_log, 0, nullptr, &size);
  std::string log(size, '\0');
  d.cl.GetProgramBuildInfo(program, d.device, build_log, size, log.data(), nullptr);
  c.report(diag::build_failed, HTP_NONE, d.name).note(log.substr(0, log.find('\0')));
  return false;
}

// Empty after a diagnostic.
std::string binary_of(const Context &c, const Driver &d, const std::string &source) {
  const char *text = source.data();
  const size_t length = source.size();
  Status status = 0;
  Handle program = d.cl.CreateProgramWithSource(d.context, 1, &text, &length, &status);
  std::string binary;
  if (!program) {
    c.report(diag::call_failed, HTP_NONE, "clCreateProgramWithSource", status_name(status));
  } else if (build_program(c, d, program)) {
    size_t size = 0;
    status = d.cl.GetProgramInfo(program, program_sizes, sizeof size, &size, nullptr);
    binary.resize(size);
    unsigned char *to = reinterpret_cast<unsigned char *>(binary.data());
    if (status == 0) status = d.cl.GetProgramInfo(program, program_binaries, sizeof to, &to, nullptr);
    if (status != 0) {
      c.report(diag::call_failed, HTP_NONE, "clGetProgramInfo", status_name(status));
      binary.clear();
    }
  }
  if (program) d.cl.ReleaseProgram(program);
  return binary;
}

void collect_kernels(const std::vector<Step> &steps, std::vector<const Step *> &found) {
  for (const Step &s : steps) {
    if (s.what == "launch") found.push_back(&s);
    collect_kernels(s.steps, found), collect_kernels(s.otherwise, found);
  }
}

} // namespace

Result Binding::validate(const Context &c) {
  const auto package = read_package(c);
  return package && !read(c, package->source).empty() ? c.result() : HTP_FAILED;
}

Result Binding::build(const Context &c, htp_str &built) {
  const auto package = read_package(c);
  const std::string source = package ? read(c, package->source) : std::string();
  const auto driver = source.empty() ? nullptr : open_driver(c);
  if (!driver) return HTP_FAILED;
  const std::string inputs = "htp.opencl/1\n" + driver->identity + "\n" + options_of(*driver) + "\n" + source;
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), &built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  const std::string binary = binary_of(c, *driver, source);
  if (binary.empty()) return HTP_FAILED;
  const htp_str command[] = {str("tee"), str(binary_name)};
  htp_tool_result written{};
  if (c.host()->run_tool(c.ctx(), command, 2, built, str(binary), &written) != HTP_OK || written.exit_status != 0)
    return HTP_FAILED;
  return c.host()->cache_keep(c.ctx(), str(key));
}

Result Binding::load(const Context &c, std::string_view built, void *&loaded) {
  auto opened = std::make_unique<Loaded>();
  auto package = read_package(c);
  if (!package || !(opened->driver = open_driver(c))) return HTP_FAILED;
  opened->package = std::move(*package);
  const Driver &d = *opened->driver;
  FILE *file = std::fopen((std::string(built) + "/" + std::string(binary_name)).c_str(), "rb");
  std::string binary;
  for (char buffer[65536]; file;) {
    const size_t got = std::fread(buffer, 1, sizeof buffer, file);
    binary.append(buffer, got);
    if (got < sizeof buffer) break;
  }
  if (file) std::fclose(file);
  const auto *bytes = reinterpret_cast<const unsigned char *>(binary.data());
  const size_t size = binary.size();
  Status status = 0, of_binary = 0;
  opened->program =
      size ? d.cl.CreateProgramWithBinary(d.context, 1, &d.device, &size, &bytes, &of_binary, &status) : nullptr;
  if (!opened->program) {
    c.report(diag::call_failed, HTP_NONE, "clCreateProgramWithBinary", status_name(status))
        .hint("build again with `HTP_CACHE=off`");
    return HTP_FAILED;
  }
  if (!build_program(c, d, opened->program)) return HTP_FAILED;
  std::vector<const Step *> launches;
  collect_kernels(opened->package.steps, launches);
  for (const Step *s : launches) {
    if (static_cast<size_t>(s->lanes) > d.most_lanes) {
      c.report(diag::too_many_lanes, HTP_NONE, s->name, s->lanes, d.most_lanes);
      return HTP_FAILED;
    }
    if (opened->kernels.contains(s->name)) continue;
    Handle kernel = d.cl.CreateKernel(opened->program, s->name.c_str(), &status);
    if (!kernel) {
      c.report(diag::call_failed, HTP_NONE, "clCreateKernel", status_name(status));
      return HTP_FAILED;
    }
    opened->kernels[s->name] = kernel;
  }
  loaded = opened.release();
  return HTP_OK;
}

void Binding::unload(void *loaded) { delete static_cast<Loaded *>(loaded); }

} // namespace htp::opencl
