/** Every file of the resources folder: whether it is used, and otherwise the wrong line. */
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, Pencil, type LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ComponentRow, ResourceDocument, ResourceFile } from '../../../core/contract/subscription.ts';
import { asSentence, clause } from '../../../core/contract/error-text.ts';
import { allOf } from '../../../core/contract/list-text.ts';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { FILES } from '../../copy/files.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { standingOf } from '../../format/component.ts';
import { useConsole } from '../../state/context.ts';
import css from './FileList.module.css';

type Use = 'used' | 'partly' | 'partlyElsewhere' | 'initialising' | 'unused' | 'elsewhere' | 'skipped';

/** Whether the document has a component that is tried again by itself, as the list of components says too: nothing is wrong with the file. */
function isTriedAgain(
  { file }: Pick<ResourceFile, 'file'>,
  { kind, document, name, used }: ResourceDocument,
  components: readonly ComponentRow[],
): boolean {
  if (used || kind !== 'Component') return false;
  const own = components.find((one) => one.file === file && one.document === document && one.name === name);
  return own !== undefined && standingOf(own) === 'initialising';
}

/** Whether the document is a subscription whose component is tried again by itself. */
function awaitsOneTriedAgain(
  { awaitsComponent, of }: ResourceDocument,
  components: readonly ComponentRow[],
): boolean {
  if (awaitsComponent !== true || of === undefined) return false;
  return components.some((one) => one.name === of.pubsubname && standingOf(one) === 'initialising');
}

/**
 * Use of a file: used if all its documents are, partly if some are, skipped if it has only kinds that are not
 * used here. Initialising: what is not used yet will be, without a change of the file. Elsewhere: nothing is wrong
 * with what is not used, which is for other apps.
 */
function fileUse(file: ResourceFile, components: readonly ComponentRow[]): Use {
  const { documents, problems } = file;
  const used = documents.filter((document) => document.used).length;
  const isBroken = problems.some(({ severity }) => severity !== 'warning');
  if (documents.length === 0 && problems.length > 0 && !isBroken) return 'skipped';
  const tried = documents.filter(
    (document) => isTriedAgain(file, document, components) || awaitsOneTriedAgain(document, components),
  ).length;
  const others = documents.filter(({ leftOut }) => leftOut !== undefined).length;
  if (tried > 0 && used + tried + others === documents.length && !isBroken) return 'initialising';
  if (others > 0 && used + others === documents.length && !isBroken)
    return used === 0 ? 'elsewhere' : 'partlyElsewhere';
  if (used === 0) return 'unused';
  return used === documents.length && !isBroken ? 'used' : 'partly';
}

const ICONS: Readonly<Record<Use, LucideIcon>> = {
  used: CircleCheck,
  partly: CircleAlert,
  partlyElsewhere: CircleSlash,
  initialising: CircleDashed,
  unused: CircleAlert,
  elsewhere: CircleSlash,
  skipped: CircleDashed,
};

export interface FileListProps {
  readonly files: readonly ResourceFile[];
  readonly components: readonly ComponentRow[];
  /** Number of running apps. */
  readonly apps: number;
}

/** One item per file. */
export function FileList({ files, components, apps }: FileListProps): ReactElement | null {
  const { commands } = useConsole();
  if (files.length === 0) return null;
  return (
    <section className={css.part} aria-label={COMPONENTS.files}>
      <h2 className={css.title}>{COMPONENTS.files}</h2>
      <ul aria-label={COMPONENTS.files} className={css.list}>
        {files.map((file) => {
          const use = fileUse(file, components);
          const Icon = ICONS[use];
          return (
            <li key={file.file} className={css.file}>
              <div className={css.head}>
                <Icon aria-hidden size={14} className={css.icon} data-use={use} />
                <code>{file.file}</code>
                <span className={css.use} data-use={use}>
                  {fill(COMPONENTS.uses[use], { n: apps })}
                </span>
                <span className={css.space} />
                <Button
                  kind="quiet"
                  icon={Pencil}
                  aria-label={fill(FILES.editOf, { file: file.file })}
                  onClick={() => commands.open({ kind: 'file', file: file.file })}
                >
                  {FILES.edit}
                </Button>
              </div>
              <ul className={css.documents}>
                {file.documents.map((document) => (
                  <li key={`${document.document} ${document.name}`}>
                    {documentText(document, file, isTriedAgain(file, document, components), apps)}
                  </li>
                ))}
              </ul>
              <ProblemList
                isInFile
                problems={file.problems}
                label={fill(COMPONENTS.fileProblems, { file: file.file })}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Text about a document. Problems that are listed below are not repeated here. */
function documentText(
  { kind, name, line, used, reason, leftOut }: ResourceDocument,
  { file, problems }: Pick<ResourceFile, 'file' | 'problems'>,
  isTried: boolean,
  apps: number,
): string {
  const isBelow = problems.some(
    ({ severity, message }) => severity !== 'warning' && reason?.includes(message),
  );
  const facts = { kind, name, line, reason: asSentence(clause(reason ?? '')) };
  if (isTried) return fill(COMPONENTS.documentNotReady, facts);
  if (!used && isBelow) return fill(COMPONENTS.documentUnusedBelow, facts);
  if (leftOut?.line === undefined)
    return fill(used ? COMPONENTS.documentUsed : COMPONENTS.documentUnused, facts);
  const place = fill(COMPONENTS.lineOf, { file, line: leftOut.line });
  return fill(COMPONENTS.documentElsewhere, { ...facts, n: apps, place, apps: allOf(leftOut.scopes) });
}
