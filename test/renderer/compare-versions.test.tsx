/** Two messages of which a person edited one for a delivery: the comparison says which version it shows, and offers each other one. */
import { expect, test } from 'vitest';
import { comparableOf } from '../../renderer/components/detail/DataTab.tsx';
import { COMPARE } from '../../renderer/copy/acts.ts';
import { Compared, firstVersions, versionTexts } from '../../renderer/views/act-dialogs/CompareDialog.tsx';
import { drawn, wordsOf } from './drawn.tsx';
import { transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const changed = { body: '{"n":2}' };
const side = (message: ReturnType<typeof wholeMessage>) => ({ message, data: '{"n":1}' });
const plain = side(wholeMessage({ messageId: 'plain' }));
const edit = (deliveryId: string, body = changed.body, at = '2026-03-01T10:00:00.000Z') =>
  wholeDelivery({
    deliveryId,
    changed: { body },
    transitions: [transitionBy('policy.attempt', 'queued', { at })],
  });

test('a side that was edited says that it is shown as published, and its versions are offered', () => {
  const edited = side(wholeMessage({ deliveries: [wholeDelivery({ changed })] }));
  const html = drawn(<Compared left={plain} right={edited} />, {});
  expect(wordsOf(html).match(/as it was published/g)).toHaveLength(1);
  expect([COMPARE.versionOf.left, COMPARE.versionOf.right].map((name) => html.includes(`"${name}"`))).toEqual(
    [false, true],
  );
});

test('an edited version of which only the start is kept is not offered, and that is said', () => {
  const cut = side(
    wholeMessage({ deliveries: [wholeDelivery({ changed: { ...changed, bodyTruncated: true } })] }),
  );
  const html = drawn(<Compared left={plain} right={cut} />, {});
  expect(html).not.toContain(COMPARE.versionOf.right);
  expect(wordsOf(html)).toContain(COMPARE.cut);
});

test('of a message whose only edit is not kept whole nothing is compared, and no button offers it', () => {
  const cut = wholeDelivery({ changed: { ...changed, bodyTruncated: true } });
  const message = wholeMessage({ deliveries: [cut] });
  const words = wordsOf(drawn(<Compared isOne left={side(message)} right={side(message)} />, {}));
  expect(words).toContain(COMPARE.cut);
  expect(words).not.toContain(COMPARE.same);
  expect(comparableOf(message)).toEqual([]);
  expect(comparableOf({ deliveries: [cut, edit('d2')] })).toHaveLength(1);
});

test('two messages that nobody edited say nothing of versions', () => {
  const words = wordsOf(drawn(<Compared left={plain} right={side(wholeMessage())} />, {}));
  expect(words).not.toContain('as it was published');
});

test('of one message its last two versions are compared first, and nothing of its life', () => {
  const once = side(wholeMessage({ deliveries: [edit('d1')] }));
  expect(firstVersions({ left: once, right: once, isOne: true })).toEqual({ left: '', right: 'd1' });
  const twice = side(
    wholeMessage({ deliveries: [edit('d1'), edit('d2', '{"n":3}', '2026-03-01T10:00:01.000Z')] }),
  );
  expect(firstVersions({ left: twice, right: twice, isOne: true })).toEqual({ left: 'd1', right: 'd2' });
  const words = wordsOf(drawn(<Compared isOne left={twice} right={twice} />, {}));
  expect(words).toContain('1 changed line');
  expect(words).toMatch(/- &quot;n&quot;: 2 \+ &quot;n&quot;: 3/);
  // Each version is named as another one, though one route has both deliveries.
  const named = words.match(/as a person edited it for the app at \/orders, delivery of [\d:.]+/g) ?? [];
  expect(new Set(named).size).toBe(2);
  expect(words).not.toContain('State');
  const together = comparableOf({ deliveries: [edit('d1'), edit('d2')] });
  expect(new Set(versionTexts(together)).size).toBe(2);
});
