/** Problems of files and answers, each with its position. */
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { asSentence } from '../../core/contract/error-text.ts';
import type { Problem } from '../../core/contract/subscription.ts';
import { FILES } from '../copy/files.ts';
import { fill } from '../copy/fill.ts';
import { WholeFlags } from './WholeFlags.tsx';
import { COMPONENTS } from '../copy/topics.ts';
import css from './ProblemList.module.css';

/** Position of a problem: "pubsub.yaml:12:5 (document 2)", as far as it is known. */
function locationOfProblem({ file, line, column, document }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return document === undefined ? place : fill(COMPONENTS.inDocument, { place, n: document });
}

/** Position of a problem beside its file: "12:5". */
function placeInFile({ line, column, document }: Problem): string {
  if (line !== undefined) return column === undefined ? String(line) : `${line}:${column}`;
  return document === undefined ? '' : fill(COMPONENTS.inDocument, { place: '', n: document }).trim();
}

export interface ProblemListProps {
  readonly problems: readonly Problem[];
  readonly label: string;
  /** Opens the line of a problem that has one. */
  readonly onGo?: ((problem: Problem) => void) | undefined;
  /** True: the list stands beside its file, so line and column are enough. */
  readonly isInFile?: boolean;
  /** Draws what helps with a problem, behind its text. */
  readonly acts?: (problem: Problem) => ReactNode;
}

interface PlaceProps extends Pick<ProblemListProps, 'onGo' | 'isInFile'> {
  readonly problem: Problem;
}

/** The position of a problem and a space; a button where its line can be opened, nothing for a problem of the whole file. */
function Place({ problem, onGo, isInFile }: PlaceProps): ReactElement | null {
  const place = isInFile === true ? placeInFile(problem) : locationOfProblem(problem);
  if (place === '') return null;
  if (onGo === undefined || problem.line === undefined)
    return (
      <>
        <code>{place}</code>{' '}
      </>
    );
  return (
    <>
      <button
        type="button"
        className={css.go}
        aria-label={fill(FILES.goTo, { place })}
        onClick={() => onGo(problem)}
      >
        <code>{place}</code>
      </button>{' '}
    </>
  );
}

/** A list of problems; nothing if there is none. */
export function ProblemList({
  problems,
  label,
  onGo,
  isInFile = false,
  acts,
}: ProblemListProps): ReactElement | null {
  if (problems.length === 0) return null;
  return (
    <ul aria-label={label} className={css.list}>
      {problems.map((problem, index) => {
        const isWarning = problem.severity === 'warning';
        const Icon = isWarning ? TriangleAlert : CircleAlert;
        return (
          <li
            key={`${locationOfProblem(problem)} ${problem.message} ${index}`}
            className={css.problem}
            data-warning={isWarning || undefined}
          >
            <Icon aria-hidden size={14} className={css.icon} />
            <span>
              <Place problem={problem} onGo={onGo} isInFile={isInFile} />
              <WholeFlags text={asSentence(problem.message, problem.field)} />
              {acts?.(problem)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
