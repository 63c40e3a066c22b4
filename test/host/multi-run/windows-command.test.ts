/** How a command is started on Windows, as far as it can be said without Windows. */
import { expect, test } from 'vitest';
import { windowsCommand } from '../../../core/host/multi-run/windows-command.ts';

const ENV = {
  Path: String.raw`C:\tools;C:\node`,
  PATHEXT: '.EXE;.CMD',
  ComSpec: String.raw`C:\Windows\cmd.exe`,
};

function started(command: readonly string[], ...files: readonly string[]): unknown {
  return windowsCommand(command, {
    folder: String.raw`C:\apps\shop`,
    env: ENV,
    exists: (path) => files.includes(path),
  });
}

test('a program is looked up by PATH and PATHEXT, in their order', () => {
  const found = started(['node', 'a.js'], String.raw`C:\node\node.exe`, String.raw`C:\node\node.cmd`);
  expect(found).toEqual({ program: String.raw`C:\node\node.exe`, args: ['a.js'], verbatim: false });
  expect(started(['node'], String.raw`C:\elsewhere\node.exe`)).toBeUndefined();
});

test('a path begins at the folder of the app', () => {
  expect(started(['./run.exe'], String.raw`C:\apps\shop\run.exe`)).toMatchObject({
    program: String.raw`C:\apps\shop\run.exe`,
  });
});

test('a script goes through the command processor, its arguments quoted for both', () => {
  const args = ['run', 'a b', 'x&y', 'say "hi"', String.raw`C:\end\ `.trim(), '%PATH%'];
  expect(started(['npm', ...args], String.raw`C:\node\npm.cmd`)).toEqual({
    program: String.raw`C:\Windows\cmd.exe`,
    args: [
      '/d',
      '/s',
      '/c',
      String.raw`"C:\node\npm.cmd ^"run^" ^"a^ b^" ^"x^&y^" ^"say^ \^"hi\^"^" ^"C:\end\\^" ^"^%PATH^%^""`,
    ],
    verbatim: true,
  });
});

test("arguments of a package's script are escaped twice, because the script passes them on", () => {
  const shim = String.raw`C:\apps\shop\node_modules\.bin\tsx.cmd`;
  expect(started([String.raw`.\node_modules\.bin\tsx`, 'a&b'], shim)).toMatchObject({
    args: ['/d', '/s', '/c', String.raw`"${shim} ^^^"a^^^&b^^^""`],
  });
});
