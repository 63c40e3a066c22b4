/** "Needs attention": each problem that a message can have is in the view, or is said to be elsewhere. */
import { expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { ROW_STATES } from '../../core/contract/words.ts';
import { ATTENTION_HINT, DROPPED_HINT, VIEWS } from '../../renderer/copy/messages.ts';
import { CAUSE_SHORT } from '../../renderer/copy/causes.ts';
import { CHIP_WORDS } from '../../renderer/copy/states.ts';
import { passes, type Sample } from '../domain/filter-sample.ts';

type Delivery = NonNullable<Sample['deliveries']>[number];
type ViewId = (typeof VIEWS)[number]['id'];

const filterOf = (id: ViewId): string => VIEWS.find((view) => view.id === id)?.filter ?? '';

const titleOf = (id: ViewId | undefined): string => VIEWS.find((view) => view.id === id)?.title ?? 'a title';

const one = (delivery: Delivery): Sample => ({ deliveries: [delivery] });

/** A problem, and whether it needs attention: `true`, the view that has it, or the words that name it in the tooltip. */
const PROBLEMS: readonly (readonly [
  problem: string,
  sample: Sample,
  place: true | { readonly view?: ViewId; readonly says?: string },
])[] = [
  ['no attempt is left', one({ state: 'parked', rule: 'policy.exhausted' }), true],
  ['a match rule failed', one({ state: 'parked', rule: 'policy.route-error' }), true],
  ['no rule matched', one({ state: 'parked', rule: 'policy.no-route' }), true],
  ['the subscription cannot read it', one({ state: 'parked', rule: 'policy.unreadable' }), true],
  ['a person undid a drop', one({ state: 'parked', rule: 'user.undo-drop' }), true],
  ['a copy is on the dead-letter topic', one({ state: 'dead-lettered', rule: 'policy.dead-letter' }), true],
  ['its time to live passed', one({ state: 'expired', rule: 'ttl.expired' }), true],
  ['its time to live passed while it was held', { row: { stage: 'expired' } }, true],
  ['its component did not take it', { row: { stage: 'refused' } }, true],
  ['one of its deliveries is parked', { deliveries: [{ state: 'processed' }, { state: 'parked' }] }, true],
  ['it is tried again for a long time', one({ state: 'retrying' }), { view: 'retrying' }],
  ['a hold stopped it', one({ state: 'held' }), { view: 'held' }],
  ['a hold stopped it at its publish', { row: { stage: 'held' } }, { view: 'held' }],
  ['nobody subscribes', {}, { view: 'none' }],
  ['its app has not answered yet', { row: { stage: 'waiting' } }, { says: 'Waiting for you' }],
  ['a call waits for an answer', one({ state: 'attempting' }), { says: 'continues by itself' }],
  ['it waits for its turn', one({ state: 'queued' }), { says: 'continues by itself' }],
  ['its app answered DROP', one({ state: 'dropped', rule: 'single.2xx.drop' }), { view: 'dropped' }],
  [
    'its app does not serve its route',
    one({ state: 'dropped', rule: 'single.404.drop' }),
    { view: 'dropped', says: 'route that the app does not serve' },
  ],
  ['it was answered at last', one({ state: 'processed' }), { says: 'continues by itself' }],
];

test.each(PROBLEMS)('%s', (_problem, sample, place) => {
  const { view, says } = place === true ? { view: 'attention' as const, says: '' } : place;
  expect(passes(filterOf('attention'), sample)).toBe(place === true);
  expect(passes(filterOf(view ?? 'all'), sample)).toBe(true);
  expect(ATTENTION_HINT).toContain(says ?? titleOf(view));
});

test('every state of a message is one of these problems, or is no problem', () => {
  const seen: readonly unknown[] = PROBLEMS.flatMap(([, { row, deliveries = [] }]) => [
    row?.stage,
    ...deliveries.map(({ state }) => state),
  ]);
  const missing = [...DELIVERY_STATES, ...ROW_STATES].filter((state) => !seen.includes(state));
  // These two have no delivery and no stage.
  expect(missing).toEqual(['none', 'unseen']);
});

test('the view of dropped messages says which of them are likely a mistake of the set-up', () => {
  expect(DROPPED_HINT).toContain(`"${CAUSE_SHORT['single.404']}" it is most likely a setup mistake`);
});

test('the tooltip names the states that are in the view as their chips do', () => {
  for (const state of ['parked', 'dead-lettered', 'expired', 'refused'] as const)
    expect(ATTENTION_HINT.toLowerCase()).toContain(CHIP_WORDS[state].toLowerCase());
});
