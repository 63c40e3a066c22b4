/** One component: its facts, its problems, its traffic, and the text of its file. */
import { Copy, FolderOpen, Pencil } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { ComponentRow, Problem } from '../../../core/contract/subscription.ts';
import { asSentence } from '../../../core/contract/error-text.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Facts } from '../../components/Facts.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { FILES } from '../../copy/files.ts';
import { fill } from '../../copy/fill.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { standingOf, troublesOf, unusedBecause } from '../../format/component.ts';
import { clockSeconds } from '../../format/clock-time.ts';
import { count } from '../../format/quantity.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { filterValue } from '../../components/row-menu.ts';
import { StateCounts } from '../../components/StateCounts.tsx';
import { useConsole, useResource } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import css from './Components.module.css';
import { leftOutOf } from './component-words.ts';
import { FileText } from './FileText.tsx';

export interface ComponentDetailProps {
  readonly item: ComponentRow;
  readonly folder: string | undefined;
}

/** The region beside the list. */
export function ComponentDetail({ item, folder }: ComponentDetailProps): ReactElement {
  const [goTo, setGoTo] = useState<{ readonly line: number; readonly column: number }>();
  const { topology } = useConsole();
  const { value: subscriptions } = useResource(topology.subscriptions);
  const { value: components } = useResource(topology.components);
  const { value: apps } = useResource(topology.apps);
  const { file, problems } = item;
  const leftOut = leftOutOf(item, components?.items ?? [item], subscriptions?.items ?? []);
  const forNobody = unusedBecause(
    item,
    apps?.items.map(({ appId }) => appId),
  );
  return (
    <section className={css.one} aria-label={fill(COMPONENTS.about, { name: item.name })}>
      <h2>
        <bdi>{item.name}</bdi>
      </h2>
      <Facts facts={factsOf(item)} />
      {item.lost !== undefined && <p>{COMPONENTS.lostEffect}</p>}
      <Traffic pubsubname={item.name} />
      {item.ignoreErrors && <p className={page.muted}>{COMPONENTS.ignoreErrors}</p>}
      {troublesOf(item) > 0 && <h3>{fill(COMPONENTS.problems, { n: troublesOf(item) })}</h3>}
      {forNobody !== undefined && <p>{fill(COMPONENTS.unused, { reason: forNobody })}</p>}
      {leftOut.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {problems.length === 0 && leftOut.length === 0 && forNobody === undefined && (
        <p className={page.muted}>
          {troublesOf(item) === 0
            ? COMPONENTS.noProblems
            : standingOf(item) === 'failed'
              ? COMPONENTS.reasonAbove
              : COMPONENTS.noFileProblems}
        </p>
      )}
      <ProblemList
        isInFile={file !== undefined}
        problems={problems}
        label={fill(COMPONENTS.problems, { n: problems.length })}
        onGo={file === undefined ? undefined : (problem) => setGoTo(positionOf(problem))}
      />
      {file !== undefined && <File file={file} folder={folder} problems={problems} goTo={goTo} />}
      <Metadata item={item} />
    </section>
  );
}

function positionOf({ line = 1, column = 1 }: Problem): { readonly line: number; readonly column: number } {
  return { line, column };
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

function scopesText({ scopes, limitedBy }: ComponentRow): string {
  if (scopes.length === 0) return COMPONENTS.everyApp;
  const apps = scopes.join(', ');
  return limitedBy === undefined ? apps : fill(COMPONENTS.appsOfFolder, { apps });
}

function factsOf(item: ComponentRow): readonly (readonly [string, string])[] {
  const location = [item.file, item.line].filter((part) => part !== undefined).join(':');
  const used = fill(COMPONENTS.usedByN, { n: item.subscriptions });
  const { reason } = item;
  // The reason is left out if the problems below say it with their positions.
  const isSaid = reason === undefined || item.problems.some(({ message }) => reason.includes(message));
  return [
    [COMPONENTS.type, item.type === '' ? COMPONENTS.noType : item.type],
    ...(item.insteadOf === undefined
      ? []
      : [[COMPONENTS.served, fill(COMPONENTS.fromMemory, { type: item.insteadOf })] as const]),
    [COMPONENTS.version, item.version],
    [COMPONENTS.file, location === '' ? COMPONENTS.builtIn : location],
    [COMPONENTS.scopes, scopesText(item)],
    [COMPONENTS.usedBy, used],
    ...(item.capabilities.length === 0
      ? []
      : [[COMPONENTS.capabilities, item.capabilities.join(', ')] as const]),
    ...(isSaid ? [] : [[COMPONENTS.reason, asSentence(reason)] as const]),
    ...(item.failedStarts === undefined
      ? []
      : [[COMPONENTS.failedStarts, String(item.failedStarts)] as const]),
    ...(item.state === 'failed' ? [[COMPONENTS.nextStart, nextStart(item)] as const] : []),
    ...(standingOf(item) === 'initialising' && item.kind === 'pubsub' && item.nextStartAt !== undefined
      ? [[COMPONENTS.instead, COMPONENTS.localPubsub] as const]
      : []),
    ...lostFacts(item),
  ];
}

/** Traffic of the component: all its topics together. */
function Traffic({ pubsubname }: { readonly pubsubname: string }): ReactElement | null {
  const { topology } = useConsole();
  const { value } = useResource(topology.topics);
  const named = (value?.items ?? []).filter((row) => row.pubsubname === pubsubname);
  // Observed topics belong to another sidecar's component of the same name.
  const topics = named.filter(({ taps = [] }) => taps.length === 0);
  if (topics.length < named.length && topics.length === 0)
    return <p className={page.muted}>{fill(COMPONENTS.onlyObserved, { name: pubsubname })}</p>;
  if (topics.length === 0) return null;
  const counts: Record<string, number> = {};
  for (const row of topics)
    for (const [state, n] of Object.entries(row.counts)) counts[state] = (counts[state] ?? 0) + n;
  const published = topics.reduce((sum, row) => sum + row.published, 0);
  const replayed = topics.reduce((sum, row) => sum + (row.replayed ?? 0), 0);
  if (published === 0) return null;
  return (
    <div className={page.bar}>
      <span>
        {fill(COMPONENTS.traffic, {
          n: count(published),
          topics: count(topics.filter((row) => row.published > 0).length),
        })}
      </span>
      <StateCounts counts={counts} replayed={replayed} within={`pubsub:${filterValue(pubsubname)}`} />
    </div>
  );
}

interface FileProps {
  readonly file: string;
  readonly folder: string | undefined;
  readonly problems: readonly Problem[];
  readonly goTo: { readonly line: number; readonly column: number } | undefined;
}

function File({ file, folder, problems, goTo }: FileProps): ReactElement {
  const { acting, call, commands, connection } = useConsole();
  const canReveal = useSelected(connection, ({ system }) => system?.canReveal === true);
  const path = folder === undefined ? file : `${folder.replace(/\/$/, '')}/${file}`;
  return (
    <>
      <div className={page.bar}>
        <h3>
          <code>{file}</code>
        </h3>
        <span className={page.space} />
        <Button
          icon={Pencil}
          aria-label={fill(FILES.editOf, { file })}
          onClick={() => commands.open({ kind: 'file', file })}
        >
          {FILES.edit}
        </Button>
        <Button icon={Copy} onClick={() => void acting.copy(path)}>
          {FILES.copyPath}
        </Button>
        {canReveal && (
          <Button
            icon={FolderOpen}
            onClick={() =>
              void acting.run('components.reveal', async () => {
                await call('components.reveal', { file });
                return undefined;
              })
            }
          >
            {FILES.reveal}
          </Button>
        )}
      </div>
      <FileText file={file} problems={problems} goTo={goTo} />
    </>
  );
}

function Metadata({ item }: { readonly item: ComponentRow }): ReactElement {
  const metadata = Object.entries(item.metadata);
  return (
    <>
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
    </>
  );
}
