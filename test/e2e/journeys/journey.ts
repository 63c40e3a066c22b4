// A journey: what a person does from start to end, judged in both themes, and narrow where that changes the way.
import type { Page } from '@playwright/test';
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
/**
 * The theme changes colours and nothing else. So a journey is walked once, in light, and every look by axe judges the
 * colours of the other theme as well. `dark` is for a journey that begins with a page that is loaded in dark.
 */
const LOOKS = {
  light: { colorScheme: 'light', viewport: WIDE, bothSchemes: true },
  dark: { colorScheme: 'dark', viewport: WIDE },
  narrow: { colorScheme: 'light', viewport: { width: 700, height: 900 } },
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

/** As wide as a desktop window, and 700 x 900. */
export const ALSO_NARROW: readonly Look[] = ['light', 'narrow'];
