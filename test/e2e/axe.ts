// One look at a page with axe, as cheap as it can be made: the program is read once per page, and only violations come back.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The program without its comments and long names: less than half to send to each page and to read there. */
const PROGRAM = fs.readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);

/**
 * Options that save work of axe. The rule for inline spacing fails only where a style says "!important", yet it reads all text in every
 * element that has a style: a quarter of a look without colours. Nobody reads the HTML of the elements that are found.
 */
const SPARED = `;axe.configure(${JSON.stringify({
  noHtml: true,
  rules: [{ id: 'avoid-inline-spacing', selector: '[style*="!important"]' }],
})});`;

/** The success criteria that everything is held to: WCAG 2.2, A and AA. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/**
 * Criterion 2.5.3: who says what a button shows presses it. axe leaves this rule out, as it cannot see icons made of letters; there are
 * none here.
 */
const LABEL_IN_NAME = 'label-content-name-mismatch';
const COLOURS = 'color-contrast';
/** The two rules that take longest by far: they ask how each element is painted, and where. */
const APPEARANCE = [COLOURS, 'target-size'];

/** Part of a page that is checked; everything by default. */
export interface Looking {
  /** Selector of the part that is looked at. */
  readonly within?: string;
  /** Selectors of parts that are left out. */
  readonly without?: readonly string[];
  readonly leavesAppearance?: boolean;
  readonly onlyColours?: boolean;
}

/**
 * Reads the program into the page. AxeBuilder would read it twice, and as text that a function evaluates; what the debugger reads, the
 * browser compiles once for all pages of one process.
 */
async function read(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const { exceptionDetails } = await debug.send('Runtime.evaluate', { expression: PROGRAM + SPARED });
  await debug.detach();
  if (exceptionDetails !== undefined) throw new Error(`axe was not read: ${exceptionDetails.text}`);
}

/** Rules that are switched on or off beside those of the criteria. */
function rulesOf({ leavesAppearance, onlyColours }: Looking): Readonly<Record<string, { enabled: boolean }>> {
  if (onlyColours === true) return {};
  const left = leavesAppearance === true ? APPEARANCE : [];
  return {
    [LABEL_IN_NAME]: { enabled: true },
    ...Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
  };
}

/** Violations that axe finds on the page as it is now, one line per element. */
export async function violations(page: Page, looking: Looking = {}): Promise<string[]> {
  const { within, without = [], onlyColours = false } = looking;
  if (!(await page.evaluate(() => 'axe' in globalThis))) await read(page);
  const axe = new AxeBuilder({ page, axeSource: ';' })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: rulesOf(looking) });
  if (within !== undefined) axe.include(within);
  for (const part of without) axe.exclude(part);
  if (onlyColours) axe.withRules(COLOURS);
  else axe.withTags(AXE_TAGS);
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`),
  );
}
