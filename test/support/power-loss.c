/*
 * Loses what was not synced, as a power failure does: preloaded into a process whose files below POWER_FOLDER are then
 * taken back. Writes keep what they overwrite until their file is synced, new names until their folder is. At the
 * POWER_AT-th operation a random part of what is not synced is undone and the process ends with status 137.
 * With SYNC_FAILS_AT the so manieth sync and all later ones fail with EIO. Nothing is really synced: it is fast.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What was in a piece of a file, or how long the file was; or a name that was not there. */
struct undo {
  enum { PIECE, LENGTH, NAME, MOVED, FOLDER, DONE } kind;
  dev_t dev;
  ino_t ino;
  int fd;
  off_t at, length;
  size_t count;
  char *old;
  char path[PATH_MAX], from[PATH_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct undo *undos;
static size_t used, room;
static long operations, syncs;

static const char *folder(void) { return getenv("POWER_FOLDER"); }

static long number(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

static int below(const char *path) {
  const char *top = folder();
  return top && path && strncmp(path, top, strlen(top)) == 0;
}

/* The path of an open file, when it is one of ours. */
static int pathOf(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

static struct undo *add(int kind) {
  if (used == room) undos = realloc(undos, (room = room ? room * 2 : 1024) * sizeof *undos);
  struct undo *one = &undos[used++];
  memset(one, 0, sizeof *one);
  one->kind = kind;
  return one;
}

static void repath(char *path, const char *from, const char *to) {
  size_t length = strlen(from);
  if (strncmp(path, from, length) != 0 || (path[length] != '/' && path[length] != 0)) return;
  char moved[PATH_MAX];
  snprintf(moved, sizeof moved, "%s%s", to, path + length);
  strcpy(path, moved);
}

/* Names below a moved folder move with it. */
static void repathAll(const char *from, const char *to) {
  for (size_t i = 0; i < used; i++) {
    if (undos[i].kind < NAME || undos[i].kind > FOLDER) continue;
    repath(undos[i].path, from, to);
    repath(undos[i].from, from, to);
  }
}

static void undo(struct undo *one, off_t longest) {
  struct stat now;
  char lost[PATH_MAX];
  switch (one->kind) {
  case PIECE:
    if (one->count) REAL(pwrite)(one->fd, one->old, one->count, one->at);
    break;
  case LENGTH:
    /* what the file got since then may be on disk as a hole */
    fstat(one->fd, &now);
    REAL(ftruncate)(one->fd, one->length);
    if (longest) REAL(ftruncate)(one->fd, now.st_size);
    break;
  case NAME:
    REAL(unlink)(one->path);
    break;
  case MOVED:
    REAL(rename)(one->path, one->from);
    repathAll(one->path, one->from);
    break;
  case FOLDER:
    /* whatever is in it is lost with it */
    snprintf(lost, sizeof lost, "%s/lost-%zu", folder(), used);
    if (rmdir(one->path) != 0) REAL(rename)(one->path, lost);
    break;
  default:
    break;
  }
}

/* Whoever still reads a mapped file that is cut off waits for the end. */
static void park(int signal) {
  for (;;) pause();
  (void)signal;
}

/* From the last to the first: all of it, or of the bytes a random part. */
static void lose(void) {
  signal(SIGBUS, park);
  int isWhole = random() % 2;
  while (used > 0) {
    struct undo *one = &undos[--used];
    int isKept = !isWhole && (one->kind == PIECE || one->kind == LENGTH) && random() % 2;
    if (!isKept) undo(one, !isWhole);
  }
  _exit(137);
}

static void step(void) {
  static int isSeeded;
  if (!isSeeded) srandom((unsigned)number("POWER_AT")), isSeeded = 1;
  if (++operations == number("POWER_AT")) lose();
}

/* A file to write back to, one for each: they are never closed, which would end the locks of SQLite. */
static int ownFile(int fd, const struct stat *file) {
  static struct {
    dev_t dev;
    ino_t ino;
    int fd;
  } known[100000];
  static size_t count;
  for (size_t i = 0; i < count; i++)
    if (known[i].ino == file->st_ino && known[i].dev == file->st_dev) return known[i].fd;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int own = REAL(open)(link, O_RDWR | O_CLOEXEC);
  if (own < 0 || count == 100000) abort();
  known[count].dev = file->st_dev, known[count].ino = file->st_ino, known[count].fd = own;
  count++;
  return own;
}

static void remember(int fd, off_t at, size_t count) {
  char path[PATH_MAX];
  if (!pathOf(fd, path)) return;
  step();
  struct stat now;
  fstat(fd, &now);
  int own = ownFile(fd, &now);
  struct undo *length = add(LENGTH);
  length->fd = own, length->dev = now.st_dev, length->ino = now.st_ino, length->length = now.st_size;
  struct undo *piece = add(PIECE);
  piece->fd = own, piece->dev = now.st_dev, piece->ino = now.st_ino, piece->at = at;
  piece->old = malloc(count ? count : 1);
  ssize_t held = at < now.st_size ? pread(own, piece->old, count, at) : 0;
  piece->count = held > 0 ? (size_t)held : 0;
}

static int synced(int fd) {
  char path[PATH_MAX];
  struct stat now;
  if (!pathOf(fd, path)) return 0;
  pthread_mutex_lock(&lock);
  step();
  long failing = number("SYNC_FAILS_AT");
  if (failing && ++syncs >= failing) {
    pthread_mutex_unlock(&lock);
    errno = EIO;
    return -1;
  }
  fstat(fd, &now);
  for (size_t i = 0; i < used; i++) {
    struct undo *one = &undos[i];
    if (one->kind <= LENGTH && one->ino == now.st_ino && one->dev == now.st_dev) free(one->old), one->old = 0, one->kind = DONE;
    else if (one->kind >= NAME && one->kind <= FOLDER) {
      char *end = strrchr(one->path, '/');
      if ((size_t)(end - one->path) == strlen(path) && strncmp(one->path, path, strlen(path)) == 0) one->kind = DONE;
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < used; i++) if (undos[i].kind != DONE) undos[kept++] = undos[i];
  used = kept;
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int fd) { return synced(fd); }
int fdatasync(int fd) { return synced(fd); }

#define GUARDED(type, call, before)                                                                                    \
  pthread_mutex_lock(&lock);                                                                                           \
  before;                                                                                                              \
  type result = call;                                                                                                  \
  int error = errno;                                                                                                   \
  pthread_mutex_unlock(&lock);                                                                                         \
  errno = error;                                                                                                       \
  return result

static size_t total(const struct iovec *parts, int count) {
  size_t sum = 0;
  for (int i = 0; i < count; i++) sum += parts[i].iov_len;
  return sum;
}

ssize_t write(int fd, const void *bytes, size_t count) { GUARDED(ssize_t, REAL(write)(fd, bytes, count), remember(fd, lseek(fd, 0, SEEK_CUR), count)); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { GUARDED(ssize_t, REAL(pwrite)(fd, bytes, count, at), remember(fd, at, count)); }
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) { GUARDED(ssize_t, REAL(pwrite)(fd, bytes, count, at), remember(fd, at, count)); }
ssize_t writev(int fd, const struct iovec *parts, int count) { GUARDED(ssize_t, REAL(writev)(fd, parts, count), remember(fd, lseek(fd, 0, SEEK_CUR), total(parts, count))); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { GUARDED(ssize_t, REAL(pwritev)(fd, parts, count, at), remember(fd, at, total(parts, count))); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) { GUARDED(ssize_t, REAL(pwritev)(fd, parts, count, at), remember(fd, at, total(parts, count))); }

/* What is cut off is remembered as a piece. */
static void rememberEnd(int fd, off_t length) {
  struct stat now;
  if (fstat(fd, &now) == 0) remember(fd, length, now.st_size > length ? (size_t)(now.st_size - length) : 0);
}
int ftruncate(int fd, off_t length) { GUARDED(int, REAL(ftruncate)(fd, length), rememberEnd(fd, length)); }
int ftruncate64(int fd, off_t length) { GUARDED(int, REAL(ftruncate)(fd, length), rememberEnd(fd, length)); }

/* A file that takes the place of another: after a loss one of the two is there, and never none. */
static void settle(const char *from) {
  for (size_t i = 0; i < used; i++)
    if ((undos[i].kind == NAME || undos[i].kind == MOVED) && strcmp(undos[i].path, from) == 0) undos[i].kind = DONE;
}

static void rememberName(const char *path, int kind, const char *from) {
  if (!below(path)) return;
  step();
  int isThere = access(path, F_OK) == 0;
  if (from && isThere) settle(from);
  if (from) repathAll(from, path);
  if (isThere) return;
  struct undo *one = add(kind);
  snprintf(one->path, sizeof one->path, "%s", path);
  if (from) snprintf(one->from, sizeof one->from, "%s", from);
}

static int opened(const char *path, int flags, mode_t mode) {
  GUARDED(int, REAL(open)(path, flags, mode), if (flags & O_CREAT) rememberName(path, NAME, NULL));
}
#define MODE(last) mode_t mode = 0; if (flags & O_CREAT) { va_list rest; va_start(rest, last); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(path, flags, mode); }

int rename(const char *from, const char *to) { GUARDED(int, REAL(rename)(from, to), rememberName(to, MOVED, from)); }
int link(const char *from, const char *to) { GUARDED(int, REAL(link)(from, to), rememberName(to, NAME, NULL)); }
int mkdir(const char *path, mode_t mode) { GUARDED(int, REAL(mkdir)(path, mode), rememberName(path, FOLDER, NULL)); }
