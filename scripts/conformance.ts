// `npm run conformance`: runs the conformance suite; `--help` explains its options.

/**
 * Interface of the suite. It is imported at run time, because it belongs to the tests' project, which this
 * one does not include.
 */
interface Suite {
  readonly main: (
    args: readonly string[],
    cli: { readonly print: (line: string) => void },
  ) => Promise<number>;
}

const suite: Suite = await import(new URL('../test/conformance/main.ts', import.meta.url).href);
process.exitCode = await suite.main(process.argv.slice(2), { print: (line) => console.log(line) });
