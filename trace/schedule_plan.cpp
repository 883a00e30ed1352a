// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_plan.h"

#include <bit>

#include "trace/schedule_text.h"

namespace ravel {
namespace {

// A probability of 1/2^n as text. From n = 64 on the event never happens: `never`.
constexpr std::uint64_t kNeverPower = 64;

void append_power(std::string& out, std::uint64_t power) {
  if (power >= kNeverPower) {
    out += "never";
    return;
  }
  out += "1/";
  append_number(out, std::uint64_t{1} << power);
}

template <typename T>
std::optional<T> parse_power(std::string_view text) {
  if (text == "never") return kQuietEnvironment;
  if (!text.starts_with("1/")) return std::nullopt;
  const auto denominator = parse_number<std::uint64_t>(text.substr(2));
  if (!denominator || !std::has_single_bit(*denominator)) return std::nullopt;
  return static_cast<T>(std::countr_zero(*denominator));
}

// 2^n rounds.
std::optional<std::uint8_t> parse_rounds(std::string_view text) {
  const auto rounds = parse_number<std::uint64_t>(text);
  if (!rounds || !std::has_single_bit(*rounds)) return std::nullopt;
  return static_cast<std::uint8_t>(std::countr_zero(*rounds));
}

// hold=HELD:WANTED,HELD:WANTED: addresses of locks, in decimal like every number in a schedule.
bool parse_holds(Plan& plan, std::string_view text) {
  for (LockHold& hold : plan.hold) {
    const std::size_t end = text.find(',');
    const std::string_view part = text.substr(0, end);
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) return false;
    if (!assign(hold.held, parse_number<std::uint64_t>(part.substr(0, colon))) ||
        !assign(hold.wanted, parse_number<std::uint64_t>(part.substr(colon + 1))) || hold.held == 0) {
      return false;
    }
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
  return false;
}

// One of the strategy's own parameters.
bool parse_parameter(Plan& plan, const KeyValue& field) {
  for (const StrategyParameter& parameter : strategy_parameters(plan.strategy)) {
    if (field.key != parameter.name) continue;
    std::uint64_t value = 0;
    const bool is_power = parameter.form == ParameterForm::power;
    if (!assign(value, is_power ? parse_power<std::uint64_t>(field.value) : parse_number<std::uint64_t>(field.value)))
      return false;
    plan.set_parameter(parameter.name, value);
    return true;
  }
  return false;
}

bool parse_field(Plan& plan, const KeyValue& field) {
  if (field.key == "exhaustive") {
    plan.exhaustive = 1;
    return field.value == "yes";
  }
  if (field.key == "sleeps") {
    plan.short_sleeps = 1;
    return field.value == "short";
  }
  if (field.key == "hold") return parse_holds(plan, field.value);
  if (field.key == "seed") return assign(plan.seed, parse_number<std::uint64_t>(field.value));
  if (field.key == "spin") return assign(plan.spin_power, parse_rounds(field.value));
  if (field.key == "environment") return assign(plan.environment_power, parse_power<std::uint8_t>(field.value));
  if (field.key == "stale") return assign(plan.stale_power, parse_power<std::uint8_t>(field.value));
  return parse_parameter(plan, field);
}

void append_parameters(std::string& out, const Plan& plan) {
  for (const StrategyParameter& parameter : strategy_parameters(plan.strategy)) {
    const std::uint64_t value = plan.parameter(parameter.name);
    if (value == parameter.usual) continue;
    out += ' ';
    out += parameter.name;
    out += '=';
    if (parameter.form == ParameterForm::power) {
      append_power(out, value);
    } else {
      append_number(out, value);
    }
  }
}

}  // namespace

std::string format_plan(const Plan& plan) {
  const Plan usual;
  std::string out = strategy_name(plan.strategy);
  out += " seed=";
  append_number(out, plan.seed);
  append_parameters(out, plan);
  if (plan.spin_power != usual.spin_power) {
    out += " spin=";
    append_number(out, std::uint64_t{1} << (plan.spin_power & 63));
  }
  if (plan.environment_power < kNeverPower) {
    out += " environment=";
    append_power(out, plan.environment_power);
  }
  if (plan.stale_power < kNeverPower) {
    out += " stale=";
    append_power(out, plan.stale_power);
  }
  if (plan.exhaustive != 0) out += " exhaustive=yes";
  if (plan.short_sleeps != 0) out += " sleeps=short";
  for (const LockHold& hold : plan.hold) {
    if (hold.held == 0) break;
    out += &hold == plan.hold ? " hold=" : ",";
    append_number(out, hold.held);
    out += ':';
    append_number(out, hold.wanted);
  }
  return out;
}

std::optional<Plan> parse_plan(std::string_view text) {
  const auto words = split_quoted(text);
  if (!words || words->empty()) return std::nullopt;
  Plan plan;
  bool known = false;
  for (unsigned i = 0; i < kStrategyKinds; ++i) {
    if (words->front() != strategy_name(static_cast<StrategyKind>(i))) continue;
    plan.strategy = static_cast<StrategyKind>(i);
    known = true;
  }
  if (!known) return std::nullopt;
  for (std::size_t i = 1; i < words->size(); ++i) {
    const auto field = split_key_value((*words)[i]);
    if (!field || !parse_field(plan, *field)) return std::nullopt;
  }
  return plan;
}

}  // namespace ravel
