/** The output side of one component: creating an event by hand, the calls so far, and the router's topics. */
import { Send } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Facts } from '../../components/Facts.tsx';
import type { EventRouterComponent, OutputReport } from '../../../core/contract/event-router/components.ts';
import { Button } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { RefusedForm } from '../../components/RefusedForm.tsx';
import { useRefused } from '../../components/use-refused.ts';
import { Empty } from '../../components/States.tsx';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { OUTPUT } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { clockTime, utcTime } from '../../format/clock-time.ts';
import { duration } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { JsonBox } from './JsonBox.tsx';
import { FieldChecks } from './FieldChecks.tsx';
import { Panel } from './Panel.tsx';
import { RevealButton } from './RevealButton.tsx';
import { TopicsPanel } from './TopicsPanel.tsx';
import { useRouterActs } from './use-router-acts.ts';

/** A form, the calls, the topics. */
export function OutputTab({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { output } = component;
  if (output === undefined)
    return (
      <>
        {component.state === 'ready' && (
          <Empty title={fill(OUTPUT.none, { component: component.name, direction: component.direction })} />
        )}
        <FieldChecks component={component} />
      </>
    );
  return (
    <>
      <CreateForm component={component} output={output} />
      <Calls output={output} />
      <TopicsPanel component={component} />
    </>
  );
}

/** Required members of a CloudEvent that are missing. */
function missingMembers(value: unknown): readonly string[] {
  const known: ReadonlyMap<string, unknown> = new Map(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  return ['specversion', 'id', 'source', 'type'].filter((name) => {
    const member = known.get(name);
    return typeof member !== 'string' || member === '';
  });
}

const EVENT = { type: 'com.example.created', subject: '', data: '{\n  "orderId": 1\n}', raw: false };

interface OutputProps {
  readonly component: EventRouterComponent;
  readonly output: OutputReport;
}

/** Target of a created event, and its key. */
function CreateFacts({ component, output }: OutputProps): ReactElement {
  const [key, setKey] = useState<string>();
  return (
    <Facts
      facts={[
        [OUTPUT.operation, output.operations.join(', ')],
        [OUTPUT.endpoint, <bdi key="endpoint">{output.topicEndpoint}</bdi>],
        [
          OUTPUT.accessKey,
          <span key="key" className={css.check}>
            <bdi className={css.value}>{key ?? '•••••••'}</bdi>
            <RevealButton
              name={OUTPUT.accessKey}
              ask={{ component: component.name, field: 'accessKey' }}
              isShown={key !== undefined}
              onChange={setKey}
            />
          </span>,
        ],
      ]}
    />
  );
}

function CreateForm({ component, output }: OutputProps): ReactElement {
  const { call } = useConsole();
  const { away, isPending, run } = useRouterActs();
  const [{ type, subject, data, raw }, change] = useLeftState(`created event of ${component.name}`, EVENT);
  const set = (part: Partial<typeof EVENT>): void => change((now) => ({ ...now, ...part }));
  const refused = useRefused(['data', 'type', 'subject']);
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean }>();
  const mistake = jsonMistake(data);
  const wrong = mistake === undefined ? undefined : fill(OUTPUT.notJson, { ...mistake });

  const missing = raw && mistake === undefined ? missingMembers(JSON.parse(data)) : [];

  async function create(): Promise<undefined> {
    setSaid(undefined);
    const answer = await call('eventRouter.create', {
      component: component.name,
      data: JSON.parse(data) as unknown,
      ...(raw ? { raw } : { type, ...(subject === '' ? {} : { subject }) }),
    });
    const isBad = answer.status !== undefined && answer.status >= 300;
    setSaid({
      text: isBad
        ? fill(OUTPUT.refused, { message: answer.message ?? answer.status })
        : fill(OUTPUT.created, { status: answer.status }),
      bad: isBad,
    });
    return undefined;
  }

  return (
    <Panel title={OUTPUT.create}>
      <CreateFacts component={component} output={output} />
      <RefusedForm refused={refused} className={css.tab}>
        {!raw && (
          <div className={css.fields}>
            <TextField
              label={OUTPUT.type}
              error={refused.at('type')}
              value={type}
              onChange={(next) => set({ type: next })}
            />
            <TextField
              label={OUTPUT.subject}
              error={refused.at('subject')}
              value={subject}
              onChange={(next) => set({ subject: next })}
            />
          </div>
        )}
        <JsonBox
          label={OUTPUT.data}
          value={data}
          wrong={wrong ?? refused.at('data')}
          onChange={(next) => set({ data: next })}
        />
      </RefusedForm>
      <NoEvent missing={missing} onWrap={() => set({ raw: false })} />
      <div className={css.head}>
        <Checkbox
          label={OUTPUT.raw}
          hint={OUTPUT.rawHint}
          checked={raw}
          onChange={(next) => set({ raw: next })}
        />
        <Button
          kind="primary"
          icon={Send}
          off={away ?? wrong}
          pending={isPending('create')}
          onClick={() => run('create', create, refused)}
        >
          {OUTPUT.create}
        </Button>
        <span role="status" className={said?.bad === true ? css.problem : undefined}>
          {said?.text}
        </span>
      </div>
    </Panel>
  );
}

interface NoEventProps {
  /** Required members that the data does not have. */
  readonly missing: readonly string[];
  readonly onWrap: () => void;
}

/** Says that the data is no event by itself, with a button that lets Sidelight make one of it. */
function NoEvent({ missing, onWrap }: NoEventProps): ReactElement | null {
  if (missing.length === 0) return null;
  return (
    <div role="status" className={css.warning}>
      <span>{fill(OUTPUT.noEvent, { missing: missing.join(', ') })}</span>
      <Button onClick={onWrap}>{OUTPUT.wrap}</Button>
    </div>
  );
}

function Calls({ output }: { readonly output: OutputReport }): ReactElement {
  const { columns } = OUTPUT;
  return (
    <Panel title={OUTPUT.calls}>
      {output.calls.length === 0 ? (
        <p className={css.muted}>{OUTPUT.noCalls}</p>
      ) : (
        <DataTable
          dense
          label={OUTPUT.calls}
          columns={[columns.time, columns.status, columns.event, columns.took, columns.error]}
          whole={[0]}
          rows={output.calls.map((one, index) => ({
            id: `${one.at} ${index}`,
            isBad: one.error !== undefined,
            cells: [
              <time key="at" dateTime={one.at} title={utcTime(one.at)}>
                {clockTime(one.at)}
              </time>,
              one.status ?? VIEWS_COMMON.dash,
              <bdi key="id" className={css.value}>
                {one.eventId ?? VIEWS_COMMON.dash}
              </bdi>,
              duration(one.durationMs),
              one.error ?? VIEWS_COMMON.dash,
            ],
          }))}
        />
      )}
    </Panel>
  );
}
