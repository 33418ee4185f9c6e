// What the dialects' checks say of pipelines: reads programs, each behind a line with its number of bytes, and writes a
// line for each: the code of the first error, or `-`. Many of them take as long as a few compiles.
#include "tests/support/dialect_host.h"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string program(std::stoul(line), '\0'), code = "-";
    std::cin.read(program.data(), static_cast<std::streamsize>(program.size()));
    htp::test::DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, program, "w");
    if (!host.check()) {
      std::istringstream said(host.said());
      for (std::string place, severity; std::getline(said, line);) {
        std::istringstream words(line);
        if (words >> place >> severity >> code; severity == "error") break;
      }
      code.erase(code.find_last_not_of(':') + 1);
    }
    std::cout << code << std::endl;
  }
}
