// Playwright's expectations, without a picture of the whole page each time that an element is not there yet.
import { type Locator, expect as own } from '@playwright/test';
import { errorText } from '../../core/contract/error-text.ts';

interface Options {
  readonly timeout?: number;
}

/** Facts about an expectation that Playwright gives its matcher. */
interface Told {
  readonly isNot: boolean;
  readonly timeout: number;
}

/**
 * Waits until the element is there. An expectation about one that is missing describes the page in words at each look, for a report
 * that nobody reads when a later look succeeds: a twentieth of what the pages compute. An element that does not come is left to
 * Playwright's own words.
 */
async function untilThere(locator: Locator, { timeout }: Told, options?: Options): Promise<void> {
  if ((await locator.count()) > 0) return;
  await locator.waitFor({ state: 'attached', timeout: options?.timeout ?? timeout }).catch(() => undefined);
}

type Name = 'toBeVisible' | 'toContainText' | 'toHaveAttribute' | 'toHaveText' | 'toHaveValue';

/** Playwright's matcher of this name, asked once the element is there. */
function late(name: Name) {
  return async function (this: Told, actual: Locator, ...given: readonly unknown[]) {
    const last = given.at(-1);
    const options: Options | undefined = typeof last === 'object' && last !== null ? last : undefined;
    // A list may be expected to be empty.
    if (!this.isNot && !Array.isArray(given[0])) await untilThere(actual, this, options);
    const asked = this.isNot ? own(actual).not : own(actual);
    try {
      await Reflect.apply(asked[name], asked, given);
      return { pass: !this.isNot, message: () => '' };
    } catch (error) {
      // Told by the expectation of the journey, so that the report shows its line and not this one.
      return { pass: this.isNot, message: () => errorText(error) };
    }
  };
}

export const expect = own.extend({
  toBeVisible: late('toBeVisible'),
  toContainText: late('toContainText'),
  toHaveAttribute: late('toHaveAttribute'),
  toHaveText: late('toHaveText'),
  toHaveValue: late('toHaveValue'),
});
