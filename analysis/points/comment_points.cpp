// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/comment_points.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>

namespace ravel {
namespace {

// The number that the comment gives to a point; 0: it marks none.
unsigned number_in(llvm::StringRef comment, const std::string& prefix) {
  comment = comment.ltrim("/*!< \t\r\n");
  if (!comment.consume_front(prefix)) return 0;
  comment = comment.ltrim();
  unsigned number = 0;
  if (comment.consumeInteger(10, number)) return 0;
  if (!comment.empty() && (clang::isAlphanumeric(comment.front()) || comment.front() == '_')) return 0;
  return number;
}

}  // namespace

std::vector<CommentPoint> comment_points(const ParsedFile& file, const std::string& prefix) {
  std::vector<CommentPoint> points;
  const llvm::StringRef text = file.text();
  clang::Lexer lexer(file.sources().getLocForStartOfFile(file.id()), file.context().getLangOpts(), text.begin(),
                     text.begin(), text.end());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  bool directive = false;
  int words = 0;  // of the directive so far: "define", then the macro's name
  bool define = false;
  std::string macro;
  for (bool end = false; !end;) {
    end = lexer.LexFromRawLexer(token);
    if (token.isAtStartOfLine()) {
      directive = token.is(clang::tok::hash);
      define = false;
      words = 0;
      macro.clear();
    } else if (directive && token.is(clang::tok::raw_identifier)) {
      ++words;
      if (words == 1) define = token.getRawIdentifier() == "define";
      if (words == 2 && define) macro = token.getRawIdentifier().str();
    }
    if (token.isNot(clang::tok::comment)) continue;
    const unsigned offset = file.sources().getFileOffset(token.getLocation());
    const unsigned number = number_in(text.substr(offset, token.getLength()), prefix);
    if (number != 0) points.push_back({number, offset, macro, directive, file.left_out(offset)});
  }
  return points;
}

}  // namespace ravel
