// The host answers late: a dialog that closes once it is saved stays open where more was typed meanwhile, and saves that over the same thing.
import { interceptCalls, openFresh, typeOn } from './call-interceptor.ts';
import { detail, openMessage, retype, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { fillForm, form } from './publish-page.ts';
import { startApp } from './tapped-sidecars.ts';

test('a saved request', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/publish');
  await fillForm(page, 'orders', '{}');
  await form(page).getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: 'Save request' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await name.fill('one');
  await typeOn(calls, 'requests.save', save, () => name.fill('one more'));
  await expect(toast(page, '"one" saved.')).toBeVisible();
  await expect(name).toHaveValue('one more');
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect((await product.rpc('requests.list', {})).items).toMatchObject([{ name: 'one more' }]);
});

test('a saved request whose dialog was closed and opened again', async ({ page }) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/publish');
  await fillForm(page, 'orders', '{}');
  const topic = form(page).getByRole('combobox', { name: 'Topic' });
  const dialog = page.getByRole('dialog', { name: 'Save request' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await topic.press('ControlOrMeta+s');
  await name.fill('one');
  await typeOn(
    calls,
    'requests.save',
    dialog.getByRole('button', { name: 'Save', exact: true }),
    async () => {
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await topic.press('ControlOrMeta+s');
      await name.fill('two');
    },
  );
  await expect(toast(page, '"one" saved.')).toBeVisible();
  await expect(name).toHaveValue('two');
});

test('a saved view', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/messages?f=topic:orders');
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: /^(Save|Rename) view$/ });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await name.fill('one');
  await typeOn(calls, 'views.save', save, () => name.fill('one more'));
  await expect(toast(page, 'View "one" saved.')).toBeVisible();
  await expect(name).toHaveValue('one more');
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect((await product.rpc('views.list', {})).items).toMatchObject([{ name: 'one more' }]);
});

test('a set of answers', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/mock');
  await page.getByRole('button', { name: 'Save as preset…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the answers as a preset' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const save = dialog.getByRole('button', { name: 'Save preset' });
  await name.fill('one');
  await typeOn(calls, 'mockApp.savePreset', save, () => name.fill('one more'));
  await expect(toast(page, /"one"/)).toBeVisible();
  await expect(name).toHaveValue('one more');
  await save.click();
  await expect(dialog).toHaveCount(0);
  const { items } = await product.rpc('mockApp.presets', {});
  expect(items.filter(({ group }) => group === 'own')).toMatchObject([{ title: 'one more' }]);
});

test('a set of answers over an old one, with a new name meanwhile', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.savePreset', { title: 'old', rules: [] });
  await openFresh(page, '/mock');
  await page.getByRole('button', { name: 'Save as preset…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the answers as a preset' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const save = dialog.getByRole('button', { name: 'Save preset' });
  await name.fill('old');
  await typeOn(calls, 'mockApp.savePreset', save, () => name.fill('new'));
  await expect(toast(page, /"old"/)).toBeVisible();
  await save.click();
  await expect(dialog).toHaveCount(0);
  const { items } = await product.rpc('mockApp.presets', {});
  const own = items.filter(({ group }) => group === 'own').map(({ title }) => title);
  expect(own.toSorted()).toEqual(['new', 'old']);
});

test('a note', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await rows(page, /, orders, /).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog', { name: /^Note/ });
  const note = dialog.getByRole('textbox', { name: 'Note' });
  const tags = dialog.getByRole('textbox', { name: 'Tags' });
  const save = dialog.getByRole('button', { name: 'Save note' });
  await note.fill('look again');
  await typeOn(calls, 'messages.update', save, () => tags.fill('late'));
  await expect(toast(page, 'Note saved.')).toBeVisible();
  await expect(note).toHaveValue('look again');
  await expect(tags).toHaveValue('late');
  await save.click();
  await expect(dialog).toHaveCount(0);
  const [{ messageId } = { messageId: '' }] = (await product.rpc('messages.list', {})).items;
  expect(await product.rpc('messages.get', { messageId })).toMatchObject({
    note: 'look again',
    tags: ['late'],
  });
});

test('a new event from an old one', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, /);
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit and replay' });
  const text = dialog.getByRole('textbox', { name: 'New event' });
  await retype(text, '{"n":2}');
  const replay = dialog.getByRole('button', { name: 'Replay', exact: true });
  await typeOn(calls, 'messages.replay', replay, () => retype(text, '{"n":23}'));
  await expect(toast(page, /^Replayed/)).toBeVisible();
  await expect(text).toHaveText('{"n":23}');
  await replay.click();
  await expect(dialog).toHaveCount(0);
  await expect(rows(page, /, orders, /)).toHaveCount(3);
});

test('a held message', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, /);
  await detail(page).getByRole('button', { name: 'Edit and release' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit and release' });
  const text = dialog.getByRole('textbox', { name: 'New event' });
  await retype(text, '{"n":2}');
  await typeOn(calls, 'deliveries.release', dialog.getByRole('button', { name: 'Release' }), () =>
    retype(text, '{"n":23}'),
  );
  await expect(toast(page, /^Released/)).toBeVisible();
  await expect(text).toHaveText('{"n":23}');
});

test('a held answer', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'S8' });
  await product.rpc('holds.add', { at: 'response', filter: 'status:5xx', name: 'bad answers' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, .*Attempting, 1 attempt/);
  await detail(page).getByRole('button', { name: 'Edit and release' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit and release' });
  const body = dialog.getByRole('textbox', { name: 'Body of the answer' });
  await dialog.getByRole('textbox', { name: 'Status of the answer' }).fill('200');
  await body.fill('{"status":"DROP"}');
  await typeOn(calls, 'deliveries.release', dialog.getByRole('button', { name: 'Release' }), () =>
    body.fill('{"status":"RETRY"}'),
  );
  await expect(toast(page, /^Released/)).toBeVisible();
  await expect(body).toHaveValue('{"status":"RETRY"}');
});

test.describe('a file', () => {
  const file = (name: string): string =>
    `apiVersion: sidecar.io/v1alpha1\nkind: Component\nmetadata:\n  name: ${name}\nspec:\n  type: pubsub.in-memory\n  version: v1\n`;
  test.use({ files: { 'shop.yaml': file('shop') } });

  test('that is edited', async ({ page, product }) => {
    const calls = await interceptCalls(page);
    const textNow = async (): Promise<string> =>
      (await product.rpc('components.read', { file: 'shop.yaml' })).text;
    await openFresh(page, '/components');
    await page.getByRole('list', { name: 'Files' }).getByRole('button', { name: 'Edit shop.yaml' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit shop.yaml' });
    const text = dialog.getByRole('textbox', { name: 'Text of shop.yaml' });
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await retype(text, file('one'));
    await typeOn(calls, 'components.save', save, () => retype(text, file('two')));
    await expect(toast(page, /^shop\.yaml was saved/)).toBeVisible();
    await expect(text).toContainText('name: two');
    expect(await textNow()).toContain('name: one');
    await expect(dialog.getByRole('tab', { name: 'Changes 1' })).toBeVisible();
    await save.click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await textNow()).toContain('name: two');
  });

  test('that is new', async ({ page, product }) => {
    const calls = await interceptCalls(page);
    await openFresh(page, '/components');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.getByRole('textbox', { name: 'Text of new.yaml' });
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await dialog.getByRole('textbox', { name: 'File name' }).fill('new.yaml');
    await typeOn(calls, 'components.save', save, () => retype(text, file('typed')));
    await expect(page.getByRole('dialog', { name: 'Edit new.yaml' })).toBeVisible();
    await save.click();
    await expect(dialog).toHaveCount(0);
    const { text: saved } = await product.rpc('components.read', { file: 'new.yaml' });
    expect(saved).toContain('name: typed');
  });

  test('that is new and whose name was changed meanwhile keeps the name it was saved under', async ({
    page,
    product,
  }) => {
    const calls = await interceptCalls(page);
    const textOf = async (name: string): Promise<string> =>
      (await product.rpc('components.read', { file: name })).text;
    await openFresh(page, '/components');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'File name' });
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await name.fill('new.yaml');
    await typeOn(calls, 'components.save', save, () => name.fill('shop.yaml'));
    await expect(page.getByRole('dialog', { name: 'Edit new.yaml' })).toBeVisible();
    await retype(dialog.getByRole('textbox', { name: 'Text of new.yaml' }), file('typed'));
    await save.click();
    await expect(dialog).toHaveCount(0);
    expect(await textOf('new.yaml')).toContain('name: typed');
    expect(await textOf('shop.yaml')).toContain('name: shop');
  });
});

test('a tap', async ({ page, product }) => {
  const app = await startApp();
  try {
    const calls = await interceptCalls(page);
    await openFresh(page, '/settings?s=apps');
    await page.getByRole('button', { name: 'Tap a running sidecar…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tap a running sidecar' });
    const appId = dialog.getByRole('textbox', { name: 'App id (required)' });
    await appId.fill('shop');
    await dialog.getByRole('textbox', { name: 'App address (required)' }).fill(app.url);
    const add = dialog.getByRole('button', { name: 'Tap', exact: true });
    await typeOn(calls, 'taps.add', add, () => appId.fill('shop-2'));
    await expect(toast(page, 'The tap of shop is open.')).toBeVisible();
    await expect(appId).toHaveValue('shop-2');
    await expect(add).toBeVisible();
    expect((await product.rpc('taps.list', {})).items).toMatchObject([{ appId: 'shop' }]);
  } finally {
    app.close();
  }
});

test('the address of an app', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  const addresses = async (): Promise<unknown> =>
    (await product.rpc('settings.get', {})).items.find(({ key }) => key === 'app.address')?.value;
  await openFresh(page, '/messages');
  const field = page.getByRole('textbox', { name: 'App address' });
  await field.fill('127.0.0.1:1');
  await typeOn(calls, 'settings.set', page.getByRole('button', { name: 'Deliver to this address' }), () =>
    field.fill('127.0.0.1:12'),
  );
  await expect(toast(page, /go to http:\/\/127\.0\.0\.1:1\.$/)).toBeVisible();
  await expect(field).toHaveValue('127.0.0.1:12');
  expect(await addresses()).toEqual({ app: 'http://127.0.0.1:1' });
  await field.press('Enter');
  await expect.poll(addresses).toEqual({ app: 'http://127.0.0.1:12' });
});

test('the fields of a new app', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  const apps = async (): Promise<readonly string[]> =>
    (await product.rpc('apps.list', {})).items.map(({ appId }) => appId);
  await openFresh(page, '/settings?s=apps');
  const appId = page.getByRole('textbox', { name: 'App id (required)' });
  const add = page.getByRole('button', { name: 'Add app' });
  await appId.fill('shop');
  await typeOn(calls, 'apps.add', add, () => appId.fill('shop-2'));
  await expect(toast(page, /^shop is added\./)).toBeVisible();
  await expect(appId).toHaveValue('shop-2');
  expect(await apps()).toEqual(['app', 'shop']);
  await add.click();
  await expect(appId).toHaveValue('');
  expect(await apps()).toEqual(['app', 'shop', 'shop-2']);
});
