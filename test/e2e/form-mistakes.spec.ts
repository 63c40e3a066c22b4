// Every form of the screens: what is wrong stands beside its field, in no notification, and is gone when it is fixed or the form is left.
import type { Locator, Page } from '@playwright/test';
import { DISK_FULL, interceptCalls, openFresh } from './call-interceptor.ts';
import { choose, chooseTab, go, retype } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';
import { form, loadFile } from './publish-page.ts';

interface Case {
  /** The form, and the mistake. */
  readonly name: string;
  /** Opens the form; gives the field. */
  readonly open: (page: Page) => Promise<Locator>;
  readonly wrong: string;
  readonly right: string;
  readonly says: RegExp;
  /** Does what shows the mistake; absent: it shows while it is typed. */
  readonly tries?: (page: Page) => Promise<unknown>;
  /** True: what was typed is there again after another screen, and its mistake with it. */
  readonly stays?: true;
}

/** The only dialog that opens with what its case enters as right, so that there is nothing to ask for. */
const NOT_ASKING = 'Generate entries';

/** Closes the dialog of the case before. It asks first. */
async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return;
  const asks = (await page.getByRole('dialog', { name: NOT_ASKING }).count()) === 0;
  await page.keyboard.press('Escape');
  if (asks) await page.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Goes to the place of a form: on a page that knows nothing yet, or in `npm test` on the page of the case before. */
async function at(page: Page, place: string): Promise<void> {
  if (isLong) return openFresh(page, place);
  await closeDialog(page);
  await page.evaluate((hash) => void (location.hash = hash), `#${place}`);
}

const MESSAGES_TAB = async (page: Page, tab: string, open = openFresh): Promise<void> => {
  await open(page, '/publish');
  await chooseTab(form(page), tab);
};
const sends = (page: Page): Promise<void> =>
  form(page).getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
const textbox = (within: Page | Locator, name: string): Locator =>
  within.getByRole('textbox', { name, exact: true });

async function onPublish(page: Page): Promise<Locator> {
  await at(page, '/publish');
  return form(page);
}

async function inDialog(page: Page, place: string, button: string, title: string): Promise<Locator> {
  await at(page, place);
  await page.getByRole('button', { name: button, exact: true }).click();
  return page.getByRole('dialog', { name: title });
}

async function ownSource(page: Page): Promise<Locator> {
  await form(page).getByRole('radio', { name: 'My own CloudEvent' }).check();
  await chooseTab(form(page), 'Attributes');
  return textbox(form(page), 'source (required)');
}

async function ownExtension(page: Page): Promise<Locator> {
  await ownSource(page);
  await form(page).getByRole('button', { name: 'Add extension' }).click();
  return textbox(form(page), 'Key 1');
}

async function shareIn(dialog: Locator): Promise<Locator> {
  await choose(dialog, 'Answer', 'Random');
  return textbox(dialog, 'Share in %').first();
}

/** In `npm test` the field on the page of the case before, which is not loaded again. */
const next = (fresh: Case['open'], beside: Case['open']): Case['open'] => (isLong ? fresh : beside);

const IN_ORDER: readonly Case[] = [
  {
    name: 'publish: no topic',
    open: async (page) => (await onPublish(page)).getByRole('combobox', { name: 'Topic' }),
    wrong: '',
    right: 'orders',
    says: /^Name a topic\./,
    tries: sends,
  },
  {
    name: 'publish: letters as time to live',
    open: next(
      async (page) => textbox(await onPublish(page), 'TTL in seconds'),
      async (page) => textbox(form(page), 'TTL in seconds'),
    ),
    wrong: 'soon',
    right: '5',
    says: /^TTL must be a whole number of seconds from 1\./,
    tries: sends,
  },
  {
    name: 'publish: letters as number of times',
    open: next(
      async (page) => textbox(await onPublish(page), 'Times'),
      async (page) => textbox(form(page), 'Times'),
    ),
    wrong: 'x',
    right: '2',
    says: /^Times must be a whole number/,
    tries: sends,
  },
  {
    name: 'publish: letters as pause',
    open: next(
      async (page) => textbox(await onPublish(page), 'Pause in ms'),
      async (page) => textbox(form(page), 'Pause in ms'),
    ),
    wrong: 'x',
    right: '2',
    says: /^The pause must be a whole number/,
    tries: sends,
  },
  {
    name: 'publish: data that is no JSON',
    open: next(
      async (page) => textbox(await onPublish(page), 'Message data'),
      async (page) => textbox(form(page), 'Message data'),
    ),
    wrong: '{"a":',
    right: '{"a":1}',
    says: /^Line 1, column/,
    stays: true,
  },
  {
    name: 'publish: an event without a source',
    open: next(async (page) => {
      await onPublish(page);
      return ownSource(page);
    }, ownSource),
    wrong: '',
    right: 'shop',
    says: /^Missing: source/,
    tries: sends,
  },
  {
    name: 'publish: an extension with a name that is none',
    open: next(async (page) => {
      await onPublish(page);
      return ownExtension(page);
    }, ownExtension),
    wrong: 'Bad-Name',
    right: 'good1',
    says: /^"Bad-Name" is not an attribute name/,
    tries: sends,
  },
  {
    name: 'publish: the same metadata twice',
    open: async (page) => {
      await MESSAGES_TAB(page, 'Metadata', at);
      for (const n of [1, 2]) {
        await form(page).getByRole('button', { name: 'Add metadata' }).click();
        await textbox(form(page), `Key ${String(n)}`).fill(`k${String(n)}`);
      }
      return textbox(form(page), 'Key 2');
    },
    wrong: 'k1',
    right: 'k2',
    says: /^The key "k1" occurs twice\./,
    tries: sends,
  },
  {
    name: 'publish: metadata with a value and no key',
    open: async (page) => {
      await MESSAGES_TAB(page, 'Metadata', at);
      await form(page).getByRole('button', { name: 'Add metadata' }).click();
      // The page of the case before may have rows already.
      await form(page)
        .getByRole('textbox', { name: /^Value \d+$/ })
        .last()
        .fill('v');
      return form(page)
        .getByRole('textbox', { name: /^Key \d+$/ })
        .last();
    },
    wrong: '',
    right: 'k',
    says: /^Enter a key, or remove this row\./,
    tries: sends,
  },
  {
    name: 'variables: the same name twice',
    open: async (page) => {
      await MESSAGES_TAB(page, 'Variables', at);
      for (const n of [1, 2]) {
        await form(page).getByRole('button', { name: 'Add variable' }).click();
        await textbox(form(page), `Key ${String(n)}`).fill(`k${String(n)}`);
      }
      return textbox(form(page), 'Key 2');
    },
    wrong: 'k1',
    right: 'k2',
    says: /^The key "k1" occurs twice\./,
    stays: true,
  },
  {
    name: 'schema: text that is no JSON',
    open: next(
      async (page) => {
        await MESSAGES_TAB(page, 'Schema', at);
        return textbox(form(page), 'JSON Schema');
      },
      async (page) => {
        await chooseTab(form(page), 'Schema');
        return textbox(form(page), 'JSON Schema');
      },
    ),
    wrong: '{"type":',
    right: '{"type":"object"}',
    says: /^The schema is not JSON: line 1/,
    stays: true,
  },
  {
    name: 'save request: a shortcut that is no digit',
    open: async (page) => textbox(await inDialog(page, '/publish', 'Save', 'Save request'), 'Shortcut'),
    wrong: 'x',
    right: '3',
    says: /^Use a digit from 1 to 9\./,
  },
  {
    name: 'bulk: letters as bytes of a batch',
    open: async (page) => {
      await at(page, '/publish?t=bulk');
      return textbox(page, 'Bytes per batch (maxBulkPubBytes)');
    },
    wrong: 'x',
    right: '10',
    says: /^Use a whole number of bytes from 1/,
    stays: true,
  },
  {
    name: 'bulk: letters as number of generated entries',
    open: async (page) =>
      textbox(await inDialog(page, '/publish?t=bulk', 'Generate…', 'Generate entries'), 'How many'),
    wrong: 'x',
    right: '10',
    says: /^Use a whole number from 1 to 10,000\./,
  },
  {
    name: 'bulk: pasted text that is no JSON',
    open: async (page) =>
      textbox(await inDialog(page, '/publish?t=bulk', 'Paste…', 'Paste entries'), 'Entries'),
    wrong: '[{"a":',
    right: '[{"a":1}]',
    says: /^Line 1: not valid JSON\./,
    tries: (page) => page.getByRole('dialog').getByRole('button', { name: 'Add entries' }).click(),
  },
  {
    name: 'saved requests: a curl command that publishes nothing',
    open: async (page) =>
      textbox(
        await inDialog(page, '/publish?t=saved', 'Paste a curl command…', 'Paste a curl command'),
        'curl command',
      ),
    wrong: 'ls',
    right: "curl -X POST http://127.0.0.1:3500/v1.0/publish/pubsub/orders -d '{}'",
    says: /^This is not a curl command that publishes to a topic\./,
  },
  {
    name: 'hold: letters as number of matches',
    open: async (page) => textbox(await inDialog(page, '/holds', 'Add hold', 'Add hold'), 'Next n only'),
    wrong: 'x',
    right: '2',
    says: /whole number/,
  },
  {
    name: 'hold: letters as time',
    open: next(
      async (page) =>
        textbox(await inDialog(page, '/holds', 'Add hold', 'Add hold'), 'Release after, in seconds'),
      async (page) => textbox(page.getByRole('dialog'), 'Release after, in seconds'),
    ),
    wrong: 'soon',
    right: '2',
    says: /^Use a number of seconds, or a time such as 250ms\./,
  },
  {
    name: 'answer: a status that is none',
    open: async (page) => textbox(await inDialog(page, '/mock', 'Add answer', 'Add answer'), 'Status'),
    wrong: '99',
    right: '503',
    says: /^Use a status code from 200 to 599\./,
  },
  {
    name: 'answer: a time that is none',
    open: next(
      async (page) => textbox(await inDialog(page, '/mock', 'Add answer', 'Add answer'), 'Delay in ms'),
      async (page) => textbox(page.getByRole('dialog'), 'Delay in ms'),
    ),
    wrong: 'soon',
    right: '20',
    says: /^Use a time of at most/,
  },
  {
    name: 'answer: letters as share',
    open: next(
      async (page) => shareIn(await inDialog(page, '/mock', 'Add answer', 'Add answer')),
      (page) => shareIn(page.getByRole('dialog')),
    ),
    wrong: 'half',
    right: '50',
    says: /^Use a number from 0 to 100\./,
  },
  {
    name: 'subscriptions of the mock app: letters as size of a batch',
    open: async (page) => {
      await at(page, '/mock?t=subscriptions');
      await page.getByRole('checkbox', { name: 'Deliver in batches' }).first().check();
      return textbox(page, 'Messages in a batch').first();
    },
    wrong: '10a',
    right: '10',
    says: /^Use a whole number from 0\./,
  },
  {
    name: 'subscriptions of the mock app: no topic',
    open: async (page) => {
      await at(page, '/mock?t=subscriptions');
      return textbox(page, 'Topic').first();
    },
    wrong: '',
    right: 'orders',
    says: /^Subscription 1: topic must be a name/,
    tries: async (page) => {
      await page.getByRole('button', { name: 'Serve and discover again' }).click();
      await notices(page).getByRole('button', { name: 'Dismiss' }).click();
    },
  },
  {
    name: 'subscriptions of the mock app: text that is no JSON',
    open: next(
      async (page) => {
        await at(page, '/mock?t=subscriptions');
        return textbox(page, 'Subscriptions that the mock app serves');
      },
      async (page) => textbox(page, 'Subscriptions that the mock app serves'),
    ),
    wrong: '[',
    right: '[]',
    says: /^Line 1, column/,
    stays: true,
  },
  {
    name: 'new app: letters as port',
    open: async (page) => {
      await at(page, '/settings?s=apps');
      await textbox(page, 'App id (required)').fill('shop');
      return textbox(page, 'Sidecar port');
    },
    wrong: 'x',
    right: '0',
    says: /^Sidecar port: expected a whole number/,
    tries: (page) => page.getByRole('button', { name: 'Add app' }).click(),
  },
  {
    name: 'export: a path that is none',
    open: async (page) => {
      await at(page, '/recordings');
      return textbox(page, 'Mask values in the data');
    },
    wrong: 'a..b',
    right: 'a.b',
    says: /^Use a path such as card\.number/,
    tries: (page) => page.getByRole('button', { name: 'Export to a file' }).click(),
  },
];

const MIDDLE = Math.ceil(IN_ORDER.length / 2);
/** Cases of each journey. In `npm test` they share its page, and what is right in one stays for the next. */
const HALVES = [IN_ORDER.slice(0, MIDDLE), IN_ORDER.slice(MIDDLE)];

const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

async function enter(field: Locator, text: string): Promise<void> {
  const isEditor = await field.evaluate(
    (element) => element.closest('.cm-editor') !== null || element.matches('textarea[class*="plain"]'),
  );
  if (isEditor) await retype(field, text);
  else await field.fill(text);
}

async function walk(page: Page, { open, wrong, right, says, tries, stays }: Case): Promise<void> {
  const err = async (field: Locator): Promise<void> => {
    await enter(field, wrong);
    await tries?.(page);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(says);
    await expect(notices(page).getByRole('button')).toHaveCount(0);
  };
  const field = await open(page);
  await err(field);
  await enter(field, right);
  await expect(field).not.toHaveAttribute('aria-invalid', 'true');
  await expect(field).not.toHaveAccessibleDescription(says);
  // A form that is opened again costs as much as all before it.
  if (stays === true || !isLong) return;
  await err(field);
  await open(page);
  await expect(field).not.toHaveAttribute('aria-invalid', 'true');
}

/** What the journeys need to be there: a message, and an open recording of it. */
async function withRecording(product: Product): Promise<void> {
  await product.publish('orders', { orderId: 1 });
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  await product.rpc('recordings.import', { name: 'monday.sidelight.jsonl', text });
}

for (const [half, cases] of HALVES.entries()) {
  test(`a mistake stands beside its field until it is fixed or left, part ${String(half + 1)}`, async ({
    page,
  }) => {
    test.setTimeout(180_000);
    for (const each of cases) await test.step(each.name, () => walk(page, each));
  });
}

test('what the host refuses stands in the form, in no notification', async ({
  page,
  product,
  accessible,
}) => {
  const calls = await interceptCalls(page);
  await withRecording(product);
  await test.step('variables', async () => {
    await MESSAGES_TAB(page, 'Variables');
    await form(page).getByRole('button', { name: 'Add variable' }).click();
    await textbox(form(page), 'Key 1').fill('region');
    calls.refuse.add('requests.variables');
    await form(page).getByRole('button', { name: 'Save variables' }).click();
    await expect(form(page).getByRole('alert')).toHaveText(DISK_FULL);
    await expect(notices(page).getByText(DISK_FULL)).toHaveCount(0);
    await textbox(form(page), 'Value 1').fill('eu');
    await expect(form(page).getByRole('alert')).toHaveCount(0);
    // Another screen takes nothing of what was typed.
    await go(page, 'Topics');
    await go(page, 'Publish');
    await chooseTab(form(page), 'Variables');
    await expect(textbox(form(page), 'Value 1')).toHaveValue('eu');
    calls.refuse.clear();
    await form(page).getByRole('button', { name: 'Save variables' }).click();
    await expect(form(page).getByRole('button', { name: 'Save variables' })).toHaveCount(0);
    expect((await product.rpc('requests.list', {})).variables).toEqual({ region: 'eu' });
  });
  await test.step('a test from messages', async () => {
    await openFresh(page, '/recordings');
    const wizard = page.getByRole('region', { name: 'Save as test' });
    calls.refuse.add('recordings.toTest');
    await expect(wizard.getByRole('button', { name: 'Make the test' })).not.toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await wizard.getByRole('button', { name: 'Make the test' }).click();
    await expect(wizard.getByRole('alert')).toHaveText(DISK_FULL);
    await expect(notices(page).getByText(DISK_FULL)).toHaveCount(0);
    await accessible();
    await wizard.getByRole('textbox', { name: 'Title of the test' }).fill('orders');
    await expect(wizard.getByRole('alert')).toHaveCount(0);
    calls.refuse.clear();
  });
  await test.step('a file that is no recording', async () => {
    await page
      .getByLabel('Open a recording…', { exact: true })
      .first()
      .setInputFiles({ name: 'a.jsonl', mimeType: 'text/plain', buffer: Buffer.from('no recording') });
    const part = page.getByRole('region', { name: 'Import', exact: true });
    await expect(part.getByRole('alert')).toBeVisible();
    await expect(notices(page).getByRole('button')).toHaveCount(0);
  });
  await test.step('a filter of a comparison', async () => {
    await openFresh(page, '/recordings?part=compare');
    const part = page.getByRole('region', { name: 'Compare', exact: true });
    const filter = textbox(part, 'Filter of both');
    await filter.fill('topik:orders');
    await filter.press('Enter');
    await expect(filter).toHaveAccessibleDescription(/^Unknown key "topik"/);
    await expect(part.getByRole('alert')).toHaveCount(0);
    await filter.fill('topic:orders');
    await expect(filter).not.toHaveAttribute('aria-invalid', 'true');
    // The field says nothing about the filter of before, so the place of the result does.
    await expect(part.getByText(/Unknown key "topik"/)).toBeVisible();
    await filter.press('Enter');
    await expect(part.getByRole('status').filter({ hasText: 'No differences' })).toBeVisible();
  });
  await test.step('files of the Publish screen', async () => {
    await openFresh(page, '/publish?t=saved');
    const bad = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{') };
    await page.getByLabel('Import a file…', { exact: true }).last().setInputFiles(bad);
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    await expect(notices(page).getByRole('button')).toHaveCount(0);
    await openFresh(page, '/publish?t=bulk');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import CSV / NDJSON / JSON…' }).click();
    await (await chosen).setFiles(bad);
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/not valid JSON/);
    await expect(notices(page).getByRole('button')).toHaveCount(0);
  });
});

test('a mistake of a file is gone once entries or data come another way', async ({ page }) => {
  const bad = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{') };
  const screen = page.getByRole('main');
  await test.step('entries', async () => {
    await openFresh(page, '/publish?t=bulk');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import CSV / NDJSON / JSON…' }).click();
    await (await chosen).setFiles(bad);
    await expect(screen.getByRole('alert')).toHaveText(/not valid JSON/);
    await page.getByRole('button', { name: 'Paste…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste entries' });
    await textbox(dialog, 'Entries').fill('[{"a":1}]');
    await dialog.getByRole('button', { name: 'Add entries' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(screen.getByRole('alert')).toHaveCount(0);
  });
  await test.step('data', async () => {
    await openFresh(page, '/publish');
    const problem = form(page).getByRole('alert').filter({ hasText: 'could not be read' });
    await loadFile(page, 'data.json', Buffer.alloc(5 * 1024 * 1024));
    await expect(problem).toBeVisible();
    await enter(textbox(form(page), 'Message data'), '{"a":1}');
    await expect(problem).toHaveCount(0);
  });
  await test.step('a schema says why in a sentence, and the same file can be chosen again', async () => {
    await MESSAGES_TAB(page, 'Schema');
    await page.evaluate(() => {
      Blob.prototype.text = () => Promise.reject(new DOMException('The file is gone.', 'NotReadableError'));
    });
    const chosen = page.waitForEvent('filechooser');
    await form(page).getByRole('button', { name: 'Load schema…' }).click();
    await (
      await chosen
    ).setFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expect(form(page).getByText('The file could not be read: The file is gone.')).toBeVisible();
    await expect(form(page).locator('input[type="file"][accept=".json"]')).toHaveValue('');
  });
});

test('each row keeps its own entries when rows are added and removed', async ({ page, product }) => {
  await test.step('two saved variables, and a third', async () => {
    await product.rpc('requests.variables', { variables: { region: 'eu', tenant: 'a' } });
    await MESSAGES_TAB(page, 'Variables');
    await expect(textbox(form(page), 'Key 2')).toHaveValue('tenant');
    await form(page).getByRole('button', { name: 'Add variable' }).click();
    await textbox(form(page), 'Key 3').fill('shop');
    await expect(textbox(form(page), 'Key 2')).toHaveValue('tenant');
    await form(page).getByRole('button', { name: 'Remove 3', exact: true }).click();
    await expect(textbox(form(page), 'Key 2')).toHaveValue('tenant');
    await expect(textbox(form(page), 'Key 3')).toHaveCount(0);
  });
  await test.step('a subscription with a wrong number, above another', async () => {
    const batches = { enabled: true, maxMessagesCount: 10, maxAwaitDurationMs: 100 };
    await product.rpc('mockApp.setSubscriptions', {
      subscriptions: ['orders', 'refunds'].map((topic) => ({
        ...{ pubsubname: 'pubsub', topic, routes: { default: `/${topic}` } },
        bulkSubscribe: batches,
      })),
    });
    await openFresh(page, '/mock?t=subscriptions');
    const sizes = textbox(page, 'Messages in a batch');
    await expect(sizes).toHaveCount(2);
    await sizes.first().fill('10a');
    await page.getByRole('button', { name: 'Remove subscription 1' }).click();
    await expect(sizes).toHaveCount(1);
    await expect(textbox(page, 'Topic')).toHaveValue('refunds');
    await expect(sizes).toHaveValue('10');
  });
});
