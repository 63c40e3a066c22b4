/** Opens a file of the data folder for reading, where another program may have put anything in its place. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Opening a named pipe would wait until another program opens its other end. Windows has no such flag, and no such pipes. */
const NO_WAIT = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** Undefined: something else than a file is there. Throws the system's error. */
export function openRegular(file: string): number | undefined {
  const fd = openSync(file, NO_WAIT);
  let isFile = false;
  try {
    isFile = fstatSync(fd).isFile();
  } finally {
    if (!isFile) closeSync(fd);
  }
  return isFile ? fd : undefined;
}
