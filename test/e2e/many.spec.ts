// Many messages at once: the list equals the host's, with few elements; hostile names and bodies are shown exact and inert.
import { detail, messages, openMessage, rows } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

/** Far more than are drawn; a multiple of 100. */
const MANY = isLong ? 2000 : 500;

test('many at once: counts, rows and elements', async ({ page, product, accessible }) => {
  const value = { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
  await product.rpc('mockApp.setRules', {
    rules: [
      {
        enabled: true,
        match: { filter: `data.n:>${MANY - 11}` },
        answer: { kind: 'respond', status: 503, body: '' },
      },
    ],
  });
  for (let batch = 0; batch < MANY / 100; batch += 1) {
    const entries = Array.from({ length: 100 }, (_, index) => ({
      entryId: String(index),
      event: { n: batch * 100 + index },
      contentType: 'application/json',
    }));
    await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'orders', entries });
  }
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
  await product.when('all have ended', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return counts.processed + counts.parked === MANY ? true : undefined;
  });
  const { total } = await product.rpc('messages.list', { limit: 1 });
  expect(total).toBe(MANY);
  expect(await messages(page).getByRole('row').count()).toBeLessThanOrEqual(120);

  /** Ids of the rows in the page, by their place. */
  const drawn = (): Promise<[number, string | null][]> =>
    messages(page)
      .locator('[data-message]')
      .evaluateAll((all) =>
        all.map((row) => [Number(row.getAttribute('aria-rowindex')), row.getAttribute('data-message')]),
      );
  const oldest: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const answer = await product.rpc('messages.list', {
      order: 'oldest',
      limit: 500,
      ...(cursor === undefined ? {} : { cursor }),
    });
    oldest.push(...answer.items.map(({ messageId }) => messageId));
    cursor = answer.nextCursor;
  }
  await messages(page).focus();
  for (const key of ['Home', 'PageDown', 'PageDown', 'End']) {
    await page.keyboard.press(key);
    await expect
      .poll(async () => {
        const seen = await drawn();
        return seen.length > 10 && seen.every(([place, id]) => oldest[place - 1] === id);
      }, key)
      .toBe(true);
  }
  await expect(rows(page, /Processed|Parked/).last()).toBeVisible();

  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill('state:parked');
  await field.press('Enter');
  const { total: parked } = await product.rpc('messages.list', { filter: 'state:parked', limit: 1 });
  expect(parked).toBeGreaterThan(0);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(parked));
  await accessible();
});

test('hostile names and bodies are exact and inert', async ({ page, product, accessible }) => {
  const topic = 'o\u202erders\u0007<b>';
  const send = (name: string, body: string, type: string): Promise<Response> =>
    product.sidecar(`/v1.0/publish/pubsub/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e\u0000';
  expect((await send(topic, markup, 'text/plain')).status).toBe(204);
  expect((await send('t'.repeat(10_000), '{"a":1}', 'application/json')).status).toBe(204);
  const deep = '['.repeat(1000) + ']'.repeat(1000);
  expect((await send('deep', deep, 'application/json')).status).toBe(204);
  const large = JSON.stringify({ text: 'x'.repeat(3_900_000) });
  expect((await send('large', large, 'application/json')).status).toBe(204);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');

  await openMessage(page, /o⟨U\+202E⟩rders⟨U\+0007⟩<b>/);
  await expect(detail(page).getByText('<img src=x onerror=')).toBeVisible();
  await accessible();
  await openMessage(page, /t{300}… \(10,000\)/, 'Route');
  await expect(
    detail(page)
      .getByText(/^No subscription for topic t{300}… \(10,000\)/)
      .first(),
  ).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide, 'the page scrolls sideways').toBe(false);
  await openMessage(page, /, deep, /, 'Envelope');
  await expect(detail(page).getByRole('table', { name: 'Envelope attributes' })).toContainText('deep');
  await openMessage(page, /, large, /, 'Data');
  await expect(detail(page).getByRole('button', { name: 'Show all 3.9 MB' })).toBeVisible();
  await expect(detail(page).getByRole('button', { name: 'Save…' })).toBeVisible();
  await accessible();
  expect(await page.title()).toContain('Messages');
});
