// Hostile names and bodies are shown exact and inert.
import { detail, messages, openMessage } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('hostile names and bodies are shown exactly and do nothing', async ({ page, product, accessible }) => {
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
