/** Saved requests by folder, and the last publishes; each can be published again or loaded into the form. */
import { ClipboardPaste, Pencil, Trash2, Upload } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import type { PublishParams } from '../../../core/contract/publish.ts';
import type { PastRequest, SavedRequest } from '../../../core/contract/saved.ts';
import type { Result } from '../../../core/contract/console.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField } from '../../components/Fields.tsx';
import { Loaded } from '../../components/States.tsx';
import { ProblemList } from '../../components/ProblemList.tsx';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { SAVED } from '../../copy/saved.ts';
import { clockTime } from '../../format/clock-time.ts';
import { runSaved } from '../../keys/saved-commands.ts';
import { useAway, useConsole, useResource } from '../../state/context.ts';
import { RequestFiles } from './RequestFiles.tsx';
import { useLoadRequest } from './RequestSide.tsx';
import { CurlDialog } from './CurlDialog.tsx';
import { SaveDialog } from '../../components/SaveDialog.tsx';
import css from './SingleForm.module.css';

/** Both lists. */
export function SavedTab(): ReactElement {
  const { saved } = useConsole();
  const { value, failure } = useResource(saved.requests);
  // Another program may have written a file of the folder.
  useEffect(() => saved.requests.invalidate(), [saved]);

  return (
    <Loaded
      value={value}
      failure={failure}
      loading={SAVED.loading}
      failed={SAVED.failed}
      again={() => void saved.requests.refresh()}
    >
      {(known) => <Known value={known} />}
    </Loaded>
  );
}

function Known({ value }: { readonly value: Result<'requests.list'> }): ReactElement {
  const [find, setFind] = useState('');
  const [pastes, setPastes] = useState(false);
  const [edits, setEdits] = useState<SavedRequest>();
  const load = useLoadRequest();
  const letters = find.trim().toLowerCase();
  const found = value.items.filter(({ name, request }) =>
    `${name} ${request.topic}`.toLowerCase().includes(letters),
  );
  const folders = [...new Set(found.map(({ folder }) => folder ?? ''))].toSorted();
  return (
    <div className={css.form}>
      <div className={css.actions}>
        <TextField label={SAVED.find} value={find} onChange={setFind} />
        <Button icon={ClipboardPaste} onClick={() => setPastes(true)}>
          {SAVED.curl}
        </Button>
        <RequestFiles requests={value.items} />
      </div>
      <ProblemList label={SAVED.problems} problems={value.problems} />
      <h2>{SAVED.list}</h2>
      {value.items.length === 0 && <p className={css.muted}>{SAVED.none}</p>}
      {value.items.length > 0 && found.length === 0 && (
        <p className={css.muted}>{fill(SAVED.noneFound, { text: find })}</p>
      )}
      {folders.map((folder) => (
        <section key={folder} aria-label={folder === '' ? SAVED.noFolder : folder} className={css.folder}>
          {(folders.length > 1 || folder !== '') && <h3>{folder === '' ? SAVED.noFolder : folder}</h3>}
          <Folder
            title={folder === '' ? SAVED.list : folder}
            requests={found.filter((each) => (each.folder ?? '') === folder)}
            onLoad={load}
            onEdit={setEdits}
          />
        </section>
      ))}
      <h2>{SAVED.history}</h2>
      {value.history.length === 0 ? (
        <p className={css.muted}>{SAVED.noHistory}</p>
      ) : (
        <History past={value.history} onLoad={load} />
      )}
      {pastes && <CurlDialog onRequest={load} onClose={() => setPastes(false)} />}
      {edits !== undefined && (
        <SaveDialog request={edits.request} of={edits} onClose={() => setEdits(undefined)} />
      )}
    </div>
  );
}

interface FolderProps {
  readonly title: string;
  readonly requests: readonly SavedRequest[];
  readonly onLoad: (request: PublishParams) => void;
  readonly onEdit: (request: SavedRequest) => void;
}

function Folder({ title, requests, onLoad, onEdit }: FolderProps): ReactElement {
  const { acting, call, commands, saved, toasts } = useConsole();
  const { columns } = SAVED;

  function remove(of: SavedRequest): void {
    const { name, requestId, savedAt: _savedAt, ...kept } = of;
    const undo = (): void =>
      void acting.run('requests.save', async () => {
        await call('requests.save', { name, ...kept });
        await saved.requests.refresh();
        return fill(SAVED.saved, { name });
      });
    commands.open({
      kind: 'confirm',
      question: {
        title: fill(SAVED.removeTitle, { name }),
        text: SAVED.removeText,
        yes: SAVED.removeYes,
        danger: true,
        run: () =>
          void acting.run('requests.remove', async () => {
            await call('requests.remove', { requestId });
            await saved.requests.refresh();
            toasts.done(fill(SAVED.removed, { name }), { title: SAVED.undo, run: undo });
            return undefined;
          }),
      },
    });
  }

  return (
    <DataTable
      label={title}
      whole={[2]}
      columns={[columns.name, columns.to, columns.key, columns.acts]}
      rows={requests.map((each) => ({
        id: each.requestId,
        cells: [
          each.file === undefined ? (
            each.name
          ) : (
            <span key="name" className={css.filed}>
              {each.name}
              <span className={css.muted}>{fill(SAVED.inFile, { file: each.file })}</span>
            </span>
          ),
          <code key="to">
            {fill(SAVED.toTopic, { pubsubname: each.request.pubsubname, topic: each.request.topic })}
          </code>,
          each.shortcut ?? '',
          <RequestActs key="acts" of={each} onLoad={onLoad} onEdit={onEdit} onRemove={remove} />,
        ],
      }))}
    />
  );
}

interface RequestActsProps extends Pick<FolderProps, 'onLoad' | 'onEdit'> {
  readonly of: SavedRequest;
  readonly onRemove: (request: SavedRequest) => void;
}

/** Buttons that publish, load, edit and remove one saved request; one of a file is edited there. */
function RequestActs({ of: request, onLoad, onEdit, onRemove }: RequestActsProps): ReactElement {
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  return (
    <span className={css.acts}>
      <Button
        aria-label={fill(SAVED.runName, { name: request.name })}
        off={away}
        onClick={() => void runSaved(console, request)}
      >
        {SAVED.run}
      </Button>
      <IconButton
        icon={Upload}
        label={fill(SAVED.loadName, { name: request.name })}
        onClick={() => onLoad(request.request)}
      />
      <IconButton
        icon={Pencil}
        label={fill(SAVED.edit, { name: request.name })}
        off={request.file === undefined ? undefined : fill(SAVED.changeFile, { file: request.file })}
        onClick={() => onEdit(request)}
      />
      <IconButton
        icon={Trash2}
        label={fill(SAVED.remove, { name: request.name })}
        off={request.file === undefined ? away : fill(SAVED.changeFile, { file: request.file })}
        onClick={() => onRemove(request)}
      />
    </span>
  );
}

interface HistoryProps {
  readonly past: readonly PastRequest[];
  readonly onLoad: (request: PublishParams) => void;
}

function History({ past, onLoad }: HistoryProps): ReactElement {
  const { acting } = useConsole();
  const { columns } = SAVED;
  return (
    <DataTable
      dense
      label={SAVED.history}
      whole={[0]}
      columns={[columns.at, columns.to, columns.result, columns.acts]}
      rows={past.map(({ at, request, messageId, code }, index) => ({
        id: `${at} ${index}`,
        cells: [
          <code key="at">{clockTime(at)}</code>,
          <code key="to">
            {fill(SAVED.toTopic, { pubsubname: request.pubsubname, topic: request.topic })}
          </code>,
          messageId === undefined ? (
            fill(SAVED.refused, { code })
          ) : (
            <span key="show" className={css.flush}>
              <Button kind="quiet" onClick={() => acting.show(messageId)}>
                {SAVED.show}
              </Button>
            </span>
          ),
          <span key="load" className={css.flush}>
            <Button kind="quiet" onClick={() => onLoad(request)}>
              {SAVED.load}
            </Button>
          </span>,
        ],
      }))}
    />
  );
}
