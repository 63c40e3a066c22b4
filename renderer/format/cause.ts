/** Causes of a delivery's transitions for the console. */
export * from '../../core/contract/cause.ts';
