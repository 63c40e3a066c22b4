// How much the journeys look at: `npm run test:long` sets SIDELIGHT_TESTS=long and gets every look, `npm test` the ones that differ.

/** Every look by axe judges the whole page with its colours in both schemes, and journeys are walked in every look. */
export const isLong = process.env['SIDELIGHT_TESTS'] === 'long';
