/** Every field of an event-router component, with its value and the result of its check. */
import { CircleCheck, CircleX, Minus, TriangleAlert } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { EventRouterComponent, FieldReport } from '../../../core/contract/event-router/components.ts';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { INPUT } from './copy/event-router.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole } from '../../state/context.ts';
import css from './EventRouter.module.css';
import { Panel } from './Panel.tsx';
import { RevealButton } from './RevealButton.tsx';

/** A table of the fields. */
export function FieldChecks({ component }: { readonly component: EventRouterComponent }): ReactElement {
  const { navigation } = useConsole();
  const [shown, setShown] = useState<Readonly<Record<string, string>>>({});
  const location = [component.file, component.line].filter((part) => part !== undefined).join(':');
  return (
    <Panel
      title={INPUT.fields}
      acts={
        <>
          {location !== '' && <code className={css.muted}>{location}</code>}
          <Button onClick={() => navigation.go('/components', { c: component.name })}>
            {INPUT.openFile}
          </Button>
        </>
      }
    >
      <DataTable
        dense
        label={INPUT.fields}
        whole={[0]}
        columns={[INPUT.field, INPUT.value, INPUT.check]}
        rows={component.fields.map((field) => ({
          id: field.field,
          isBad: field.problems.some(({ severity }) => severity !== 'warning'),
          cells: [
            <code key="name">{field.field}</code>,
            <span key="value" className={cx(css.check, css.secret)}>
              <bdi className={css.value}>{shown[field.field] ?? field.value ?? INPUT.notSet}</bdi>
              {field.secret && field.value !== undefined && (
                <RevealButton
                  name={field.field}
                  ask={{ component: component.name, field: field.field }}
                  isShown={shown[field.field] !== undefined}
                  onChange={(value) => {
                    const { [field.field]: _, ...rest } = shown;
                    setShown(value === undefined ? rest : { ...rest, [field.field]: value });
                  }}
                />
              )}
            </span>,
            <Check key="check" field={field} />,
          ],
        }))}
      />
      {component.notes.length > 0 && (
        <ul aria-label={INPUT.notes} className={css.muted}>
          {component.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Check({ field }: { readonly field: FieldReport }): ReactElement {
  const { problems, value } = field;
  if (problems.length > 0)
    return (
      <ul>
        {problems.map(({ message, severity }) => {
          const Icon = severity === 'warning' ? TriangleAlert : CircleX;
          return (
            <li key={message} className={css.check}>
              <Icon
                aria-hidden
                size={14}
                className={css.mark}
                data-bad={severity !== 'warning' || undefined}
              />
              {message}
            </li>
          );
        })}
      </ul>
    );
  const isSet = value !== undefined;
  const Icon = isSet ? CircleCheck : Minus;
  return (
    <span className={css.check}>
      <Icon aria-hidden size={14} className={css.mark} data-good={isSet || undefined} />
      {isSet ? INPUT.valid : fill(INPUT.notSet, {})}
    </span>
  );
}
