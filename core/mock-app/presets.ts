/** Ready-made rules: one per outcome row of the interface, named sets, and rules that do not answer. */
import type { Answer, BulkStatuses, Preset, RuleAnswer } from '../contract/mock-app.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { Refusal } from '../domain/refusal.ts';

/** Answer to every request without a matching rule: SUCCESS, for a batch for every entry. */
export const DEFAULT_ANSWER: Answer = { kind: 'respond-bulk', status: 200, statuses: 'all-success' };

const SUCCESS = status('SUCCESS');

export const PRESETS: readonly Preset[] = [
  preset('S1', 'single', 'processed', '200, empty body', { kind: 'respond', status: 200 }),
  preset('S1b', 'single', 'processed', '200 {}', { kind: 'respond', status: 200, body: {} }),
  preset('S2', 'single', 'processed', '200 SUCCESS', SUCCESS),
  preset('S3', 'single', 'retrying', '200 RETRY', status('RETRY')),
  preset('S4', 'single', 'dropped', '200 DROP', status('DROP')),
  preset('S5', 'single', 'retrying', '200 MAYBE (an unknown status)', status('MAYBE')),
  preset('S6', 'single', 'processed', '200, not JSON', { kind: 'respond', status: 200, body: 'not json' }),
  preset('S7', 'single', 'dropped', '404', { kind: 'respond', status: 404 }),
  preset('S8', 'single', 'retrying', '500, 400, 302 in turn', {
    kind: 'sequence',
    steps: [
      { kind: 'respond', status: 500 },
      { kind: 'respond', status: 400 },
      { kind: 'respond', status: 302, headers: { location: '/elsewhere' } },
    ],
    then: 'loop',
  }),
  preset('B1', 'bulk', 'processed', '200, every entry SUCCESS', bulk('all-success')),
  preset('B1r', 'bulk', 'retrying', '200, every entry RETRY', bulk('all-retry')),
  preset('B1d', 'bulk', 'dropped', '200, every entry DROP', bulk('all-drop')),
  preset(
    'B1m',
    'bulk',
    undefined,
    '200, mixed: SUCCESS, RETRY, left out, DROP',
    bulk({ '#1': 'SUCCESS', '#2': 'RETRY', '#3': null, '#4': 'DROP', '*': 'SUCCESS' }),
  ),
  preset('B2', 'bulk', 'retrying', '200, no statuses', bulk({})),
  preset('B3', 'bulk', 'dropped', '404 to the whole batch', { kind: 'respond', status: 404 }),
  preset('B4', 'bulk', 'retrying', '503 to the whole batch', { kind: 'respond', status: 503 }),
  {
    preset: 'everything-succeeds',
    title: 'Everything succeeds',
    group: 'set',
    leadsTo: 'processed',
    rules: [],
  },
  preset('everything-fails', 'set', 'retrying', 'Everything fails (503)', { kind: 'respond', status: 503 }),
  preset('flaky', 'set', undefined, 'Flaky 20 %', {
    kind: 'random',
    of: [
      { share: 20, answer: { kind: 'respond', status: 503 } },
      { share: 80, answer: DEFAULT_ANSWER },
    ],
  }),
  preset('down', 'set', 'retrying', 'Down (reset)', { kind: 'reset' }),
  preset('slow', 'extra', 'processed', 'Slow: SUCCESS after 10 s', { ...DEFAULT_ANSWER, delayMs: 10_000 }),
  preset('hang', 'extra', 'attempting', 'Hang: never answers', { kind: 'hang' }),
  preset('reset', 'extra', 'retrying', 'Reset: closes the connection', { kind: 'reset' }),
  preset('ask', 'extra', 'attempting', 'Ask me', { kind: 'ask' }),
];

/**
 * The preset with a name.
 * @throws Refusal NOT_FOUND for an unknown name
 */
export function presetNamed(name: string): Preset {
  const found = PRESETS.find((one) => one.preset === name);
  if (found !== undefined) return found;
  throw new Refusal('NOT_FOUND', { reason: `There is no preset ${name}.` }, { field: 'preset' });
}

/** A preset with one rule for every request. */
function preset(
  id: string,
  group: Preset['group'],
  leadsTo: string | undefined,
  title: string,
  answer: RuleAnswer,
): Preset {
  return {
    preset: id,
    title,
    group,
    ...withoutUndefined({ leadsTo }),
    rules: [{ name: title, enabled: true, match: {}, answer }],
  };
}

function status(word: string): Answer {
  return { kind: 'respond', status: 200, body: { status: word } };
}

function bulk(statuses: BulkStatuses): Answer {
  return { kind: 'respond-bulk', status: 200, statuses };
}
