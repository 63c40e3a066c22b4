/**
 * Buffers count as a part of the heap of this process, and the heap grows to three times what is in use before V8 looks for garbage. Otherwise
 * it goes through all of the heap whenever some 64 MB of buffers were made. Files of the project unit share a process, whose heap grows to
 * 370 MB, so that this took a quarter of the time of their tests.
 */
import { setFlagsFromString } from 'node:v8';

/** The V8 of Node 22 does not know the first flag. */
const [version = ''] = process.versions.v8.split('.');
if (Number(version) >= 13) {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--heap-growing-percent=200');
}
