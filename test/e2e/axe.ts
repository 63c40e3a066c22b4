// One look at a page with axe, as cheap as it can be made: the program is read once per page, and only violations come back.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The success criteria that everything is held to: WCAG 2.2, A and AA. */
export const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** What axe finds on the page as it is now, one line per element; none is a pass. */
export async function violations(
  page: Page,
  narrow: (axe: AxeBuilder) => AxeBuilder = (axe) => axe.withTags(AXE_TAGS),
): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // The program is half a megabyte; reading it again costs more than most of its rules.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) }).setLegacyMode();
  const { violations: found } = await narrow(axe.options({ resultTypes: ['violations'] })).analyze();
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
}
