// Takes one picture of docs/screens.
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../fixture.ts';
import { smallPng } from './small-png.ts';

const FOLDER = path.resolve(import.meta.dirname, '..', '..', '..', 'docs', 'screens');

/** Writes the page as it is now, once nothing of it is being loaded. */
export async function take(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await takeAsIs(page, name);
}

/** Writes the page as it is now, also while something is being loaded. */
export async function takeAsIs(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await fs.writeFile(path.join(FOLDER, `${name}.png`), smallPng(picture));
}
