/** The whole console around one set of stores. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { StrictMode, useLayoutEffect, type ReactElement } from 'react';
import { Router } from 'wouter';
import { HintLayer } from './components/HintLayer.tsx';
import { Boundary } from './components/States.tsx';
import { Frame } from './frame/Frame.tsx';
import { useHashHref, useHashPath, useHashSearch } from './frame/use-hash.ts';
import { nonceOf } from './theme/nonce.ts';
import { ConsoleProvider } from './state/context.ts';
import type { Console } from './state/console.ts';
import { useMembers } from './state/store.ts';

/** Draws the console. */
export function App({ console }: { readonly console: Console }): ReactElement {
  const look = useMembers(console.ui, 'theme', 'density', 'fontSize', 'reduceMotion', 'times');
  useLayoutEffect(() => {
    const root = document.documentElement;
    if (look.theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = look.theme;
    root.dataset['density'] = look.density;
    root.dataset['motion'] = look.reduceMotion ? 'none' : 'some';
    root.style.setProperty('--font-size', `${look.fontSize}px`);
  }, [look]);
  const nonce = nonceOf(document);
  return (
    <StrictMode>
      <CSPProvider {...(nonce === undefined ? {} : { nonce })}>
        <ConsoleProvider value={console}>
          <Router hook={useHashPath} searchHook={useHashSearch} hrefs={useHashHref}>
            <HintLayer>
              <Boundary>
                <Frame key={look.times} />
              </Boundary>
            </HintLayer>
          </Router>
        </ConsoleProvider>
      </CSPProvider>
    </StrictMode>
  );
}
