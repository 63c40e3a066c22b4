/** What helps with the messages of a problem: they are shown in the list, or sent to where the app takes them now. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { Problem } from '../../../core/contract/subscription.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { NOW_SUBSCRIBED } from '../../../core/contract/discovery-text.ts';
import { REROUTED_PROBLEMS } from '../../../core/contract/rerouted-problems.ts';
import { ReplayThem } from '../../components/ReplayThem.tsx';
import { RerouteThem } from '../../components/RerouteThem.tsx';
import { APPS } from '../../copy/apps.ts';
import css from './Apps.module.css';
import { helps } from './use-help.ts';

/** The acts; nothing for a problem that is about no messages. */
export function ProblemActs({ problem }: { readonly problem: Problem }): ReactElement | null {
  const { filter, deliveries } = problem;
  if (filter === undefined) return null;
  const code = REROUTED_PROBLEMS.find((each) => each === problem.code);
  return (
    <span className={css.problemActs} {...helps('acts')}>
      {problem.code === NOW_SUBSCRIBED && <ReplayThem filter={filter} />}
      {code !== undefined && deliveries !== undefined && <RerouteThem problem={{ code, ...deliveries }} />}
      <Link href={`/messages?f=${addressPart(filter)}`}>{APPS.showThem}</Link>
    </span>
  );
}
