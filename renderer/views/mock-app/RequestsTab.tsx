/** All requests to the mock app, newest first. */
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { MockRequest, ResponseRule } from '../../../core/contract/mock-app.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { MOCK, REQUESTS } from '../../copy/mock-app.ts';
import { addressPart } from '../../../core/contract/address-part.ts';
import { filterValue } from '../../format/cell-term.ts';
import { clockTime } from '../../format/clock-time.ts';
import { count, duration } from '../../format/quantity.ts';
import css from './MockApp.module.css';

const SHOWN = 200;

/** A table of the last requests. */
export function RequestsTab({
  requests,
  rules,
}: {
  readonly requests: readonly MockRequest[];
  readonly rules: readonly ResponseRule[];
}): ReactElement {
  const [isWhole, setIsWhole] = useState(false);
  if (requests.length === 0) return <Empty title={REQUESTS.none} />;
  const newest = (isWhole ? requests : requests.slice(-SHOWN)).toReversed();
  return (
    <div className={css.tab}>
      <DataTable
        dense
        label={REQUESTS.table}
        numeric={[7]}
        whole={[0, 1, 5]}
        folded={[1, 4, 5]}
        columns={[
          REQUESTS.at,
          REQUESTS.kind,
          REQUESTS.method,
          REQUESTS.path,
          REQUESTS.topic,
          REQUESTS.event,
          REQUESTS.status,
          REQUESTS.took,
          REQUESTS.by,
        ]}
        rows={newest.map((request, index) => ({
          id: `${request.at} ${requests.length - index}`,
          cells: [
            <code key="at">{clockTime(request.at)}</code>,
            REQUESTS.kinds[request.kind],
            request.method,
            <code key="path">{request.path}</code>,
            request.topic ?? '',
            request.eventId === undefined ? '' : <EventLink key="event" id={request.eventId} />,
            request.status ?? '',
            request.durationMs === undefined ? '' : duration(request.durationMs),
            answeredBy(request, rules),
          ],
        }))}
      />
      {newest.length < requests.length && (
        <div className={css.buttons}>
          <span className={css.muted}>
            {fill(REQUESTS.newest, { n: count(newest.length), of: count(requests.length) })}
          </span>
          <Button onClick={() => setIsWhole(true)}>
            {fill(REQUESTS.all, { n: count(requests.length) })}
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * The rule that answered, by its position if it has no name. Without rule and remark it was the default
 * answer.
 */
function answeredBy(
  { answeredBy: by, kind, note }: Pick<MockRequest, 'answeredBy' | 'kind' | 'note'>,
  rules: readonly Pick<ResponseRule, 'ruleId'>[],
): string {
  if (by !== undefined) {
    const ruleIndex = rules.findIndex(({ ruleId }) => ruleId === by.ruleId);
    return (
      by.name ?? note ?? (ruleIndex === -1 ? REQUESTS.unnamed : fill(MOCK.unnamed, { n: ruleIndex + 1 }))
    );
  }
  return note ?? (kind === 'delivery' ? MOCK.default : '');
}

function EventLink({ id }: { readonly id: string }): ReactElement {
  const filter = `id:${filterValue(id)}`;
  return (
    <Link href={`/messages?f=${addressPart(filter)}`} aria-label={fill(REQUESTS.toMessage, { id })}>
      <code className={css.eventId}>{id}</code>
    </Link>
  );
}
