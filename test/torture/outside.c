/* The world around the executable, moved by hand: loaded before libc (LD_PRELOAD), it adds to the wall clock and lets writes to
 * files and fsync fail or take their time, as the control file says that both sides have mapped. The executable itself knows nothing of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct control {
  volatile int64_t clock_ms;
  /* 0, or what every write to a file fails with. */
  volatile int64_t write_errno;
  /* What a write in the middle of a file, as databases make them, takes longer. */
  volatile int64_t write_us;
  /* What an fsync takes longer, in every thread. */
  volatile int64_t sync_us;
  /* 0, or what every fsync fails with. */
  volatile int64_t sync_errno;
};

static struct control nothing;
static struct control *control = &nothing;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("OUTSIDE_CONTROL");
  if (path == NULL) return;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) abort();
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) abort();
  control = mapped;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void add_ms(struct timespec *at, int64_t ms) {
  int64_t nanoseconds = at->tv_nsec + (ms % 1000) * 1000000;
  int64_t seconds = at->tv_sec + ms / 1000;
  if (nanoseconds < 0) { nanoseconds += 1000000000; seconds -= 1; }
  if (nanoseconds >= 1000000000) { nanoseconds -= 1000000000; seconds += 1; }
  at->tv_sec = seconds;
  at->tv_nsec = nanoseconds;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  static __typeof__(&clock_gettime) real;
  if (real == NULL) real = REAL(clock_gettime);
  int result = real(id, at);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) add_ms(at, control->clock_ms);
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}

/* The kernel waits by the real clock. A deadline of the monotonic one is a small number and stays as it is. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  static __typeof__(&pthread_cond_timedwait) real;
  if (real == NULL) real = REAL(pthread_cond_timedwait);
  struct timespec at = *deadline;
  if (at.tv_sec > 1000000000) add_ms(&at, -control->clock_ms);
  return real(condition, mutex, &at);
}

static int fails(int fd) {
  if (control->write_errno == 0) return 0;
  struct stat file;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  errno = (int)control->write_errno;
  return 1;
}

/* The thread that has the database; those that carry calls keep their pace, or nobody would be called. */
static void wait_for_disk(void) {
  if (control->write_us > 0 && gettid() == getpid()) usleep((useconds_t)control->write_us);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static __typeof__(&write) real;
  if (real == NULL) real = REAL(write);
  return fails(fd) ? -1 : real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  static __typeof__(&pwrite) real;
  if (real == NULL) real = REAL(pwrite);
  wait_for_disk();
  return fails(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  static __typeof__(&pwrite64) real;
  if (real == NULL) real = REAL(pwrite64);
  wait_for_disk();
  return fails(fd) ? -1 : real(fd, bytes, count, at);
}

int ftruncate(int fd, off_t size) {
  static __typeof__(&ftruncate) real;
  if (real == NULL) real = REAL(ftruncate);
  return fails(fd) ? -1 : real(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  static __typeof__(&ftruncate64) real;
  if (real == NULL) real = REAL(ftruncate64);
  return fails(fd) ? -1 : real(fd, size);
}

static int fails_to_sync(void) {
  if (control->sync_us > 0) usleep((useconds_t)control->sync_us);
  if (control->sync_errno == 0) return 0;
  errno = (int)control->sync_errno;
  return 1;
}

int fsync(int fd) {
  static __typeof__(&fsync) real;
  if (real == NULL) real = REAL(fsync);
  return fails_to_sync() ? -1 : real(fd);
}

int fdatasync(int fd) {
  static __typeof__(&fdatasync) real;
  if (real == NULL) real = REAL(fdatasync);
  return fails_to_sync() ? -1 : real(fd);
}
