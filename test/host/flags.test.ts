/** Command lines that cannot be read: which flag, and what was expected. */
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../core/host/flags.ts';
import { readCommandLine } from '../../core/host/options.ts';

describe('a mistake is one line', () => {
  test.each([
    [['--console-port', '-1'], '--console-port must be a port from 0 to 65535, got "-1"'],
    [['--console-port=-1'], '--console-port must be a port from 0 to 65535, got "-1"'],
    [['--sidecar-port'], '--sidecar-port needs a value: a port from 0 to 65535'],
    [['--sidecar-port', '--headless'], '--sidecar-port needs a value: a port from 0 to 65535'],
    [['--app', 'x=notaurl'], '--app x must be mock or an http, https or grpc address, got "notaurl"'],
    [['--app', 'x=mock,-5'], '--app x: the sidecar port must be a port from 0 to 65535, got "-5"'],
    [['--ephemeral=1'], '--ephemeral takes no value (--help lists the flags)'],
    [['--resource', 'x'], 'unknown flag --resource, did you mean --resources? (--help lists the flags)'],
    [['-v'], 'unknown flag -v (--help lists the flags)'],
  ])('%j', (argv, says) => {
    expect(() => readCommandLine(argv, {})).toThrow(new UsageError(says));
  });

  test('what follows -- is the command and is left alone', () => {
    const asked = readCommandLine(['run', '--app-url', 'http://127.0.0.1:1', '--', 'x', '--nope', '-v'], {});
    expect(asked).toMatchObject({ kind: 'start', options: { command: ['x', '--nope', '-v'] } });
  });
});
