// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/parsed_file.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace ravel {
namespace {

using Skipped = std::vector<std::pair<unsigned, unsigned>>;

clang::FileID id_of(clang::SourceManager& sources, const std::string& file) {
  auto entry = sources.getFileManager().getOptionalFileRef(file);
  return entry ? sources.translateFile(*entry) : clang::FileID();
}

// Errors only: warnings are for the real compilation.
class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  ErrorCollector(const std::string& file, std::vector<CompilerError>& errors) : file_(file), errors_(errors) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) return;
    CompilerError error;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    error.message = std::string(text);
    error.fatal = level == clang::DiagnosticsEngine::Fatal;
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) {
      // Clang's driver complains about options that only gcc knows: they do not change where a point is.
      if (!error.fatal) return;
    } else {
      clang::SourceManager& sources = diagnostic.getSourceManager();
      const clang::PresumedLoc presumed = sources.getPresumedLoc(diagnostic.getLocation());
      if (presumed.isValid()) {
        error.path = presumed.getFilename();
        error.line = presumed.getLine();
      }
      const auto [id, offset] = sources.getDecomposedLoc(sources.getFileLoc(diagnostic.getLocation()));
      error.in_file = id == id_of(sources, file_);
      error.offset = offset;
    }
    errors_.push_back(std::move(error));
  }

 private:
  const std::string& file_;
  std::vector<CompilerError>& errors_;
};

class SkippedRanges : public clang::PPCallbacks {
 public:
  SkippedRanges(clang::SourceManager& sources, const std::string& file, Skipped& skipped)
      : sources_(sources), file_(file), skipped_(skipped) {}

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    const auto [id, begin] = sources_.getDecomposedLoc(range.getBegin());
    if (id != id_of(sources_, file_)) return;
    skipped_.emplace_back(begin, sources_.getFileOffset(range.getEnd()));
  }

 private:
  clang::SourceManager& sources_;
  const std::string& file_;
  Skipped& skipped_;
};

class Consumer : public clang::SemaConsumer {
 public:
  Consumer(const ParseInput& input, const std::function<void(ParsedFile&)>& visit, Skipped& skipped)
      : input_(input), visit_(visit), skipped_(skipped) {}

  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    clang::SourceManager& sources = declaration->getASTContext().getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(declaration->getLocation());
    if (input_.whole) return sources.isInSystemHeader(location);
    const auto [id, offset] = sources.getDecomposedLoc(location);
    if (id != id_of(sources, input_.file)) return true;
    const clang::FunctionDecl* function = declaration->getAsFunction();
    return function != nullptr && input_.keeps_body && !input_.keeps_body(*function, offset);
  }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (!visit_ || sema_ == nullptr) return;
    const clang::FileID id = id_of(context.getSourceManager(), input_.file);
    if (id.isInvalid()) return;
    ParsedFile file(context, *sema_, id, skipped_);
    visit_(file);
  }

 private:
  const ParseInput& input_;
  const std::function<void(ParsedFile&)>& visit_;
  Skipped& skipped_;
  clang::Sema* sema_ = nullptr;
};

class ParseAction : public clang::ASTFrontendAction {
 public:
  ParseAction(const ParseInput& input, const std::function<void(ParsedFile&)>& visit) : input_(input), visit_(visit) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;  // the consumer is asked which
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<SkippedRanges>(compiler.getSourceManager(), input_.file, skipped_));
    return std::make_unique<Consumer>(input_, visit_, skipped_);
  }

  // A translation-unit prefix is not instantiated at its end; the tree of the patterns is still there.
  clang::TranslationUnitKind getTranslationUnitKind() override {
    return input_.instantiates ? clang::TU_Complete : clang::TU_Prefix;
  }

 private:
  const ParseInput& input_;
  const std::function<void(ParsedFile&)>& visit_;
  Skipped skipped_;
};

std::vector<std::string> clang_arguments(const ParseInput& input) {
  namespace tooling = clang::tooling;
  std::vector<std::string> arguments = input.arguments;
  if (arguments.empty()) arguments.emplace_back("c++");
  bool named = false;
  bool resources = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string& argument = arguments[i];
    resources = resources || argument.starts_with("-resource-dir");
    if (argument.starts_with("-") || arguments[i - 1] == "-o") continue;
    std::filesystem::path path = argument;
    if (path.is_relative()) path = input.directory / path;
    std::error_code ignored;
    if (std::filesystem::equivalent(path, input.main, ignored)) {
      argument = input.main;
      named = true;
    }
  }
  auto adjust = tooling::combineAdjusters(
      tooling::getClangStripOutputAdjuster(),
      tooling::combineAdjusters(tooling::getClangStripDependencyFileAdjuster(), tooling::getClangSyntaxOnlyAdjuster()));
  arguments = adjust(arguments, input.main);
  std::erase(arguments, "-Werror");
  std::vector<std::string> ours = {"-w", "-ferror-limit=0"};
  // Options before the source: "--" may end them.
  if (!resources) ours.emplace_back("-resource-dir=" RAVEL_CLANG_RESOURCES);
  arguments.insert(arguments.begin() + 1, ours.begin(), ours.end());
  if (!named) arguments.push_back(input.main);
  return arguments;
}

}  // namespace

ParsedFile::ParsedFile(clang::ASTContext& context, clang::Sema& sema, clang::FileID id, Skipped skipped)
    : context_(context),
      sema_(sema),
      id_(id),
      text_(context.getSourceManager().getBufferData(id)),
      skipped_(std::move(skipped)) {}

bool ParsedFile::begins_here(clang::SourceLocation location, unsigned& offset) const {
  if (location.isInvalid()) return false;
  const auto [id, begin] = sources().getDecomposedLoc(sources().getExpansionLoc(location));
  offset = begin;
  return id == id_;
}

bool ParsedFile::ends_here(clang::SourceLocation location, unsigned& offset) const {
  if (location.isInvalid()) return false;
  const clang::SourceLocation last = sources().getExpansionRange(location).getEnd();
  const auto [id, begin] = sources().getDecomposedLoc(last);
  offset = begin + clang::Lexer::MeasureTokenLength(last, sources(), context_.getLangOpts());
  return id == id_;
}

unsigned ParsedFile::line(unsigned offset) const { return sources().getLineNumber(id_, offset); }
unsigned ParsedFile::column(unsigned offset) const { return sources().getColumnNumber(id_, offset); }

clang::SourceLocation ParsedFile::location(unsigned offset) const {
  return sources().getLocForStartOfFile(id_).getLocWithOffset(static_cast<int>(offset));
}

bool ParsedFile::left_out(unsigned offset) const {
  return std::ranges::any_of(skipped_,
                             [&](const auto& range) { return range.first <= offset && offset < range.second; });
}

bool parse(const ParseInput& input, const std::function<void(ParsedFile&)>& visit, std::vector<CompilerError>& errors) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  if (input.replaced) {
    memory->addFile(input.file, 0, llvm::MemoryBuffer::getMemBufferCopy(input.replacement, input.file));
  }
  files->pushOverlay(memory);
  if (!input.directory.empty()) files->setCurrentWorkingDirectory(input.directory);
  clang::FileSystemOptions options;
  options.WorkingDir = input.directory;
  llvm::IntrusiveRefCntPtr<clang::FileManager> manager(new clang::FileManager(options, files));
  bool seen = false;
  const std::function<void(ParsedFile&)> visitor = [&](ParsedFile& file) {
    seen = true;
    if (visit) visit(file);
  };
  ErrorCollector collector(input.file, errors);
  clang::tooling::ToolInvocation invocation(clang_arguments(input), std::make_unique<ParseAction>(input, visitor),
                                            manager.get());
  invocation.setDiagnosticConsumer(&collector);
  invocation.run();
  return seen;
}

}  // namespace ravel
