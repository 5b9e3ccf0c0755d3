// Calls into the C library that fail on demand. Only calls that the library under test itself makes are counted and
// failed: its language's runtime ends the process where it gets no memory, and is not what is tested.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The calls that can fail.
enum faults_call { FAULTS_OPEN, FAULTS_FSTAT, FAULTS_STAT, FAULTS_MMAP, FAULTS_PREAD, FAULTS_MALLOC, FAULTS_CALLS };

/// The code of the library under test: pairs of first address and end, sorted. All calls from elsewhere are let through.
void faults_watch(const uintptr_t (*ranges)[2], int count);
/// Fails call number `number` from now on (from 1; -1 fails every one) with `error`; 0 cuts a read short instead.
void faults_arm(enum faults_call call, int number, int error);
/// Lets everything through. Whether anything failed since `faults_arm`.
bool faults_disarm(void);
/// Blocks of memory that the library under test took and did not give back.
int faults_live_blocks(void);
