/** Facts into the named places of a text. */
export { fill } from '../../core/contract/fill.ts';
