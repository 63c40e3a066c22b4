// Loaded before a program under plain Node: there, `electron` is the stand-in.
import { registerHooks } from 'node:module';

const STAND_IN = new URL('./stand-in.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: STAND_IN, shortCircuit: true } : next(specifier, context),
});
