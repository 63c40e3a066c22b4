// A Vitest reporter that fails a run in which the name given with -t left out every test, as a mistyped one does: Vitest itself
// ends such a run with success.
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Why a run counts as failed though no test failed; undefined if a test ran, or no name was given. */
export function whyNoneRan(states: readonly string[], name: RegExp | undefined): string | undefined {
  if (name === undefined || states.some((state) => state !== 'skipped')) return undefined;
  return `No test ran: none of ${states.length} has a name that fits -t '${name.source}'. Parts of a name are joined with " > ".`;
}

// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter of a file by its default export
export default class RanReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const isBroken = modules.some((module) => module.errors().length > 0);
    const reason = whyNoneRan(states, this.#vitest?.config.testNamePattern);
    if (reason === undefined || isBroken) return;
    console.error(reason);
    process.exitCode = 1;
  }
}
