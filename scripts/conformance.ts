/** `npm run conformance`: runs the conformance suite; `--help` tells how. */

/** The suite belongs to the tests' project, which this one does not include: hence no static import. */
interface Suite {
  readonly main: (
    args: readonly string[],
    cli: { readonly print: (line: string) => void },
  ) => Promise<number>;
}

const suite: Suite = await import(new URL('../test/conformance/main.ts', import.meta.url).href);
process.exitCode = await suite.main(process.argv.slice(2), { print: (line) => console.log(line) });
