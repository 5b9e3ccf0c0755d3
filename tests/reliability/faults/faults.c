#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

static const uintptr_t (*watched)[2];
static int watched_count;
static enum faults_call armed_call;
static int calls_until_failure, armed_error;
static bool is_armed, has_failed;

// The library's own blocks are few: large ids, header copies, rows that were read.
static void *blocks[4096];
static int block_count;

static bool is_watched(const void *caller) {
  const uintptr_t address = (uintptr_t)caller;
  int low = 0, high = watched_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (address < watched[middle][0]) high = middle;
    else if (address >= watched[middle][1]) low = middle + 1;
    else return true;
  }
  return false;
}

static bool fails(enum faults_call call, const void *caller) {
  if (!is_armed || call != armed_call || !is_watched(caller)) return false;
  if (calls_until_failure > 0 && --calls_until_failure > 0) return false;
  if (calls_until_failure == 0 && has_failed) return false;
  has_failed = true;
  if (armed_error != 0) errno = armed_error;
  return true;
}

void faults_watch(const uintptr_t (*ranges)[2], int count) {
  watched = ranges;
  watched_count = count;
}

void faults_arm(enum faults_call call, int number, int error) {
  armed_call = call;
  calls_until_failure = number;
  armed_error = error;
  has_failed = false;
  is_armed = true;
}

bool faults_disarm(void) {
  is_armed = false;
  return has_failed;
}

int faults_live_blocks(void) { return block_count; }

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return fails(FAULTS_OPEN, CALLER) ? -1 : REAL(open)(path, flags, mode);
}

int fstat(int file, struct stat *facts) { return fails(FAULTS_FSTAT, CALLER) ? -1 : REAL(fstat)(file, facts); }

int stat(const char *path, struct stat *facts) { return fails(FAULTS_STAT, CALLER) ? -1 : REAL(stat)(path, facts); }

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  if (fails(FAULTS_MMAP, CALLER)) return MAP_FAILED;
  return REAL(mmap)(address, length, protection, flags, file, offset);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
  if (!fails(FAULTS_PREAD, CALLER)) return REAL(pread)(file, bytes, length, offset);
  return armed_error != 0 ? -1 : REAL(pread)(file, bytes, length > 1 ? length / 2 : length, offset);
}

static void remember(void *block, const void *caller) {
  if (watched_count > 0 && is_watched(caller) && block_count < 4096) blocks[block_count++] = block;
}

static void forget(const void *block) {
  for (int index = block_count - 1; index >= 0; --index) {
    if (blocks[index] != block) continue;
    blocks[index] = blocks[--block_count];
    return;
  }
}

void *malloc(size_t size) {
  if (fails(FAULTS_MALLOC, CALLER)) return NULL;
  void *block = __libc_malloc(size);
  remember(block, CALLER);
  return block;
}

void *realloc(void *old, size_t size) {
  if (fails(FAULTS_MALLOC, CALLER)) return NULL;
  forget(old);
  void *block = __libc_realloc(old, size);
  remember(block, CALLER);
  return block;
}

void free(void *block) {
  forget(block);
  __libc_free(block);
}
