// Builds the renderer; relative addresses, so that one output serves the desktop scheme and HTTP.
import fs from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Notes what each chunk holds, for the test of sizes; the note does not ship. */
function chunkNote(): Plugin {
  return {
    name: 'chunk-note',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk'
          ? [
              {
                file: part.fileName,
                isEntry: part.isEntry,
                imports: part.imports,
                css: [...(part.viteMetadata?.importedCss ?? [])],
                modules: part.moduleIds.map((id) =>
                  path.relative(import.meta.dirname, id.replace(/^\0/, '')),
                ),
              },
            ]
          : [],
      );
      const folder = path.join(import.meta.dirname, 'dist', '.build');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'console-chunks.json'), `${JSON.stringify(chunks)}\n`);
    },
  };
}

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react(), chunkNote()],
  css: { modules: { localsConvention: 'camelCase' } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    // Fonts and images stay files: the page's policy allows them from its own origin, and they cache apart.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The libraries in the bundle ask that their licence texts come along.
    license: { fileName: 'licenses.md' },
    // The page comes from loopback or the archive; the editor, the one large part not needed at once, is loaded when used.
    chunkSizeWarningLimit: 1200,
    // What every page loads at once is one file: cut along the lines of what later parts share it was fifty, each a request.
    // The open message, fetched as soon as the frame is drawn, is one file as well.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'console', tags: ['$initial'], priority: 2 },
            {
              name: 'message',
              test: /renderer[\\/]components[\\/]detail[\\/]OpenMessage\.tsx$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1' },
});
