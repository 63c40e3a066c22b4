/** Work that is written in steps: taken all at once, or with turns of the event loop in between. */

type Steps<T> = Generator<void, T, void>;

export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets others have their turn after each step. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise<void>((next) => setImmediate(next));
  }
}
