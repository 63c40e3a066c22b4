/** Files of events that the embedded router gave up. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { fill } from '../../copy/fill.ts';
import { DEAD_LETTER_FILES, ROUTER_DELIVERIES } from './copy/local-router.ts';
import { size, utcTime } from '../../format/quantity.ts';
import { saveFile } from '../../format/save-file.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { Body } from './RouterAttempts.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** Table with replay and delete. */
export function DeadLetters(): ReactElement {
  const { call, eventRouter } = useConsole();
  const { away, ask, isPending, run } = useRouterActs();
  const { columns } = DEAD_LETTER_FILES;
  const [shown, setShown] = useState<{ readonly file: string; readonly text: string }>();
  const [target, setTarget] = useState('');
  const contentOf = async (file: string): Promise<{ readonly file: string; readonly text: string }> => {
    const { deadLetter = '' } = await call('eventRouter.deliveries', { deadLetterFile: file, limit: 1 });
    return { file, text: deadLetter };
  };
  const to = target === '' ? {} : { subscriptionId: target };
  return (
    <Panel title={DEAD_LETTER_FILES.title} acts={<ReplayTarget value={target} onChange={setTarget} />}>
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
                below: shown?.file === one.file ? <Body label={one.file} text={shown.text} /> : undefined,
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
                      aria-expanded={shown?.file === one.file}
                      onClick={() =>
                        run(`show ${one.file}`, async () => {
                          setShown(shown?.file === one.file ? undefined : await contentOf(one.file));
                          return undefined;
                        })
                      }
                    >
                      {shown?.file === one.file ? DEAD_LETTER_FILES.hide : DEAD_LETTER_FILES.show}
                    </Button>
                    <Button
                      off={away}
                      onClick={() =>
                        run(`save ${one.file}`, async () => {
                          const { text } = await contentOf(one.file);
                          saveFile(one.file.split('/').at(-1) ?? one.file, [text], 'application/json');
                          return undefined;
                        })
                      }
                    >
                      {DEAD_LETTER_FILES.save}
                    </Button>
                    <Button
                      off={away}
                      pending={isPending(`replay ${one.file}`)}
                      onClick={() =>
                        run(`replay ${one.file}`, async () => {
                          await call('eventRouter.act', { act: 'replay', deadLetterFile: one.file, ...to });
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

interface TargetProps {
  readonly value: string;
  readonly onChange: (subscriptionId: string) => void;
}

/** Where replayed events go: their own subscription, or another one; nothing to choose where there is no other. */
function ReplayTarget({ value, onChange }: TargetProps): ReactElement | null {
  const { eventRouter } = useConsole();
  const { value: known } = useResource(eventRouter.subscriptions);
  const records = (known?.items ?? []).flatMap(({ record }) => (record === undefined ? [] : [record]));
  if (records.length < 2) return null;
  return (
    <Choice
      label={DEAD_LETTER_FILES.to}
      value={value}
      options={[
        { value: '', title: DEAD_LETTER_FILES.own },
        ...records.map(({ id, name }) => ({ value: id, title: name })),
      ]}
      onChange={onChange}
    />
  );
}
