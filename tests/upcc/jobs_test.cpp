// SPDX-License-Identifier: BSD-3-Clause
// The list of jobs that upcc makes of a command line: kinds, inputs and outputs, and what runs after a
// failure.
#include "tools/upcc/jobs/jobs.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace upcc {
namespace {

// The jobs of `upcc ARGUMENTS...`. --show: no folder for temporary files is made.
std::vector<Job> jobs_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"upcc", "--show"});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return make_jobs(parse(static_cast<int>(argv.size()), argv.data()));
}

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// "compile a.c -> a.o", with the folder of temporary files left out.
std::string describe(const Job& job) {
  static const char* const kNames[] = {"preprocess", "translate", "rewrite", "compile", "link"};
  std::string text = kNames[static_cast<int>(job.kind)];
  for (const JobInput& input : job.inputs) text += " " + base_name(input.file);
  return text + " -> " + base_name(job.output);
}

using Lines = std::vector<std::string>;

Lines describe(const std::vector<Job>& jobs) {
  Lines lines;
  for (const Job& job : jobs) lines.push_back(describe(job));
  return lines;
}

TEST(UpccJobs, CIsCompiledAndLinked) {
  const std::vector<Job> jobs = jobs_of({"-o", "prog", "a.c", "sub/b.cpp"});
  EXPECT_EQ((Lines{"compile a.c -> 0-a.o", "compile b.cpp -> 1-b.o", "link 0-a.o 1-b.o -> prog"}),
            describe(jobs));
  EXPECT_EQ(InputKind::kC, jobs[0].input().kind);
  EXPECT_EQ(InputKind::kCxx, jobs[1].input().kind);
  EXPECT_EQ("sub/b.cpp", jobs[1].input().file);
  EXPECT_EQ("sub/b.cpp", jobs[2].inputs[1].name);  // messages of the link name the source
  EXPECT_EQ(jobs[1].output, jobs[2].inputs[1].file);
}

TEST(UpccJobs, UpcIsTranslatedBeforeItIsCompiled) {
  const std::vector<Job> jobs = jobs_of({"sub/a.upc", "b.c"});
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile 0-a.trans.c -> 0-a.o", "compile b.c -> 1-b.o",
                   "link 0-a.o 1-b.o -> a.out"}),
            describe(jobs));
  EXPECT_EQ(InputKind::kUpc, jobs[0].input().kind);
  EXPECT_EQ(InputKind::kTranslation, jobs[1].input().kind);
  EXPECT_EQ(jobs[0].output, jobs[1].input().file);
  EXPECT_EQ("0-a.o", base_name(jobs[0].object));  // for rules of make
  for (const int at : {0, 1, 3}) EXPECT_EQ("sub/a.upc", jobs[at].inputs[0].name) << at;
}

TEST(UpccJobs, AnyNameIsUpcWithTheLanguage) {
  EXPECT_EQ((Lines{"translate a.c -> 0-a.trans.c", "compile 0-a.trans.c -> a.o", "translate - -> 1--.trans.c",
                   "compile 1--.trans.c -> -.o"}),
            describe(jobs_of({"-c", "-x", "upc", "a.c", "-"})));
}

TEST(UpccJobs, UpcWithoutALink) {
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile 0-a.trans.c -> a.o"}),
            describe(jobs_of({"-c", "sub/a.upc"})));
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile 0-a.trans.c -> x.o"}),
            describe(jobs_of({"-c", "a.upc", "-o", "x.o"})));
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile 0-a.trans.c -> a.s"}),
            describe(jobs_of({"-S", "a.upc"})));
  EXPECT_EQ((Lines{"translate a.upc -> a.trans.c"}), describe(jobs_of({"-trans", "sub/a.upc"})));
  EXPECT_EQ((Lines{"translate a.upc -> x.c"}), describe(jobs_of({"--trans=x.c", "sub/a.upc"})));
  EXPECT_EQ((Lines{"translate a.upc -> "}), describe(jobs_of({"-fsyntax-only", "a.upc", "-o", "x"})));
  EXPECT_EQ((Lines{"preprocess a.upc -> "}), describe(jobs_of({"-E", "a.upc"})));
  EXPECT_EQ((Lines{"preprocess a.upc -> x"}), describe(jobs_of({"-E", "a.upc", "-o", "x"})));
  EXPECT_EQ((Lines{"preprocess a.upc -> "}), describe(jobs_of({"-MM", "a.upc"})));
}

TEST(UpccJobs, ATranslationIsKeptBesideTheObject) {
  const auto kept = [](std::vector<std::string> arguments) {
    arguments.push_back("--keep-trans");
    return jobs_of(arguments).front().output;
  };
  EXPECT_EQ("out/a.trans.c", kept({"-c", "sub/a.upc", "-o", "out/x.o"}));
  EXPECT_EQ("a.trans.c", kept({"-c", "sub/a.upc"}));
  EXPECT_EQ("a.trans.c", kept({"sub/a.upc", "-o", "out/prog"}));
}

TEST(UpccJobs, UpcForACompilerOfUpc) {
  const std::vector<Job> jobs = jobs_of({"--abi=gupc", "a.upc", "-x", "upc", "b.h"});
  EXPECT_EQ((Lines{"compile a.upc -> 0-a.o", "compile b.h -> 1-b.o", "link 0-a.o 1-b.o -> a.out"}),
            describe(jobs));
  EXPECT_EQ("upc", jobs[1].input().language);
}

TEST(UpccJobs, AnotherLanguageGoesToTheCompiler) {
  const std::vector<Job> jobs =
      jobs_of({"-c", "-x", "ada", "a.c", "-x", "c", "b.txt", "-", "-x", "none", "c.s"});
  EXPECT_EQ((Lines{"compile a.c -> a.o", "compile b.txt -> b.o", "compile - -> -.o", "compile c.s -> c.o"}),
            describe(jobs));
  EXPECT_EQ(InputKind::kOtherSource, jobs[0].input().kind);
  EXPECT_EQ("ada", jobs[0].input().language);
  EXPECT_EQ(InputKind::kC, jobs[1].input().kind);
  EXPECT_EQ(InputKind::kOtherSource, jobs[2].input().kind);  // standard input is read by the compiler
  EXPECT_EQ("", jobs[3].input().language);
}

TEST(UpccJobs, TheLinkKeepsTheOrder) {
  const std::vector<Job> jobs = jobs_of({"x.o", "-L", "lib", "a.c", "-lm", "lib.a"});
  ASSERT_EQ(2u, jobs.size());
  EXPECT_EQ("link x.o -L lib 3-a.o -lm lib.a -> a.out", describe(jobs[1]));
  EXPECT_EQ(InputKind::kLinkFile, jobs[1].inputs[0].kind);
  EXPECT_EQ(InputKind::kLinkOption, jobs[1].inputs[2].kind);
  EXPECT_EQ(InputKind::kLinkFile, jobs[1].inputs[3].kind);
}

TEST(UpccJobs, OutputsOfStages) {
  EXPECT_EQ((Lines{"compile a.c -> a.s"}), describe(jobs_of({"-S", "a.c"})));
  EXPECT_EQ((Lines{"compile a.c -> "}), describe(jobs_of({"-E", "a.c"})));
  EXPECT_EQ((Lines{"compile a.c -> x"}), describe(jobs_of({"-E", "a.c", "-o", "x"})));
  EXPECT_EQ((Lines{"rewrite a.w2c.c -> a.trans.c"}), describe(jobs_of({"-trans", "a.w2c.c"})));
  EXPECT_EQ((Lines{"compile a.c -> x", "compile b.c -> x"}),
            describe(jobs_of({"-M", "a.c", "b.c", "-o", "x"})));
}

TEST(UpccJobsDeathTest, ContradictionsAreRefused) {
  EXPECT_EXIT(jobs_of({}), testing::ExitedWithCode(1), "no input files");
  EXPECT_EXIT(jobs_of({"-c", "x.o"}), testing::ExitedWithCode(1), "no input files");
  EXPECT_EXIT(jobs_of({"-c", "a.c", "b.c", "-o", "x.o"}), testing::ExitedWithCode(1),
              "-o x.o names one output");
  EXPECT_EXIT(jobs_of({"-c", "a.c", "sub/a.upc"}), testing::ExitedWithCode(1),
              "a.c and sub/a.upc would both become a.o");
  EXPECT_EXIT(jobs_of({"-trans", "a.c", "sub/a.c"}), testing::ExitedWithCode(1), "both become a.trans.c");
}

TEST(UpccJobs, WhatDependsOnAFailureIsLeftOut) {
  const std::vector<Job> jobs = jobs_of({"a.upc", "b.c", "c.c"});
  Lines run;
  const auto failing = [&run](const std::string& failing, int status) {
    run.clear();
    return [&run, failing, status](const Job& job) {
      run.push_back(describe(job));
      return run.back().starts_with(failing) ? status : 0;
    };
  };
  EXPECT_EQ(0, run_jobs(jobs, failing("nothing", 1)));
  EXPECT_EQ(describe(jobs), run);
  EXPECT_EQ(7, run_jobs(jobs, failing("translate", 7)));
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile b.c -> 1-b.o", "compile c.c -> 2-c.o"}), run);
  EXPECT_EQ(3, run_jobs(jobs, failing("compile b.c", 3)));
  EXPECT_EQ((Lines{"translate a.upc -> 0-a.trans.c", "compile 0-a.trans.c -> 0-a.o", "compile b.c -> 1-b.o",
                   "compile c.c -> 2-c.o"}),
            run);
  EXPECT_EQ(9, run_jobs(jobs, failing("link", 9)));
}

}  // namespace
}  // namespace upcc
