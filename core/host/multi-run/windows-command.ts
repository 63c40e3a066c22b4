/**
 * Builds the command line for Windows: programs are looked up as the shell does, and scripts need the command
 * processor.
 */
import { win32 } from 'node:path';

export interface WindowsCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** True: the arguments are quoted already and are passed unchanged. */
  readonly verbatim: boolean;
}

export interface CommandContext {
  /** Working folder of the command. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file exists. */
  readonly exists: (path: string) => boolean;
}

const STANDARD_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
/** Characters with a meaning for the command processor, also inside quotes. */
const SPECIAL = /[()%!^"<>&|;, *?=]/g;

/**
 * The command with its program found by PATHEXT and PATH; a relative one is in its folder. A `.cmd` or `.bat`
 * runs through the command processor, because it is no program itself. undefined: there is no such program.
 */
export function windowsCommand(
  [name = '', ...args]: readonly string[],
  context: CommandContext,
): WindowsCommand | undefined {
  const program = found(name, context);
  if (program === undefined) return undefined;
  if (!/\.(?:cmd|bat)$/i.test(program)) return { program, args, verbatim: false };
  const isShim = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(program);
  const line = [escapeCommand(program), ...args.map((text) => escapeArgument(text, isShim))].join(' ');
  const shell = valueOf(context.env, 'ComSpec') ?? 'cmd.exe';
  return { program: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function found(name: string, { folder, env, exists }: CommandContext): string | undefined {
  const extensions = (valueOf(env, 'PATHEXT') ?? STANDARD_EXTENSIONS).split(';').filter((one) => one !== '');
  const lower = name.toLowerCase();
  const hasExtension = extensions.some((one) => lower.endsWith(one.toLowerCase()));
  const names = hasExtension ? [name] : extensions.map((one) => name + one.toLowerCase());
  const isPath = /[\\/]/.test(name) || /^[a-z]:/i.test(name);
  const folders = isPath ? [folder] : (valueOf(env, 'PATH') ?? '').split(';').filter((one) => one !== '');
  for (const each of folders)
    for (const one of names) {
      const path = win32.resolve(folder, each, one);
      if (exists(path)) return path;
    }
  return undefined;
}

/** Value of a variable, whose name has no letter case on Windows. */
export function valueOf(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}

function escapeCommand(program: string): string {
  return program.replaceAll(SPECIAL, '^$&');
}

/**
 * Quotes an argument for the program, then escapes it for the command processor.
 * @param isShim the script passes its arguments to the command processor once more
 */
function escapeArgument(text: string, isShim: boolean): string {
  const quoted = `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  const escaped = quoted.replaceAll(SPECIAL, '^$&');
  return isShim ? escaped.replaceAll(SPECIAL, '^$&') : escaped;
}
