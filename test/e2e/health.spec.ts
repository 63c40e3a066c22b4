// Health: both probes with the parts that decide, the counters, and the log.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const probe = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test('both probes list their conditions and can be made to fail, and counters lead to the messages', async ({
  page,
  product,
  accessible,
}) => {
  await page.getByRole('button', { name: /^Sidecar healthy/ }).click();
  const inbound = probe(page, '/v1.0/healthz');
  const outbound = probe(page, '/v1.0/healthz/outbound');
  await expect(inbound).toContainText('Healthy · 204');
  await expect(inbound.getByRole('heading', { level: 3, name: 'GET /v1.0/healthz' })).toBeVisible();
  await expect(inbound).toContainText('application channel');
  await expect(outbound).toContainText('not part of this probe');
  await accessible();

  await page.getByRole('switch', { name: 'Simulate not healthy' }).check();
  await expect(
    page.getByText('Not healthy is simulated: both probes answer 500 until you switch it off.'),
  ).toBeVisible();
  await expect(inbound).toContainText('Not healthy · 500');
  await expect(outbound).toContainText('Not healthy · 500');
  await expect(page.getByRole('button', { name: /^Sidecar not healthy/ })).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Health, not healthy' })).toBeVisible();
  expect((await product.sidecar('/v1.0/healthz')).status).toBe(500);
  await accessible();

  await page.getByRole('switch', { name: 'Simulate not healthy' }).uncheck();
  await expect(inbound).toContainText('Healthy · 204');
  expect((await product.sidecar('/v1.0/healthz')).status).toBe(204);
  await inbound.getByRole('button', { name: 'Call now' }).click();
  const answer = inbound.getByRole('region', { name: 'Answer of /v1.0/healthz' });
  await expect(inbound.getByRole('status')).toContainText('204 No Content');
  await expect(answer).toContainText('No body.');

  await product.rpc('health.simulate', { healthy: false });
  await outbound.getByRole('button', { name: 'Call now' }).click();
  const refused = outbound.getByRole('region', { name: 'Answer of /v1.0/healthz/outbound' });
  await expect(outbound.getByRole('status').first()).toContainText('500 Internal Server Error');
  await expect(refused.getByLabel('Headers')).toContainText('application/json');
  await expect(refused.getByLabel('Body of the answer')).toContainText('ERR_OUTBOUND_HEALTH_NOT_READY');
  await accessible();
  await product.rpc('health.simulate', { healthy: null });
  const apps = page.getByRole('table', { name: 'Apps and their addresses' });
  await expect(apps).toContainText(product.ready.apps[0]?.sidecar ?? '');
  await expect(apps).toContainText('answering');

  await test.step('counters per topic and state lead to the messages', async () => {
    await product.publish('orders', { orderId: 1 });
    await product.publish('orders', { orderId: 2 });
    await go(page, 'Health');
    await chooseTab(page, 'Metrics');
    await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();
    const orders = page
      .getByRole('table', { name: 'Traffic per topic' })
      .getByRole('row')
      .filter({ hasText: 'orders' });
    await expect(orders.getByRole('cell').nth(2)).toHaveText('2');
    await accessible();
    await orders.getByRole('link', { name: /Processed.*2/ }).click();
    await expect(rows(page, /, orders, .*Processed/)).toHaveCount(2);
  });
});

test('log lines show the rule, can be filtered and saved, and link to the attempt', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('mockApp.usePreset', { preset: 'S7' });
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Dropped/)).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Logs, 1 error' })).toBeVisible();
  await go(page, 'Logs');
  const lines = page.getByRole('grid', { name: 'Log lines' });
  const dropped = lines.getByRole('row').filter({ hasText: 'The app answered 404: dropped.' });
  await expect(dropped).toContainText('error');
  await expect(dropped).toContainText('single.404');
  // A line without a rule and a message has the room of their columns for its text.
  const texts = await lines
    .getByRole('row')
    .evaluateAll((all) =>
      all.flatMap(({ children: [, , , text, rule, link] }) =>
        text?.role === 'gridcell' && rule?.textContent === '' && link?.textContent === ''
          ? [link.getBoundingClientRect().right - text.getBoundingClientRect().right]
          : [],
      ),
    );
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.every((left) => Math.abs(left) < 1)).toBe(true);
  await accessible();

  const filter = page.getByRole('searchbox', { name: 'Filter log lines' });
  await filter.fill('part:nothing');
  await expect(page.getByText('No log line matches this filter.')).toBeVisible();
  await filter.fill('lvl:x');
  await expect(filter).toHaveAttribute('aria-invalid', 'true');
  await accessible();
  await filter.fill('level:error');
  await expect(dropped).toBeVisible();
  await expect(lines.getByRole('row').filter({ hasText: 'info' })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^sidelight-.*\.log$/);
  await dropped.getByRole('link', { name: /^Open/ }).click();
  await expect(detail(page).getByRole('article', { name: 'Attempt 1, 404, Dropped' })).toBeVisible();
});
