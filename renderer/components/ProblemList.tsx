/** Problems of files and answers, each with its position. */
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Problem } from '../../core/contract/subscription.ts';
import { Button } from './Button.tsx';
import { FILES } from '../copy/files.ts';
import { fill } from '../copy/fill.ts';
import { COMPONENTS } from '../copy/topics.ts';
import css from './ProblemList.module.css';

/** Position of a problem: "pubsub.yaml:12:5 (document 2)", as far as it is known. */
export function locationOfProblem({ file, line, column, document }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return document === undefined ? place : fill(COMPONENTS.inDocument, { place, n: document });
}

export interface ProblemListProps {
  readonly problems: readonly Problem[];
  readonly label: string;
  /** Opens the line of a problem that has one. */
  readonly onGo?: ((problem: Problem) => void) | undefined;
}

/** A list of problems; nothing if there is none. */
export function ProblemList({ problems, label, onGo }: ProblemListProps): ReactElement | null {
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
              <code>{locationOfProblem(problem)}</code> {problem.message}{' '}
              {onGo !== undefined && problem.line !== undefined && (
                <Button kind="quiet" onClick={() => onGo(problem)}>
                  {fill(FILES.goTo, { line: problem.line })}
                </Button>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
