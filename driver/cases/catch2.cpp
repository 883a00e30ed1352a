// SPDX-License-Identifier: Apache-2.0
// Catch2, versions 2 and 3. Its listing of names alone has one name per line; a name that begins with '#' is in quotes.
// Sections are no cases: they belong to theirs.
#include <algorithm>
#include <optional>

#include "driver/cases/test_framework.h"
#include "reports/text_lines.h"

namespace ravel {
namespace {

// Options whose value is the next word.
constexpr std::string_view kWithValue =
    " -o --out -r --reporter -n --name -x --abortx -w --warn -d --durations -D --min-duration -f --input-file -c "
    "--section -v --verbosity "
    "--order --rng-seed --use-colour --colour-mode --wait-for-keypress --benchmark-samples --benchmark-resamples "
    "--benchmark-confidence-interval --benchmark-warmup-time --shard-count --shard-index ";

// The user's words: options with their values, and tests by name or tag.
struct Arguments {
  struct Option {
    std::string word;
    std::optional<std::string> value;  // if it is a word of its own
  };

  explicit Arguments(const TestFramework::Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (!word.starts_with('-')) {
        tests.push_back(word);
        continue;
      }
      options.push_back({word, std::nullopt});
      const bool takes_next = kWithValue.find(" " + word + " ") != std::string_view::npos;
      if (takes_next && i + 1 < words.size()) options.back().value = words[++i];
    }
  }

  // All options but these; each is "-r" or "--reporter", however its value is given.
  TestFramework::Words options_but(std::initializer_list<std::string_view> left_out) const {
    TestFramework::Words words;
    for (const Option& option : options) {
      const std::string_view name = std::string_view(option.word).substr(0, option.word.find_first_of("=:"));
      if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
      words.push_back(option.word);
      if (option.value) words.push_back(*option.value);
    }
    return words;
  }

  std::vector<Option> options;
  TestFramework::Words tests;
};

class Catch2 final : public TestFramework {
 public:
  explicit Catch2(unsigned major_version) : major_version_(major_version) {}
  const char* name() const override { return "Catch2"; }

  Words listing_words(const Words& arguments) const override {
    const Arguments given(arguments);
    // Reporters have listings of their own.
    Words words = given.options_but({"-o", "--out", "-r", "--reporter", "-v", "--verbosity"});
    words.insert(words.end(), given.tests.begin(), given.tests.end());
    if (major_version_ == 2) {
      words.emplace_back("--list-test-names-only");
    } else {
      words.insert(words.end(), {"--list-tests", "--verbosity", "quiet"});
    }
    return words;
  }

  std::vector<std::string> cases_in(std::string_view listing, const Words& /*arguments*/) const override {
    std::vector<std::string> cases;
    for (std::string_view line : lines_of(listing)) {
      if (line.empty()) continue;
      if (line.starts_with("\"#") && line.ends_with('"')) line = line.substr(1, line.size() - 2);
      cases.emplace_back(line);
    }
    return cases;
  }

  // A name is a pattern of its own, once everything that means something in one is escaped.
  Words selecting_words(const Words& arguments, const std::string& name,
                        const std::vector<std::string>& /*cases*/) const override {
    Words words = Arguments(arguments).options_but({"-f", "--input-file"});
    std::string pattern;
    if (name.starts_with('~') || name.starts_with('-') || name.starts_with("exclude:")) pattern += '\\';
    for (const char c : name) {
      if (std::string_view("\\,[]\"").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
    words.push_back(pattern);
    return words;
  }

 private:
  unsigned major_version_;
};

}  // namespace

std::unique_ptr<TestFramework> make_catch2(unsigned major_version) { return std::make_unique<Catch2>(major_version); }

}  // namespace ravel
