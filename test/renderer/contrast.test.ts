/** Recomputes the contrast of every pair of tokens, in both themes. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';

const CSS = readFileSync(new URL('../../renderer/theme/tokens.css', import.meta.url), 'utf8');
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Token name -> colour by theme, read from `light-dark(#…, #…)`. */
const TOKENS = new Map(
  [...CSS.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name ?? '', { light: light ?? '', dark: dark ?? '' }],
  ),
);

function colour(token: string, theme: Theme): string {
  const found = TOKENS.get(token);
  if (found === undefined) throw new Error(`no token --${token}`);
  return found[theme];
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours by WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const SURFACES = ['canvas', 'panel', 'raised', 'sunken', 'hover', 'selected'];
const TEXTS = ['text', 'text-muted', 'text-subtle', 'link', 'danger'];
const CONTROLS = ['border-strong', 'focus', 'accent'];
/** Colours on a filled button. */
const ON = [
  ['on-accent', 'accent'],
  ['on-danger', 'danger'],
] as const;
const SYNTAX = ['key', 'string', 'number', 'boolean', 'punctuation'].map((part) => `syntax-${part}`);
const DIFF = ['diff-added', 'diff-removed'];
const TEXT = 4.5;
const CONTROL = 3;

test('the contrast of black on white is 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('every colour token of the styles is read', () => {
  const colours = [...CSS.matchAll(/--([\w-]+): light-dark\(#/g)].map(([, name]) => name);
  expect(TOKENS.size).toBeGreaterThan(40);
  expect([...TOKENS.keys()]).toEqual(colours);
});

test('each token is in a pair below; only the decorative border is not relied on', () => {
  const paired = new Set([
    ...SURFACES,
    ...TEXTS,
    ...CONTROLS,
    ...ON.flat(),
    ...SYNTAX,
    ...DIFF,
    'mark',
    ...DELIVERY_STATES.flatMap((state) => [`state-${state}`, `state-${state}-tint`]),
  ]);
  expect([...TOKENS.keys()].filter((token) => !paired.has(token))).toEqual(['border']);
});

describe.each(THEMES)('theme %s', (theme) => {
  const ratio = (a: string, b: string): number => contrast(colour(a, theme), colour(b, theme));

  test.each(TEXTS.flatMap((token) => SURFACES.map((surface) => [token, surface] as const)))(
    'text --%s has enough contrast on --%s',
    (token, surface) => expect(ratio(token, surface)).toBeGreaterThanOrEqual(TEXT),
  );

  test.each(CONTROLS.flatMap((token) => SURFACES.map((surface) => [token, surface] as const)))(
    'control --%s has enough contrast on --%s',
    (token, surface) => expect(ratio(token, surface)).toBeGreaterThanOrEqual(CONTROL),
  );

  test.each(ON)('--%s has enough contrast on --%s', (token, surface) =>
    expect(ratio(token, surface)).toBeGreaterThanOrEqual(TEXT),
  );

  test.each(DELIVERY_STATES)(
    'the chip of %s has enough contrast on its own tint and on every surface',
    (state) => {
      const low = [`state-${state}-tint`, ...SURFACES].filter(
        (surface) => ratio(`state-${state}`, surface) < TEXT,
      );
      expect(low).toEqual([]);
    },
  );

  // The bar over an open recording says what its file lacks.
  test('a problem has enough contrast on the tint of what is held', () =>
    expect(ratio('danger', 'state-held-tint')).toBeGreaterThanOrEqual(TEXT));

  test.each(SYNTAX.flatMap((token) => [...SURFACES, ...DIFF].map((surface) => [token, surface] as const)))(
    '--%s has enough contrast on --%s',
    (token, surface) => expect(ratio(token, surface)).toBeGreaterThanOrEqual(TEXT),
  );

  test.each([...DIFF, 'mark', ...DELIVERY_STATES.map((state) => `state-${state}-tint`)])(
    'text has enough contrast on --%s',
    (surface) => expect(ratio('text', surface)).toBeGreaterThanOrEqual(TEXT),
  );
});
