/** Settings of this window: keyboard, appearance; and what this is. */
import { useState, type ReactElement } from 'react';
import { DELIVERY_STATES } from '../../../core/contract/delivery.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Radios, TextField, Tick } from '../../components/Fields.tsx';
import { Keys } from '../../components/Keys.tsx';
import { FRAME } from '../../copy/frame.ts';
import { fill } from '../../copy/fill.ts';
import { ABOUT, APPEARANCE, KEYBOARD } from '../../copy/settings.ts';
import { COMMANDS } from '../../keys/commands.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';

/** The switch for single keys, and every command with its keys. */
export function KeyboardSection(): ReactElement {
  const { ui } = useConsole();
  const singleKeys = useSelected(ui, (state) => state.singleKeys);
  return (
    <div className={page.stack}>
      <Tick
        isSwitch
        label={KEYBOARD.single}
        hint={KEYBOARD.singleHint}
        checked={singleKeys}
        onChange={(next) => ui.setState({ singleKeys: next })}
      />
      <DataTable
        dense
        label={KEYBOARD.table}
        columns={[KEYBOARD.command, KEYBOARD.group, KEYBOARD.keys, KEYBOARD.method]}
        rows={COMMANDS.map((command) => ({
          id: command.id,
          cells: [
            command.title,
            command.group,
            command.keys === undefined ? '' : <Keys key="keys" keys={command.keys} />,
            command.method === undefined ? '' : <code key="method">{command.method}</code>,
          ],
        }))}
      />
    </div>
  );
}

/** Theme, density and the like. */
export function AppearanceSection(): ReactElement {
  const { ui } = useConsole();
  const state = useSelected(ui, (each) => each);
  return (
    <div className={page.stack}>
      <Radios
        label={APPEARANCE.theme}
        value={state.theme}
        onChange={(theme) => ui.setState({ theme })}
        options={(['system', 'light', 'dark'] as const).map((value) => ({
          value,
          title: APPEARANCE.themes[value],
        }))}
      />
      <Radios
        label={APPEARANCE.density}
        value={state.density}
        onChange={(density) => ui.setState({ density })}
        options={(['compact', 'comfortable'] as const).map((value) => ({
          value,
          title: APPEARANCE.densities[value],
        }))}
      />
      <Radios
        label={APPEARANCE.side}
        value={state.panelSide}
        onChange={(panelSide) => ui.setState({ panelSide })}
        options={(['right', 'below'] as const).map((value) => ({ value, title: APPEARANCE.sides[value] }))}
      />
      <Radios
        label={APPEARANCE.fontSize}
        value={String(state.fontSize)}
        onChange={(size) => ui.setState({ fontSize: Number(size) })}
        options={[12, 13, 14, 15, 16].map((size) => ({ value: String(size), title: String(size) }))}
      />
      <Tick
        label={APPEARANCE.reduceMotion}
        checked={state.reduceMotion}
        onChange={(reduceMotion) => ui.setState({ reduceMotion })}
      />
      <Tick label={APPEARANCE.wrap} checked={state.wrap} onChange={(wrap) => ui.setState({ wrap })} />
      <Tick
        label={APPEARANCE.announce}
        checked={state.announce}
        onChange={(announce) => ui.setState({ announce })}
      />
      <section className={page.stack} aria-label={APPEARANCE.preview}>
        <h3>{APPEARANCE.preview}</h3>
        <div className={page.bar}>
          {DELIVERY_STATES.map((each) => (
            <Chip key={each} kind={each} />
          ))}
        </div>
      </section>
    </div>
  );
}

/** Name, version, and a link for another browser. */
export function AboutSection(): ReactElement {
  const { call, connection, toasts } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  const [link, setLink] = useState('');
  return (
    <div className={page.stack}>
      <h2>{FRAME.product}</h2>
      <p>{ABOUT.text}</p>
      <p className={page.muted}>
        {fill(ABOUT.version, { version: system?.version })} · {ABOUT.licence}
      </p>
      <div className={page.bar}>
        <Button
          onClick={() => {
            call('system.link', {}).then(
              ({ url }) => setLink(url),
              (reason: unknown) => toasts.failed(asFailure(reason).message),
            );
          }}
        >
          {ABOUT.link}
        </Button>
      </div>
      {link !== '' && (
        <TextField
          mono
          readOnly
          label={ABOUT.link}
          hint={ABOUT.linkHint}
          value={link}
          onChange={() => undefined}
        />
      )}
    </div>
  );
}
