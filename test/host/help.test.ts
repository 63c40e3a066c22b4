/** `--help` of each command against the flags that it has: each flag that is shown exists, and each that exists is shown. */
import { expect, test } from 'vitest';
import { ROUTER_FLAGS } from '../../core/event-router/command/command.ts';
import { ROUTER_HELP } from '../../core/event-router/command/words.ts';
import { FLAGS, NOT_OF_TAP } from '../../core/host/flags.ts';
import { HELP, RUN_HELP, TAP_HELP } from '../../core/host/help.ts';
import { MCP_FLAGS, MCP_HELP } from '../../core/host/mcp-command.ts';
import { REFERENCE_FLAGS } from '../../core/host/reference-flags.ts';
import { TEST_FLAGS, TEST_HELP } from '../../core/host/test-command.ts';
import { WAIT_FLAGS, WAIT_HELP } from '../../core/host/wait-command.ts';

/** Flags that a text shows. */
function shown(help: string): readonly string[] {
  return [...new Set(help.match(/(?<=--)[a-z][a-z-]+(?<!-)/g))].toSorted();
}

/** Names of flags; a command says nothing of `--help` itself. */
const names = (flags: object): readonly string[] =>
  Object.keys(flags)
    .filter((name) => name !== 'help')
    .toSorted();

test.each([
  ['wait', WAIT_HELP, WAIT_FLAGS],
  ['test', TEST_HELP, TEST_FLAGS],
  ['mcp', MCP_HELP, MCP_FLAGS],
  ['router', ROUTER_HELP, ROUTER_FLAGS],
])('sidelight %s --help shows exactly the flags that there are', (_command, help, flags) => {
  expect(shown(help)).toEqual(names(flags));
});

const OF_TAP = ['tap-app-port', 'tap-sidecar-port', 'sidecar-url', 'sidecar-grpc', 'tap-grpc-port'];

test('sidelight --help shows every flag of a start, and none of the tap', () => {
  const own = Object.keys(FLAGS).filter((name) => !OF_TAP.includes(name));
  expect(shown(HELP)).toEqual(own.toSorted());
});

test('sidelight tap --help shows every flag that the tap takes', () => {
  const refused: readonly string[] = NOT_OF_TAP;
  const taken = Object.keys(FLAGS).filter((name) => !refused.includes(name));
  expect(shown(TAP_HELP)).toEqual(taken.toSorted());
});

test('sidelight run --help shows every flag of the reference', () => {
  expect(shown(RUN_HELP)).toEqual(expect.arrayContaining(Object.keys(REFERENCE_FLAGS)));
});
