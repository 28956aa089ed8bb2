// SPDX-License-Identifier: BSD-3-Clause
// See jobs.hpp.
#include "tools/upcc/jobs/jobs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/options/compiler_options.hpp"
#include "tools/upcc/scan/upc_source.hpp"

namespace upcc {
namespace {

bool links(const Options& options) { return options.stage == Stage::kLink; }

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

// The name of the C that -trans writes when -o names none: program.upc, program.c, program.w2c.c give
// program.trans.c in the current folder.
std::string translated_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  for (const std::string suffix : {".trans.c", ".w2c.c", ".upc.c", ".c", ".upc"})
    if (name.size() > suffix.size() && name.ends_with(suffix))
      return name.substr(0, name.size() - suffix.size()) + ".trans.c";
  return name + ".trans.c";
}

// Compilers refuse this, too, but see a copy of the input here.
void check_overwriting(const Options& options) {
  std::error_code ignored;
  if (options.stage == Stage::kTranslate ||  // has a message of its own
      !std::filesystem::is_regular_file(options.output, ignored))
    return;
  for (const Input& input : options.inputs)
    if (input.kind != InputKind::kLinkOption &&
        std::filesystem::equivalent(options.output, input.argument, ignored))
      fatal("-o " + options.output + " would be written over an input; name another file");
}

void check_inputs(const Options& options) {
  if (options.inputs.empty() || (!options.has_sources() && !links(options)))
    fatal("no input files; 'upcc --help' lists the options");
  check_overwriting(options);
  if (links(options)) return;
  std::size_t sources = 0;
  for (const Input& input : options.inputs) {
    if (input.is_source()) ++sources;
    if (input.kind == InputKind::kLinkFile)
      warn(input.argument + ": not used, because -c, -S, -E, -M or -trans stops before the link");
  }
  if (sources > 1 && !options.output.empty() && options.stage != Stage::kDependencies)
    fatal("-o " + options.output + " names one output, but " + std::to_string(sources) +
          " files are compiled without a link; leave -o out, or compile them one by one");
}

class JobListBuilder {
 public:
  explicit JobListBuilder(const Options& options) : options_(options) {}

  std::vector<Job> build() {
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) add_input(i);
    if (links(options_))
      jobs_.push_back({JobKind::kLink,
                       std::move(link_inputs_),
                       options_.output.empty() ? "a.out" : options_.output,
                       {},
                       options_.inputs.size()});
    return std::move(jobs_);
  }

 private:
  void add_input(std::size_t number) {
    const Input& input = options_.inputs[number];
    JobInput file{input.argument, input.kind, input.argument, input.language};
    if (input.kind == InputKind::kC && input.language.empty() && !options_.gupc.on &&
        is_upc_source(input.argument, header_folders(options_.compile_options, {"-I", "-iquote"})))
      file.kind = InputKind::kUpc;
    if (file.kind == InputKind::kUpc && !options_.gupc.on)
      file = translate_and_compile(file, number);
    else if (input.is_source())
      file = compile(file, output_for(file, number), number);
    link_inputs_.push_back(std::move(file));
  }

  JobInput translate_and_compile(const JobInput& upc, std::size_t number) {
    const std::string output = output_for(upc, number);
    switch (options_.stage) {
      case Stage::kPreprocess:
      case Stage::kDependencies:
        return add(JobKind::kPreprocess, upc, output, number);
      case Stage::kSyntax:
      case Stage::kTranslate:
        return add(JobKind::kTranslate, upc, output, number);
      default:
        break;
    }
    const JobInput c = add(JobKind::kTranslate, upc, translation_for(upc, output, number), number);
    jobs_.back().object = output;
    return compile({c.file, InputKind::kTranslation, upc.name, {}}, output, number);
  }

  JobInput compile(const JobInput& source, const std::string& output, std::size_t number) {
    return add(options_.stage == Stage::kTranslate ? JobKind::kRewrite : JobKind::kCompile, source, output,
               number);
  }

  JobInput add(JobKind kind, const JobInput& source, const std::string& output, std::size_t number) {
    check_output(source, output);
    jobs_.push_back({kind, {source}, output, {}, number});
    return {output, InputKind::kLinkFile, source.name, {}};
  }

  // The C of a UPC source: with --keep-trans beside the object, or in the current folder where the object is
  // temporary.
  std::string translation_for(const JobInput& upc, const std::string& object, std::size_t number) const {
    if (!options_.upc.keep_translation) return temporary(upc, number, ".trans.c");
    const std::filesystem::path folder = std::filesystem::path(object).parent_path();
    return links(options_) ? translated_name(upc.name) : (folder / translated_name(upc.name)).string();
  }

  std::string output_for(const JobInput& source, std::size_t number) const {
    if (links(options_)) return temporary(source, number, ".o");
    if (!options_.output.empty() && options_.stage != Stage::kSyntax) return options_.output;
    switch (options_.stage) {
      case Stage::kCompile:
        return stem_of(source.name) + ".o";
      case Stage::kAssemble:
        return stem_of(source.name) + ".s";
      case Stage::kTranslate:
        return translated_name(source.name);
      default:
        return {};  // -E, -M to standard output; -fsyntax-only
    }
  }

  // Two sources of one name in different folders would overwrite each other's output.
  void check_output(const JobInput& source, const std::string& output) const {
    if (output.empty() || options_.stage == Stage::kDependencies) return;
    for (const Job& job : jobs_)
      if (job.output == output)
        fatal(job.input().name + " and " + source.name + " would both become " + output +
              "; compile them one by one with -o");
  }

  static std::string temporary(const JobInput& source, std::size_t number, const char* suffix) {
    return temp_file(std::to_string(number) + "-" + stem_of(source.name) + suffix);
  }

  const Options& options_;
  std::vector<Job> jobs_;
  std::vector<JobInput> link_inputs_;
};

}  // namespace

std::vector<Job> make_jobs(const Options& options) {
  check_inputs(options);
  return JobListBuilder(options).build();
}

int run_jobs(const std::vector<Job>& jobs, const std::function<int(const Job&)>& run_job) {
  int status = 0;
  std::set<std::string> missing;  // outputs of jobs that have failed
  for (const Job& job : jobs) {
    const bool ready = std::none_of(job.inputs.begin(), job.inputs.end(), [&missing](const JobInput& input) {
      return missing.count(input.file) != 0;
    });
    const int job_status = ready ? run_job(job) : 0;
    if (!ready || job_status != 0) missing.insert(job.output);
    if (status == 0) status = job_status;
  }
  return status;
}

}  // namespace upcc
