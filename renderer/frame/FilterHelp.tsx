/** The help sheet of the filter language: how to write a filter, examples that a click applies, and every key. */
import type { ReactElement } from 'react';
import { FILTER_KEY_NAMES, FILTER_KEYS } from '../../core/contract/filter-keys.ts';
import { Button } from '../components/Button.tsx';
import { DataTable } from '../components/DataTable.tsx';
import { Overlay } from '../components/Overlay.tsx';
import { FILTER_HELP } from '../copy/filter-help.ts';
import { FILTER } from '../copy/messages.ts';
import { useConsole } from '../state/context.ts';
import css from './FilterHelp.module.css';

/** Keys that take a path after a dot, as they are written. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['data', 'data.<path>'],
  ['meta', 'meta.<key>'],
]);

/** Rules and examples on the left, keys on the right. */
export function FilterHelp(): ReactElement {
  const { commands } = useConsole();
  return (
    <Overlay wide title={FILTER.helpTitle} onClose={commands.close}>
      <div className={css.sheet}>
        <div className={css.part}>
          {/* The first button is far below, and the focus would scroll the rules away. */}
          <p tabIndex={-1} data-focus-first className={css.intro}>
            {FILTER_HELP.intro}
          </p>
          <div className={css.rules}>
            <DataTable
              dense
              label={FILTER_HELP.writing}
              columns={[FILTER_HELP.columns.text, FILTER_HELP.columns.says]}
              rows={FILTER_HELP.rules.map(({ text, says }) => ({
                id: text,
                cells: [<code key="text">{text}</code>, says],
              }))}
            />
          </div>
          <Examples />
          <p className={css.says}>{FILTER_HELP.cells}</p>
        </div>
        <section className={css.part} aria-label={FILTER_HELP.keys}>
          <h3>{FILTER_HELP.keys}</h3>
          <dl className={css.keys}>
            {FILTER_KEY_NAMES.map((key) => (
              <div key={key}>
                <dt>
                  <code>{WRITTEN.get(key) ?? key}</code>
                </dt>
                <dd>{FILTER_KEYS[key]}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Overlay>
  );
}

function Examples(): ReactElement {
  const { commands, navigation } = useConsole();
  return (
    <section className={css.part} aria-label={FILTER_HELP.examples}>
      <h3>{FILTER_HELP.examples}</h3>
      <p className={css.says}>{FILTER_HELP.apply}</p>
      <ul className={css.examples}>
        {FILTER_HELP.tries.map(({ text, says }) => (
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
    </section>
  );
}
