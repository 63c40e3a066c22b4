/** Why a program that a person named cannot be started: it is not there, and where it was looked for. */
export function missingProgram(program: string, folder: string, searched: string | undefined): string {
  return /[\\/]/.test(program)
    ? `there is no program ${program} in ${folder}`
    : `the program ${program} was not found in PATH (${searched ?? 'which is not set'})`;
}
