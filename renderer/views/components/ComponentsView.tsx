/** The Components screen: what is loaded, from where, and what is wrong with it. */
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  FilePlus,
  Pencil,
  RotateCw,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { ComponentRow, ResourceFile } from '../../../core/contract/subscription.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty, Failed, Loading } from '../../components/States.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { fill } from '../../copy/fill.ts';
import { FILES } from '../../copy/files.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { ProblemList } from '../../parts/ProblemList.tsx';
import { standingOf } from '../../format/component.ts';
import type { Standing } from '../../format/component.ts';
import { clockSeconds } from '../../format/quantity.ts';
import { useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Components.module.css';
import { FileList } from './FileList.tsx';

const ICONS: Readonly<Record<Standing, LucideIcon>> = {
  ready: CircleCheck,
  initialising: CircleDashed,
  failed: CircleAlert,
  lost: Unplug,
};

/** List and detail. */
export function ComponentsView(): ReactElement {
  const { acting, call, commands, topology } = useConsole();
  const away = useAway(ACT_WHY.away);
  const { status, value, failure } = useResource(topology.components);
  const pending = useSelected(commands.store, (state) => state.pending.has('components.reload'));
  return (
    <div className={page.view}>
      <div className={page.head}>
        <h1>{COMPONENTS.title}</h1>
        {value?.folder !== undefined && <code className={page.muted}>{value.folder}</code>}
        <span className={page.space} />
        <Button
          icon={FilePlus}
          off={away ?? (value?.folder === undefined ? FILES.newOff : undefined)}
          onClick={() => commands.open({ kind: 'file' })}
        >
          {FILES.new}
        </Button>
        {value?.folder !== undefined && (
          <Button
            icon={RotateCw}
            off={away}
            pending={pending}
            onClick={() =>
              void acting.say('components.reload', async () => {
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
      {value === undefined && status === 'failed' && (
        <Failed
          text={fill(COMPONENTS.failed, { message: failure?.message.replace(/\.$/, '') })}
          again={() => void topology.components.refresh()}
        />
      )}
      {value === undefined && status !== 'failed' && <Loading text={COMPONENTS.loading} />}
      {value !== undefined && !hasAny(value) && (
        <Empty title={COMPONENTS.none}>
          <FolderHint />
        </Empty>
      )}
      {value !== undefined && hasAny(value) && (
        <Loaded
          items={value.items}
          problems={value.problems}
          files={value.files}
          isBuiltIn={value.folder === undefined}
        />
      )}
    </div>
  );
}

function hasAny({ items, problems, files }: Omit<LoadedProps, 'isBuiltIn'>): boolean {
  return items.length + problems.length + files.length > 0;
}

function EditFile({ file }: { readonly file: string }): ReactElement {
  const { commands } = useConsole();
  return (
    <div className={page.bar}>
      <Button icon={Pencil} onClick={() => commands.open({ kind: 'file', file })}>
        {fill(FILES.editOf, { file })}
      </Button>
    </div>
  );
}

function FolderHint(): ReactElement {
  return <p className={page.muted}>{fill(COMPONENTS.addFolder, { flag: '--resources DIR' })}</p>;
}

interface LoadedProps {
  readonly items: readonly ComponentRow[];
  readonly problems: ComponentRow['problems'];
  readonly files: readonly ResourceFile[];
  readonly isBuiltIn: boolean;
}

function Loaded({ items, problems, files, isBuiltIn }: LoadedProps): ReactElement {
  const { places } = useConsole();
  const named = useParam('c');
  const chosen = items.find((item) => idOf(item, items) === named) ?? items[0];
  const [first] = items;
  return (
    <div className={css.parts}>
      <div className={css.side}>
        {isBuiltIn && first !== undefined && items.length === 1 && (
          <div className={css.note}>
            <p>{fill(COMPONENTS.onlyBuiltIn, { name: first.name })}</p>
            <FolderHint />
          </div>
        )}
        <ul aria-label={COMPONENTS.list} className={css.list}>
          {items.map((item) => {
            const standing = standingOf(item);
            const Icon = ICONS[standing];
            return (
              <li key={`${idOf(item, items)} ${item.file ?? ''} ${item.document ?? ''}`}>
                <button
                  type="button"
                  className={css.item}
                  aria-current={item === chosen ? 'true' : undefined}
                  onClick={() => places.change({ c: idOf(item, items) }, { replace: true })}
                >
                  <Icon aria-hidden size={14} className={css.icon} data-state={standing} />
                  <span className={css.name}>{idOf(item, items)}</span>
                  <code className={css.type}>{item.type}</code>
                  <span className={css.state} data-state={standing}>
                    {COMPONENTS.states[standing]}
                    {item.problems.length > 0 && ` ${item.problems.length}`}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
        <ProblemList
          problems={problems.filter(({ file }) => file === undefined)}
          label={COMPONENTS.filesProblems}
        />
        <FileList files={files} />
      </div>
      {chosen !== undefined && <One item={chosen} />}
    </div>
  );
}

/** A component may have an instance for each app: then the app is part of what it is called here. */
function idOf({ name, scopes, file, document }: ComponentRow, items: readonly ComponentRow[]): string {
  const isOneOfSeveral = items.some(
    (other) =>
      other.name === name &&
      other.file === file &&
      other.document === document &&
      other.scopes.join() !== scopes.join(),
  );
  return isOneOfSeveral ? fill(COMPONENTS.instanceOf, { name, apps: scopes.join(', ') }) : name;
}

function nextStart({ nextStartAt }: ComponentRow): string {
  return nextStartAt === undefined ? COMPONENTS.noNextStart : clockSeconds(nextStartAt);
}

function lostFacts({ lost }: ComponentRow): readonly (readonly [string, string])[] {
  if (lost === undefined) return [];
  const { since, reason, tries, nextTryAt } = lost;
  return [
    [COMPONENTS.lost, fill(COMPONENTS.lostSince, { time: clockSeconds(since), reason })],
    [COMPONENTS.lostTries, String(tries)],
    ...(nextTryAt === undefined ? [] : [[COMPONENTS.nextStart, clockSeconds(nextTryAt)] as const]),
  ];
}

function One({ item }: { readonly item: ComponentRow }): ReactElement {
  const metadata = Object.entries(item.metadata);
  const place = [item.file, item.line].filter((part) => part !== undefined).join(':');
  const used =
    item.subscriptions === 1 ? COMPONENTS.usedByOne : fill(COMPONENTS.usedByN, { n: item.subscriptions });
  const facts: readonly (readonly [string, string])[] = [
    [COMPONENTS.type, item.type],
    [COMPONENTS.version, item.version],
    [COMPONENTS.file, place === '' ? COMPONENTS.builtIn : place],
    [COMPONENTS.scopes, item.scopes.length === 0 ? COMPONENTS.everyApp : item.scopes.join(', ')],
    [COMPONENTS.usedBy, used],
    ...(item.capabilities.length === 0
      ? []
      : [[COMPONENTS.capabilities, item.capabilities.join(', ')] as const]),
    ...(item.reason === undefined ? [] : [[COMPONENTS.reason, item.reason] as const]),
    ...(item.failedStarts === undefined
      ? []
      : [[COMPONENTS.failedStarts, String(item.failedStarts)] as const]),
    ...(item.state === 'failed' ? [[COMPONENTS.nextStart, nextStart(item)] as const] : []),
    ...lostFacts(item),
  ];
  return (
    <section className={css.one} aria-label={fill(COMPONENTS.about, { name: item.name })}>
      <h2>{item.name}</h2>
      <Facts facts={facts} />
      {item.lost !== undefined && <p>{COMPONENTS.lostEffect}</p>}
      {item.file !== undefined && <EditFile file={item.file} />}
      {item.ignoreErrors && <p className={page.muted}>{COMPONENTS.ignoreErrors}</p>}
      <h3>{fill(COMPONENTS.problems, { n: item.problems.length })}</h3>
      {item.problems.length === 0 && <p className={page.muted}>{COMPONENTS.noProblems}</p>}
      <ProblemList problems={item.problems} label={fill(COMPONENTS.problems, { n: item.problems.length })} />
      <h3>{COMPONENTS.metadata}</h3>
      {metadata.length === 0 ? (
        <p className={page.muted}>{COMPONENTS.noMetadata}</p>
      ) : (
        <DataTable
          dense
          label={COMPONENTS.metadata}
          columns={[VIEWS_COMMON.key, VIEWS_COMMON.value]}
          rows={metadata.map(([name, value]) => ({
            id: name,
            cells: [<code key="name">{name}</code>, <bdi key="value">{value}</bdi>],
          }))}
        />
      )}
    </section>
  );
}
