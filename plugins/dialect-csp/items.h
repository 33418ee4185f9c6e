// items.h — where an item goes that is got: it is used on every way, or dropped by name.
#pragma once

#include "numbers.h"

namespace htp::csp {

class Items : protected Numbers {
protected:
  Items(const Context &context, const Program &program, Values indices)
      : Numbers(context, program, std::move(indices)) {}

  // The statements around the one at hand, outermost first.
  struct Around {
    Nodes statements;
    size_t at = 0;
  };
  std::vector<Around> around_{};
  // Of the loops around whose numbers are known: what the variable grows by, and how many iterations come behind.
  struct Turning {
    std::string variable;
    int64_t stride = 1;
    MaybeInt behind{};
  };
  std::map<Node, Turning> turning_{};

  // Whether what the statement at hand gets is used on every way that is taken from here, or stated not to be, by the
  // name `_`. Else that is reported.
  bool used(Node s);

private:
  enum class Fate : uint8_t { used, lost, open }; // open: the name still has it
  struct Followed {
    Fate fate = Fate::open;
    Node where = HTP_NONE; // of what is lost: where another is bound to the name
    Node fork = HTP_NONE;  // a condition that uses it one way only
    Node last = HTP_NONE;  // a loop whose next iteration uses it
  };
  Followed follow(Nodes statements, size_t from, std::string_view name) const;
  Followed follow(Node s, std::string_view name) const;
  Followed follow_on(std::string_view name);
  bool reads(Node n, std::string_view name) const;
  bool binds(Node n, std::string_view name) const;
};

} // namespace htp::csp
