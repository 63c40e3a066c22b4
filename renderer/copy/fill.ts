/** Facts into the named places of a text. */
export { fill, type Facts } from '../../core/contract/fill.ts';
