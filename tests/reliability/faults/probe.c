// Opens, looks up and closes while one call into the C library after another fails: probe LIBRARY MODEL RANGES
// MODEL has the F32 table "table" of 3 columns and 2000 rows, whose value in column c of row r is 1000 r + c.
// RANGES names the library's own code, two hexadecimal offsets a line. Prints what failed how often; ends with 1 where
// anything but a clean error came of it.
#define _GNU_SOURCE
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../swift/Sources/MuserABI/include/muser.h"

enum { COLUMNS = 3, ROWS = 2000, IDS = 300 };

static typeof(&muser_model_open) model_open;
static typeof(&muser_model_describe) model_describe;
static typeof(&muser_model_check) model_check;
static typeof(&muser_model_close) model_close;
static typeof(&muser_table_open) table_open;
static typeof(&muser_table_rows) table_rows;
static typeof(&muser_table_close) table_close;

static const char *model_path;
static uint32_t ids[IDS];
static float output[IDS * COLUMNS];
static uint8_t error[MUSER_ERROR_BYTES];

static _Noreturn void stop(const char *what) {
  printf("%s (the last error was: %s)\n", what, (const char *)error);
  exit(1);
}

static void prove_rows(int count) {
  for (int index = 0; index < count * COLUMNS; ++index)
    if (output[index] != (float)(1000 * ids[index / COLUMNS] + index % COLUMNS)) stop("a row is wrong");
}

static bool look_up(MuserTable *table, uint32_t count) {
  memset(output, 0xFF, sizeof output);
  if (table_rows(table, ids, count, output, error) != 0) return false;
  prove_rows(count);
  return true;
}

/// Everything that a program does with a model: whether all of it worked.
static bool use_model(uint32_t map) {
  MuserModel *model = model_open((const uint8_t *)model_path, 1, (const uint8_t *)"cpu", map, 0, NULL, error);
  if (!model) return false;
  uint8_t text[4096];
  bool done = model_describe(model, text, sizeof text, error) > 0;
  MuserTable *table = table_open(model, (const uint8_t *)"table", 1, 0, error);
  // One id fits the stack; many are copied to memory of their own.
  done = done && table && look_up(table, 1) && look_up(table, IDS) && model_check(model, error) == 0;
  if (table) table_close(table);
  model_close(model);
  return done;
}

/// Arrays that are NULL are errors where they should hold something, and nothing where not.
static void prove_null_is_refused(void) {
  MuserModel *model = model_open((const uint8_t *)model_path, 1, (const uint8_t *)"cpu", 1, 0, NULL, error);
  MuserTable *table = model ? table_open(model, (const uint8_t *)"table", 1, 0, error) : NULL;
  if (!table) stop("the table does not open");
  if (table_rows(table, NULL, 0, NULL, error) != 0) stop("no ids are refused");
  if (table_rows(table, NULL, 1, output, error) != 1 || table_rows(table, ids, 1, NULL, error) != 1) stop("NULL is used");
  table_close(table);
  model_close(model);
}

/// Entries of a folder of /proc, or lines of a file of it that name the model.
static int count_open(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++count;
  closedir(folder);
  char line[4096];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) count += 1000 * (strstr(line, model_path) != NULL);
  fclose(maps);
  return count;
}

static void prove_error(const char *codes) {
  const char *end = strchr((const char *)error, '\n');
  if (!end || strncmp(end + 1, "Cannot ", 7) != 0) stop("the error is no code and message");
  char code[64];
  snprintf(code, sizeof code, " %.*s ", (int)(end - (const char *)error), (const char *)error);
  if (!strstr(codes, code)) stop("the code is another one");
}

/// Uses the model while call number `number` fails, then once more without: whether anything failed.
static bool use_with_failure(enum faults_call call, int number, int code, uint32_t map, const char *codes) {
  const int open_before = count_open(), blocks_before = faults_live_blocks();
  memset(error, 0, sizeof error);
  faults_arm(call, number, code);
  const bool done = use_model(map);
  const bool failed = faults_disarm();
  if (!done && !failed) stop("it failed by itself");
  if (!done) prove_error(codes);
  if (count_open() != open_before) stop("a descriptor or a mapping is left");
  if (faults_live_blocks() != blocks_before) stop("a block of memory is left");
  if (!use_model(map)) stop("the second try failed");
  return failed;
}

/// Fails each call in turn until none is left, then all of them in one go: how often something failed. `codes` are
/// those that it may fail with, none where it has to work all the same.
static int inject(enum faults_call call, int code, uint32_t map, const char *codes) {
  int failures = 0;
  while (use_with_failure(call, failures + 1, code, map, codes)) ++failures;
  // A call that is interrupted for ever never ends.
  if (code != EINTR) failures += use_with_failure(call, -1, code, map, codes);
  return failures;
}

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) stop(dlerror());
#define SYMBOL(name) name = (typeof(name))dlsym(library, "muser_" #name)
  SYMBOL(model_open), SYMBOL(model_describe), SYMBOL(model_check), SYMBOL(model_close);
  SYMBOL(table_open), SYMBOL(table_rows), SYMBOL(table_close);
}

static void watch(const char *path) {
  static uintptr_t ranges[65536][2];
  Dl_info place;
  dladdr((void *)model_open, &place);
  FILE *file = fopen(path, "r");
  int count = 0;
  while (count < 65536 && fscanf(file, "%lx %lx", &ranges[count][0], &ranges[count][1]) == 2) {
    ranges[count][0] += (uintptr_t)place.dli_fbase;
    ranges[count++][1] += (uintptr_t)place.dli_fbase;
  }
  fclose(file);
  faults_watch(ranges, count);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  model_path = arguments[2];
  for (int index = 0; index < IDS; ++index) ids[index] = (uint32_t)(index * 997 % ROWS);
  load(arguments[1]);
  watch(arguments[3]);
  prove_null_is_refused();
  for (uint32_t map = 0; map < 2; ++map) {
    if (!use_model(map)) stop("it fails without a fault");
    printf("%s\n", map ? "mapped" : "read");
    printf("  open EMFILE: %d\n", inject(FAULTS_OPEN, EMFILE, map, " io "));
    printf("  open EACCES: %d\n", inject(FAULTS_OPEN, EACCES, map, " permission "));
    printf("  open ENOENT: %d\n", inject(FAULTS_OPEN, ENOENT, map, " not-found "));
    printf("  open EINTR: %d\n", inject(FAULTS_OPEN, EINTR, map, ""));
    printf("  fstat EIO: %d\n", inject(FAULTS_FSTAT, EIO, map, " io changed "));
    printf("  stat EACCES: %d\n", inject(FAULTS_STAT, EACCES, map, " changed "));
    printf("  mmap ENODEV: %d\n", inject(FAULTS_MMAP, ENODEV, map, ""));
    printf("  mmap ENOMEM: %d\n", inject(FAULTS_MMAP, ENOMEM, map, ""));
    printf("  pread EIO: %d\n", inject(FAULTS_PREAD, EIO, map, " io "));
    printf("  pread EINVAL: %d\n", inject(FAULTS_PREAD, EINVAL, map, " io "));
    printf("  pread EINTR: %d\n", inject(FAULTS_PREAD, EINTR, map, ""));
    printf("  pread cut short: %d\n", inject(FAULTS_PREAD, 0, map, ""));
    printf("  malloc: %d\n", inject(FAULTS_MALLOC, ENOMEM, map, " memory "));
  }
  return 0;
}
