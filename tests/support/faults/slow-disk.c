/* Makes every flush to the disk take two seconds while the file that SLOW_DISK names exists. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_if_slow(void) {
  const char *mark = getenv("SLOW_DISK");
  if (mark && access(mark, F_OK) == 0) sleep(2);
}

int fsync(int fd) {
  static int (*original)(int);
  if (!original) original = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_if_slow();
  return original(fd);
}

int fdatasync(int fd) {
  static int (*original)(int);
  if (!original) original = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_if_slow();
  return original(fd);
}
