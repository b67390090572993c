/* A slower disk, preloaded into what is measured: a sync takes SYNC_MILLISECONDS at least, and DISK_MEGABYTES a second
   are written by it, one file after the other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#define MOST_FILES 4096

/* Bytes of a file that were written since its last sync. */
static atomic_long waiting[MOST_FILES];
static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
/* When the disk has done what it was given. */
static double idle_at;

static double setting(const char *name) {
  const char *text = getenv(name);
  return text ? atof(text) : 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void wait_until(double when) {
  double left = when - now();
  struct timespec rest = {(time_t)left, (long)((left - (time_t)left) * 1e9)};
  if (left > 0)
    while (nanosleep(&rest, &rest) != 0); /* a signal, of a profiler say, makes no disk faster */
}

static double written_at(int fd, double began) {
  double rate = setting("DISK_MEGABYTES") * 1e6;
  if (rate <= 0 || fd < 0 || fd >= MOST_FILES) return began;
  double takes = atomic_exchange(&waiting[fd], 0) / rate;
  pthread_mutex_lock(&disk);
  idle_at = (idle_at > began ? idle_at : began) + takes;
  double end = idle_at;
  pthread_mutex_unlock(&disk);
  return end;
}

static int slowly(const char *name, int fd) {
  double began = now(), end = written_at(fd, began), least = began + setting("SYNC_MILLISECONDS") / 1000;
  int result = ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
  wait_until(end > least ? end : least);
  return result;
}

/* Found once: to look it up takes as long as a small write. */
#define REAL(type, name) \
  static type real; \
  if (!real) real = (type)dlsym(RTLD_NEXT, name)

static ssize_t counted(int fd, ssize_t size) {
  if (size > 0 && fd >= 0 && fd < MOST_FILES) atomic_fetch_add(&waiting[fd], size);
  return size;
}

typedef ssize_t (*plain)(int, const void *, size_t);
typedef ssize_t (*placed)(int, const void *, size_t, off_t);
typedef ssize_t (*pieces)(int, const struct iovec *, int, off_t);

ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(plain, "write");
  return counted(fd, real(fd, bytes, size));
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) {
  REAL(placed, "pwrite64");
  return counted(fd, real(fd, bytes, size, at));
}
ssize_t pwritev64(int fd, const struct iovec *list, int count, off_t at) {
  REAL(pieces, "pwritev64");
  return counted(fd, real(fd, list, count, at));
}
int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
