// The filter field: matches, completions, and words about a mistake.
import type { Locator, Page } from '@playwright/test';
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { go, messages, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

/** Five messages: two on orders that are retried, one on orders that was processed, one elsewhere, one nobody hears. */
async function prepare(product: Product): Promise<void> {
  const once = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: once });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } },
      { pubsubname: 'pubsub', topic: 'refunds', routes: { default: '/refunds' } },
    ],
  });
  await product.publish('orders', { total: 50 });
  await product.when('processed', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'state:processed' });
    return total === 1 ? total : undefined;
  });
  await product.rpc('mockApp.usePreset', { preset: 'S3' });
  await product.publish('orders', { total: 120, note: 'late fee' });
  await product.publish('orders', { total: 130 });
  await product.publish('refunds', { total: 140, note: 'late fee' });
  await product.publish('unheard', { total: 150 });
}

async function filterBy(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

test('filter terms narrow the list and its count, and a mistake is marked and explained', async ({
  page,
  product,
  accessible,
}) => {
  await prepare(product);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await filterBy(page, 'topic:orders state:retrying data.total>100 "late"');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByText('1 of 5 messages', { exact: true })).toBeVisible();
  await expect(rows(page, /, orders, .*Retrying/)).toHaveCount(1);
  // The payload marks what the filter found.
  await expect(rows(page, /, orders, .*Retrying/).locator('mark')).toHaveText('late');
  await accessible();
  // The number belongs to the filter before: beside a mistake there is none.
  await field(page).fill('topic:orders AND');
  await expect(page.locator(`#${await field(page).getAttribute('id')}-error`)).toBeVisible();
  await expect(page.getByText('1 of 5 messages', { exact: true })).toHaveCount(0);

  for (const [filter, found] of [
    ['topic:orders', 3],
    ['state:none', 1],
    ['NOT topic:orders', 2],
    ['-topic:orders late', 1],
    ['(topic:refunds OR topic:unheard) data.total>=140', 2],
    ['topic:or*', 3],
    ['status:2xx attempts:1 state:processed,dropped', 1],
    ['rule:single.2xx.retry cause:app', 3],
  ] as const) {
    await filterBy(page, filter);
    await expect(messages(page), filter).toHaveAttribute('aria-rowcount', String(found));
    // Said once for who does not see the number beside the field.
    await expect(page.getByRole('search').getByText('Found:'), filter).toHaveText(`Found: ${found}`);
  }
  // State words are found in any case, and a bare path asks whether the payload is meant.
  await filterBy(page, 'state:RETRYING');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  await filterBy(page, 'total>100');
  await page.getByRole('button', { name: 'data.total>100' }).click();
  await expect(field(page)).toHaveValue('data.total>100');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await filterBy(page, 'topic:nowhere');
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await accessible();
  // A filter of somebody who does not know the language leads to the one that is meant, with a mistake or without.
  for (const [filter, button, meant, found] of [
    ['retry', '(state:retrying OR attempts>1)', '(state:retrying OR attempts>1)', 3],
    ['topic = orders', 'topic=orders', 'topic=orders', 3],
    ['topic:Orders', 'topic:orders', 'topic:orders', 3],
    // A text that no payload has leaves nothing out, so the list alone says nothing.
    ['NOT processed', 'NOT state:processed', 'NOT state:processed', 4],
    ['not:processed', 'Use -state:processed', '-state:processed', 4],
    ['"late fee', 'Use "late fee"', '"late fee"', 2],
  ] as const) {
    await filterBy(page, filter);
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(field(page), filter).toHaveValue(meant);
    await expect(field(page)).not.toHaveAttribute('aria-invalid', 'true');
    await expect(messages(page), filter).toHaveAttribute('aria-rowcount', String(found));
  }

  await test.step('a mistake is marked and explained; the rows stay', async () => {
    await filterBy(page, 'topic:orders');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    for (const [filter, says] of [
      ['topik:x', 'Unknown key "topik" at 1–5. Did you mean "topic"?'],
      ['attempts>abc', 'Expected a number after "attempts>" at 10, found "abc".'],
      ['(topic:orders', 'Closing parenthesis missing; the one at 1 is open. Did you mean "(topic:orders)"?'],
      ['topic:orders OR', '"OR" at 14 has nothing on its right.'],
    ] as const) {
      await filterBy(page, filter);
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(field(page)).toHaveAccessibleDescription(says);
      await expect(page.getByText(says)).toBeVisible();
    }
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    await accessible();
    await field(page).press('Escape');
    await expect(field(page)).toHaveValue('');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');

    // What was cleared in passing is not lost, and the field says so.
    await filterBy(page, 'topic:orders');
    await field(page).press('Escape');
    await expect(field(page)).toHaveAttribute('placeholder', /brings back topic:orders$/);
    await field(page).press('ControlOrMeta+z');
    await expect(field(page)).toHaveValue('topic:orders');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');

    // Whoever went elsewhere does not mean the old text any more, whether by another view or only out of the field.
    await field(page).press('Escape');
    await expect(field(page)).toHaveAttribute('placeholder', /brings back/);
    await field(page).press('Tab');
    await expect(field(page)).not.toHaveAttribute('placeholder', /brings back/);
    await filterBy(page, 'topic:orders');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    await field(page).press('Escape');
    await page.getByRole('tab', { name: 'No subscription' }).click();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
    await page.getByRole('tab', { name: 'All', exact: true }).click();
    await expect(field(page)).toHaveValue('');
    await expect(field(page)).not.toHaveAttribute('placeholder', /brings back/);
  });
});

test('the filter is switched off and on, is part of the address, and has completion', async ({
  page,
  product,
  accessible,
}) => {
  await prepare(product);
  await test.step('a switch sets the filter aside without losing it; views are filters', async () => {
    await filterBy(page, 'topic:orders');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    await page.getByRole('switch', { name: 'Filter on' }).uncheck();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
    await expect(field(page)).toHaveValue('topic:orders');
    await page.getByRole('switch', { name: 'Filter on' }).check();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');

    await page.getByRole('tab', { name: 'No subscription' }).click();
    await expect(field(page)).toHaveValue('state:none -is:replayed -is:tapped');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
    await page.goBack();
    await expect(field(page)).toHaveValue('topic:orders');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
  });

  await test.step('the filter is in the address; the last ones are offered; F1 explains the language', async () => {
    await filterBy(page, 'topic:refunds');
    await expect(page).toHaveURL(/#\/messages\?f=topic%3Arefunds$/);
    await page.reload();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
    await field(page).press('ArrowUp');
    await expect(page.getByRole('option', { name: /^topic:refunds/ })).toBeVisible();
    await field(page).press('Escape');
    await field(page).press('F1');
    const help = page.getByRole('dialog', { name: 'Filter language' });
    await expect(help).toContainText('state:parked,dead-lettered -app:mock');
    await expect(help.getByRole('region', { name: 'Keys' })).toContainText('id or name of the mock answer');
    await accessible();
    await page.keyboard.press('Escape');

    await go(page, 'Topics');
    await page.getByRole('button', { name: 'Filter messages of refunds' }).click();
    await expect(field(page)).toHaveValue('topic:refunds');
  });

  await test.step('completion offers keys and values, with what they mean', async () => {
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
    await field(page).click();
    await page.keyboard.type('sta');
    const state = page.getByRole('option', { name: 'state — state of a delivery' });
    await expect(state).toBeVisible();
    // Who speaks to the browser says what the option shows.
    await expect(state).toHaveText('state state of a delivery');
    await accessible();
    await page.keyboard.press('Tab');
    await expect(field(page)).toHaveValue('state:');
    await expect(page.getByRole('option', { name: /^retrying/ })).toBeVisible();
    // A word that is being typed is not yet a mistake, which would stand behind the suggestions.
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText(/^Expected a state/)).toHaveCount(0);
    await page.keyboard.type('ret');
    await expect(page.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue(/^state:retrying ?$/);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    // The value is written whole, so nothing is offered for it.
    await field(page).fill('topic:order');
    await expect(page.getByRole('option', { name: /^orders/ })).toBeVisible();
    await page.keyboard.type('s');
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
    await expect(page.getByRole('option')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(field(page)).not.toBeFocused();
  });
});

test('a text that is too long to be a filter says so, and is not applied', async ({ page, product }) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('a'.repeat(10_001));
  await expect(filter).toHaveAccessibleDescription(/10[, ]?000/);
  await expect(filter).toHaveAttribute('aria-invalid', 'true');
  await expect(rows(page, /Processed/)).toBeVisible();
  await filter.fill('topic:orders');
  await expect(filter).not.toHaveAttribute('aria-invalid');
});

test('a filter of a link that is not valid says so, and a view that replaces it is not blamed', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await page.evaluate(() => {
    location.hash = '/messages?f=topic:(';
  });
  await expect(field(page)).toHaveValue('topic:(');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('tab', { name: /^Held/ }).click();
  await expect(field(page)).not.toHaveValue('topic:(');
  await expect(field(page)).not.toHaveAttribute('aria-invalid', 'true');

  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await page.evaluate(() => {
    location.hash = '/messages?f=orderId:1';
  });
  await expect(page.getByText('No message matches this filter.')).toHaveCount(0);
  await page.getByRole('button', { name: 'data.orderId:1' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
});

test('a page that a link opens with a mistake says the same of it in the field and in the list', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await page.evaluate(() => {
    location.hash = '/messages?f=time%3E10%3A00';
  });
  await page.reload();
  const says = page.getByText('A time in a filter needs a date: time>10:00 has none.', { exact: true });
  await expect(says).toHaveCount(2);
  // Neither of them covers the other one.
  for (const each of await says.all()) await each.click({ trial: true });
  const panel = page.locator(`#${await field(page).getAttribute('id')}-error`).locator('..');
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: 800 });
    // The text moves with the next picture after the window has another size.
    const isBelow = async (): Promise<boolean> => {
      const [over, below] = [await panel.boundingBox(), await says.last().boundingBox()];
      return (below?.y ?? 0) >= (over?.y ?? 0) + (over?.height ?? Infinity);
    };
    await expect.poll(isBelow, `below the panel at ${width} px`).toBe(true);
  }
  await expect(page.getByText('could not be loaded')).toHaveCount(0);
  await page
    .getByRole('button', { name: /^time>\d{4}-.*Z$/ })
    .last()
    .click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
});

test('a second mistake typed over that of a link is explained, and the first one no more', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await page.evaluate(() => {
    location.hash = '/messages?f=time%3E10%3A00';
  });
  await page.reload();
  const first = page.getByText('A time in a filter needs a date: time>10:00 has none.', { exact: true });
  await expect(first).toHaveCount(2);
  await field(page).fill('topic:(');
  await expect(first).toHaveCount(0);
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Sidelight cannot read the filter above')).toBeVisible();
  // The address still has the first one.
  await field(page).fill('time>10:00');
  await expect(first).toHaveCount(2);
  await field(page).fill('topic:orders');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
});

test('what a filter found in a payload is in sight, and the payload begins as in other rows', async ({
  page,
  product,
}) => {
  const customer = 'somebody whose name fills the row';
  for (const orderId of [1001, 1002, 1003])
    await product.publish('orders', { orderId, customer, items: [1, 2, 3], note: 'late fee' });
  await filterBy(page, '"late fee"');
  await expect(rows(page, /orders/)).toHaveCount(3);
  for (const width of [1280, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [place, orderId] of [1001, 1002, 1003].entries()) {
      const cell = messages(page).locator('[data-col="preview"]').nth(place);
      await expect(cell).toContainText(`orderId:${orderId}`);
      const [mark, whole] = [await cell.locator('mark').boundingBox(), await cell.boundingBox()];
      if (mark === null || whole === null) throw new Error('the match is not drawn');
      expect(mark.x).toBeGreaterThan(whole.x);
      expect(mark.x + mark.width).toBeLessThanOrEqual(whole.x + whole.width);
    }
  }
});

test('a blank in front of a match is drawn', async ({ page, product }) => {
  await product.publish('orders', { note: 'late fee' });
  await filterBy(page, 'fee');
  const before = messages(page).locator('[data-col="preview"] bdi > span').first();
  await expect(before).toContainText('late ');
  const width = await before.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let last: Node | undefined;
    while (walker.nextNode()) last = walker.currentNode;
    const { length } = last?.textContent ?? '';
    const range = document.createRange();
    if (last === undefined) return 0;
    range.setStart(last, length - 1);
    range.setEnd(last, length);
    return range.getBoundingClientRect().width;
  });
  expect(width).toBeGreaterThan(1);
});

test('a filter that leaves nothing out is said once, in a region of its own, however fast messages come', async ({
  page,
  product,
}) => {
  await product.publish('orders', { total: 50 });
  const calls = await interceptCalls(page);
  await openFresh(page, '/messages');
  const list = page.getByRole('region', { name: 'Messages', exact: true });
  const said = list.locator('> [role="status"]').first();
  // A region that comes with its text is not read out.
  await expect(said).toBeAttached();
  await said.evaluate((region) => region.setAttribute('data-before', ''));
  await filterBy(page, 'NOT processed');
  await expect(said).toContainText('This filter matches every message. Did you mean');
  await expect(said).toHaveAttribute('data-before', '');
  await expect(said.getByRole('button')).toBeVisible();
  calls.stall.add('filter.check');
  const changes = await said.evaluateHandle((region) => {
    const texts: string[] = [];
    const changed = new MutationObserver(() => texts.push(region.textContent));
    changed.observe(region.parentElement ?? region, { subtree: false, childList: true });
    changed.observe(region, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  for (let n = 0; n < 150; n += 1) await product.publish('orders', { total: n });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '151');
  expect(await changes.jsonValue()).toEqual([]);
  expect(calls.wasStalled('filter.check')).toBe(false);
});

/** The middle of a text in an element, in px of the window. */
async function middleOf(element: Locator, text: string): Promise<{ readonly x: number; readonly y: number }> {
  return await element.evaluate((within, wanted) => {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.textContent?.indexOf(wanted) ?? -1;
      if (at === -1) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + wanted.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    throw new Error(`${wanted} is not drawn`);
  }, text);
}

/** Publishes until a message has the text nowhere: random ids may have any digits. */
async function publishWithoutText(product: Product, text: string): Promise<void> {
  const amount = async (filter: string): Promise<number> =>
    (await product.rpc('messages.list', { filter })).total;
  do {
    const before = await amount('state:processed');
    await product.publish('orders', { room: 'none' });
    await product.when('processed', async () => {
      const after = await amount('state:processed');
      return after > before ? after : undefined;
    });
  } while ((await amount(`NOT "${text}"`)) === 0);
}

test('a status is offered beside the messages that have its digits somewhere', async ({ page, product }) => {
  await product.publish('orders', { room: '503' });
  await filterBy(page, '503');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  const said = page.getByText('These messages contain the text "503". Did you mean');
  // No answer had this status yet, so it would find nothing.
  await expect(said).toHaveCount(0);
  await publishWithoutText(product, '503');
  const answer = { kind: 'respond', status: 503 } as const;
  await product.rpc('mockApp.setRules', { rules: [{ enabled: true, match: {}, answer }] });
  await product.publish('orders', { room: 'none' });
  await product.when('an answer had the status', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'status:503' });
    return total === 1 ? total : undefined;
  });
  await filterBy(page, '');
  await filterBy(page, '503');
  await said.getByRole('button', { name: 'status:503' }).click();
  await expect(field(page)).toHaveValue('status:503');
  await expect(rows(page, /Retrying|Parked/)).toHaveCount(1);
});

test('a member of payloads is offered only if a payload has it', async ({ page, product }) => {
  await product.publish('orders', { total: 50 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  const meant = (filter: string | RegExp) => page.getByRole('main').getByRole('button', { name: filter });
  await field(page).fill('total>3');
  await expect(meant('data.total>3')).toBeVisible();
  await field(page).fill('nope>3');
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await expect(meant('data.nope>3')).toHaveCount(0);
  // With a colon the text has an unknown key, and the field offers the member.
  await field(page).fill('total:50');
  await expect(meant('Use data.total')).toBeVisible();
  await field(page).fill('nope:50');
  await expect(page.getByText('For a member of the payload, write "data.nope".')).toBeVisible();
  await expect(meant(/^Use /)).toHaveCount(0);
});

test.describe('with two apps', () => {
  test.use({ flags: ['--app', 'shop=mock'] });

  test('a filter is offered only if it finds something of the app that is shown', async ({
    page,
    product,
  }) => {
    await product.rpc('mockApp.setSubscriptions', { appId: 'shop', subscriptions: [] });
    await product.publish('payments', { price: 50 });
    const calls = await interceptCalls(page);
    await openFresh(page, '/messages');
    await page.getByRole('combobox', { name: 'App', exact: true }).click();
    await page.getByRole('option', { name: /^shop/ }).click();
    const meant = page.getByRole('main').getByRole('button', { name: 'data.price>3' });
    const none = page.getByText('No message matches this filter.');
    calls.stall.add('filter.check').add('messages.list');
    await field(page).fill('price>3');
    await expect(none).toBeVisible();
    for (const method of ['filter.check', 'messages.list']) {
      await expect.poll(() => calls.wasStalled(method)).toBe(true);
      calls.release(method);
      await expect.poll(() => calls.areAnswered(method)).toBe(true);
    }
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(meant).toHaveCount(0);
    await page.getByRole('button', { name: 'Search all apps' }).click();
    await expect(meant).toBeVisible();
  });
});

test('each cell of a row becomes a filter that finds the row, and a payload the value under the pointer', async ({
  page,
  product,
  accessible,
}) => {
  await page.setViewportSize({ width: 1920, height: 800 });
  await product.publish('orders', { order: { id: 7, note: 'late "fee"' }, tags: ['a b', 'c'] });
  await product.publish('payments', { total: 3 });
  const row = rows(page, /, orders, .*Processed/);
  await expect(row).toBeVisible();
  await page.keyboard.down('Alt');
  const clickOn = async (text: string): Promise<void> => {
    const { x, y } = await middleOf(row.locator('[data-col="preview"]'), text);
    await page.mouse.click(x, y);
  };
  const found = async (filter: RegExp | string): Promise<void> => {
    await expect(field(page)).toHaveValue(filter);
    await expect(row).toBeVisible();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  };
  await clickOn('7');
  await found('data.order.id:7');
  await clickOn('fee');
  await found(String.raw`data.order.note:"late \"fee\""`);
  await clickOn('a b');
  await found('data.tags[0]:"a b"');
  await clickOn('tags');
  await found('data.tags:*');
  await row.locator('[data-col="duration"]').click();
  await expect(field(page)).toHaveValue(/^took:>=[\d.]+ms$/);
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await row.locator('[data-col="time"]').click();
  await expect(field(page)).toHaveValue(/^time:>=\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await page.keyboard.up('Alt');
  // The menu of the row knows the value under the pointer too.
  const { x, y } = await middleOf(row.locator('[data-col="preview"]'), '7');
  await page.mouse.click(x, y, { button: 'right' });
  await expect(page.getByRole('menu').first()).toContainText('data.order.id:7');
  await accessible();
  await page.getByRole('menuitem', { name: 'Exclude this' }).click();
  await expect(field(page)).toHaveValue('-data.order.id:7');
  await expect(rows(page, /, payments, /)).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('a click beside a value says why it is no filter', async ({ page, product }) => {
  await product.publish('orders', { total: 3 });
  const cell = rows(page, /, orders, .*Processed/).locator('[data-col="preview"]');
  await expect(cell).toContainText('total:3');
  const box = await cell.boundingBox();
  await cell.click({ modifiers: ['Alt'], position: { x: (box?.width ?? 0) - 4, y: 8 } });
  await expect(toast(page, /^Nothing to filter by here/)).toBeVisible();
  await expect(field(page)).toHaveValue('');
});

test('a filter that is left by the way it came is no longer searched for', async ({ page, product }) => {
  for (const n of [1, 2]) await product.publish('orders', { n });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  const search = page.getByRole('search');
  await filterBy(page, 'state:parked');
  await expect(search).toContainText('0 of 2 messages');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await expect(search).toContainText('2 messages');
  await expect(search.getByText('Searching…')).toHaveCount(0);
});

test('a search says that it searches with the first letter, before the host has answered anything', async ({
  page,
  product,
}) => {
  await product.publish('orders', { total: 3 });
  const calls = await interceptCalls(page);
  await page.reload();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  for (const method of ['filter.check', 'filter.complete', 'view.open', 'messages.list'])
    calls.stall.add(method);
  // A narrow window has no room for a number that the footer has too, but for this.
  await page.setViewportSize({ width: 700, height: 800 });
  await field(page).pressSequentially('t');
  await expect(page.getByRole('search').getByText('Searching…')).toBeVisible();
  expect(calls.wasStalled('view.open')).toBe(false);
  calls.release();
  await page.setViewportSize({ width: 1280, height: 800 });
  // A mistake before it changes nothing of that.
  await field(page).fill('topic:(');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('search').getByText('Searching…')).toHaveCount(0);
  calls.stall.add('filter.check');
  await field(page).fill('topic:nothing');
  await expect(page.getByRole('search').getByText('Searching…')).toBeVisible();
  calls.release();
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await expect(page.getByRole('search')).toContainText('0 of 1 message');
});
