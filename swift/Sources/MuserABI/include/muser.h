// The C interface of libMuser: what TypeScript calls. This header is the truth; src/native/symbols.ts
// repeats it and a test compares the two.
//
// Creating functions return a handle, or NULL on failure. Functions that return `int32_t` give 0 when done and
// 1 on failure; those that write a text give the number of bytes it needs (a smaller buffer gets the beginning,
// which is no error) and -1 on failure. On failure `error`, which has MUSER_ERROR_BYTES bytes, holds
// `code\nmessage` as NUL-terminated UTF-8. Texts passed in are NUL-terminated UTF-8. Every function may be called
// from any thread; no handle may be used after its `close`.
#pragma once
#include <stdint.h>
#include "../../../../shaders/arguments.h"
#include "../../../../shaders/types.h"

#define MUSER_ABI_VERSION 1
#define MUSER_ERROR_BYTES 2048

#ifdef __cplusplus
extern "C" {
#endif

/// A mapped model file and the device that serves it. Immutable, shareable between threads.
typedef struct MuserModel MuserModel;
/// A two-dimensional tensor placed on the model's device. Immutable, shareable between threads.
typedef struct MuserTable MuserTable;

/// MUSER_ABI_VERSION of the library.
uint32_t muser_abi_version(void);
/// Every error code, one a line.
int32_t muser_error_codes(uint8_t *text, uint32_t capacity);
/// Every tensor type of the format and the kernel that serves it, as JSON.
int32_t muser_types(uint8_t *text, uint32_t capacity);
/// The devices that can run here, and why the others cannot, as JSON.
int32_t muser_devices(uint8_t *text, uint32_t capacity);

/// Opens a GGUF that begins `offset` bytes into its file. `paths` are `path_count` texts, one after another, each with
/// its NUL: one file, or all parts of a split model in order. A part alone fails with `split`. `device` is "auto",
/// "cpu", "metal" or "cuda". `map` 0 reads rows instead of mapping the file, 1 maps it, 2 also has a device with memory
/// of its own read tables where they are mapped. `cache` is a folder where a device that compiles its kernels keeps them
/// from now on; NULL leaves that as it is.
MuserModel *muser_model_open(const uint8_t *paths, uint32_t path_count, const uint8_t *device, uint32_t map,
                             uint64_t offset, const uint8_t *cache, uint8_t *error);
/// What is in the file, as JSON: facts, metadata keys with the place of their values, tensors.
int32_t muser_model_describe(MuserModel *model, uint8_t *text, uint32_t capacity, uint8_t *error);
/// Copies `length` bytes of the header, from `offset` bytes after the GGUF's start.
int32_t muser_model_read(MuserModel *model, uint64_t offset, uint8_t *bytes, uint32_t length, uint8_t *error);
/// Fails with `changed` where the file is no longer the one that was opened.
int32_t muser_model_check(MuserModel *model, uint8_t *error);
/// Gives the model back. Tables opened from it stay usable until their own close.
void muser_model_close(MuserModel *model);

/// Opens the two-dimensional tensor `name` for row lookups and places it on the device. Every value is multiplied
/// by `scale` (1 leaves the bits as they are); `half` 1 writes f16 instead of f32.
MuserTable *muser_table_open(MuserModel *model, const uint8_t *name, float scale, uint32_t half, uint8_t *error);
/// Facts of the table, as JSON.
int32_t muser_table_describe(MuserTable *table, uint8_t *text, uint32_t capacity);
/// Writes row `ids[i]` as values `i * columns` to `(i + 1) * columns - 1` of `output`, for `count` ids. Every id is checked before anything is written.
int32_t muser_table_rows(MuserTable *table, const uint32_t *ids, uint32_t count, void *output, uint8_t *error);
/// Writes row `id`, as `muser_table_rows` does for an array of it. Without a text on failure: that one tells why.
int32_t muser_table_row(MuserTable *table, uint32_t id, void *output);
/// Gives the table back.
void muser_table_close(MuserTable *table);

/// Mutable state on a model's device: buffers, and command lists that run over them. Calls on one session take turns.
typedef struct MuserSession MuserSession;

/// The operations of a command list. A list is words: an operation's number, then its operands, and so on.
enum __attribute__((enum_extensibility(closed))) MuserOperation : uint32_t {
  MuserOperationEmbedding = 1,  // table, ids, output: output[row] = table[ids[row]]
  MuserOperationRMSNorm = 2,    // columns, input, output, bits of epsilon (f32): output = input / sqrt(mean(input²) + epsilon)
};

/// What `muser_session_statistics` writes.
typedef struct MuserStatistics {
  uint64_t command_buffers;
  uint64_t waits;
  uint64_t dispatches;
  uint64_t bytes_read;
  uint64_t bytes_written;
  uint64_t device_nanoseconds;  // 0 where the session is not timed or the device cannot say
} MuserStatistics;

/// Opens a session for up to `capacity` rows at once. Its buffer 0 is there: the ids, u32 `[capacity]`. `timed` 1
/// measures how long the device takes.
MuserSession *muser_session_open(MuserModel *model, uint32_t capacity, uint32_t timed, uint8_t *error);
/// Adds a buffer of `bytes` bytes to the session; its number, or -1.
int32_t muser_session_buffer(MuserSession *session, uint64_t bytes, uint8_t *error);
/// Makes a table of the same model usable in command lists; its number, or -1.
int32_t muser_session_table(MuserSession *session, MuserTable *table, uint8_t *error);
/// Checks a command list of `count` words and keeps it; its number, or -1.
int32_t muser_session_record(MuserSession *session, const uint32_t *words, uint32_t count, uint8_t *error);
/// Runs a recorded list over `rows` rows: one command buffer, one wait. `ids` are checked and copied to buffer 0;
/// NULL leaves what is there.
int32_t muser_session_run(MuserSession *session, uint32_t step, const uint32_t *ids, uint32_t rows, uint8_t *error);
/// Copies `length` bytes of a buffer, from `offset` on, to the host.
int32_t muser_session_read(MuserSession *session, uint32_t buffer, uint64_t offset, void *bytes, uint64_t length,
                           uint8_t *error);
/// Copies `length` bytes of the host's into a buffer, from `offset` on.
int32_t muser_session_write(MuserSession *session, uint32_t buffer, uint64_t offset, const void *bytes,
                            uint64_t length, uint8_t *error);
/// What the session has done so far.
void muser_session_statistics(MuserSession *session, MuserStatistics *statistics);
/// Gives the session back.
void muser_session_close(MuserSession *session);

#ifdef __cplusplus
}
#endif
