// Taps in full: events and answers edited on their way, a run that only watches, what is observed told from what is ours.
import { detail, go, openMessage, retype, rows } from './console-page.ts';
import { openConsole } from './open-console.ts';
import { expect, startProduct, test } from './fixture.ts';
import { reusablePort } from './reusable-port.ts';
import { startApp, SIDECARS } from './tapped-sidecars.ts';

for (const sidecar of SIDECARS) {
  test(`tap ${sidecar.name}: a held event is edited before the app has it, a held answer is changed before the sidecar has it`, async ({
    page,
    product,
    accessible,
  }) => {
    test.skip(sidecar.why !== undefined, sidecar.why);
    const app = await startApp();
    const sidecarPort = await sidecar.port();
    const tap = await product.rpc('taps.add', {
      appId: 'shop',
      appUrl: app.url,
      sidecarUrl: `http://127.0.0.1:${sidecarPort}`,
      appPort: 0,
      sidecarPort: 0,
    });
    const real = await sidecar.start(sidecarPort, tap.appPort);
    try {
      await product.when('the subscription is known', async () => {
        const { items } = await product.rpc('taps.list', {});
        return items[0]?.subscriptions[0];
      });
      const publish = (total: number) =>
        fetch(`http://127.0.0.1:${tap.sidecarPort}/v1.0/publish/pubsub/orders`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ total }),
        });
      const got = (): unknown[] => app.got.map((text) => (JSON.parse(text) as { data: unknown }).data);
      await product.rpc('holds.add', { at: 'delivery', filter: 'data.total:120', name: 'look first' });
      expect((await publish(120)).status).toBe(204);
      await openMessage(page, /, orders, .*Held/);
      await detail(page).getByRole('button', { name: 'Edit and release' }).click();
      const editor = page.getByRole('dialog', { name: 'Edit and release' });
      await retype(editor.getByRole('textbox', { name: 'New event' }), '{"total":999}');
      await accessible();
      await editor.getByRole('button', { name: 'Release' }).click();
      await openMessage(page, /, orders, .*Processed, 1 attempt/, 'Attempts');
      await expect(detail(page).getByText('+     "total": 999')).toBeVisible();
      expect(got()).toEqual([{ total: 999 }]);

      const { holdId } = await product.rpc('holds.add', { at: 'response', filter: 'data.total:7' });
      await publish(7);
      await openMessage(page, /, orders, .*Attempting, 1 attempt/);
      await expect(detail(page).getByText('Answer held')).toBeVisible();
      await product.rpc('holds.remove', { holdId });
      await detail(page).getByRole('button', { name: 'Edit and release' }).click();
      await editor.getByRole('textbox', { name: 'Body of the answer' }).fill('{"status":"RETRY"}');
      await expect(editor.getByRole('status').filter({ hasText: 'Leads to Retrying' })).toBeVisible();
      await editor.getByRole('button', { name: 'Release' }).click();
      await expect(rows(page, /, orders, .*Processed, 2 attempts/)).toHaveCount(1);
      expect(got()).toEqual([{ total: 999 }, { total: 7 }, { total: 7 }]);
      await openMessage(page, /, orders, .*Processed, 2 attempts/, 'Attempts');
      await accessible();
    } finally {
      await real.stop();
      app.close();
    }
  });
}

test('a run with taps alone shows nothing as its own, and can answer in front of the app', async ({
  page,
  accessible,
}) => {
  const app = await startApp();
  const product = await startProduct({
    command: 'tap',
    flags: [
      ...['--ephemeral', '--app-id', 'shop', '--app-url', app.url, '--sidecar-url', 'http://127.0.0.1:1'],
      ...['--tap-app-port', '0', '--tap-sidecar-port', '0'],
    ],
  });
  try {
    await openConsole(page, product);
    await product.when('the app is there', async () => {
      const { items } = await product.rpc('taps.list', {});
      return items[0]?.appAnswers === true ? true : undefined;
    });
    const [ports] = product.ready.taps ?? [];
    await expect(page.getByRole('heading', { name: 'No message has passed yet' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Lines to change' })).toContainText(
      `--app-port ${ports?.appPort}`,
    );
    await expect(page.getByRole('button', { name: 'Send sample traffic' })).toHaveCount(0);
    await accessible();
    const at = `http://127.0.0.1:${ports?.appPort}`;
    await (await fetch(`${at}/dapr/subscribe`)).text();
    const deliver = async (id: string): Promise<string> => {
      const body = JSON.stringify({ id, pubsubname: 'pubsub', topic: 'orders', data: { id } });
      return (await fetch(`${at}/orders`, { method: 'POST', body })).text();
    };
    expect(await deliver('e1')).toContain('SUCCESS');

    await go(page, 'Topics');
    await page.getByRole('tab', { name: 'Subscriptions 1' }).click();
    await expect(page.getByRole('table', { name: 'Observed subscriptions' })).toContainText('/orders');
    await expect(page.getByText('The app answered with no subscriptions.')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Discover again' })).toHaveCount(0);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect(page.getByRole('button', { name: /^App shop: .*observed/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Subscription orders: shop · observed/ })).toBeVisible();
    await accessible();

    await go(page, 'Components');
    await expect(
      page.getByText('What taps observe on pubsub belongs to the component of that name in another sidecar.'),
    ).toBeVisible();
    await go(page, 'Health');
    await expect(page.getByText('Sidelight answers no health check here')).toBeVisible();
    await go(page, 'Publish');
    await expect(page.getByText('This run has no sidecar of its own to publish through.')).toBeVisible();

    await go(page, 'Mock app');
    await expect(page.getByText(`in front of app shop, ${app.url}`)).toBeVisible();
    await expect(page.getByText('No app in this run is a mock app.')).toHaveCount(0);
    await expect(page.getByRole('switch', { name: 'Mock app on' })).toHaveCount(0);
    await expect(page.getByRole('tab', { name: /^Subscriptions/ })).toHaveCount(0);
    const answers = page.getByRole('list', { name: 'Answers' });
    await expect(answers.getByRole('listitem').last()).toContainText('everything→ the app answers');
    await expect(page.getByRole('combobox', { name: 'Preset' })).toContainText('Choose a preset');
    await accessible();
    await page.getByRole('button', { name: 'Add answer' }).click();
    const editor = page.getByRole('dialog', { name: 'Add answer' });
    await editor.getByRole('textbox', { name: 'Status' }).fill('503');
    await editor.getByRole('button', { name: 'Save answer' }).click();
    await expect(answers.getByRole('listitem')).toHaveCount(2);
    await deliver('e2');
    await expect(answers.getByRole('listitem').first()).toContainText('1 hit');
    expect(app.got).toHaveLength(1);

    await page.getByRole('combobox', { name: 'App', exact: true }).click();
    await expect(page.getByRole('option', { name: /^shop .*observed/ })).toBeVisible();
  } finally {
    app.close();
    await product.kill();
  }
});

test('topics, subscriptions and apps show which are observed, and a taken port is reported beside its field', async ({
  page,
  product,
  accessible,
}) => {
  const app = await startApp();
  const sidecarPort = await reusablePort();
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'mine', route: '/mine' }],
  });
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Apps' }).click();
  await page.getByRole('button', { name: 'Tap a running sidecar…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tap a running sidecar' });
  await dialog.getByRole('textbox', { name: 'App id (required)' }).fill('shop');
  await dialog.getByRole('textbox', { name: 'App address (required)' }).fill(app.url);
  await dialog.getByRole('textbox', { name: 'Sidecar address' }).fill(`http://127.0.0.1:${sidecarPort}`);
  await dialog.getByText('Ports of the tap').click();
  const port = dialog.getByRole('textbox', { name: 'Port for the app', exact: true });
  await port.fill(new URL(app.url).port);
  await dialog.getByRole('button', { name: 'Tap', exact: true }).click();
  await expect(port).toHaveAccessibleDescription(/^Port \d+ is that of the app behind the tap/);
  await accessible();
  await port.fill('0');
  await dialog.getByRole('button', { name: 'Tap', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const tap = (await product.rpc('taps.list', {})).items[0];
  if (tap === undefined) throw new Error('there is no tap');

  const real = await startProduct({
    flags: [
      '--app-id',
      'shop',
      '--app-url',
      `http://127.0.0.1:${tap.appPort}`,
      '--sidecar-port',
      sidecarPort,
    ],
  });
  try {
    await product.when('the subscription is known', async () => {
      const { items } = await product.rpc('taps.list', {});
      return items[0]?.subscriptions[0];
    });
    const publish = async (base: string, topic: string): Promise<void> => {
      const { status } = await fetch(`${base}/v1.0/publish/pubsub/${topic}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"n":1}',
      });
      expect(status).toBe(204);
    };
    const theirs = `http://127.0.0.1:${tap.sidecarPort}`;
    await publish(theirs, 'orders');
    // No subscription is known here for the topic: only the real sidecar knows who subscribes.
    await publish(theirs, 'bills');
    await publish(product.at(''), 'mine');
    await publish(product.at(''), 'unheard');
    await product.when('all are there', async () => {
      const { total } = await product.rpc('messages.list', {
        filter: 'state:processed OR state:none OR state:unseen',
      });
      return total === 4 ? true : undefined;
    });

    await go(page, 'Messages');
    await page.getByRole('tab', { name: 'No subscription' }).click();
    await expect(rows(page, /, unheard, /)).toHaveCount(1);
    await expect(rows(page, /, bills, /)).toHaveCount(0);
    await page.getByRole('tab', { name: 'All', exact: true }).click();
    await expect(rows(page, /, bills, .*Not seen here.*Observed/)).toHaveCount(1);

    await go(page, 'Topics');
    const topic = (name: string) =>
      page.getByRole('table', { name: 'Topics' }).getByRole('row').filter({ hasText: name });
    for (const name of ['orders', 'bills']) {
      await expect(topic(name).getByText('Observed', { exact: true })).toBeVisible();
      await expect(topic(name).getByText('No subscription')).toHaveCount(0);
    }
    await expect(topic('mine').getByText('Observed', { exact: true })).toHaveCount(0);
    await expect(topic('unheard').getByText('No subscription').first()).toBeVisible();
    await accessible();
    await page.getByRole('tab', { name: 'Subscriptions' }).click();
    const observed = page.getByRole('table', { name: 'Observed subscriptions' });
    await expect(observed.getByRole('row').filter({ hasText: 'orders' })).toContainText('Observed');
    await accessible();

    await go(page, 'Apps');
    const card = page.getByRole('region', { name: 'shop, observed' });
    await expect(card).toContainText(`http://127.0.0.1:${sidecarPort} answers; Sidelight does not run it`);
    await expect(card.getByText('Observed', { exact: true })).toBeVisible();
    await accessible();
  } finally {
    await real.stop();
  }
  // First the sidecar is away, then the app: one line says so, in the log and on the screen.
  const problems = page.getByRole('list', { name: 'Problems of the tap of shop' }).getByRole('listitem');
  const away = `Nothing answers at http://127.0.0.1:${sidecarPort}, the sidecar of the app shop: `;
  await expect(problems).toContainText([away]);
  app.close();
  const gone = `Nothing answers at ${app.url}, the app shop: `;
  await expect(problems).toContainText([away, gone]);
  const { items } = await product.rpc('logs.list', {});
  const said = (line: string): number => items.filter(({ text }) => text.startsWith(line)).length;
  // The sidecar was away when the tap was added, too, but for less time than a start may take.
  expect([said(away), said(gone)]).toEqual([1, 1]);
});
