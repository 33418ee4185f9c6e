#include "host/pipeline/analysed.h"

#include <algorithm>

namespace htp {

namespace {

std::string_view type_name(uint32_t type) {
  switch (type) {
  case HTP_VALUE_INT: return "int";
  case HTP_VALUE_FLOAT: return "float";
  case HTP_VALUE_STR: return "string";
  case HTP_VALUE_NODE: return "node";
  case HTP_VALUE_LIST: return "list";
  default: return "value of no known type";
  }
}

} // namespace

void Analysed::add(htp_node key, const htp_value &value) { rows_.push_back({key, own(value)}); }

htp_value Analysed::own(htp_value value) {
  if (value.type == HTP_VALUE_STR) {
    const std::string &kept = strings_.emplace_back(value.u.s.data, value.u.s.size);
    value.u.s = {kept.data(), kept.size()};
  } else if (value.type == HTP_VALUE_LIST) {
    std::vector<htp_value> items;
    for (uint32_t i = 0; i < value.count; ++i) items.push_back(own(value.u.items[i]));
    value.u.items = lists_.emplace_back(std::move(items)).data();
  }
  return value;
}

Expected<const htp_table *, std::string> Analysed::finish(std::string_view values) {
  const auto by_key = [](const htp_row &a, const htp_row &b) { return a.key < b.key; };
  std::sort(rows_.begin(), rows_.end(), by_key);
  const auto same_key = [](const htp_row &a, const htp_row &b) { return a.key == b.key; };
  if (std::adjacent_find(rows_.begin(), rows_.end(), same_key) != rows_.end())
    return Unexpected{std::string("it gives one node two values")};
  for (const htp_row &row : rows_)
    if (const std::string_view type = type_name(row.value.type); type != values)
      return Unexpected{"it gives a " + std::string(type) + " where its manifest says " + std::string(values)};
  table_ = {rows_.data(), rows_.size()};
  return &table_;
}

} // namespace htp
