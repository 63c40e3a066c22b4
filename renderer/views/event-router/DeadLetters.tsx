/** Files of events that the embedded router could not deliver. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { fill } from '../../copy/fill.ts';
import { DEAD_LETTER_FILES, ROUTER_DELIVERIES } from './copy/local-router.ts';
import { utcTime } from '../../format/clock-time.ts';
import { size } from '../../format/quantity.ts';
import { saveFile } from '../../format/save-file.ts';
import { useConsole, useResource } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Known, Panel } from './Panel.tsx';
import { Body } from './RouterAttempts.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** A table with replay and delete. */
export function DeadLetters(): ReactElement {
  const { eventRouter } = useConsole();
  const { columns } = DEAD_LETTER_FILES;
  const [shown, setShown] = useState<{ readonly file: string; readonly text: string }>();
  const [target, setTarget] = useState('');
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
                  <FileActs
                    key="acts"
                    file={one.file}
                    target={target}
                    isShown={shown?.file === one.file}
                    onShow={(text) => setShown(text === undefined ? undefined : { file: one.file, text })}
                  />,
                ],
              }))}
            />
          )
        }
      </Known>
    </Panel>
  );
}

interface FileActsProps {
  readonly file: string;
  /** Subscription for replayed events; empty: their own. */
  readonly target: string;
  readonly isShown: boolean;
  /** Receives the file's content; undefined hides it. */
  readonly onShow: (text: string | undefined) => void;
}

/** Buttons that show, save, replay and delete one file. */
function FileActs({ file, target, isShown, onShow }: FileActsProps): ReactElement {
  const { call } = useConsole();
  const { away, ask, isPending, run } = useRouterActs();
  const to = target === '' ? {} : { subscriptionId: target };
  const content = async (): Promise<string> => {
    const { deadLetter = '' } = await call('eventRouter.deliveries', { deadLetterFile: file, limit: 1 });
    return deadLetter;
  };
  return (
    <span className={css.check}>
      <Button
        off={away}
        aria-expanded={isShown}
        onClick={() =>
          run(`show ${file}`, async () => {
            onShow(isShown ? undefined : await content());
            return undefined;
          })
        }
      >
        {isShown ? DEAD_LETTER_FILES.hide : DEAD_LETTER_FILES.show}
      </Button>
      <Button
        off={away}
        onClick={() =>
          run(`save ${file}`, async () => {
            saveFile(file.split('/').at(-1) ?? file, [await content()], 'application/json');
            return undefined;
          })
        }
      >
        {DEAD_LETTER_FILES.save}
      </Button>
      <Button
        off={away}
        pending={isPending(`replay ${file}`)}
        onClick={() =>
          run(`replay ${file}`, async () => {
            await call('eventRouter.act', { act: 'replay', deadLetterFile: file, ...to });
            return DEAD_LETTER_FILES.replayed;
          })
        }
      >
        {DEAD_LETTER_FILES.replay}
      </Button>
      <Button
        off={away}
        pending={isPending(`delete ${file}`)}
        onClick={() =>
          ask(
            {
              title: DEAD_LETTER_FILES.delete,
              text: fill(DEAD_LETTER_FILES.question, { file: file }),
            },
            `delete ${file}`,
            async () => {
              await call('eventRouter.act', { act: 'delete', deadLetterFile: file });
              return DEAD_LETTER_FILES.deleted;
            },
          )
        }
      >
        {DEAD_LETTER_FILES.delete}
      </Button>
    </span>
  );
}

interface TargetProps {
  readonly value: string;
  readonly onChange: (subscriptionId: string) => void;
}

/** Choice of the subscription for replayed events; nothing if there is only their own. */
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
