// host/manifest/field_readers.h — what reads a row of the table of fields, by its shape, into a member of its record.
#pragma once

#include "host/manifest/fields.h"
#include "host/manifest/reader.h"

namespace htp::fields {

inline constexpr bool required = true, optional = false;

template <class T> struct MemberPointer;
template <class C, class M> struct MemberPointer<M C::*> {
  using Record = C;
  using Type = M;
};
template <auto Member> auto &of(void *record) {
  return static_cast<typename MemberPointer<decltype(Member)>::Record *>(record)->*Member;
}

inline void assign(Text &member, Text &&text) { member = std::move(text); }
inline void assign(std::string &member, Text &&text) { member = std::move(text.value); }

inline void skip(void *, const YamlNode &, Reader &) {}

template <auto Member, Shape S> void text(void *record, const YamlNode &node, Reader &reader) {
  if (std::optional<Text> read = reader.text(node, S, reader.what)) assign(of<Member>(record), std::move(*read));
}

template <auto Member> void boolean(void *record, const YamlNode &node, Reader &reader) {
  if (const std::optional<bool> read = reader.boolean(node, reader.what)) of<Member>(record) = *read;
}

template <auto Member> void natural(void *record, const YamlNode &node, Reader &reader) {
  if (const std::optional<uint64_t> read = reader.natural(node, reader.what)) of<Member>(record) = *read;
}

template <auto Member, Shape S> void texts(void *record, const YamlNode &node, Reader &reader) {
  const std::string what = reader.what;
  std::vector<Text> &list = of<Member>(record);
  for (const YamlNode &item : reader.items(node, what))
    if (std::optional<Text> read = reader.text(item, S, "an item of " + what)) list.push_back(std::move(*read));
  reader.unique("the item", list);
}

template <auto Member, const auto &Words> void words(void *record, const YamlNode &node, Reader &reader) {
  const std::string what = reader.what;
  std::vector<Text> &list = of<Member>(record);
  for (const YamlNode &item : reader.items(node, what))
    if (std::optional<Text> read = reader.choice(item, Words, "an item of " + what)) list.push_back(std::move(*read));
  reader.unique("the item", list);
}

// A record within a record, read into the same struct.
template <const Record &R> void same(void *record, const YamlNode &node, Reader &reader) {
  reader.fields(R, node, record);
}

template <auto Member, const Record &R> void records(void *record, const YamlNode &node, Reader &reader) {
  auto &list = of<Member>(record);
  std::vector<Text> names;
  for (const YamlNode &item : reader.items(node, reader.what)) {
    if (item.form == YamlNode::Form::refused) continue;
    auto &made = list.emplace_back();
    reader.fields(R, item, &made);
    names.push_back(made.name);
  }
  reader.unique("the" + std::string(R.what.substr(R.what.find(' '))), names);
}

} // namespace htp::fields
