/** Keys that a person gives to commands: what may be given, and what is drawn then. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Command } from '../../renderer/keys/command.ts';
import { bindingProblem, drawBindings, drawnKeys, keysOf } from '../../renderer/keys/bindings.ts';

const command = (id: string, ...keys: readonly string[]): Command => ({
  id,
  title: `Title of ${id}`,
  group: 'group',
  keys,
  run: () => undefined,
});
const COMMANDS = [command('replay', 'r'), command('go', 'g m'), command('palette', 'Mod+K'), command('bare')];

afterEach(() => drawBindings(COMMANDS, {}));

describe('keys that a person gave', () => {
  test('replace the default keys of a command, also by none', () => {
    const [replay = command('none')] = COMMANDS;
    expect(keysOf(replay, {})).toEqual(['r']);
    expect(keysOf(replay, { replay: 'x' })).toEqual(['x']);
    expect(keysOf(replay, { replay: '' })).toEqual([]);
    expect(keysOf(command('bare'), { bare: 'b' })).toEqual(['b']);
  });

  test.each([
    ['r', { kind: 'taken', title: 'Title of replay' }],
    ['g', { kind: 'begins', title: 'Title of go' }],
    ['Mod+T', { kind: 'owned' }],
    ['F5', { kind: 'owned' }],
    ['Alt+ArrowLeft', { kind: 'owned' }],
    ['Tab', { kind: 'alone' }],
    ['x', undefined],
    ['Mod+Shift+X', undefined],
  ])('may be given or have a problem: %s for another command', (key, problem) => {
    expect(bindingProblem(key, 'bare', COMMANDS, {})).toEqual(problem);
  });

  test('make the old key free and the new one taken', () => {
    expect(bindingProblem('r', 'bare', COMMANDS, { replay: 'x' })).toBeUndefined();
    expect(bindingProblem('x', 'bare', COMMANDS, { replay: 'x' })).toMatchObject({ kind: 'taken' });
  });

  test('are shown wherever the old ones were', () => {
    expect(drawnKeys(['r'])).toEqual(['r']);
    drawBindings(COMMANDS, { replay: 'x', go: '' });
    expect(drawnKeys(['r'])).toEqual(['x']);
    expect(drawnKeys(['g m'])).toEqual([]);
    expect(drawnKeys(['Mod+K'])).toEqual(['Mod+K']);
  });
});
