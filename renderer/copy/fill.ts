/** Fills facts into the named gaps of a text. */
export { fill } from '../../core/contract/fill.ts';
