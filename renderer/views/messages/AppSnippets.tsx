/** A minimal app in one of several languages, ready to copy. It is loaded when the list is empty. */
import { Copy } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { APP_SNIPPETS, SNIPPETS } from '../../copy/app-snippets.ts';
import { fill } from '../../copy/fill.ts';
import { FIRST_RUN } from '../../copy/messages.ts';
import { fillSnippet, snippetPlace } from '../../format/snippet.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './FirstRun.module.css';

export interface AppSnippetsProps {
  readonly discovery: string;
  readonly pubsub: string;
}

/** One tab per language. */
export function AppSnippets({ discovery, pubsub }: AppSnippetsProps): ReactElement {
  const { acting, topology } = useConsole();
  const { value: apps } = useResource(topology.apps);
  const place = snippetPlace(apps?.items ?? []);
  const [language, setLanguage] = useState('node');
  return (
    <div className={css.snippets}>
      <TabBar
        fills={false}
        label={APP_SNIPPETS.tabs}
        value={language}
        onChange={setLanguage}
        tabs={SNIPPETS.map(({ id, title, text, start }) => {
          const code = fillSnippet(text, { port: place.port, discovery, pubsub });
          return {
            id,
            title,
            panel: () => (
              <div className={css.snippet}>
                {start !== undefined && (
                  <p>
                    {fill(APP_SNIPPETS.save, { file: start.file })} <code>{start.command}</code>
                    {fill(APP_SNIPPETS.then[place.how], { port: place.port, app: place.app })}
                  </p>
                )}
                <Button icon={Copy} className={css.copy} onClick={() => void acting.copy(code)}>
                  {FIRST_RUN.copy}
                </Button>
                <pre
                  className={css.code}
                  aria-label={fill(APP_SNIPPETS.label, { language: title })}
                  tabIndex={0}
                >
                  {code}
                </pre>
              </div>
            ),
          };
        })}
      />
    </div>
  );
}
