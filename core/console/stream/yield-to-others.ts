/** Lets everything else run between two slices of work. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
