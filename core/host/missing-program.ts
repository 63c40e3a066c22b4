/**
 * Text for a program that cannot be started because it does not exist, with the folders that were searched.
 */
export function missingProgram(program: string, folder: string, searched: string | undefined): string {
  return /[\\/]/.test(program)
    ? `there is no program ${program} in ${folder}`
    : `the program ${program} was not found in PATH (${searched ?? 'which is not set'})`;
}
