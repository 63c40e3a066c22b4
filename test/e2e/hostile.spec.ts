// Content that means harm: shown exactly, never run, and the layout stays as it is.
import { go, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { SCREENS, send, unharmed, data, showText } from './hostile-content.ts';

const MARKUP = `<img src=x onerror="window.harmed=1"><script>window.harmed=2</script><b>bold</b>`;
const SCRIPT_URL = 'javascript:window.harmed=3';
const BIDI = 'user\u202egnp.exe\u202c \u2066hidden\u2069';
const CONTROLS = 'bell\u0007 null\u0000 escape\u001b[31m del\u007f zero\u200bwidth';

test.use({ flags: ['--set', 'http.maxBodyBytes=0'] });

test('markup, script addresses, characters that turn or hide text', async ({ page, product, accessible }) => {
  page.on('dialog', () => expect(false, 'a dialog of a message').toBe(true));
  for (const [index, text] of [MARKUP, SCRIPT_URL, BIDI, CONTROLS].entries()) {
    await send(
      product,
      'orders',
      JSON.stringify({ text }),
      'application/json',
      `?metadata.cloudevent.type=${encodeURIComponent(MARKUP)}`,
    );
    await expect(rows(page, /orders/)).toHaveCount(index + 1);
    await showText(page);
    await unharmed(page);
  }
  await expect(data(page)).toContainText('bell');
  await expect(rows(page, /onerror/).first()).toBeVisible();

  await send(product, MARKUP, '{"topic":1}');
  await send(product, `${SCRIPT_URL}`, '{"topic":2}');
  await send(product, BIDI, '{"topic":3}');
  for (const screen of SCREENS) {
    await go(page, screen);
    await unharmed(page);
  }
  await go(page, 'Topics');
  const table = page.getByRole('table', { name: 'Topics' });
  await expect(table.getByText(MARKUP, { exact: true })).toBeVisible();
  await expect(table.getByText(SCRIPT_URL, { exact: true })).toBeVisible();
  await accessible();
});
