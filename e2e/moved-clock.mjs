/** Programs whose wall clocks differ from the machine's (Debian: libfaketime). */
import { existsSync } from 'node:fs';

const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .find(existsSync);

/** Reason to skip a test that moves clocks; `false` if they can be moved. */
export const NO_MOVED_CLOCK = !LIBRARY && 'libfaketime is not installed';

/** Timers use the monotonic clock, which is unaffected. */
const MOVED = { LD_PRELOAD: LIBRARY, FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** Returns the variables of a program whose clock is moved by an offset, such as `+2h` or `-30` seconds. */
export function movedBy(offset) {
  return { ...MOVED, FAKETIME: offset };
}

/** Returns the variables of a program that reads its offset from a file, every second. */
export function movedByFile(file) {
  return { ...MOVED, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' };
}
