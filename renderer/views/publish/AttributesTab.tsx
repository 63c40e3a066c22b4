/** The attributes of a custom CloudEvent. */
import type { ReactElement } from 'react';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { ATTRIBUTES, PUBLISH } from '../../copy/publish.ts';
import { fill } from '../../copy/fill.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { useSeenTypes } from '../../components/use-seen-types.ts';
import { useConsole } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { Pairs } from './Pairs.tsx';
import { extensionMistakes, missingAttributes } from './single-request.ts';
import css from './SingleForm.module.css';
import { randomId } from '../../client/random-id.ts';

const PLAIN = ['source', 'type', 'subject', 'dataschema'] as const;
/** Required ones without a box that fills them. */
const TYPED = new Set<string>(['source', 'type']);

/** One field per attribute, and rows for extensions. */
export function AttributesTab({
  draft,
  tried,
}: {
  readonly draft: SingleDraft;
  /** Whether a publish was tried: what is missing is shown from then on. */
  readonly tried: boolean;
}): ReactElement {
  const { drafts } = useConsole();
  const types = useSeenTypes();
  const { attributes } = draft;
  const missing: ReadonlySet<string> = new Set(tried ? missingAttributes(draft) : []);
  const errorOf = (name: string): string | undefined =>
    missing.has(name) ? fill(PUBLISH.missing, { names: name }) : undefined;
  const set = (change: Partial<SingleDraft['attributes']>): SingleDraft['attributes'] => ({
    ...attributes,
    ...change,
  });
  return (
    <>
      <div className={css.attributes}>
        <Filled
          label={ATTRIBUTES.id}
          error={errorOf('id')}
          value={attributes.id}
          filling={PUBLISH.newId}
          isFilled={draft.isNewId}
          tick={PUBLISH.isNewId}
          onChange={(id) => drafts.editSingle({ isNewId: false, attributes: set({ id }) })}
          onFill={(isNewId) =>
            drafts.editSingle({ isNewId, attributes: set({ id: isNewId ? '' : randomId() }) })
          }
        />
        {PLAIN.map((name) => (
          <TextField
            key={name}
            mono
            label={
              TYPED.has(name) ? fill(VIEWS_COMMON.required, { label: ATTRIBUTES[name] }) : ATTRIBUTES[name]
            }
            error={errorOf(name)}
            value={attributes[name]}
            suggestions={name === 'type' ? types : undefined}
            onChange={(value) => drafts.editSingle({ attributes: set({ [name]: value }) })}
          />
        ))}
        <Filled
          label={ATTRIBUTES.time}
          error={undefined}
          value={attributes.time}
          filling={PUBLISH.now}
          isFilled={draft.isNow}
          tick={PUBLISH.isNow}
          onChange={(time) => drafts.editSingle({ isNow: false, attributes: set({ time }) })}
          onFill={(isNow) =>
            drafts.editSingle({ isNow, attributes: set({ time: isNow ? '' : new Date().toISOString() }) })
          }
        />
        <TextField mono readOnly label={PUBLISH.specversion} value="1.0" onChange={() => undefined} />
        <TextField
          mono
          readOnly
          label={ATTRIBUTES.datacontenttype}
          hint={PUBLISH.fillsFrom}
          value={draft.contentType}
          onChange={() => undefined}
        />
      </div>
      <h3>{PUBLISH.extensions}</h3>
      <Pairs
        pairs={draft.extensions}
        add={PUBLISH.addExtension}
        nextId={drafts.nextId}
        {...(tried && { mistakes: extensionMistakes(draft) })}
        onChange={(extensions) => drafts.editSingle({ extensions })}
      />
    </>
  );
}

interface FilledProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: string;
  /** What the host fills in while the box is ticked. */
  readonly filling: string;
  readonly isFilled: boolean;
  /** Text of the box. */
  readonly tick: string;
  readonly onChange: (value: string) => void;
  readonly onFill: (isFilled: boolean) => void;
}

/** A field that the host fills in while its box is ticked. */
function Filled(props: FilledProps): ReactElement {
  const { label, error, value, filling, isFilled, tick, onChange, onFill } = props;
  return (
    <div className={css.filled}>
      <TextField
        mono
        label={label}
        error={error}
        value={value}
        placeholder={isFilled ? filling : undefined}
        onChange={onChange}
      />
      <Checkbox label={tick} checked={isFilled} onChange={onFill} />
    </div>
  );
}
