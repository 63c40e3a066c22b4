/** Saved requests and history beside the form: a click or Enter loads one into a tab. */
import { useState, type ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import type { SavedRequest } from '../../../core/contract/saved.ts';
import type { Result } from '../../../core/contract/console.ts';
import { TextField } from '../../components/Fields.tsx';
import { Loaded } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { SAVED } from '../../copy/saved.ts';
import { clockTime } from '../../format/clock-time.ts';
import { useConsole, useResource } from '../../state/context.ts';
import { draftOfRequest } from './from-request.ts';
import css from './RequestSide.module.css';

const PAST_SHOWN = 30;

/** Loads a request into the form: into the visible tab if that is empty, else into a new one. */
export function useLoadRequest(): (request: PublishParams) => void {
  const { drafts, navigation } = useConsole();
  return (request) => {
    const draft = draftOfRequest(request, drafts.nextId);
    const { single } = drafts.store.getState();
    if (single.data === '' && single.topic === '' && single.file === undefined) drafts.editSingle(draft);
    else drafts.open(draft);
    navigation.change({ t: undefined });
  };
}

/** A search field, folders, and the last publishes. */
export function RequestSide(): ReactElement {
  const { saved } = useConsole();
  const { value, failure } = useResource(saved.requests);
  return (
    <Loaded
      value={value}
      failure={failure}
      loading={SAVED.loading}
      failed={SAVED.failed}
      again={() => void saved.requests.refresh()}
      rows={4}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function Known({ value }: { readonly value: Result<'requests.list'> }): ReactElement {
  const [find, setFind] = useState('');
  const load = useLoadRequest();
  const letters = find.trim().toLowerCase();
  const found = value.items.filter(({ name, request }) =>
    `${name} ${request.topic}`.toLowerCase().includes(letters),
  );
  const folders = [...new Set(found.map(({ folder }) => folder ?? ''))].toSorted();
  const past = value.history.filter(({ request }) => request.topic.toLowerCase().includes(letters));
  return (
    <nav className={css.side} aria-label={SAVED.list}>
      <TextField type="search" label={SAVED.find} value={find} onChange={setFind} />
      <h2>{SAVED.list}</h2>
      {value.items.length === 0 && <p className={css.muted}>{SAVED.none}</p>}
      {value.items.length > 0 && found.length === 0 && (
        <p className={css.muted}>{fill(SAVED.noneFound, { text: find })}</p>
      )}
      {folders.map((folder) =>
        folder === '' ? (
          <Requests key="" requests={found.filter((each) => (each.folder ?? '') === '')} onLoad={load} />
        ) : (
          <details key={folder} open>
            <summary>{folder}</summary>
            <Requests requests={found.filter((each) => each.folder === folder)} onLoad={load} />
          </details>
        ),
      )}
      <h2>{SAVED.history}</h2>
      {value.history.length === 0 && <p className={css.muted}>{SAVED.noHistory}</p>}
      <ul className={css.list} aria-label={SAVED.history}>
        {past.slice(0, PAST_SHOWN).map(({ at, request }, index) => (
          <li key={`${at} ${String(index)}`}>
            <button type="button" className={css.one} onClick={() => load(request)}>
              <code>{clockTime(at)}</code>
              <span className={css.name}>{request.topic}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface RequestsProps {
  readonly requests: readonly SavedRequest[];
  readonly onLoad: (request: PublishParams) => void;
}

function Requests({ requests, onLoad }: RequestsProps): ReactElement {
  return (
    <ul className={css.list}>
      {requests.map((each) => (
        <li key={each.requestId}>
          <button
            type="button"
            className={css.one}
            title={each.request.topic}
            onClick={() => onLoad(each.request)}
          >
            <span className={css.name}>{each.name}</span>
            {each.shortcut !== undefined && <kbd>{each.shortcut}</kbd>}
          </button>
        </li>
      ))}
    </ul>
  );
}
