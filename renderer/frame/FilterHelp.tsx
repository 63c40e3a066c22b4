/** The help sheet of the filter language; a click on an example applies it. */
import type { ReactElement } from 'react';
import { Button } from '../components/Button.tsx';
import { Overlay } from '../components/Overlay.tsx';
import { FILTER, FILTER_HELP } from '../copy/messages.ts';
import { useConsole } from '../state/context.ts';
import css from './FilterHelp.module.css';

/** Rules, keys and examples. */
export function FilterHelp(): ReactElement {
  const { commands, navigation } = useConsole();
  return (
    <Overlay title={FILTER.helpTitle} onClose={commands.close}>
      <div className={css.sheet}>
        <p>{FILTER_HELP.intro}</p>
        <ul className={css.examples}>
          {FILTER_HELP.examples.map(({ text, says }) => (
            <li key={text}>
              <Button
                className={css.example}
                onClick={() => {
                  commands.close();
                  navigation.go('/messages', { f: text });
                }}
              >
                <code>{text}</code>
              </Button>
              <span className={css.says}>{says}</span>
            </li>
          ))}
        </ul>
        <p>{FILTER_HELP.cells}</p>
        <p className={css.says}>
          <code>{FILTER_HELP.keys}</code>
        </p>
      </div>
    </Overlay>
  );
}
