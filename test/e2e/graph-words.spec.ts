// The graph of many topics with long names: words of lines cover neither each other nor a part.
import { chooseTab, go } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Words that lie over each other or over a part, each as "one × other". */
function overlapping(graph: Element): readonly string[] {
  const boxes = [...graph.querySelectorAll('.react-flow__edgelabel-renderer > *, .react-flow__node')].map(
    (element) => ({ element, box: element.getBoundingClientRect() }),
  );
  const named = (element: Element): string => element.textContent.slice(0, 60);
  return boxes.flatMap(({ element, box }, at) =>
    boxes.slice(at + 1).flatMap((other) => {
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      return wide > 1 && high > 1 ? `${named(element)} × ${named(other.element)}` : [];
    }),
  );
}

/** Words that reach over the edge of their part, whose end nobody can read. */
function cutOff(graph: Element): readonly string[] {
  return [...graph.querySelectorAll('.react-flow__node button')].flatMap((part) => {
    const { right } = part.getBoundingClientRect();
    const words = [...part.querySelectorAll('bdi > span')];
    return words.flatMap((each) => (each.getBoundingClientRect().right > right ? each.textContent : []));
  });
}

/** Buttons of the graph that cover a piece of its drawing. */
function covering(graph: Element): readonly string[] {
  const drawing = graph.querySelector('.react-flow')?.getBoundingClientRect() ?? new DOMRect();
  return [...graph.querySelectorAll('button:not(.react-flow button)')].flatMap((button) => {
    const { bottom, top } = button.getBoundingClientRect();
    const name = button.getAttribute('aria-label') ?? button.textContent;
    return Math.min(bottom, drawing.bottom) - Math.max(top, drawing.top) > 1 ? name : [];
  });
}

test('words of the graph lie over nothing, with twelve topics and long names', async ({ page, product }) => {
  const topics = Array.from({ length: 12 }, (_, n) => `shop.orders.of.region.${n}`.padEnd(40, 'x'));
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: topics.flatMap((topic, n) => [
      {
        pubsubname: 'pubsub',
        topic,
        routes: {
          rules: [{ match: 'event.type == "large"', path: `/handlers/for/large/${topic}` }],
          default: `/handlers/for/${topic}`,
        },
        ...(n % 3 === 0 ? { deadLetterTopic: `dead.letters.of.all.the.regions.${n % 2}` } : {}),
      },
    ]),
  });
  await product.rpc('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
  await product.rpc('mockApp.setRules', {
    rules: [
      { enabled: true, match: { filter: 'data.n>3' }, answer: { kind: 'respond', status: 500 } },
      { enabled: true, match: { filter: 'data.n:3' }, answer: { kind: 'respond', status: 404 } },
    ],
  });
  for (const topic of topics) for (let n = 0; n < 5; n += 1) await product.publish(topic, { n });
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const graph = page.getByRole('group', { name: 'Topology' });
  await expect(graph.getByRole('button', { name: /^Subscription/ })).toHaveCount(12);
  await expect(graph.getByText('4 processed').or(graph.getByText('3 processed')).first()).toBeVisible();
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => graph.evaluate(overlapping)).toEqual([]);
    expect(await graph.evaluate(cutOff)).toEqual([]);
    await expect(graph.getByRole('button', { name: 'More below' })).toBeInViewport({ ratio: 1 });
    expect(await graph.evaluate(covering)).toEqual([]);
  }
  // The last press to the right leaves nothing there, and the focus does not go with the button.
  const right = graph.getByRole('button', { name: 'More on the right' });
  await expect(async () => {
    await right.press('Enter', { timeout: 500 });
    await expect(right).toHaveCount(0, { timeout: 100 });
  }).toPass();
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});
