/** Texts for programs that cannot be started. */

/** Text for one that does not exist, with the folders that were searched. */
export function missingProgram(program: string, folder: string, searched: string | undefined): string {
  return /[\\/]/.test(program)
    ? `there is no program ${program} in ${folder}`
    : `the program ${program} was not found in PATH (${searched ?? 'which is not set'})`;
}

/** Text for a program that exists, and that the system does not start. */
export function notStartable(program: string): string {
  return `${program} is no program that may be started`;
}
