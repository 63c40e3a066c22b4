// The open message in full: its first paint, schemas, batches, rules that failed, and editing it in a narrow window.
import type { Page } from '@playwright/test';
import { chooseTab, detail, messages, openMessage, retype, rows } from './console-page.ts';
import { durationBar } from '../../renderer/format/duration-bar.ts';
import { hasNoLigatures } from './screens.ts';
import { expect, type Product, test } from './fixture.ts';

const SUCCESS = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } as const;

/** The mock app answers 503 once, then SUCCESS; the next attempt comes at once. */
async function failsOnce(product: Product): Promise<void> {
  const value = { maxAttempts: 5, firstDelayMs: 2000, factor: 1, maxDelayMs: 2000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setRules', {
    rules: [
      {
        name: 'once',
        enabled: true,
        match: {},
        per: 'message',
        answer: {
          kind: 'sequence',
          steps: [{ kind: 'respond', status: 503, body: '' }, SUCCESS],
          then: 'repeat-last',
        },
      },
    ],
  });
}

/** Parts of the open message that reach beyond its panel, other than inside of what scrolls by itself. */
async function pushedOut(page: Page): Promise<readonly string[]> {
  return await detail(page).evaluate((panel) => {
    const edge = panel.getBoundingClientRect().right + 1;
    const parts = [...panel.querySelectorAll('[role=tab], article, section, h2, p, [role=tabpanel]')];
    return parts
      .filter(
        (part) =>
          part.getBoundingClientRect().right > edge && part.closest('pre, table, .cm-editor') === null,
      )
      .map((part) => `${part.tagName} ${part.textContent.slice(0, 40)}`);
  });
}

test('the head shows what the list knows before the message is loaded', async ({ page, product }) => {
  let release: (() => void) | undefined;
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => {
      const asked: { readonly method?: string } = JSON.parse(String(message));
      if (asked.method === 'messages.get') release = () => host.send(message);
      else host.send(message);
    });
  });
  await page.reload();
  await product.publish('orders', { orderId: 1 });
  await rows(page, /Processed/).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toContainText('orders');
  await expect(detail(page)).toContainText('app → POST /orders');
  await expect(detail(page).getByRole('tab', { name: 'Attempts 1' })).toBeVisible();
  await expect(detail(page).getByRole('button', { name: 'Edit and replay' })).toBeVisible();
  await expect(detail(page)).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => release !== undefined).toBe(true);
  release?.();
  await expect(detail(page).getByLabel('Message data', { exact: true })).toContainText('"orderId": 1');
  // A window of 1280 x 800 at 200 %: what was published and the rows are in sight without scrolling.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 640, height: 400 });
  await expect(detail(page).getByText('"orderId": 1')).toBeInViewport({ ratio: 1 });
  for (let orderId = 2; orderId <= 5; orderId += 1) await product.publish('orders', { orderId });
  await detail(page).getByRole('button', { name: 'Back to list' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
  for (const index of [1, 5])
    await expect(messages(page).locator(`[role="row"][aria-rowindex="${index}"]`)).toBeInViewport({
      ratio: 1,
    });
  if (size !== null) await page.setViewportSize(size);
});

test('at 200 % zoom the data, buttons and attempts of a waiting call are in sight', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.setRules', { rules: [{ match: {}, answer: { kind: 'ask' } }] });
  await product.publish('orders', { orderId: 1 });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 640, height: 400 });
  await rows(page, /Waiting for you/).click();
  await expect(detail(page).getByText('"orderId": 1')).toBeInViewport({ ratio: 1 });
  for (const name of ['SUCCESS', 'RETRY', 'DROP', 'Other…'])
    await expect(detail(page).getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await expect(detail(page).locator('dd').filter({ hasText: '1 (max 10)' })).toBeInViewport({ ratio: 1 });
  if (size !== null) await page.setViewportSize(size);
});

test('a message opened by its address is shown in a list that follows the newest', async ({
  page,
  product,
}) => {
  for (let orderId = 1; orderId <= 60; orderId += 1) await product.publish('orders', { orderId });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '60');
  const first = messages(page).locator('[role="row"][aria-rowindex="1"]');
  await expect(messages(page).locator('[role="row"][aria-rowindex="60"]')).toBeInViewport();
  await expect(first).not.toBeInViewport();
  const { items } = await product.rpc('messages.list', { filter: 'data.orderId:1', limit: 1 });
  const address = `/messages?m=${items[0]?.messageId ?? ''}`;
  await page.evaluate((to) => (window.location.hash = to), address);
  await expect(detail(page).getByText('"orderId": 1')).toBeVisible();
  await expect(first).toBeInViewport({ ratio: 1 });
  await expect(first).toHaveAttribute('aria-selected', 'true');
});

test('schema of the topic: a mistake links to its place in the data', async ({
  page,
  product,
  accessible,
}) => {
  const schema = { type: 'object', properties: { total: { type: 'number' } } };
  await product.rpc('schemas.set', { name: 'order.schema.json', topic: 'orders', schema });
  await product.publish('orders', { orderId: 1, total: 'much' });
  await product.publish('orders', { orderId: 2, total: 5 });
  await rows(page, /Processed/)
    .first()
    .click();
  await expect(detail(page)).toContainText('Not valid against order.schema.json: 1 mistake');
  await accessible();
  await detail(page)
    .getByRole('button', { name: /^\/total/ })
    .click();
  await expect(detail(page).getByRole('status', { name: 'The cursor is at data.total' })).toBeVisible();
  await rows(page, /Processed/)
    .last()
    .click();
  await expect(detail(page)).toContainText('Valid against order.schema.json');
});

test('a batch shows the part of this entry, and the whole request', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'batched',
        routes: { default: '/batched' },
        bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 60_000 },
      },
    ],
  });
  await product.publish('batched', { mine: 1 });
  await openMessage(page, /, batched, .*Queued/);
  await expect(detail(page)).toContainText(
    /Waiting for its batch \(bulkSubscribe\): 1 of 2 messages has arrived. The batch is sent at [\d:]+ at the latest\./,
  );
  await chooseTab(detail(page), 'Route');
  await expect(detail(page)).toContainText(
    'There are no rules: every event takes the default route /batched.',
  );
  await product.publish('batched', { mine: 2 });
  await expect(rows(page, /, batched, .*Processed/)).toHaveCount(2);
  await rows(page, /Processed/)
    .first()
    .click();
  await chooseTab(detail(page), 'Attempts');
  const request = detail(page).getByLabel('Body of the request', { exact: true });
  const response = detail(page).getByLabel('Body of the answer', { exact: true });
  await expect(request.getByText('"mine"')).toHaveCount(1);
  await expect(response.getByText('"entryId"')).toHaveCount(1);
  await detail(page).getByRole('button', { name: 'Show whole batch' }).click();
  await expect(request).toContainText('"entries"');
  await expect(response.getByText('"entryId"')).toHaveCount(2);
  await accessible();
});

test('a rule that cannot be evaluated shows where, and that later rules were not evaluated', async ({
  page,
  product,
}) => {
  const rules = [
    { match: 'event.data.x.y > 3', path: '/x' },
    { match: 'event.type == "b"', path: '/b' },
  ];
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', routes: { rules, default: '/all' } }],
  });
  await product.publish('orders', { x: 1 });
  await openMessage(page, /Parked/, 'Route');
  await expect(detail(page)).toContainText(
    'Rule 1 could not be evaluated: No such key: y at 14. Such a message is not sent.',
  );
  await expect(
    detail(page).getByRole('list', { name: 'Why not the others' }).getByRole('listitem'),
  ).toHaveText([
    'Rule 2 `event.type == "b"` was not looked at: rule 1 could not be evaluated.',
    'Default route /all was not used. It applies only when every rule is false, and a rule failed.',
  ]);
});

test('edit and replay: a refusal and another content type keep what was typed', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await rows(page, /Processed/).click();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and replay · orders' });
  const editor = dialog.getByRole('textbox', { name: 'New event' });
  // Text that is typed at once goes into the event, not into the field above it.
  await expect(editor).toBeFocused();
  await retype(editor, '{"orderId": ');
  await expect(dialog).toContainText('Not valid JSON: the app gets it as a JSON string, in quotes.');
  await expect(dialog.getByRole('combobox', { name: 'Pub/sub' })).toContainText('pubsub');
  const topic = dialog
    .getByRole('combobox', { name: 'Topic' })
    .or(dialog.getByRole('textbox', { name: 'Topic' }));
  await topic.fill('');
  await accessible();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(topic).toHaveAttribute('aria-invalid', 'true');
  await expect(topic).toHaveAccessibleDescription('Name a topic.');
  await expect(editor).toContainText('{"orderId":');
  await topic.fill('letters');
  await expect(topic).toHaveAccessibleDescription('');
  await chooseTab(dialog, 'Changes');
  await expect(dialog.getByText('+ topic: letters')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog).toHaveCount(0);
  await expect(rows(page, /, letters, .*No subscription/)).toBeVisible();
});

test('edit and replay in a narrow window: typing changes the event, and undo restores it', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 700, height: 600 });
  await product.publish('orders', { orderId: 1 });
  await rows(page, /Processed/).click();
  await page.keyboard.press('e');
  const editor = page.getByRole('dialog').getByRole('textbox', { name: 'New event' });
  await expect(editor).toBeFocused();
  await expect(editor).toBeInViewport();
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.type('7');
  await expect(editor).toContainText('"orderId"');
  await expect(editor).toContainText('7');
});

test('timeline of a message: lanes, zoom, and other messages of its trace', async ({
  page,
  product,
  accessible,
}) => {
  await failsOnce(product);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  for (const orderId of [1, 2]) {
    await product.sidecar('/v1.0/publish/pubsub/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ orderId }),
    });
  }
  await expect(rows(page, /Processed, 2 attempts/)).toHaveCount(2);
  await rows(page, /Processed/)
    .first()
    .click();
  await chooseTab(detail(page), 'Attempts');
  // Duration and unit of a part differ from machine to machine.
  await expect(detail(page)).toContainText(/waited [\d.]+ \w+ \(policy constant 2 s\)/);
  await expect(detail(page).getByRole('article').first()).toContainText(
    /connect [\d.]+ m?s.*read [\d.]+ m?s/,
  );
  await chooseTab(detail(page), 'Timeline');
  const picture = detail(page).getByRole('region', { name: 'Waterfall', exact: true });
  const lanes = picture.getByRole('listitem');
  await expect(lanes).toHaveText([
    /^Published \d/,
    /^Queued \d/,
    /^Attempt 1 \d/,
    /^Attempt 2 \d/,
    /^Waits [\d.]+ \w+$/,
    'End Processed',
  ]);
  await picture.getByRole('region', { name: 'Lanes of the waterfall' }).focus();
  await page.keyboard.press('+');
  await expect(picture).toContainText('×2');
  await page.keyboard.press('-');
  await expect(picture).toContainText('×1');
  await expect(picture.getByRole('button', { name: 'Zoom out' })).toHaveAttribute('aria-disabled', 'true');
  await detail(page).getByRole('checkbox', { name: 'Overlay the same trace: 2 messages' }).check();
  await expect(lanes).toHaveCount(7);
  await accessible();
  // In a narrow window with both sides open nothing is pushed out, and the lines around them do not wrap.
  await page.setViewportSize({ width: 960, height: 800 });
  for (const tab of ['Attempts', 'Timeline', 'Notes']) {
    await chooseTab(detail(page), tab);
    await expect.poll(async () => await pushedOut(page)).toEqual([]);
  }
  const [banner, footer] = [page.getByRole('banner'), page.getByRole('contentinfo')];
  expect((await banner.boundingBox())?.height).toBeLessThan(50);
  expect((await footer.boundingBox())?.height).toBeLessThan(34);
});

test('the bars of the waterfall and of the list are as long as their times', async ({ page, product }) => {
  const value = { maxAttempts: 3, firstDelayMs: 300, factor: 1, maxDelayMs: 300 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  const steps = [
    { kind: 'respond', status: 503, delayMs: 150 },
    { kind: 'respond', status: 200, delayMs: 450 },
  ] as const;
  const answer = { kind: 'sequence', steps, then: 'repeat-last' } as const;
  await product.rpc('mockApp.setRules', { rules: [{ name: 'slow', enabled: true, match: {}, answer }] });
  await product.publish('orders', { orderId: 1 });
  const row = rows(page, /Processed, 2 attempts/);
  await expect(row).toBeVisible();
  const { items } = await product.rpc('messages.list', { filter: 'topic:orders' });
  const [listed] = items;
  if (listed === undefined) throw new Error('no message');

  const [delivery] = listed.deliveries;
  const { lastDurationMs = 0, span = { firstMs: 0, endMs: 0 } } = delivery ?? {};
  const drawn = await row.locator('[data-col="duration"]').evaluate((cell) => {
    const { backgroundImage } = getComputedStyle(cell);
    return [...backgroundImage.matchAll(/ ([\d.]+)%/g)].map(([, percent]) => Number(percent));
  });
  // A decade of time has a fifth of the cell.
  const share = (ms: number): number => Math.round(20 * Math.log10(ms + 1));
  const end = share(span.endMs);
  expect(Math.max(...drawn)).toBe(end);
  const bar = durationBar(delivery);
  expect(new Set(drawn)).toEqual(
    new Set([bar?.first, bar?.last, bar?.end].map((each) => Math.round(each ?? Number.NaN))),
  );
  expect(Math.abs(end - Math.round(bar?.last ?? 0) - share(lastDurationMs))).toBeLessThanOrEqual(1);

  await row.click();
  await chooseTab(detail(page), 'Timeline');
  const { deliveries, at } = await product.rpc('messages.get', { messageId: listed.messageId });
  const [{ attempts, transitions } = { attempts: [], transitions: [] }] = deliveries;
  const lanes = detail(page).getByRole('region', { name: 'Waterfall', exact: true }).getByRole('listitem');
  await expect(lanes).toHaveText([/^Published/, /^Queued/, /^Attempt 1/, /^Attempt 2/, /^Waits/, /^End/]);
  const bars = await lanes.evaluateAll((all) =>
    all.map((lane) => {
      const track = lane.querySelector('[aria-hidden]')?.getBoundingClientRect();
      const { left = 0, width = 0 } = track ?? {};
      return [...lane.querySelectorAll('[data-kind]')].map((each) => {
        const box = each.getBoundingClientRect();
        return {
          kind: each.getAttribute('data-kind'),
          from: (box.left - left) / width,
          width: box.width / width,
        };
      });
    }),
  );
  const from = Date.parse(at);
  const totalMs = Date.parse(transitions.at(-1)?.at ?? '') - from;
  // A bar has at least 3 px, and the times of a message are whole milliseconds.
  const isNear = (found: number | undefined, wantedMs: number): void =>
    expect(Math.abs((found ?? Number.NaN) * totalMs - wantedMs)).toBeLessThan(0.015 * totalMs);
  for (const [place, attempt] of attempts.entries()) {
    const lane = bars[2 + place] ?? [];
    const wait = lane.find(({ kind }) => kind === 'wait');
    isNear(wait?.width, attempt.timing?.waitMs ?? Number.NaN);
    isNear(lane[0]?.from, Date.parse(attempt.startedAt) - from);
  }
  expect(attempts.map(({ timing }) => (timing?.waitMs ?? 0) > 100)).toEqual([true, true]);
  const place = transitions.findIndex(({ to }) => to === 'retrying');
  const [failed, again] = transitions.slice(place, place + 2);
  isNear(bars[4]?.[0]?.width, Date.parse(again?.at ?? '') - Date.parse(failed?.at ?? ''));
  isNear(bars[5]?.[0]?.from, totalMs);
  for (const tab of ['Data', 'Attempts', 'Route', 'Timeline', 'Envelope', 'Notes']) {
    await chooseTab(detail(page), tab);
    await hasNoLigatures(page);
  }
});
