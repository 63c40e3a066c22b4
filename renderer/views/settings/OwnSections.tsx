/** Settings of this window: keyboard, appearance; and facts about the product. */
import { useState, type ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import { DELIVERY_STATES } from '../../../core/contract/delivery.ts';
import { Button } from '../../components/Button.tsx';
import { Chip } from '../../components/Chip.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Radios, TextField, Checkbox } from '../../components/Fields.tsx';
import { Empty } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { FRAME } from '../../copy/frame.ts';
import { fill } from '../../copy/fill.ts';
import { ABOUT, APPEARANCE, KEYBOARD } from '../../copy/settings.ts';
import { APPS } from '../../copy/settings-host.ts';
import { keysOf } from '../../keys/bindings.ts';
import { isOwnColumn } from '../../format/columns.ts';
import { COMMANDS } from '../../keys/commands.ts';
import { useAway, useConsole, useProfileInUse } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { TOO_FAST } from '../../state/list-speed.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { KeyField } from './KeyField.tsx';
import { RevokeKeys } from './RevokeKeys.tsx';
import css from './Settings.module.css';

/** The switch for single keys, and every command with its keys. */
export function KeyboardSection(): ReactElement {
  const { ui } = useConsole();
  const singleKeys = useSelected(ui, (state) => state.singleKeys);
  const given = useSelected(ui, (state) => state.keys);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = COMMANDS.filter((command) => {
    const { title, group, method = '' } = command;
    const keys = keysOf(command, given).join(' ');
    return `${title} ${group} ${keys} ${method}`.toLowerCase().includes(wanted);
  });
  return (
    <div className={page.stack}>
      <Checkbox
        isSwitch
        label={KEYBOARD.single}
        hint={KEYBOARD.singleHint}
        checked={singleKeys}
        onChange={(next) => ui.setState({ singleKeys: next })}
      />
      <div className={page.bar}>
        <Button
          off={Object.keys(given).length === 0 ? KEYBOARD.nothingChanged : undefined}
          onClick={() => ui.setState({ keys: {} })}
        >
          {KEYBOARD.restore}
        </Button>
        <span className={page.muted}>{KEYBOARD.changeHint}</span>
      </div>
      <div className={css.find}>
        <TextField
          hideLabel
          type="search"
          label={KEYBOARD.find}
          placeholder={KEYBOARD.find}
          value={text}
          onChange={setText}
        />
      </div>
      {found.length === 0 ? (
        <Empty title={fill(KEYBOARD.noMatch, { text })} />
      ) : (
        <DataTable
          dense
          label={KEYBOARD.table}
          columns={[KEYBOARD.command, KEYBOARD.group, KEYBOARD.keys, KEYBOARD.method]}
          rows={found.map((command) => ({
            id: command.id,
            cells: [
              command.title,
              command.group,
              <KeyField key="keys" command={command} />,
              command.method === undefined ? '' : <code key="method">{command.method}</code>,
            ],
          }))}
        />
      )}
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
      <Radios
        label={APPEARANCE.times}
        value={state.times}
        onChange={(times) => ui.setState({ times })}
        options={(['local', 'utc'] as const).map((value) => ({ value, title: APPEARANCE.timesIn[value] }))}
      />
      <Checkbox
        label={APPEARANCE.reduceMotion}
        checked={state.reduceMotion}
        onChange={(reduceMotion) => ui.setState({ reduceMotion })}
      />
      <Checkbox label={APPEARANCE.wrap} checked={state.wrap} onChange={(wrap) => ui.setState({ wrap })} />
      <Checkbox
        label={APPEARANCE.collapse}
        hint={fill(APPEARANCE.collapseHint, { n: TOO_FAST.above })}
        checked={state.collapseRepeats}
        onChange={(collapseRepeats) => ui.setState({ collapseRepeats })}
      />
      <div className={css.fields}>
        <TextField
          mono
          label={APPEARANCE.correlation}
          hint={APPEARANCE.correlationHint}
          error={
            state.correlationPath === '' || isOwnColumn(state.correlationPath)
              ? undefined
              : APPEARANCE.correlationError
          }
          value={state.correlationPath}
          onChange={(correlationPath) => ui.setState({ correlationPath: correlationPath.trim() })}
        />
      </div>
      <section className={page.stack} aria-label={APPEARANCE.preview}>
        <h2>{APPEARANCE.preview}</h2>
        <div className={page.bar}>
          {DELIVERY_STATES.map((each) => (
            <Chip key={each} kind={each} />
          ))}
        </div>
      </section>
    </div>
  );
}

/** Name, version, addresses, and a link for another browser. */
export function AboutSection(): ReactElement {
  const { call, connection, toasts } = useConsole();
  const system = useSelected(connection, (state) => state.system);
  const profile = useProfileInUse();
  const away = useAway(ACT_WHY.away);
  const [link, setLink] = useState('');
  return (
    <div className={page.stack}>
      <h2>{FRAME.product}</h2>
      <p>{ABOUT.text}</p>
      <Facts
        facts={[
          [ABOUT.version, system?.version],
          [ABOUT.profile, profile],
          [ABOUT.console, <code key="console">{window.location.origin}</code>],
          ...(system?.apps ?? []).flatMap(({ appId, sidecar, app }) => [
            [fill(ABOUT.sidecarOf, { app: appId }), <code key={`${appId} sidecar`}>{sidecar}</code>] as const,
            [
              fill(ABOUT.appOf, { app: appId }),
              app === undefined ? APPS.noneKind : <code key={`${appId} app`}>{app}</code>,
            ] as const,
          ]),
          [ABOUT.licence, ABOUT.licenceName],
        ]}
      />
      <div className={page.bar}>
        <Button
          off={away}
          onClick={() => {
            call('system.link', {}).then(
              ({ url }) => setLink(url),
              (reason: unknown) => toasts.failed(asFailure(reason).message),
            );
          }}
        >
          {ABOUT.link}
        </Button>
        <RevokeKeys />
      </div>
      {link !== '' && (
        <div className={css.fields}>
          <TextField
            mono
            readOnly
            label={ABOUT.link}
            hint={ABOUT.linkHint}
            value={link}
            onFocus={(event) => event.target.select()}
            onChange={() => undefined}
          />
        </div>
      )}
    </div>
  );
}
