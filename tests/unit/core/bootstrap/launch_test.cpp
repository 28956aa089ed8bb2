// SPDX-License-Identifier: BSD-3-Clause
// The hidden variable of a launched process, and the distribution of UPC threads to processes.
#include <gtest/gtest.h>

#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcr {
namespace {

using wire::JobVariable;

TEST(JobVariable, SurvivesTheEnvironment) {
  JobVariable v{.fd = 30, .rank = 2, .size = 3, .threads = 5, .pthreads = 2, .id = "77-00ff"};
  JobVariable back;
  ASSERT_TRUE(JobVariable::parse(v.format().c_str(), &back));
  EXPECT_EQ(back.fd, 30);
  EXPECT_EQ(back.rank, 2u);
  EXPECT_EQ(back.size, 3u);
  EXPECT_EQ(back.threads, 5u);
  EXPECT_EQ(back.pthreads, 2u);
  EXPECT_EQ(back.id, "77-00ff");
}

TEST(JobVariable, RefusesWhatUpcrunDoesNotWrite) {
  JobVariable v;
  for (const char* text : {
           "",
           "fork",
           "tcp:fd=3,rank=0,size=1,threads=1,pthreads=1,id=a",
           "fork:fd=3,rank=0,size=1,threads=1,pthreads=1,id=",  // no id
           "fork:fd=-1,rank=0,size=1,threads=1,pthreads=1,id=a",
           "fork:fd=3,rank=1,size=1,threads=1,pthreads=1,id=a",  // rank too large
           "fork:fd=3,rank=0,size=0,threads=0,pthreads=1,id=a",
           "fork:fd=3,rank=0,size=2,threads=2,pthreads=0,id=a",
           "fork:fd=3,rank=0,size=2,threads=5,pthreads=2,id=a",  // five threads by two need three processes
           "fork:fd=3,rank=0,size=4,threads=5,pthreads=2,id=a",
       })
    EXPECT_FALSE(JobVariable::parse(text, &v)) << text;
}

TEST(JobShape, DistributesEveryThreadOnce) {
  for (unsigned threads = 1; threads <= 40; ++threads) {
    for (unsigned pthreads = 1; pthreads <= 45; ++pthreads) {
      JobShape shape;
      shape.threads = threads;
      shape.pthreads = pthreads;
      unsigned next = 0;
      for (Rank r = 0; r < shape.processes(); ++r) {
        EXPECT_EQ(shape.first_thread(r), next);
        EXPECT_GE(shape.threads_of(r), 1u);
        EXPECT_LE(shape.threads_of(r), pthreads);
        next += shape.threads_of(r);
      }
      EXPECT_EQ(next, threads) << threads << " threads, " << pthreads << " a process";
    }
  }
}

}  // namespace
}  // namespace upcr
