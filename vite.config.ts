// Builds the renderer; relative addresses, so that one output serves the desktop scheme and HTTP.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
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
    chunkSizeWarningLimit: 800,
  },
  server: { host: '127.0.0.1' },
});
