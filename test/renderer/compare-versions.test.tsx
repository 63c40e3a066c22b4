/** Two messages of which a person edited one for a delivery: the comparison says which version it shows, and offers the other. */
import { expect, test } from 'vitest';
import { COMPARE } from '../../renderer/copy/acts.ts';
import { Compared } from '../../renderer/views/act-dialogs/CompareDialog.tsx';
import { drawn, wordsOf } from './drawn.tsx';
import { wholeDelivery, wholeMessage } from './samples.ts';

const changed = { body: '{"n":2}' };
const side = (message: ReturnType<typeof wholeMessage>) => ({ message, data: '{"n":1}' });
const plain = side(wholeMessage());

test('a side that was edited says that it is shown as published, and the edited version is offered', () => {
  const edited = side(wholeMessage({ deliveries: [wholeDelivery({ changed })] }));
  const words = wordsOf(drawn(<Compared left={plain} right={edited} />, {}));
  expect(words.match(/as it was published/g)).toHaveLength(1);
  expect(words).toContain(COMPARE.showEdited);
});

test('an edited version of which only the start is kept is not offered, and that is said', () => {
  const cut = side(
    wholeMessage({ deliveries: [wholeDelivery({ changed: { ...changed, bodyTruncated: true } })] }),
  );
  const words = wordsOf(drawn(<Compared left={plain} right={cut} />, {}));
  expect(words).not.toContain(COMPARE.showEdited);
  expect(words).toContain(COMPARE.cut);
});

test('two messages that nobody edited say nothing of versions', () => {
  const words = wordsOf(drawn(<Compared left={plain} right={plain} />, {}));
  expect(words).not.toContain('as it was published');
  expect(words).not.toContain(COMPARE.showEdited);
});
