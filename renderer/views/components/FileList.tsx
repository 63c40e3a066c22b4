/** Every file of the resources folder: whether it is used, and otherwise the wrong line. */
import { CircleAlert, CircleCheck, CircleDashed, Pencil, type LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ResourceDocument, ResourceFile } from '../../../core/contract/subscription.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { Button } from '../../components/Button.tsx';
import { fill } from '../../copy/fill.ts';
import { FILES } from '../../copy/files.ts';
import { COMPONENTS } from '../../copy/topics.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { useConsole } from '../../state/context.ts';
import css from './FileList.module.css';

type Use = 'used' | 'partly' | 'unused' | 'skipped';

/**
 * Use of a file: used if all its documents are, partly if some are, skipped if it has only kinds that are not
 * used here.
 */
function fileUse({ documents, problems }: ResourceFile): Use {
  const used = documents.filter((document) => document.used).length;
  const isBroken = problems.some(({ severity }) => severity !== 'warning');
  if (documents.length === 0 && problems.length > 0 && !isBroken) return 'skipped';
  if (used === 0) return 'unused';
  return used === documents.length && !isBroken ? 'used' : 'partly';
}

const ICONS: Readonly<Record<Use, LucideIcon>> = {
  used: CircleCheck,
  partly: CircleAlert,
  unused: CircleAlert,
  skipped: CircleDashed,
};

/** One item per file. */
export function FileList({ files }: { readonly files: readonly ResourceFile[] }): ReactElement | null {
  const { commands } = useConsole();
  if (files.length === 0) return null;
  return (
    <section className={css.part} aria-label={COMPONENTS.files}>
      <h2 className={css.title}>{COMPONENTS.files}</h2>
      <ul aria-label={COMPONENTS.files} className={css.list}>
        {files.map((file) => {
          const use = fileUse(file);
          const Icon = ICONS[use];
          return (
            <li key={file.file} className={css.file}>
              <div className={css.head}>
                <Icon aria-hidden size={14} className={css.icon} data-use={use} />
                <code>{file.file}</code>
                <span className={css.use} data-use={use}>
                  {COMPONENTS.uses[use]}
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
                    {documentText(document, file.problems)}
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
  { kind, name, line, used, reason }: ResourceDocument,
  problems: ResourceFile['problems'],
): string {
  const isBelow = problems.some(
    ({ severity, message }) => severity !== 'warning' && reason?.includes(message),
  );
  const facts = { kind, name, line, reason: clause(reason) };
  if (!used && isBelow) return fill(COMPONENTS.documentUnusedBelow, facts);
  return fill(used ? COMPONENTS.documentUsed : COMPONENTS.documentUnused, facts);
}
