// The table of fields of a change policy: what may change, and what a change needs.
#include "host/manifest/field_readers.h"

namespace htp {

namespace {

using namespace fields;

constexpr std::string_view statement_words[] = {"assign", "call",   "def",      "for",   "if",  "while",  "with",
                                                "return", "import", "constant", "other", "key", "library"};
constexpr std::string_view change_words[] = {"changed", "added", "removed", "moved"};
constexpr std::string_view part_words[] = {"numbers", "names", "calls", "operators", "types", "form"};
constexpr std::string_view need_words[] = {"verify", "results", "time", "review"};

using Rule = ChangePolicy::Rule;
constexpr Field rule_fields[] = {
    {"name", Shape::string, required, "what answers call it", text<&Rule::name, Shape::string>},
    {"functions", Shape::strings, optional,
     "in these functions, `outer.inner` within others, `<module>` for what stands outside of them; `*` stands for "
     "anything",
     texts<&Rule::functions, Shape::string>},
    {"decorators", Shape::strings, optional, "in functions under one of these: `@kernel`, `@schedule(*`",
     texts<&Rule::decorators, Shape::string>},
    {"statements", Shape::words, optional,
     "statements of these forms; `key` is one of a plugin's manifest, `library` its `.so`, `constant` a name of the "
     "module that stands for a number",
     words<&Rule::statements, statement_words>, nullptr, statement_words},
    {"changes", Shape::words, optional, "that were changed so", words<&Rule::changes, change_words>, nullptr,
     change_words},
    {"parts", Shape::words, optional,
     "of which only these parts are others; `form` is anything else. A statement that was added, removed or moved is "
     "`form`",
     words<&Rule::parts, part_words>, nullptr, part_words},
    {"calls", Shape::strings, optional, "statements that call one of these, by its last name: `tile`, `split`",
     texts<&Rule::calls, Shape::string>},
    {"keys", Shape::strings, optional, "keys of a manifest by their path: `units.*.options.*`",
     texts<&Rule::keys, Shape::string>},
};
constexpr Record rule_record{
    "a rule", rule_fields, "Speaks of the changes that have all that it names. What it does not name may be anything."};

constexpr Field signer_fields[] = {
    {"name", Shape::name, required, "who it is", text<&ChangePolicy::Signer::name, Shape::name>},
    {"key", Shape::key, required, "the public key", text<&ChangePolicy::Signer::key, Shape::key>},
};
constexpr Record signer_record{"a signer", signer_fields, "Who may sign evidence, and review."};

constexpr Field change_policy_fields[] = {
    {"htp_changes", Shape::format, required, "the format of this file", skip},
    {"allow", Shape::records, optional, "what may change; nothing else does",
     records<&ChangePolicy::allow, rule_record>, &rule_record},
    {"deny", Shape::records, optional, "what of this may not", records<&ChangePolicy::deny, rule_record>, &rule_record},
    {"needs", Shape::words, optional,
     "what a change needs beside: `verify`, that the package verifies; `results`, that it computes what the one before "
     "does; `time`, that it is not slower; `review`, that people looked",
     words<&ChangePolicy::needs, need_words>, nullptr, need_words},
    {"slower", Shape::natural, optional, "by how many percent it may be slower; default `0`",
     natural<&ChangePolicy::slower>},
    {"reviews", Shape::natural, optional, "how many reviews; default `1`", natural<&ChangePolicy::reviews>},
    {"signers", Shape::records, optional, "who signs: with these, evidence counts only when one of them signed it",
     records<&ChangePolicy::signers, signer_record>, &signer_record},
};

} // namespace

constexpr Record change_policy_record{"the change policy", change_policy_fields,
                                      "Which parts of a program, a stage or a plugin may change, and what a change "
                                      "needs before it may take the place of another: `htp-host policy-check` and "
                                      "`promote-plan` are given it."};

} // namespace htp
