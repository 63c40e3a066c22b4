/** Time of a product in a process of its own, moved by a test. */

/** How far, in ms: beyond the time within which signals are one wish. */
const FAR = 1_000;
/** Written to the error output when the time has moved. */
export const TIME_MOVED = 'time has moved';

/** `NODE_OPTIONS` of a process whose steady time moves on with SIGUSR2; its timers do not. */
export const MOVES_TIME = `--import=data:text/javascript,${encodeURIComponent(`
const now = performance.now.bind(performance);
process.once('SIGUSR2', () => {
  performance.now = () => now() + ${FAR};
  console.error('${TIME_MOVED}');
});`)}`;
