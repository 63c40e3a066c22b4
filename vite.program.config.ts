// Builds the program as few files: most of a start was the loading of seven hundred. docs/adr/0026-the-program-is-built-as-few-files.md
import fs from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';
import { lateBuiltins } from './scripts/late-builtins.ts';

/** Packages that every start or the console's first question needs; their code is part of the output, their licence texts are beside it. */
const INSIDE = ['@bufbuild/re2', '@marcbachmann/cel-js', 'chevrotain', 'fastify', 'typebox', 'ws'];

/** Small modules that nearly every file of the output uses: one file instead of one each. */
const TEXTS =
  /^\0late:|core[\\/](?:contract[\\/](?:[a-z]+-(?:text|bounds|words)|address-part|answerer|cut-place|header-field|is-object|member-in-any-case|nearest|shell-quote|topic-pattern|unicode-escape|without-undefined)|domain[\\/](?:html-page|json-parts|result|usage-error))\.ts$/;

const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'),
);

export default defineConfig({
  plugins: [lateBuiltins()],
  ssr: { noExternal: true, external: Object.keys(dependencies).filter((name) => !INSIDE.includes(name)) },
  build: {
    ssr: true,
    outDir: 'dist/program',
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node22',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Threads are files beside the code that starts them.
      input: {
        cli: 'core/host/cli.ts',
        library: 'core/testing/library.ts',
        'reader-thread': 'core/adapters/sqlite-journal/reader-thread.ts',
        'writer-thread': 'core/adapters/sqlite-journal/writer-thread.ts',
        thread: 'core/adapters/json-schema/thread.ts',
        'text-thread': 'core/adapters/recording-texts/text-thread.ts',
        // Programs that start several products in one process, as the journeys do, begin here.
        compose: 'core/host/compose.ts',
        options: 'core/host/options.ts',
      },
      // All in one folder as deep as the sources' own: the page and the desktop's program are found from it.
      output: {
        entryFileNames: 'host/[name].js',
        chunkFileNames: 'host/[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'texts', test: TEXTS }] },
        // A process keeps the text of what it has loaded, with two bytes for each character of a file that has one beyond Latin 1.
        comments: false,
        minify: {
          compress: false,
          mangle: false,
          codegen: { removeWhitespace: false, asciiOnly: true },
        },
      },
    },
  },
});
