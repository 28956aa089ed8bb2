// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/statement/later_updates.hpp"

#include <utility>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/place/atomics.hpp"

namespace upc2c {

std::string LaterUpdates::text(const LaterUpdate& later, const std::string& remaining,
                               const std::function<std::string(const std::string&)>& iterations) {
  const auto temporary = [this](std::string_view stem) { return lower_.splice.temporary(stem); };
  later_ = later;
  queue_ = temporary("places");
  values_ = temporary("values");
  count_ = temporary("count");
  type_ = later.atomic
              ? "__typeof__(" + call(private_operation(*as<CallExpr>(later.update)), {"(void *)0", "0"}) + ")"
              : lower_.type_texts.spell(later.lvalue->type.unqualified());
  const std::string until = temporary("until"), unused = temporary("unused"), index = temporary("j");
  std::string out = "if (" + remaining + " >= UPC2C_LATER_TRIPS";
  for (const NameExpr* pointer : later.pointers)
    out += " && " + call("upcri_is_private", {lower_.expressions.text(pointer)});
  out += ") { " + type_ + " " + unused + " = 0, " + values_ + "[UPC2C_LATER]; upc2c_places_t " + queue_ +
         "; uint64_t " + count_ + " = 0, " + until + " = UPC2C_LATER_TRIED; ";
  const std::string each = "for (int " + index + " = 0; " + index + " < UPC2C_LATER; " + index + "++";
  out += each + ") { " + queue_ + ".at[" + index + "] = (uintptr_t)&" + unused + "; " + values_ + "[" +
         index + "] = 1; } ";
  out += iterations(" && (" + count_ + " < " + until + " || (" + until + " = " +
                    call("upcri_later_until", {queue_, remaining}) + ") != 0)");
  out += " " + each + ", " + count_ + "++) " + done(count_ + " % UPC2C_LATER");
  later_ = {};
  return out + "} ";
}

std::string LaterUpdates::done(const std::string& index) const {
  const std::string place = queue_ + ".at[" + index + "]", value = values_ + "[" + index + "]";
  if (later_.atomic)
    return "(void)" + call(private_operation(*as<CallExpr>(later_.update)), {"(void *)" + place, value}) +
           "; ";
  return "*(" + type_ + " *)" + place + " " + std::string(spelling(later_.op)) + "= " + value + "; ";
}

std::string LaterUpdates::put(const std::string& place) {
  const std::string at = lower_.splice.temporary("at"), value = lower_.splice.temporary("v"),
                    index = lower_.splice.temporary("j");
  const std::string operand = later_.operand == nullptr ? "1" : lower_.expressions.text(later_.operand);
  return "({ const uintptr_t " + at + " = " + place + "; const " + type_ + " " + value + " = " + operand +
         "; const uint64_t " + index + " = " + count_ +
         "++ % UPC2C_LATER; __builtin_prefetch((const void *)" + at + ", 1); " + done(index) + queue_ +
         ".at[" + index + "] = " + at + "; " + values_ + "[" + index + "] = " + value + "; (void)0; })";
}

}  // namespace upc2c
