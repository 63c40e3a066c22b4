// Helpers of the fourteen questions: a hand that counts clicks and keys, and answers of the mock app.
import type { Locator, Page } from '@playwright/test';
import path from 'node:path';
import fs from 'node:fs/promises';
import { expect, test as base, type Product } from './fixture.ts';
import type { Answer } from '../../core/contract/mock-app.ts';
import { detail } from './console-page.ts';

interface Hand {
  readonly click: (what: Locator) => Promise<void>;
  readonly press: (key: string) => Promise<void>;
}

const PAGE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'questions.md');

/** Clicks and keys that the documentation promises for a question. */
async function promised(question: string): Promise<number> {
  const row = (await fs.readFile(PAGE, 'utf8'))
    .split('\n')
    .find((line) => line.startsWith(`| ${question} |`));
  return Number(row?.split('|')[2]);
}

/** Counts what a person does; more than two are too many. */
export const test = base.extend<{ readonly hand: Hand }>({
  hand: async ({ page }, provide, { title }) => {
    let used = 0;
    await provide({
      async click(what) {
        used += 1;
        await what.click();
      },
      async press(key) {
        used += 1;
        await page.keyboard.press(key);
      },
    });
    expect(used, 'clicks and keys').toBeLessThanOrEqual(2);
    expect(await promised(title), 'clicks and keys that the documentation names').toBe(used);
  },
});

export const SUCCESS = { kind: 'respond', status: 200, body: { status: 'SUCCESS' } } as const;

/** The mock app gives these answers in order to each message, and the last one from then on. */
export async function answers(product: Product, ...steps: readonly Answer[]): Promise<void> {
  const answer = { kind: 'sequence', steps, then: 'repeat-last' } as const;
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'the answers', enabled: true, match: {}, per: 'message', answer }],
  });
}

export async function waitLong(product: Product, maxAttempts = 5): Promise<void> {
  const value = { maxAttempts, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value });
}

export const tab = (page: Page, name: string): Locator =>
  detail(page).getByRole('tab', { name: new RegExp(`^${name}`) });

/** The line under the state. */
export const head = (page: Page): Locator =>
  detail(page).getByRole('banner').or(detail(page).locator('header'));
