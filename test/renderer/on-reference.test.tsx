/** The box "On the reference" of the Subscriptions screen: each hint once, with all its places; nothing without hints. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ReferenceHint, ReferenceHintId } from '../../core/contract/reference-hint.ts';
import type { SubscriptionRow } from '../../core/contract/subscription.ts';
import { hintOf } from '../../core/domain/reference-hints.ts';
import { foundHints } from '../../renderer/format/on-reference.ts';
import { OnReference } from '../../renderer/views/topics/OnReference.tsx';

function row(topic: string, ...onReference: readonly ReferenceHint[]): SubscriptionRow {
  return {
    appId: 'app',
    pubsubname: 'shop',
    topic,
    source: 'programmatic',
    rules: [],
    defaultPath: '/',
    metadata: {},
    rawPayload: false,
    state: 'active',
    counts: {},
    ...(onReference.length === 0 ? {} : { onReference }),
  };
}

const hint = (id: ReferenceHintId, found: string, component?: string): ReferenceHint =>
  hintOf(id, found, component === undefined ? {} : { component });

const ROWS = [
  row(
    'a',
    hint('dead-letter-at-once', 'dead-letter topic d'),
    hint('redis-redeliver-interval', 'redeliverInterval: 30s', 'shop'),
  ),
  row(
    'b',
    hint('rule-extension-function', 'rule 1: <b>trim()</b>'),
    hint('redis-redeliver-interval', 'redeliverInterval: 30s', 'shop'),
  ),
  row('c', hint('dead-letter-at-once', 'dead-letter topic e')),
  row('d'),
];

test('hints list failures first, and each hint and component once', () => {
  const told = foundHints(ROWS).map(({ hint: { id }, uses }) => [
    id,
    uses.map(({ where, found }) => `${where} ${found}`),
  ]);
  expect(told).toEqual([
    ['rule-extension-function', ['b on shop, the app: rule 1: <b>trim()</b>']],
    [
      'dead-letter-at-once',
      ['a on shop, the app: dead-letter topic d', 'c on shop, the app: dead-letter topic e'],
    ],
    ['redis-redeliver-interval', ['Component shop: redeliverInterval: 30s']],
  ]);
});

test('hints are one region with one heading, and names of settings are code', () => {
  const html = renderToStaticMarkup(<OnReference rows={ROWS} release="1.13" />);
  expect(html.match(/<h2>On the reference<\/h2>/g)).toHaveLength(1);
  expect(html.match(/<section/g)).toHaveLength(1);
  expect(html.match(/<h3>/g)).toHaveLength(3);
  expect(html).toContain('release 1.13');
  expect(html).toContain('rule 1: &lt;b&gt;trim()&lt;/b&gt;');
  expect(html).toContain('<code>delivery.retry</code>');
  expect(html).not.toContain('`');
  expect(html).toContain('docs/reference-differences.md#dead-letter-at-once');
  expect(html.indexOf('Fails there:')).toBeLessThan(html.indexOf('Differs there:'));
});

test('nothing is drawn without hints', () => {
  expect(renderToStaticMarkup(<OnReference rows={[row('a'), row('b')]} release="1.13" />)).toBe('');
});

test('many places of a hint are counted', () => {
  const many = Array.from({ length: 27 }, (_, n) =>
    row(`t${n}`, hint('dead-letter-at-once', 'dead-letter topic d')),
  );
  const html = renderToStaticMarkup(<OnReference rows={many} release="1.13" />);
  expect(html.match(/<bdi>/g)).toHaveLength(20);
  expect(html).toContain('and 7 more');
});
