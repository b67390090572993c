/* Makes every fsync and fdatasync take SYNC_MILLISECONDS, as on a slower disk: preloaded into what is measured. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int fd) {
  struct timespec began, now;
  clock_gettime(CLOCK_MONOTONIC, &began);
  int result = ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
  const char *text = getenv("SYNC_MILLISECONDS");
  long wanted = text ? atol(text) * 1000000 : 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long left = wanted - (now.tv_sec - began.tv_sec) * 1000000000 - (now.tv_nsec - began.tv_nsec);
  struct timespec rest = {left / 1000000000, left % 1000000000};
  if (left > 0) nanosleep(&rest, NULL);
  return result;
}

int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
