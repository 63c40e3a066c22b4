/** Messages of a bench process to the one that started it. */

/** A coordinator that was broken off reads nothing any more: then this process ends as well. */
export function reportCoordinator(message: object): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error === null) return;
    if (!isGone(error)) throw error;
    process.exit();
  });
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_IPC_CHANNEL_CLOSED');
}
