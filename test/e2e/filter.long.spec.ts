// The filter field: the hint of a filter before, and the words while the host has not answered.
import type { Locator, Page } from '@playwright/test';
import { messages } from './console-page.ts';
import { expect, test } from './fixture.ts';

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

async function filterBy(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

test('a filter that cannot be read takes the hint of the filter before from the list', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await filterBy(page, 'topic:Orders');
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await field(page).fill('time>23:09:00');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Sidelight cannot read the filter above')).toBeVisible();
  await expect(page.getByText('No message matches this filter.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'topic:orders', exact: true })).toHaveCount(0);
});

test('a page that opens with a filter says that it searches before the host has answered', async ({
  page,
}) => {
  await page.routeWebSocket(/./, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((text) => {
      // The host never hears that the view is to be opened.
      if (!String(text).includes('"view.open"')) host.send(text);
    });
  });
  await page.goto(`${new URL(page.url()).origin}/#/messages?f=topic:nothing`);
  await page.reload();
  await expect(page.getByText('Searching…').first()).toBeVisible();
  await expect(page.getByText('Searching messages').first()).toBeVisible();
});
