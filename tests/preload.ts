/**
 * Opens the native library before any test begins: it stays loaded for the life of the process, which the resource
 * sanitizer would otherwise hold against the first test that opens a model.
 * @module
 */
import { devices } from "../mod.ts";

devices();
