// SPDX-License-Identifier: Apache-2.0
// ParsedFile: a file parsed with the options it is really compiled with; its syntax tree is passed to a visitor. Called
// by analysis/analyzer and analysis/futures. Thread safety: none.
//
// Function bodies that are not needed are skipped: a point of the file is never in a header's function body, and most
// of the parsing time is spent there.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Sema;
}

namespace ravel {

struct ParseInput {
  std::string file;  // the file with the points; absolute
  std::string main;  // the source that includes it, when it is a header; otherwise the file itself
  std::vector<std::string> arguments;
  std::string directory;
  std::string replacement;  // text to read instead of the file's own, when replaced
  bool replaced = false;
  // Whether a function of the file, whose name is at the offset, is parsed with its body; empty: all are.
  std::function<bool(const clang::FunctionDecl&, unsigned)> keeps_body;
  bool instantiates = false;  // instantiates templates at the end, for errors that need it
  bool whole = false;         // function bodies of headers are parsed too, except system headers
};

struct CompilerError {
  std::string message;  // the compiler's sentence
  std::string path;     // as set by #line
  unsigned line = 0;
  bool in_file = false;
  unsigned offset = 0;  // in the file's text
  bool fatal = false;
};

// The file while its tree is alive. Offsets are bytes from the beginning of the file's text.
class ParsedFile {
 public:
  ParsedFile(clang::ASTContext& context, clang::Sema& sema, clang::FileID id,
             std::vector<std::pair<unsigned, unsigned>> skipped);

  clang::ASTContext& context() const { return context_; }
  clang::Sema& sema() const { return sema_; }  // who wants templates instantiated that the file does not use
  clang::SourceManager& sources() const { return context_.getSourceManager(); }
  clang::FileID id() const { return id_; }
  llvm::StringRef text() const { return text_; }

  // Where the token begins for a reader of the file: a macro expansion begins at the macro's name.
  bool begins_here(clang::SourceLocation location, unsigned& offset) const;
  // One past the end of the token, or of the whole macro expansion that made it.
  bool ends_here(clang::SourceLocation location, unsigned& offset) const;
  unsigned line(unsigned offset) const;
  unsigned column(unsigned offset) const;
  clang::SourceLocation location(unsigned offset) const;
  bool left_out(unsigned offset) const;  // by #if

 private:
  clang::ASTContext& context_;
  clang::Sema& sema_;
  clang::FileID id_;
  llvm::StringRef text_;
  std::vector<std::pair<unsigned, unsigned>> skipped_;
};

// False when there is no tree at all; the errors say why.
bool parse(const ParseInput& input, const std::function<void(ParsedFile&)>& visit, std::vector<CompilerError>& errors);

}  // namespace ravel
