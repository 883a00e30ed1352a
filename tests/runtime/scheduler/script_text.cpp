// SPDX-License-Identifier: Apache-2.0
#include "script_text.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ravel::test {
namespace {

bool is_task_name(std::string_view word) { return !word.empty() && word[0] >= 'A' && word[0] <= 'Z'; }

Answer to_answer(const std::string& text) {
  if (text == "spurious") return {DecisionKind::environment, EnvironmentKind::spurious_wakeup};
  if (text == "timeout") return {DecisionKind::environment, EnvironmentKind::early_timeout};
  if (text == "short") return {DecisionKind::environment, EnvironmentKind::short_sleep};
  if (text == "weak") return {DecisionKind::environment, EnvironmentKind::weak_failure};
  const std::uint32_t number = to_number(split(text).back());
  if (text.starts_with("choose ")) return {DecisionKind::environment, EnvironmentKind::choose, number};
  if (text.starts_with("store ")) return {DecisionKind::reads_from, {}, number};
  if (number < 2) misspelt(text);
  return {DecisionKind::environment, EnvironmentKind::notify_target, number - 1};
}

Row to_row(std::string_view line, const std::set<std::string>& tasks) {
  Row row;
  row.text = join(split(line));
  const std::size_t end = std::min(row.text.find_first_of(" ("), row.text.size());
  if (!tasks.contains(row.text.substr(0, end))) return row;
  row.task = row.label = row.text.substr(0, end);
  row.tells_enabled = row.text.find(" |") != std::string::npos;
  if (end < row.text.size() && row.text[end] == '(') {
    const std::size_t close = row.text.find(')');
    row.label = row.text.substr(0, close + 1);
    std::istringstream answers(row.text.substr(end + 1, close - end - 1));
    for (std::string answer; std::getline(answers, answer, ',');) row.answers.push_back(to_answer(answer));
  }
  return row;
}

}  // namespace

Words split(std::string_view text) {
  std::istringstream stream{std::string(text)};
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string join(const Words& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

ScriptText parse(std::string_view text) {
  ScriptText script;
  std::set<std::string> tasks;
  std::istringstream lines{std::string(text)};
  bool below = false;
  for (std::string line; std::getline(lines, line);) {
    const Words words = split(line);
    if (words.empty()) continue;
    const std::size_t colon = line.find(':');
    if (below) {
      script.rows.push_back(to_row(line, tasks));
    } else if (words[0] == "--") {
      below = true;
    } else if (colon == std::string::npos) {
      script.declarations.push_back(words);
    } else {
      ScriptText::Line parsed{split(line.substr(0, colon)).front(), {}};
      std::istringstream commands(line.substr(colon + 1));
      for (std::string command; std::getline(commands, command, ',');) parsed.commands.push_back(join(split(command)));
      if (is_task_name(parsed.name)) {
        tasks.insert(parsed.name);
        script.tasks.push_back(parsed);
      } else {
        script.routines[parsed.name] = parsed;
      }
    }
  }
  return script;
}

}  // namespace ravel::test
