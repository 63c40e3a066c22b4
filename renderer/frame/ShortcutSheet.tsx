/** All keys of the registry, grouped and searchable. */
import { useState, type ReactElement } from 'react';
import { TextField } from '../components/Fields.tsx';
import { Keys } from '../components/Keys.tsx';
import { Overlay } from '../components/Overlay.tsx';
import { GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { PART_KEYS, SHORTCUTS } from '../copy/frame.ts';
import { keysOf } from '../keys/bindings.ts';
import { COMMANDS } from '../keys/commands.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import css from './ShortcutSheet.module.css';

/** The sheet that `?` opens. */
export function ShortcutSheet(): ReactElement {
  const { commands, ui } = useConsole();
  const singleKeys = useSelected(ui, (state) => state.singleKeys);
  const [text, setText] = useState('');
  const given = useSelected(ui, (state) => state.keys);
  const wanted = text.trim().toLowerCase();
  const found = COMMANDS.filter(
    (command) => keysOf(command, given).length > 0 && command.title.toLowerCase().includes(wanted),
  );
  const ofParts = PART_KEYS.map(({ title: part, rows, ...more }) => ({
    part,
    note: 'note' in more ? more.note : undefined,
    rows: rows.filter(({ title }) => `${part} ${title}`.toLowerCase().includes(wanted)),
  })).filter(({ rows }) => rows.length > 0);
  // The longest group comes last: columns of equal height need the short ones between the long ones.
  const groups = [...new Set(found.map(({ group }) => group))].toSorted(
    (one, other) => Number(one === GROUPS.go) - Number(other === GROUPS.go),
  );
  return (
    <Overlay title={SHORTCUTS.title} wide onClose={commands.close}>
      <div className={css.sheet}>
        <TextField
          label={SHORTCUTS.find}
          hideLabel
          placeholder={SHORTCUTS.find}
          value={text}
          onChange={setText}
        />
        <p className={css.note}>{SHORTCUTS.again}</p>
        {!singleKeys && <p className={css.note}>{SHORTCUTS.off}</p>}
        {found.length + ofParts.length === 0 && <p>{fill(SHORTCUTS.none, { text })}</p>}
        <div className={css.groups}>
          {groups.map((group) => (
            <section key={group} className={css.group} aria-label={group}>
              <h3>{group}</h3>
              <dl>
                {found
                  .filter((command) => command.group === group)
                  .map((command) => (
                    <div key={command.id} className={css.row}>
                      <dt>{command.title}</dt>
                      <dd>
                        <Keys keys={keysOf(command, given)} exact />
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
          {ofParts.map(({ part, note, rows }) => (
            <PartKeys key={part} part={part} note={note} rows={rows} />
          ))}
        </div>
      </div>
    </Overlay>
  );
}

/** Keys of one part of a screen. */
function PartKeys({
  part,
  note,
  rows,
}: {
  readonly part: string;
  readonly note: string | undefined;
  readonly rows: readonly (typeof PART_KEYS)[number]['rows'][number][];
}): ReactElement {
  return (
    <section className={css.group} aria-label={part}>
      <h3>{part}</h3>
      {note !== undefined && <p className={css.note}>{note}</p>}
      <dl>
        {rows.map(({ title, keys }) => (
          <div key={title} className={css.row}>
            <dt>{title}</dt>
            <dd className={css.several}>
              {keys.map((key) => (
                <Keys key={key} keys={[key]} exact />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
