/** Files of events that the embedded router gave up. */
import type { ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { fill } from '../../copy/fill.ts';
import { DEAD_LETTER_FILES, ROUTER_DELIVERIES } from '../../copy/local-router.ts';
import { size, utcTime } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** Table with replay and delete. */
export function DeadLetters(): ReactElement {
  const { call, eventRouter } = useConsole();
  const { away, ask, isPending, run } = useRouterActs();
  const { columns } = DEAD_LETTER_FILES;
  return (
    <Panel title={DEAD_LETTER_FILES.title}>
      <Known
        of={eventRouter.deadLetters}
        loading={ROUTER_DELIVERIES.loading}
        failed={DEAD_LETTER_FILES.failed}
      >
        {({ deadLetters = [] }) =>
          deadLetters.length === 0 ? (
            <p className={css.muted}>{DEAD_LETTER_FILES.none}</p>
          ) : (
            <DataTable
              dense
              label={DEAD_LETTER_FILES.title}
              columns={[columns.file, columns.event, columns.reason, columns.attempts, columns.size, '']}
              numeric={[3, 4]}
              rows={deadLetters.map((one) => ({
                id: one.file,
                cells: [
                  <code key="file" title={utcTime(one.at)}>
                    {one.file}
                  </code>,
                  <bdi key="event">{one.eventId}</bdi>,
                  [DEAD_LETTER_FILES.reasons[one.reason], one.lastOutcome]
                    .filter((part) => part !== undefined)
                    .join(' · '),
                  one.attempts,
                  size(one.sizeBytes),
                  <span key="acts" className={css.check}>
                    <Button
                      off={away}
                      pending={isPending(`replay ${one.file}`)}
                      onClick={() =>
                        run(`replay ${one.file}`, async () => {
                          await call('eventRouter.act', { act: 'replay', deadLetterFile: one.file });
                          return DEAD_LETTER_FILES.replayed;
                        })
                      }
                    >
                      {DEAD_LETTER_FILES.replay}
                    </Button>
                    <Button
                      off={away}
                      pending={isPending(`delete ${one.file}`)}
                      onClick={() =>
                        ask(
                          {
                            title: DEAD_LETTER_FILES.delete,
                            text: fill(DEAD_LETTER_FILES.question, { file: one.file }),
                          },
                          `delete ${one.file}`,
                          async () => {
                            await call('eventRouter.act', { act: 'delete', deadLetterFile: one.file });
                            return DEAD_LETTER_FILES.deleted;
                          },
                        )
                      }
                    >
                      {DEAD_LETTER_FILES.delete}
                    </Button>
                  </span>,
                ],
              }))}
            />
          )
        }
      </Known>
    </Panel>
  );
}
