/** Commands in the pages: scripts, the files that they are given, and flags of `sidelight` exist. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HELP, RUN_HELP, TAP_HELP } from '../../core/host/help.ts';
import { MCP_HELP } from '../../core/host/mcp-command.ts';
import { TEST_HELP } from '../../core/host/test-command.ts';
import { WAIT_HELP } from '../../core/host/wait-command.ts';
import { ROUTER_HELP } from '../../core/event-router/command/words.ts';
import { filesOf, ROOT } from './graph.ts';

/** Old versions of the changelog name what was there then. */
const PAGE = /^(?!CHANGELOG).*\.md$/;
const CODE = /^\s*```(?:sh)?\n([\s\S]*?)^\s*```|`([^`\n]+)`/gm;
const HELPS = [HELP, RUN_HELP, TAP_HELP, MCP_HELP, TEST_HELP, WAIT_HELP, ROUTER_HELP].join('\n');

interface Known {
  readonly scripts: ReadonlySet<string>;
  readonly helps: string;
  readonly exists: (file: string) => boolean;
}

/** Lines of code of a page: its blocks for a shell, and what stands between backticks. */
function linesOf(page: string): readonly string[] {
  return [...page.matchAll(CODE)].flatMap(([, block, inline]) => (block ?? inline ?? '').split('\n'));
}

/** Names in a page's commands that do not exist. */
function unknownIn(page: string, { scripts, helps, exists }: Known): readonly string[] {
  return linesOf(page).flatMap((line) => {
    const script = /npm run (?:-s )?([\w:-]+)/.exec(line)?.[1];
    const file = /npm run [\w:-]+ -- (test\/[\w./-]+)/.exec(line)?.[1];
    const own = /^(?:npx (?:--no )?)?sidelight ([^#|]*)/.exec(line.split(' -- ')[0] ?? '')?.[1] ?? '';
    const flags = [...own.matchAll(/(?<=^|[\s[])--[a-z][\w-]+/g)].map(([flag]) => flag);
    return [
      ...(script === undefined || scripts.has(script) ? [] : [`npm run ${script}`]),
      ...(file === undefined || exists(file) ? [] : [file]),
      ...flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(helps)),
    ];
  });
}

function readKnown(): Known {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return {
    scripts: new Set(Object.keys(scripts)),
    helps: HELPS,
    exists: (file) => fs.existsSync(path.join(ROOT, file)),
  };
}

test('every script, test file and flag that a command of a page names exists', () => {
  const known = readKnown();
  const pages = filesOf(ROOT, (file) => PAGE.test(file));
  expect(pages.length).toBeGreaterThan(20);
  const unknown = pages.flatMap((page) =>
    unknownIn(fs.readFileSync(path.join(ROOT, page), 'utf8'), known).map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('canary: missing names are found, and existing ones and flags of other programs are not', () => {
  const page =
    '`npm run build` `npm run gone` `npm run check -- test/gone.test.ts`\n```sh\nsidelight run --app-id a --gone b -- node --watch\n```';
  const known = { scripts: new Set(['build', 'check']), helps: '--app-id ID', exists: () => false };
  expect(unknownIn(page, known)).toEqual(['npm run gone', 'test/gone.test.ts', '--gone']);
});
