/** Draws the gallery at `#/gallery`: every part of the console in every state, in both themes. Never in the product. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { HintLayer } from '../../renderer/components/HintLayer.tsx';
import { useHashHref, useHashPath, useHashSearch } from '../../renderer/frame/use-hash.ts';
import { ConsoleProvider } from '../../renderer/state/context.ts';
import { createConsole } from '../../renderer/state/console.ts';
import { nonceOf } from '../../renderer/theme/nonce.ts';
import '../../renderer/theme/tokens.css';
import '../../renderer/theme/fonts.css';
import '../../renderer/theme/base.css';
import { FakeHost, Refused } from '../renderer/fake-pipe.ts';
import { Gallery } from './Gallery.tsx';

const host = new FakeHost({
  'filter.check': ({ filter }) => {
    if (!filter.includes('topik')) return { ok: true };
    return {
      ok: false,
      error: {
        position: 0,
        length: 5,
        found: 'topik',
        expected: 'a key',
        suggestion: 'topic',
        message: 'Unknown key "topik" at 1–5. Did you mean "topic"?',
      },
    };
  },
  'filter.complete': () => ({
    items: [
      { label: 'state', insert: 'state:', from: 0, detail: 'state of a delivery' },
      { label: 'status', insert: 'status:', from: 0, detail: 'HTTP code of any attempt' },
    ],
  }),
  'system.describe': () => {
    throw new Refused('INTERNAL', 'the gallery has no host');
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
const console = createConsole({ open: host.open, bar: window });
const nonce = nonceOf(document);
createRoot(root).render(
  <CSPProvider {...(nonce === undefined ? {} : { nonce })}>
    <ConsoleProvider value={console}>
      <Router hook={useHashPath} searchHook={useHashSearch} hrefs={useHashHref}>
        <HintLayer>
          <Gallery />
        </HintLayer>
      </Router>
    </ConsoleProvider>
  </CSPProvider>,
);
