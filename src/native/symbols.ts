/**
 * The foreign functions of libMuser, as `muser.h` declares them: each parameter beside its C type and name.
 * A test compares the two.
 */

/** MUSER_ABI_VERSION of `muser.h`: the version of the interface that this package speaks. */
export const ABI_VERSION = 1;

/** MUSER_ERROR_BYTES of `muser.h`: the size of every error buffer. */
export const ERROR_BYTES = 2048;

/** Every symbol that is called; `…Async` names are the same C function, run off the JavaScript thread. */
export const symbols = {
  muser_abi_version: { parameters: [], result: "u32" },
  muser_error_codes: {
    parameters: [
      "buffer", // uint8_t *text
      "u32", // uint32_t capacity
    ],
    result: "i32",
  },
  muser_types: {
    parameters: [
      "buffer", // uint8_t *text
      "u32", // uint32_t capacity
    ],
    result: "i32",
  },
  muser_devices: {
    parameters: [
      "buffer", // uint8_t *text
      "u32", // uint32_t capacity
    ],
    result: "i32",
  },
  muser_model_openAsync: {
    name: "muser_model_open",
    parameters: [
      "buffer", // const uint8_t *paths
      "u32", // uint32_t path_count
      "buffer", // const uint8_t *device
      "u32", // uint32_t map
      "u64", // uint64_t offset
      "buffer", // const uint8_t *cache
      "buffer", // uint8_t *error
    ],
    result: "pointer",
    nonblocking: true,
  },
  muser_model_describe: {
    parameters: [
      "pointer", // MuserModel *model
      "buffer", // uint8_t *text
      "u32", // uint32_t capacity
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_model_read: {
    parameters: [
      "pointer", // MuserModel *model
      "u64", // uint64_t offset
      "buffer", // uint8_t *bytes
      "u32", // uint32_t length
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_model_check: {
    parameters: [
      "pointer", // MuserModel *model
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_model_close: {
    parameters: [
      "pointer", // MuserModel *model
    ],
    result: "void",
  },
  muser_table_open: {
    parameters: [
      "pointer", // MuserModel *model
      "buffer", // const uint8_t *name
      "f32", // float scale
      "u32", // uint32_t half
      "buffer", // uint8_t *error
    ],
    result: "pointer",
  },
  muser_table_describe: {
    parameters: [
      "pointer", // MuserTable *table
      "buffer", // uint8_t *text
      "u32", // uint32_t capacity
    ],
    result: "i32",
  },
  muser_table_rows: {
    parameters: [
      "pointer", // MuserTable *table
      "buffer", // const uint32_t *ids
      "u32", // uint32_t count
      "buffer", // void *output
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_table_rowsAsync: {
    name: "muser_table_rows",
    parameters: [
      "pointer", // MuserTable *table
      "buffer", // const uint32_t *ids
      "u32", // uint32_t count
      "buffer", // void *output
      "buffer", // uint8_t *error
    ],
    result: "i32",
    nonblocking: true,
  },
  muser_table_row: {
    parameters: [
      "pointer", // MuserTable *table
      "u32", // uint32_t id
      "buffer", // void *output
    ],
    result: "i32",
  },
  muser_table_close: {
    parameters: [
      "pointer", // MuserTable *table
    ],
    result: "void",
  },
  muser_session_open: {
    parameters: [
      "pointer", // MuserModel *model
      "u32", // uint32_t capacity
      "u32", // uint32_t timed
      "buffer", // uint8_t *error
    ],
    result: "pointer",
  },
  muser_session_buffer: {
    parameters: [
      "pointer", // MuserSession *session
      "u64", // uint64_t bytes
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_table: {
    parameters: [
      "pointer", // MuserSession *session
      "pointer", // MuserTable *table
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_record: {
    parameters: [
      "pointer", // MuserSession *session
      "buffer", // const uint32_t *words
      "u32", // uint32_t count
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_run: {
    parameters: [
      "pointer", // MuserSession *session
      "u32", // uint32_t step
      "buffer", // const uint32_t *ids
      "u32", // uint32_t rows
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_runAsync: {
    name: "muser_session_run",
    parameters: [
      "pointer", // MuserSession *session
      "u32", // uint32_t step
      "buffer", // const uint32_t *ids
      "u32", // uint32_t rows
      "buffer", // uint8_t *error
    ],
    result: "i32",
    nonblocking: true,
  },
  muser_session_read: {
    parameters: [
      "pointer", // MuserSession *session
      "u32", // uint32_t buffer
      "u64", // uint64_t offset
      "buffer", // void *bytes
      "u64", // uint64_t length
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_write: {
    parameters: [
      "pointer", // MuserSession *session
      "u32", // uint32_t buffer
      "u64", // uint64_t offset
      "buffer", // const void *bytes
      "u64", // uint64_t length
      "buffer", // uint8_t *error
    ],
    result: "i32",
  },
  muser_session_statistics: {
    parameters: [
      "pointer", // MuserSession *session
      "buffer", // MuserStatistics *statistics
    ],
    result: "void",
  },
  muser_session_close: {
    parameters: [
      "pointer", // MuserSession *session
    ],
    result: "void",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** The symbols as functions. */
export type Symbols = Deno.DynamicLibrary<typeof symbols>["symbols"];

/** A native object; never looked into. */
export type Pointer = NonNullable<Deno.PointerValue>;
