// The open message: paths in its data, its bytes, its deliveries.
import { chooseTab, detail, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('a value in the data offers its path, a filter, a column and a copy', async ({
  page,
  product,
  context,
  accessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.publish('orders', { items: [{ sku: 'A "1"' }] });
  await product.publish('orders', { items: [{ sku: 'B' }] });
  await rows(page, /Processed/)
    .first()
    .click();
  await detail(page).locator('.cm-line', { hasText: '"sku"' }).click();
  const path = detail(page).getByRole('status', { name: 'The cursor is at data.items[0].sku' });
  await expect(path).toHaveText('data.items[0].sku');
  await detail(page).getByRole('button', { name: 'Copy path' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('data.items[0].sku');
  await detail(page).getByRole('button', { name: 'Add as column' }).click();
  await expect(toast(page, 'Column data.items[0].sku added.')).toBeVisible();
  await accessible();
  await detail(page).getByRole('button', { name: 'Filter by this value' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(
    String.raw`data.items[0].sku:"A \"1\""`,
  );
});

test('opening a message draws its text before the editor and writes nothing to storage, moving the line beside it does', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await page.evaluate(() => {
    const written: string[] = [];
    Object.assign(window, { written });
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
      written.push(key);
      set.call(this, key, value);
    };
  });
  const written = (): Promise<readonly string[]> => page.evaluate(() => Reflect.get(window, 'written'));
  await rows(page, /Processed/).click();
  await expect(detail(page).getByText('"orderId": 1')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail(page)).toHaveCount(0);
  expect(await written()).toEqual([]);
  // The text is there before its editor, at the same place, and the focus goes on to the editor.
  await page.evaluate(() => {
    const drawn: { readonly tag: string; readonly at: number | undefined }[] = [];
    Object.assign(window, { drawn });
    new MutationObserver(() => {
      const data = document.querySelector<HTMLElement>('[aria-label="Message data"]');
      if (data === null || drawn.at(-1)?.tag === data.tagName) return;
      const text = document.createRange();
      text.selectNodeContents(data.querySelector('.cm-line') ?? data);
      drawn.push({ tag: data.tagName, at: text.getClientRects()[0]?.left });
      if (data.tagName === 'PRE') data.focus();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await rows(page, /Processed/).click();
  await expect(detail(page).locator('.cm-content')).toBeFocused();
  const drawn = await page.evaluate((): readonly { tag: string; at: number }[] =>
    Reflect.get(window, 'drawn'),
  );
  expect(drawn.map(({ tag }) => tag)).toEqual(['PRE', 'DIV']);
  // The sign to fold a line is as wide as the font of the system has it.
  expect(Math.abs((drawn[1]?.at ?? 0) - (drawn[0]?.at ?? 0))).toBeLessThan(3);
  await page.getByRole('separator').press('ArrowLeft');
  await expect.poll(written).toContain('sidelight.ui');
});

test('the answer to the newest attempt is in sight without scrolling', async ({
  page,
  product,
  accessible,
}) => {
  const often = { maxAttempts: 6, firstDelayMs: 5, factor: 1, maxDelayMs: 5 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: often });
  const steps = [500, 503, 500, 429, 500, 503].map((status, index) => ({
    kind: 'respond' as const,
    status,
    body: { error: `no stock ${index + 1}` },
  }));
  const answer = { kind: 'sequence', steps, then: 'repeat-last' } as const;
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'six answers', enabled: true, match: {}, per: 'message', answer }],
  });
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Parked, 6 attempts/, 'Attempts');
  await expect(detail(page).locator('header')).toContainText(
    'All 6 attempts used; the last answer was 503. Parked: retry, replay or drop it.',
  );
  const response = detail(page).getByRole('region', { name: 'Response' }).first();
  await expect(response.getByText('"no stock 6"')).toBeInViewport({ ratio: 1 });
  // Each of the answers before it led to another call; the reasons are folded.
  const times = detail(page).getByRole('region', { name: 'How often the app got it' });
  const reason = times.getByText('because attempt 5 was answered 500.');
  await expect(reason).toBeHidden();
  await times.getByText('The app got it 6 times').click();
  await expect(reason).toBeVisible();
  await accessible();
});

test('bytes are shown as a dump that jumps to an offset', async ({ page, product, accessible }) => {
  const body = new Uint8Array(40_000).map((_, index) => index % 251);
  body.set([0xde, 0xad, 0xbe, 0xef], 0x8000);
  const answer = await product.sidecar('/v1.0/publish/pubsub/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  expect(answer.status).toBe(204);
  await rows(page, /Processed/).click();
  const offset = detail(page).getByRole('textbox', { name: 'Go to offset' });
  await offset.fill('99999');
  await expect(detail(page)).toContainText('Use an offset from 0 to 39999');
  await offset.fill('0x8000');
  await offset.press('Enter');
  const dump = detail(page).getByRole('grid');
  const marked = dump.locator('[aria-selected="true"]');
  await expect(marked).toContainText('00008000  de ad be ef');
  await expect(dump).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(marked).toContainText('00008008  ');
  await page.keyboard.press('ArrowUp');
  // The panel is narrower than a row of sixteen bytes, and their text is visible all the same.
  // The panel ends at a fraction of a pixel.
  await expect(marked).toBeInViewport({ ratio: 0.99 });
  await accessible();
});

test.describe('two apps', () => {
  test.use({ flags: ['--app', 'second=mock'] });

  test('all deliveries of a message are shown at once', async ({ page, product, accessible }) => {
    await product.publish('orders', { orderId: 1 });
    await rows(page, /2 deliveries|Processed/)
      .first()
      .click();
    const choice = detail(page).getByRole('combobox', { name: 'Delivery' });
    await choice.click();
    await page.getByRole('option', { name: 'All 2' }).click();
    await chooseTab(detail(page), 'Timeline');
    await expect(detail(page).getByRole('table', { name: /^Transitions of / })).toHaveCount(2);
    await expect(detail(page).getByRole('region', { name: 'Waterfall', exact: true })).toContainText(
      'second /orders',
    );
    await chooseTab(detail(page), 'Attempts');
    await expect(detail(page).getByRole('article', { name: /^Attempt 1/ })).toHaveCount(2);
    await accessible();
  });

  test('"What if" asks about the delivery that the row and the head show, and only about one', async ({
    page,
    product,
  }) => {
    const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
    await product.rpc('settings.set', { key: 'delivery.retry', value });
    await product.rpc('mockApp.setSubscriptions', {
      appId: 'app',
      subscriptions: [
        { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' }, deadLetterTopic: 'dead' },
      ],
    });
    const answer = { kind: 'respond', status: 503, body: '' } as const;
    await product.rpc('mockApp.setRules', {
      appId: 'second',
      rules: [{ name: 'fails', enabled: true, match: {}, answer }],
    });
    await product.publish('orders', { orderId: 1 });
    await product.publish('nobody', { orderId: 2 });
    await rows(page, /, orders, .*Parked, 1 of 2 deliveries/).click();
    await expect(detail(page).locator('header')).toContainText('second → POST /orders');
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'What if the app answered…' });
    await expect(dialog).toContainText('For delivery 2 of 2: second → POST /orders.');
    await expect(dialog.getByRole('row', { name: /^200 RETRY/ })).toContainText('policy.exhausted');
    await page.keyboard.press('Escape');
    await rows(page, /, nobody, .*No subscription/).click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'What if the app answered…' })).toBeDisabled();
  });
});
