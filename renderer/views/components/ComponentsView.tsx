/** The Components screen: loaded components, their source, and their problems. */
import { FilePlus, RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { Result } from '../../../core/contract/console.ts';
import { whyNotRead } from '../../format/why-not-read.ts';
import { Button } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { useIsNarrow } from '../../components/use-narrow.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { FILES } from '../../copy/files.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { ComponentDetail } from './ComponentDetail.tsx';
import { ComponentList } from './ComponentList.tsx';
import css from './Components.module.css';
import { findComponents, nameOf } from './component-words.ts';
import { FileList } from './FileList.tsx';

type LoadedComponents = Result<'components.list'>;

/** Number of components up to which there is no search. */
const FEW = 6;

/** The list beside the detail. */
export function ComponentsView(): ReactElement {
  const { connection, topology } = useConsole();
  const { status, value, failure } = useResource(topology.components);
  const folder = useSelected(connection, ({ system }) => system?.folder);
  const [text, setText] = useState('');
  return (
    <div className={page.view}>
      <Head value={value} text={text} onText={setText} />
      {value === undefined && status === 'failed' && (
        <Failed
          text={fill(COMPONENTS.failed, { message: whyNotRead(failure) })}
          again={() => void topology.components.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && (
        <Loading text={folder === undefined ? COMPONENTS.loading : fill(COMPONENTS.reading, { folder })} />
      )}
      {value !== undefined && !hasAny(value) && (
        <Empty title={COMPONENTS.none}>
          <FolderHint />
        </Empty>
      )}
      {value !== undefined && hasAny(value) && <Loaded value={value} text={text} />}
    </div>
  );
}

interface HeadProps {
  readonly value: LoadedComponents | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
}

function Head({ value, text, onText }: HeadProps): ReactElement {
  const { acting, call, commands, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(commands.store, (state) => state.pending.has('components.reload'));
  const folder = value?.folder;
  return (
    <div className={page.head}>
      <h1>{COMPONENTS.title}</h1>
      {(value?.items.length ?? 0) > FEW && (
        <TextField
          hideLabel
          type="search"
          label={COMPONENTS.find}
          placeholder={COMPONENTS.find}
          value={text}
          onChange={onText}
        />
      )}
      {folder !== undefined && <code className={page.muted}>{folder}</code>}
      <span className={page.space} />
      <Button
        icon={FilePlus}
        off={away ?? (folder === undefined ? FILES.newOff : undefined)}
        onClick={() => commands.open({ kind: 'file' })}
      >
        {FILES.new}
      </Button>
      {folder !== undefined && (
        <Button
          icon={RotateCw}
          off={away}
          pending={pending}
          onClick={() =>
            void acting.run('components.reload', async () => {
              const { items } = await call('components.reload', {});
              topology.onChange();
              return fill(COMPONENTS.reloaded, { n: items.length });
            })
          }
        >
          {COMPONENTS.reload}
        </Button>
      )}
    </div>
  );
}

function hasAny({ items, problems, files }: LoadedComponents): boolean {
  return items.length + problems.length + files.length > 0;
}

function FolderHint(): ReactElement {
  return <p className={page.muted}>{fill(COMPONENTS.addFolder, { flag: '--resources DIR' })}</p>;
}

interface LoadedProps {
  readonly value: LoadedComponents;
  readonly text: string;
}

function Loaded({ value, text }: LoadedProps): ReactElement {
  const { items, problems, files, folder } = value;
  const { navigation, topology } = useConsole();
  const appIds = useResource(topology.apps).value?.items.map(({ appId }) => appId);
  const named = useParam('c');
  const isNarrow = useIsNarrow();
  const shown = findComponents(items, text, appIds);
  const chosen = shown.find((item) => nameOf(item, items) === named) ?? shown[0];
  const [first] = items;
  const others = (
    <>
      <ProblemList
        problems={problems.filter(({ file }) => file === undefined)}
        label={COMPONENTS.filesProblems}
      />
      <FileList files={files} components={items} apps={appIds?.length ?? 1} />
    </>
  );
  return (
    <div className={css.parts}>
      <div className={css.side}>
        {folder === undefined && first !== undefined && items.length === 1 && (
          <div className={css.note}>
            <p>{fill(COMPONENTS.onlyBuiltIn, { name: first.name })}</p>
            <FolderHint />
          </div>
        )}
        {shown.length === 0 && items.length > 0 && <Empty title={fill(COMPONENTS.noneFound, { text })} />}
        {shown.length > 0 && (
          <ComponentList
            items={items}
            shown={shown}
            chosen={chosen}
            appIds={appIds}
            onChoose={(item) => navigation.change({ c: nameOf(item, items) }, { replace: true })}
          />
        )}
        {!isNarrow && others}
      </div>
      {chosen !== undefined && <ComponentDetail key={chosen.file} item={chosen} folder={folder} />}
      {/* The other parts follow the chosen component in a narrow window. */}
      {isNarrow && <div className={css.side}>{others}</div>}
    </div>
  );
}
