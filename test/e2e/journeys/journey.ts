// `journey` declares a test from start to end, repeated in a narrow window where the layout changes the way.
import type { Page } from '@playwright/test';
import { isLong } from '../extent.ts';
import { type Product, test } from '../fixture.ts';

/** What a journey is given; it ends with a look by axe, whatever it does itself. */
export interface Walk {
  readonly page: Page;
  readonly product: Product;
  /** Nothing is wrong for assistive technology on the page as it is now. */
  readonly accessible: () => Promise<void>;
  readonly look: Look;
}

type Look = 'light' | 'dark' | 'narrow';

const WIDE = { width: 1280, height: 800 };
/** The theme changes colours and nothing else, so a journey is walked once, in light; a narrow page is loaded in dark as well. */
const LOOKS = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  narrow: { colorScheme: 'dark', viewport: { width: 700, height: 900 } },
} as const;

/** Registers a journey once per look. */
export function journey(
  title: string,
  walk: (walk: Walk) => Promise<void>,
  looks: readonly Look[] = ['light'],
): void {
  for (const look of looks) {
    test.describe(look, () => {
      test.use(LOOKS[look]);

      test(title, async ({ page, product, accessible }) => {
        await walk({ page, product, accessible, look });
        await accessible();
      });
    });
  }
}

/** Further looks where no single step of the journey depends on them: with `npm run test:long` only. */
export const inLong = (...looks: readonly Look[]): readonly Look[] => (isLong ? looks : []);

/** Waits long enough between attempts that "retrying" can be read. */
export const slowRetry = (product: Product): Promise<unknown> =>
  product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 },
  });
