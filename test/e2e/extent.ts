// Whether journeys run in full: `npm run test:long` sets SIDELIGHT_TESTS=long and makes every check, `npm test` a part of them.

/** Every look by axe judges the whole page with its colours in both schemes, and journeys are walked in every look. */
export const isLong = process.env['SIDELIGHT_TESTS'] === 'long';
