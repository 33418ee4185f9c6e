// htp-host promote-plan: what a package lacks before it may take the place of another, by a change policy. Evidence is
// a file each, in a folder beside the package; it names both packages by their digests, so it is of these and no
// others.
#include "host/base/fs.h"
#include "host/base/process.h"
#include "host/cli/policy_check.h"
#include "host/diag/utf8.h"
#include "host/load/identity.h"
#include "host/package/reader.h"
#include "host/trust/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace htp {

namespace promote {
namespace {

using Json = nlohmann::ordered_json;

struct Sides {
  std::string a, b;               // as they were given
  std::string digest_a, digest_b; // of their manifests
  std::string folder;             // of the evidence
};

struct Judged {
  std::string kind;
  std::string state; // "there", "missing", "stale", "fails", "unsigned"
  std::string why;
  std::string how; // the command that brings it
};

std::string number(double value) { return fmt::format("{:.3g}", value); }

// What htp-host itself answers to a command line; null where it cannot be had.
Json ask(const std::vector<std::string> &words, const Arguments &arguments) {
  ProcessRequest request;
  request.argv = {own_file(), "--json"};
  if (!arguments.request.profile.empty())
    request.argv.insert(request.argv.end(), {"--plugins", arguments.request.profile});
  for (const std::string &folder : arguments.request.plugin_path)
    request.argv.insert(request.argv.end(), {"--plugin-path", folder});
  request.argv.insert(request.argv.end(), words.begin(), words.end());
  const auto done = run_process(request);
  return done ? Json::parse(done->out, nullptr, false) : Json(nullptr);
}

// Evidence is anybody's file: a field of another type is as none.
std::string word(const Json &json, const char *key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

double real(const Json &json, const char *key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

// Of which type each field is, where evidence has it.
bool is_formed(const Json &says) {
  static const std::pair<const char *, bool (Json::*)() const noexcept> fields[] = {
      {"verified", &Json::is_boolean}, {"same", &Json::is_boolean}, {"why", &Json::is_string},
      {"calls", &Json::is_string},     {"stage", &Json::is_string}, {"entry", &Json::is_string},
      {"sizes", &Json::is_object},     {"ratio", &Json::is_object}, {"by", &Json::is_string}};
  for (const auto &[name, is] : fields) {
    const auto found = says.find(name);
    if (found != says.end() && !((*found).*is)() && !(found->is_null() && std::string_view(name) == "same"))
      return false;
  }
  const auto ratio = says.find("ratio");
  if (ratio == says.end()) return true;
  for (const char *name : {"median", "high"})
    if (!ratio->contains(name) || !(*ratio)[name].is_number()) return false;
  return true;
}

// Of each kind: the command that shows it, what of the answer is kept, and what is wrong with that by a policy.
struct Kind {
  const char *name;
  std::function<std::vector<std::string>(const Sides &)> command;
  std::function<Json(const Json &)> kept;
  std::function<std::string(const Json &, const ChangePolicy &)> wrong;
};

std::string first_error(const Json &answer) {
  for (const Json &one : answer.value("diagnostics", Json::array()))
    if (one.value("severity", "") != "warning") return one.value("message", "");
  return "";
}

const std::vector<Kind> &kinds() {
  static const std::vector<Kind> list = {
      {"verify",
       [](const Sides &s) -> std::vector<std::string> {
         return {"verify", s.b};
       },
       [](const Json &answer) -> Json {
         return {{"verified", answer.value("exit_code", 1) == 0}, {"why", first_error(answer)}};
       },
       [](const Json &found, const ChangePolicy &) -> std::string {
         const auto verified = found.find("verified");
         return verified != found.end() && *verified == true ? "" : "it did not verify: " + word(found, "why");
       }},
      {"results",
       [](const Sides &s) -> std::vector<std::string> {
         return {"diff", "--semantic", s.a, s.b};
       },
       [](const Json &answer) -> Json { return answer.value("results", Json::object()); },
       [](const Json &found, const ChangePolicy &) -> std::string {
         const Json same = found.value("same", Json(nullptr));
         return same.is_boolean() && same.get<bool>() ? ""
                : same.is_boolean()                   ? "its results are others: " + word(found, "why")
                                    : "its results were not held against the other's: " + word(found, "why");
       }},
      {"time",
       [](const Sides &s) -> std::vector<std::string> {
         return {"bench", s.b, "--against", s.a};
       },
       [](const Json &answer) -> Json {
         const Json timed = answer.value("timed", Json::array());
         if (timed.size() < 2 || !timed[1].contains("ratio")) return {{"why", first_error(answer)}};
         return {{"entry", word(answer, "entry")},
                 {"sizes", answer.value("sizes", Json::object())},
                 {"ratio", timed[1]["ratio"]}};
       },
       [](const Json &found, const ChangePolicy &policy) -> std::string {
         const Json ratio = found.value("ratio", Json::object());
         const double high = real(ratio, "high"), median = real(ratio, "median");
         if (high <= 0 || median <= 0) return "it was not timed: " + word(found, "why");
         // The other's time by this one's; of all that is likely the most, so that noise is no reason.
         if (1 / high <= 1 + static_cast<double>(policy.slower) / 100) return "";
         return fmt::format("it takes {} times as long, and {} % more is allowed", number(1 / median), policy.slower);
       }}};
  return list;
}

const Kind *kind_named(const std::string &name) {
  const auto found = std::find_if(kinds().begin(), kinds().end(), [&](const Kind &one) { return one.name == name; });
  return found == kinds().end() ? nullptr : &*found;
}

std::string path_of(const Sides &sides, const std::string &name) { return join_path(sides.folder, name + ".json"); }

// A file's evidence: what it says, whether it is of these packages, and who signed it.
struct Evidence {
  Json says;
  std::string wrong; // it is no evidence, or of others
  bool stale = false;
  std::string signer; // of those that the policy names; empty: nobody
};

Evidence read_evidence(const std::string &path, const std::string &kind, const Sides &sides,
                       const ChangePolicy &policy) {
  Evidence evidence;
  const auto text = read_file(path, 1u << 20);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object() || json.value("htp_evidence", Json()) != 1 || word(json, "kind") != kind ||
      !json.value("says", Json()).is_object() || !is_formed(json["says"])) {
    evidence.wrong = "it is no evidence of this kind";
    return evidence;
  }
  evidence.says = json["says"];
  if (word(json, "a") != sides.digest_a || word(json, "b") != sides.digest_b) {
    evidence.stale = true;
    evidence.wrong = "it is of other packages";
  }
  const auto signature = read_file(path + ".sig", 1u << 16);
  const Json signed_ = signature ? Json::parse(*signature, nullptr, false) : Json();
  if (signed_.is_object() && signed_.value("signature", Json()).is_string())
    for (const ChangePolicy::Signer &one : policy.signers)
      if (is_signature(one.key.value, *text, signed_["signature"].get<std::string>())) evidence.signer = one.name.value;
  return evidence;
}

Judged judge(const std::string &kind, const Sides &sides, const ChangePolicy &policy) {
  Judged need{kind, "there", "",
              fmt::format("htp-host promote-plan {} {} --gather{}", shell_word(sides.a), shell_word(sides.b),
                          policy.signers.empty() ? "" : " --key FILE")};
  const std::string path = path_of(sides, kind);
  if (!exists(path)) return need.state = "missing", need;
  const Evidence evidence = read_evidence(path, kind, sides, policy);
  need.why = evidence.wrong;
  if (!evidence.wrong.empty()) return need.state = evidence.stale ? "stale" : "fails", need;
  need.why = kind_named(kind)->wrong(evidence.says, policy);
  if (!need.why.empty()) return need.state = "fails", need.how.clear(), need;
  if (!policy.signers.empty() && evidence.signer.empty()) {
    need.state = "unsigned";
    need.why = "none of the policy's signers signed it";
  }
  return need;
}

// Reviews count by the people: with signers the one who signed, else the name that it has.
Judged judge_reviews(const Sides &sides, const ChangePolicy &policy) {
  Judged need{"review", "there", "",
              fmt::format("htp-host promote-plan {} {} --review NAME{}", shell_word(sides.a), shell_word(sides.b),
                          policy.signers.empty() ? "" : " --key FILE")};
  std::vector<std::string> who;
  std::string stale, none;
  if (const auto files = list_folder(sides.folder))
    for (const FolderEntry &file : *files) {
      if (!file.name.starts_with("review-") || !file.name.ends_with(".json")) continue;
      const Evidence evidence = read_evidence(join_path(sides.folder, file.name), "review", sides, policy);
      const std::string by = word(evidence.says, "by");
      if (evidence.stale)
        stale = by;
      else if (!evidence.wrong.empty() || by.empty())
        none = file.name;
      if (!evidence.wrong.empty() || by.empty() || (!policy.signers.empty() && evidence.signer != by)) continue;
      if (std::find(who.begin(), who.end(), by) == who.end()) who.push_back(by);
    }
  if (who.size() >= policy.reviews) return need;
  need.state = !none.empty() ? "fails" : stale.empty() ? "missing" : "stale";
  need.why = fmt::format("{} of {}", who.size(), policy.reviews) +
             (stale.empty() ? "" : "; that of " + printable(stale) + " is of other packages") +
             (none.empty() ? "" : "; " + printable(none) + ": it is no evidence of this kind");
  return need;
}

bool write(const std::string &path, const std::string &text, Diagnostics &diagnostics) {
  if (const auto failed = write_file_atomic(path, text)) {
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
    return false;
  }
  return true;
}

// What this call made, and that alone it signs: what lies there else is another's to answer for.
struct Made {
  std::string path, text;
};

bool keep(const std::string &name, const std::string &kind, const Json &says, const Sides &sides,
          std::vector<Made> &made, Diagnostics &diagnostics) {
  const Json json{{"htp_evidence", 1},   {"kind", kind},       {"a", sides.digest_a},
                  {"b", sides.digest_b}, {"htp", HTP_VERSION}, {"says", says}};
  made.push_back({path_of(sides, name), json.dump(2) + "\n"});
  (void)remove_tree(made.back().path + ".sig"); // of what it was
  return write(made.back().path, made.back().text, diagnostics);
}

std::optional<PrivateKey> key_at(const std::string &file, Diagnostics &diagnostics) {
  const auto pem = read_file(file, 1u << 20);
  auto key = pem ? PrivateKey::read(*pem) : Expected<PrivateKey, std::string>(Unexpected{pem.error().reason});
  if (key) return *key;
  diagnostics.report(diag::trust_no_key, {}, file, key.error());
  return std::nullopt;
}

bool sign(const std::vector<Made> &made, const PrivateKey &key, Diagnostics &diagnostics) {
  return std::all_of(made.begin(), made.end(), [&](const Made &one) {
    return write(one.path + ".sig", Json{{"key", key.public_key()}, {"signature", key.sign(one.text)}}.dump(2) + "\n",
                 diagnostics);
  });
}

// Whether a review stands as it would be made: of these packages, and signed by whom it names.
bool is_reviewed(const std::string &name, const Sides &sides, const ChangePolicy &policy) {
  const std::string path = path_of(sides, "review-" + name);
  if (policy.signers.empty() || !exists(path)) return false;
  const Evidence evidence = read_evidence(path, "review", sides, policy);
  return evidence.wrong.empty() && evidence.signer == name && word(evidence.says, "by") == name;
}

// What there is of it when it is interrupted.
std::string left(const std::vector<Made> &made, const std::string &folder) {
  return made.empty() ? "nothing was changed" : "what was gathered until then is in " + printable(folder);
}

} // namespace
} // namespace promote

int promote_plan_command(const Arguments &arguments) {
  using namespace promote;
  Diagnostics diagnostics;
  if (!two_given(arguments, diagnostics)) return finish(arguments, diagnostics, exit_usage, "", nullptr);
  const auto policy = policy_at(arguments.policy, diagnostics);
  if (!policy) return finish(arguments, diagnostics);
  Sides sides{arguments.files[0], arguments.files[1], "", "", arguments.into};
  for (std::string *side : {&sides.a, &sides.b}) {
    while (side->size() > 1 && side->ends_with('/')) side->pop_back();
    const auto package = read_package(*side, diagnostics);
    if (!package) return finish(arguments, diagnostics);
    (side == &sides.a ? sides.digest_a : sides.digest_b) = package->digest;
  }
  if (!arguments.key.empty() && !arguments.gather && arguments.review.empty()) {
    diagnostics.report(diag::promote_nothing_to_sign, {});
    return finish(arguments, diagnostics);
  }
  const auto key = arguments.key.empty() ? std::nullopt : key_at(arguments.key, diagnostics);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  std::vector<Made> made;
  if (sides.folder.empty()) sides.folder = sides.b + ".evidence";
  if (arguments.gather || !arguments.review.empty())
    if (const auto failed = make_folders(sides.folder)) {
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
      return finish(arguments, diagnostics);
    }
  if (arguments.gather)
    for (const Text &need : policy->needs) {
      const Kind *kind = kind_named(need.value);
      if (!kind || judge(need.value, sides, *policy).state == "there") continue;
      const Json answer = ask(kind->command(sides), arguments);
      if (interrupted) return finish_cancelled(arguments, left(made, sides.folder));
      if (!keep(need.value, need.value, answer.is_object() ? kind->kept(answer) : Json::object(), sides, made,
                diagnostics))
        return finish(arguments, diagnostics);
    }
  if (!arguments.review.empty()) {
    if (arguments.review.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") !=
        std::string::npos) {
      diagnostics.report(diag::promote_bad_name, {}, arguments.review);
      return finish(arguments, diagnostics);
    }
    if (!is_reviewed(arguments.review, sides, *policy) &&
        !keep("review-" + arguments.review, "review", {{"by", arguments.review}}, sides, made, diagnostics))
      return finish(arguments, diagnostics);
  }
  if (key && !sign(made, *key, diagnostics)) return finish(arguments, diagnostics);

  const auto checked = check_changes(*policy, sides.a, sides.b, arguments, diagnostics);
  if (interrupted) return finish_cancelled(arguments, left(made, sides.folder));
  if (!checked) return finish(arguments, diagnostics);
  const Json &changes = checked->at("result");
  std::vector<Judged> needs;
  for (const Text &need : policy->needs)
    needs.push_back(need.value == "review" ? judge_reviews(sides, *policy) : judge(need.value, sides, *policy));
  bool ready = changes.at("allowed");
  Json rows = Json::array();
  std::string text = fmt::format("{} → {}\n  {:<9} policy: {} change{}{}\n", printable(sides.a), printable(sides.b),
                                 ready ? "there" : "fails", changes.at("changes").size(),
                                 changes.at("changes").size() == 1 ? "" : "s", ready ? ", all allowed" : "");
  for (const Judged &need : needs) {
    const bool there = need.state == "there";
    ready &= there;
    text += fmt::format("  {:<9} {}{}\n", need.state, need.kind, need.why.empty() ? "" : ": " + printable(need.why));
    if (!there && !need.how.empty())
      text += fmt::format("            {} --policy {}\n", need.how, shell_word(arguments.policy));
    if (!there) diagnostics.report(diag::promote_lacks, {}, sides.b, sides.a, need.kind, need.state);
    rows.push_back({{"kind", need.kind}, {"state", need.state}, {"why", need.why}, {"how", there ? "" : need.how}});
  }
  text += ready ? fmt::format("{} may take the place of {}\n", printable(sides.b), printable(sides.a))
                : fmt::format("{} may not take the place of {} yet\n", printable(sides.b), printable(sides.a));
  return finish(arguments, diagnostics, arguments.quiet && ready ? "" : text,
                Json{{"a", sides.a},
                     {"b", sides.b},
                     {"evidence", sides.folder},
                     {"ready", ready},
                     {"changes", changes.at("changes")},
                     {"needs", rows}});
}

} // namespace htp
