/** The attributes of a person's own CloudEvent. */
import type { ReactElement } from 'react';
import { TextField } from '../../components/Fields.tsx';
import { ATTRIBUTES, PUBLISH } from '../../copy/publish.ts';
import { fill } from '../../copy/fill.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { useConsole } from '../../state/context.ts';
import type { SingleDraft } from '../../state/publish-drafts.ts';
import { Pairs } from './Pairs.tsx';
import css from './SingleForm.module.css';

const NAMES = ['id', 'source', 'type', 'subject', 'time', 'dataschema'] as const;
const REQUIRED = new Set<string>(['source', 'type']);
const LEFT_OPEN: Readonly<Record<string, string>> = { id: PUBLISH.newId, time: PUBLISH.now };

/** One field per attribute, and rows for extensions. */
export function AttributesTab({ draft }: { readonly draft: SingleDraft }): ReactElement {
  const { drafts } = useConsole();
  return (
    <>
      <div className={css.attributes}>
        {NAMES.map((name) => (
          <TextField
            key={name}
            mono
            label={
              REQUIRED.has(name) ? fill(VIEWS_COMMON.required, { label: ATTRIBUTES[name] }) : ATTRIBUTES[name]
            }
            value={draft.attributes[name]}
            placeholder={LEFT_OPEN[name]}
            onChange={(value) => drafts.editSingle({ attributes: { ...draft.attributes, [name]: value } })}
          />
        ))}
        <TextField mono readOnly label={PUBLISH.specversion} value="1.0" onChange={() => undefined} />
      </div>
      <h3>{PUBLISH.extensions}</h3>
      <Pairs
        pairs={draft.extensions}
        add={PUBLISH.addExtension}
        nextId={drafts.nextId}
        onChange={(extensions) => drafts.editSingle({ extensions })}
      />
    </>
  );
}
