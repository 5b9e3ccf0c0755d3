// Looks rows up through the C interface on two devices and compares the bits: a program small enough to run under
// NVIDIA's compute-sanitizer.
//
//   c++ -o harness tests/cuda/harness.cpp -ldl
//   deno run -A tests/cuda/tables.ts FILE                      (prints the names)
//   compute-sanitizer --tool memcheck ./harness LIBRARY FILE cuda NAME…
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../swift/Sources/MuserABI/include/muser.h"

enum { most_ids = 513, most_bytes = most_ids * 4096, rows = 1031 };

static void *library;
static uint8_t error[MUSER_ERROR_BYTES];
static uint32_t ids[most_ids];

#define CALL(name) reinterpret_cast<decltype(&name)>(symbol(#name))
static void *symbol(const char *name) {
  void *address = dlsym(library, name);
  if (!address) fprintf(stderr, "%s\n", dlerror()), exit(1);
  return address;
}

/// Ends the program where `thing` is NULL.
template <class Thing> static Thing *checked(Thing *thing, const char *what) {
  if (!thing) fprintf(stderr, "%s: %s\n", what, (char *)error), exit(1);
  return thing;
}

/// Ends the program where `status` is a failure.
static void done(int status, const char *what) {
  if (status) checked<void>(nullptr, what);
}

static const uint8_t *text(const char *text) { return reinterpret_cast<const uint8_t *>(text); }

static MuserModel *open_model(const char *file, const char *device) {
  return checked(CALL(muser_model_open)(text(file), 1, text(device), 1, 0, nullptr, error), device);
}

/// `count` rows of the table, as f32 or f16.
static void look_up(MuserModel *model, const char *name, uint32_t half, uint32_t count, void *output) {
  MuserTable *table = checked(CALL(muser_table_open)(model, text(name), half ? 0.5f : 1, half, error), name);
  done(CALL(muser_table_rows)(table, ids, count, output, error), name);
  CALL(muser_table_close)(table);
}

/// Whether all bits agree, where any NaN agrees with any other.
static int same(const uint8_t *left, const uint8_t *right, uint32_t half) {
  uint32_t bytes = half ? 2 : 4, infinity = half ? 0x7c00 : 0x7f800000, magnitude = half ? 0x7fff : 0x7fffffff;
  for (size_t at = 0; at < most_bytes; at += bytes) {
    uint32_t a = 0, b = 0;
    memcpy(&a, left + at, bytes), memcpy(&b, right + at, bytes);
    if (a != b && ((a & magnitude) <= infinity || (b & magnitude) <= infinity)) return 0;
  }
  return 1;
}

/// Lookup and entry norm in a session, of which the ids at 1 and 2 are no rows.
static void run_session(MuserModel *model, uint32_t columns) {
  MuserTable *table = checked(CALL(muser_table_open)(model, text("token_embd.weight"), 1, 0, error), "table");
  MuserSession *session = checked(CALL(muser_session_open)(model, most_ids, 0, error), "session");
  uint32_t hidden = CALL(muser_session_buffer)(session, most_ids * columns * 4, error);
  uint32_t number = CALL(muser_session_table)(session, table, error), epsilon = 0x358637bd;  // 1e-6
  uint32_t words[] = {MuserOperationEmbedding, number, 0, hidden, MuserOperationRMSNorm, columns, hidden, hidden, epsilon};
  uint32_t step = CALL(muser_session_record)(session, words, sizeof words / 4, error);
  done(CALL(muser_session_run)(session, step, ids, most_ids, error), "run");
  uint32_t wrong[2] = {rows, 0xffffffff};
  CALL(muser_session_write)(session, 0, 4, wrong, sizeof wrong, error);
  int status = CALL(muser_session_run)(session, step, nullptr, most_ids, error);
  printf("ids that are no rows: status %d, %s\n", status, strchr((char *)error, '\n') + 1);
  CALL(muser_session_close)(session);
  CALL(muser_table_close)(table);
}

int main(int count, char **arguments) {
  library = checked(dlopen(arguments[1], RTLD_NOW), arguments[1]);
  MuserModel *cpu = open_model(arguments[2], "cpu"), *other = open_model(arguments[2], arguments[3]);
  for (uint32_t i = 0; i < most_ids; ++i) ids[i] = i * 2654435761u % rows;
  static uint8_t expected[most_bytes], actual[most_bytes];
  int differing = 0;
  for (int name = 4; name < count; ++name)
    for (uint32_t half = 0; half < 2; ++half)
      for (uint32_t width = 1; width <= most_ids; width += 256) {
        memset(expected, 0, most_bytes), memset(actual, 0, most_bytes);
        look_up(cpu, arguments[name], half, width, expected);
        look_up(other, arguments[name], half, width, actual);
        if (!same(expected, actual, half)) ++differing, printf("%s: %u rows differ\n", arguments[name], width);
      }
  run_session(other, 770);
  CALL(muser_model_close)(cpu), CALL(muser_model_close)(other);
  printf("%d of %d lookups differ\n", differing, (count - 4) * 6);
  return differing > 0;
}
