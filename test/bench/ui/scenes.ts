/** The measured scenes: start, load, scrolling, filtering, memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { openConsole } from '../../e2e/open-console.ts';
import type { Product } from '../../e2e/product.ts';
import { least, most, percentile, type Figure } from './figures.ts';
import { load, publishBatch } from './load.ts';
import type { Meter } from './meter.ts';

const SAMPLES = 60;
const BATCH = 1000;
const SCROLL_MS = 5000;
/** Between two keys of a person who looks at the row before opening it. */
const REST_MS = 250;
const QUIET_MS = 500;
const CLICKS = 30;
const PRESS_MS = 90;
const ROW_PX = 28;
/** One message in ten of a million is delivered. */
const DELIVERED_MS = 600_000;

const grid = (page: Page) => page.getByRole('grid', { name: 'Messages' });
/** 0 where nothing matches: the list makes room for the words that say so. */
const rowCount = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') ?? 0));

/** From the address to a list that can be used, on loopback. */
export async function starting(page: Page, product: Product): Promise<readonly Figure[]> {
  await publishBatch(product, 0, BATCH);
  await openConsole(page, product);
  await grid(page).waitFor();
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    await page.reload({ waitUntil: 'commit' });
    await grid(page).getByRole('row').nth(5).waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  return [most('start: list usable, median of 5', percentile(times, 0.5), 'ms', 800)];
}

/** Whether repeats are collapsed automatically while messages pour in; the page is loaded again. */
async function collapses(page: Page, collapseRepeats: boolean): Promise<void> {
  await page.evaluate((isWanted) => {
    const kept = JSON.parse(localStorage.getItem('sidelight.ui') ?? '{}');
    localStorage.setItem('sidelight.ui', JSON.stringify({ ...kept, collapseRepeats: isWanted }));
  }, collapseRepeats);
  await page.reload();
  await grid(page).getByRole('row').nth(5).waitFor();
}

/** Follows the newest messages while they pour in: repeats share lines by themselves, and each has its row again afterwards. */
export async function following(
  page: Page,
  meter: Meter,
  product: Product,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<readonly Figure[]> {
  await collapses(page, true);
  let sent = 0;
  let lasted = seconds;
  const spent = await meter.during(async () => {
    const running = load(product, rate, seconds);
    await page.getByRole('treegrid', { name: 'Messages' }).waitFor();
    const done = await running;
    sent = done.sent;
    lasted = done.seconds;
  });
  await grid(page).waitFor();
  return [
    least('follow: messages a second that went in', sent / lasted, '/s', rate * 0.98),
    most('follow: main thread of the page', spent.busy * 100, '%', 50),
    most('follow: longest task', Math.max(0, ...spent.longTasks), 'ms', 50),
    { name: 'follow: tasks over 50 ms', value: spent.longTasks.length, unit: '' },
  ];
}

/** Selects, opens and switches tabs while messages pour in. */
export async function ingest(
  page: Page,
  meter: Meter,
  product: Product,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<readonly Figure[]> {
  let sent = 0;
  let lasted = seconds;
  const selecting: number[] = [];
  const opening: number[] = [];
  const fetching: number[] = [];
  const rested: number[] = [];
  const switching: number[] = [];
  const clicking: number[] = [];
  await collapses(page, false);
  const spent = await meter.during(async () => {
    const running = load(product, rate, seconds);
    await page.waitForTimeout(1500);
    await grid(page).press('Home');
    for (let n = 0; n < SAMPLES; n += 1) {
      selecting.push(await keyToPaint(page, 'ArrowDown'));
      if (n % 2 !== 0) continue;
      const isRested = n % 4 === 0;
      if (isRested) await page.waitForTimeout(REST_MS);
      const { head, whole } = await openToPaint(page);
      opening.push(head);
      (isRested ? rested : fetching).push(whole);
      if (isRested) {
        switching.push(await tabToPaint(page));
        await page.locator('#message-detail').getByRole('tab', { name: 'Data' }).click();
      }
      await closeDetail(page);
    }
    for (let n = 0; n < CLICKS; n += 1) {
      clicking.push(await clickToPaint(page, n));
      await closeDetail(page);
    }
    await grid(page).press('End');
    const done = await running;
    sent = done.sent;
    lasted = done.seconds;
  });
  const total = (await product.rpc('messages.list', { limit: 1 })).total;
  await page
    .waitForFunction(
      (wanted) => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === String(wanted),
      total,
      { timeout: 30_000 },
    )
    .catch(() => undefined);
  const drawn = await grid(page).getByRole('row').count();
  const longest = Math.max(0, ...spent.longTasks);
  return [
    least('load: messages a second that went in', sent / lasted, '/s', rate * 0.98),
    most('load: main thread of the page', spent.busy * 100, '%', 50),
    most('load: longest task', longest, 'ms', 50),
    { name: 'load: tasks over 50 ms', value: spent.longTasks.length, unit: '' },
    most('load: wire', spent.wireBytes / spent.seconds / 1024, 'KB/s', 1200),
    most('load: rows that the list lacks at the end', Math.abs(total - (await rowCount(page))), '', 0),
    most('load: rows in the DOM', drawn, '', 120),
    most('load: select to paint, p95', percentile(selecting, 0.95), 'ms', 100),
    most('load: switch tab to paint, p95', percentile(switching, 0.95), 'ms', 100),
    { name: 'load: click to the data of the message, median', value: percentile(clicking, 0.5), unit: 'ms' },
    most('load: click to the data of the message, p95', percentile(clicking, 0.95), 'ms', 150),
    { name: 'load: open detail to its head, median', value: percentile(opening, 0.5), unit: 'ms' },
    most('load: open detail to its head, p95', percentile(opening, 0.95), 'ms', 100),
    {
      name: 'load: open detail to its data after a rest, median',
      value: percentile(rested, 0.5),
      unit: 'ms',
    },
    most('load: open detail to its data after a rest, p95', percentile(rested, 0.95), 'ms', 150),
    {
      name: 'load: open detail to its data right after a key, median',
      value: percentile(fetching, 0.5),
      unit: 'ms',
    },
    most('load: open detail to its data right after a key, p95', percentile(fetching, 0.95), 'ms', 150),
  ];
}

/** From the key to the second frame after the selected row has changed. */
function keyToPaint(page: Page, key: string): Promise<number> {
  return page.evaluate(
    (pressed) =>
      new Promise<number>((resolve) => {
        const list = document.querySelector('[role="grid"]');
        const before = list?.getAttribute('aria-activedescendant');
        const start = performance.now();
        list?.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }));
        const look = (): void => {
          const isDone = list?.getAttribute('aria-activedescendant') !== before;
          if (isDone || performance.now() - start > 3000) {
            requestAnimationFrame(() => resolve(performance.now() - start));
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    key,
  );
}

/** While it is open, moving on in the list takes the detail along, and Enter only goes into it. */
async function closeDetail(page: Page): Promise<void> {
  await grid(page).press('Escape');
  await page.locator('#message-detail').waitFor({ state: 'detached' });
}

/** From Enter to the heading of the message that was chosen, and to its data, which has been fetched by then. */
function openToPaint(page: Page): Promise<{ head: number; whole: number }> {
  return page.evaluate(
    () =>
      new Promise<{ head: number; whole: number }>((resolve) => {
        const list = document.querySelector('[role="grid"]');
        const start = performance.now();
        let head: number | undefined;
        const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
        list?.dispatchEvent(enter);
        const look = (): void => {
          const detail = document.querySelector('#message-detail');
          const spent = performance.now() - start;
          if (detail?.querySelector('h2')) head ??= spent;
          const data = detail?.querySelector('[aria-label="Message data"]')?.textContent ?? '';
          const isDone = head !== undefined && data !== '';
          if (isDone || spent > 3000) {
            requestAnimationFrame(() => resolve({ head: head ?? spent, whole: performance.now() - start }));
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

/** From letting the button go over a row to the data of its message. A hand holds the button for as long as `PRESS_MS`. */
async function clickToPaint(page: Page, nth: number): Promise<number> {
  const box = await grid(page).boundingBox();
  if (box === null) throw new Error('the list is gone');
  await page.mouse.move(box.x + 200, box.y + ROW_PX * (2.5 + (nth % 10)));
  await page.mouse.down();
  await page.waitForTimeout(PRESS_MS);
  // The listener exists before the button is released.
  await page.evaluate(() => {
    const painted = new Promise<number>((resolve) => {
      const onUp = ({ timeStamp }: PointerEvent): void => {
        const look = (): void => {
          const data = document.querySelector('#message-detail [aria-label="Message data"]');
          const spent = performance.now() - timeStamp;
          if ((data?.textContent ?? '') !== '' || spent > 3000) {
            requestAnimationFrame(() => resolve(performance.now() - timeStamp));
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      };
      document.addEventListener('pointerup', onUp, { capture: true, once: true });
    });
    Object.assign(window, { painted });
  });
  await page.mouse.up();
  return page.evaluate((): Promise<number> => Reflect.get(window, 'painted'));
}

/** From the click on the tab of the envelope to the second frame after it is there. */
function tabToPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const tab = [...document.querySelectorAll<HTMLElement>('#message-detail [role="tab"]')].find(
          ({ textContent }) => textContent === 'Envelope',
        );
        if (tab === undefined) {
          reject(new Error('no tab of the envelope'));
          return;
        }
        const start = performance.now();
        tab.click();
        const look = (): void => {
          const isThere = document.querySelector('#message-detail [role="tabpanel"] table') !== null;
          if (isThere || performance.now() - start > 3000) {
            requestAnimationFrame(() => resolve(performance.now() - start));
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
}

/** Publishes until so many messages are kept. */
export async function fill(product: Product, count: number): Promise<void> {
  let { total } = await product.rpc('messages.list', { limit: 1 });
  while (total < count) {
    const next = Math.min(BATCH, count - total);
    await publishBatch(product, total, next);
    total += next;
  }
  const until = performance.now() + DELIVERED_MS;
  for (;;) {
    const { counts } = await product.rpc('metrics.get', {});
    const waiting = counts.queued + counts.attempting;
    if (waiting === 0) return;
    if (performance.now() > until) throw new Error(`${waiting} deliveries have not ended`);
    await sleep(500);
  }
}

/** Jumps and glides through the whole list for five seconds. */
export async function scrolling(page: Page, count: number): Promise<readonly Figure[]> {
  await page.keyboard.press('Escape');
  // Filling the history was a flood, which collapses repeats; the list of single messages comes back by itself.
  await page.getByRole('grid', { name: 'Messages' }).waitFor();
  const { gaps, blankMs } = await page.evaluate(
    (lastMs) =>
      new Promise<{ gaps: number[]; blankMs: number }>((resolve) => {
        const list = document.querySelector('[role="grid"]');
        const times: number[] = [];
        const start = performance.now();
        let before = start;
        let blankSince: number | undefined;
        let longestBlank = 0;
        const isBlank = (): boolean => {
          const box = list?.getBoundingClientRect();
          if (list === null || box === undefined) return true;
          const at = document.elementFromPoint(box.left + 200, box.top + box.height / 2);
          return (at?.closest('[role="row"]')?.textContent ?? '') === '';
        };
        const step = (): void => {
          const now = performance.now();
          times.push(now - before);
          before = now;
          if (isBlank()) blankSince ??= now;
          else blankSince = undefined;
          longestBlank = Math.max(longestBlank, blankSince === undefined ? 0 : now - blankSince);
          if (now - start > lastMs) {
            resolve({ gaps: times.slice(1), blankMs: longestBlank });
            return;
          }
          if (list !== null) list.scrollTop += (Math.floor((now - start) / 1000) % 2 === 0 ? 1 : -1) * 120;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    SCROLL_MS,
  );
  const name = count.toLocaleString('en-US');
  return [
    least(`scroll, ${name} rows: median frames a second`, 1000 / percentile(gaps, 0.5), '/s', 55),
    most(`scroll, ${name} rows: longest blank`, blankMs, 'ms', 100),
    { name: `scroll, ${name} rows: longest frame`, value: Math.max(...gaps), unit: 'ms' },
  ];
}

/** Places of the scroll bar to which a person jumps, and how long each is looked at. */
const JUMPS = 40;
const LOOK_MS = 150;

/** From a jump of the scroll bar to the frame in which each row in sight has its message, and to that in which each has its payload. */
export async function jumping(page: Page, count: number): Promise<readonly Figure[]> {
  const times = await page.evaluate(
    async ([jumps, lookMs]) => {
      const list = document.querySelector('[role="grid"]');
      if (list === null) throw new Error('the list is gone');
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const inSight = (): readonly Element[] => {
        const { top, bottom } = list.getBoundingClientRect();
        return [...list.querySelectorAll('[role="row"][data-index]')].filter((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        });
      };
      const until = async (start: number, isDone: (rows: readonly Element[]) => boolean): Promise<number> => {
        for (;;) {
          await frame();
          const rows = inSight();
          if ((rows.length > 0 && isDone(rows)) || performance.now() - start > 3000)
            return performance.now() - start;
        }
      };
      const found: { rows: number; payloads: number }[] = [];
      for (let n = 1; n <= jumps; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
        await frame();
        const start = performance.now();
        // No two places are near each other.
        list.scrollTop = ((n * 0.618) % 1) * (list.scrollHeight - list.clientHeight);
        const rows = await until(start, (all) => all.every((row) => row.hasAttribute('data-message')));
        const payloads = await until(start, (all) =>
          all.every((row) => row.querySelector('[data-col="preview"] bdi')?.textContent !== ''),
        );
        found.push({ rows, payloads });
      }
      return found;
    },
    [JUMPS, LOOK_MS] as const,
  );
  const name = count.toLocaleString('en-US');
  const figures = (what: string, all: readonly number[], target: number): readonly Figure[] => [
    { name: `jump, ${name} rows: ${what}, median`, value: percentile(all, 0.5), unit: 'ms' },
    most(`jump, ${name} rows: ${what}, p95`, percentile(all, 0.95), 'ms', target),
  ];
  return [
    ...figures(
      'to its rows',
      times.map(({ rows }) => rows),
      100,
    ),
    ...figures(
      'to their payloads',
      times.map(({ payloads }) => payloads),
      150,
    ),
  ];
}

/** From Enter in the filter field to the first row, and to the end of the search. */
export async function filtering(page: Page, count: number): Promise<readonly Figure[]> {
  const name = count.toLocaleString('en-US');
  const figures: Figure[] = [];
  for (const [what, filter, limit] of [
    ['row keys', 'state:parked', 500],
    ['data', 'data.total>498', 1500],
  ] as const) {
    const field = page.getByRole('combobox', { name: 'Filter messages' });
    await field.fill('');
    await field.press('Enter');
    await page.waitForTimeout(1000);
    const before = await rowCount(page);
    await field.fill(filter);
    const start = performance.now();
    await field.press('Enter');
    const isApplied = async (): Promise<boolean> => {
      const isEmpty = await page.getByText('No message matches this filter.').isVisible();
      return isEmpty || (await rowCount(page)) !== before;
    };
    while (!(await isApplied()) && performance.now() - start < 30_000) await page.waitForTimeout(5);
    const first = performance.now() - start;
    // How far it is, is told from the second slice on: it is over when nothing more was told for a while.
    let last = performance.now();
    while (performance.now() - last < QUIET_MS) {
      if ((await page.getByText(/^Searching…/).count()) > 0) last = performance.now();
      await page.waitForTimeout(5);
    }
    figures.push({ name: `filter, ${name} rows, ${what}: first rows`, value: first, unit: 'ms' });
    const whole = last - start;
    figures.push(
      count <= 100_000
        ? most(`filter, ${name} rows, ${what}: complete`, whole, 'ms', limit)
        : { name: `filter, ${name} rows, ${what}: complete`, value: whole, unit: 'ms' },
    );
  }
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill('');
  await field.press('Enter');
  return figures;
}

/** Heap of the page after a collection. */
export async function memory(meter: Meter, count: number): Promise<readonly Figure[]> {
  return [most(`memory, ${count.toLocaleString('en-US')} rows kept: heap`, await meter.heapMb(), 'MB', 180)];
}
