/** Exports everything, the list or the selection to a file, with progress and a button that stops it. */
import { Download } from 'lucide-react';
import { useMemo, useRef, useState, type ReactElement } from 'react';
import type { ExportFormat, Recording } from '../../../core/contract/recording.ts';
import { EXPORT_FORMATS } from '../../../core/contract/words.ts';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { useLeftState } from '../../components/left-state.ts';
import { useRefused, type Refused } from '../../components/use-refused.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { count } from '../../format/quantity.ts';
import { saveFile } from '../../format/save-file.ts';
import type { Recorded } from '../../format/since-here.ts';
import { exportedColumns } from '../../state/columns.ts';
import { useAway, useConsole } from '../../state/context.ts';
import type { Progress } from '../../state/recordings.ts';
import { useSelected } from '../../state/store.ts';
import page from '../page.module.css';
import { whatsNow, whatsOf, type What } from './choice.ts';
import css from './Recordings.module.css';

/** The form of an export on its screen. */
export function ExportPart(): ReactElement {
  const [paths, changePaths] = useLeftState('paths to mask', '');
  return (
    <section aria-label={RECORDINGS.export} className={page.box}>
      <h2>{RECORDINGS.export}</h2>
      <ExportForm paths={paths} onPaths={(next) => changePaths(() => next)} />
    </section>
  );
}

export interface ExportFormProps {
  /** Source of the export; undefined: the live history. */
  readonly recording?: Recording | undefined;
  /** A record in the live history, which is then the first choice. */
  readonly record?: Recorded | undefined;
  /** True: everything is chosen at first, not what the list shows. */
  readonly isAll?: boolean | undefined;
  /** Paths to mask, separated by commas. */
  readonly paths: string;
  readonly onPaths: (paths: string) => void;
  /** Called when a file was saved. */
  readonly onDone?: () => void;
}

function useWhats(recording: Recording | undefined, record: Recorded | undefined): readonly What[] {
  const console = useConsole();
  const ended = useSelected(console.ui, ({ recorded }) => recorded);
  return useMemo(
    () => (recording === undefined ? whatsNow(console, record, ended) : whatsOf(console, recording)),
    [console, recording, record, ended],
  );
}

/** Whether there is nothing to export: no message is kept in the live history. */
function useIsEmpty(recording: Recording | undefined): boolean {
  const { connection } = useConsole();
  const kept = useSelected(connection, ({ runtime }) => runtime?.kept);
  return recording === undefined && kept === 0;
}

/** Fields for the choice, the format and the masks. */
export function ExportForm(props: ExportFormProps): ReactElement {
  const { recording, record, isAll, paths, onPaths, onDone } = props;
  const console = useConsole();
  const away = useAway(ACT_WHY.away);
  const whats = useWhats(recording, record);
  const [what, setWhat] = useState((isAll === true ? undefined : whats[0]?.value) ?? 'all');
  const [format, setFormat] = useState<ExportFormat>('recording');
  const [maskHeaders, setMaskHeaders] = useState(true);
  const [asList, setAsList] = useState(true);
  const isEmpty = useIsEmpty(recording);
  const [progress, setProgress] = useState<Progress | undefined>();
  const stop = useRef<AbortController>(undefined);
  const refused = useRefused(['maskPaths']);

  async function start(): Promise<void> {
    const controller = new AbortController();
    stop.current = controller;
    setProgress({ done: 0, count: 0 });
    const maskPaths = pathsIn(paths);
    const choice = whats.find(({ value }) => value === what)?.choice ?? {};
    await refused.run('recordings.export', async () => {
      const params = {
        ...choice,
        format,
        maskHeaders,
        ...(maskPaths.length === 0 ? {} : { maskPaths }),
        ...(format === 'csv' && asList ? { columns: exportedColumns(console.ui.getState()) } : {}),
      };
      const file = await console.recordings.export(params, setProgress, controller.signal);
      if (file === undefined) return RECORDINGS.cancelled;
      saveFile(file.name, file.texts, file.contentType);
      onDone?.();
      return fill(RECORDINGS.exported, { name: file.name, n: count(file.count) });
    });
    setProgress(undefined);
  }

  return (
    <div className={page.stack}>
      <div className={css.fields}>
        <Choice label={RECORDINGS.what} value={what} options={whats} onChange={setWhat} />
        <Choice
          label={RECORDINGS.format}
          value={format}
          options={EXPORT_FORMATS.map((value) => ({ value, title: RECORDINGS.formats[value] }))}
          onChange={(next) => setFormat(EXPORT_FORMATS.find((each) => each === next) ?? 'recording')}
        />
      </div>
      {format === 'csv' && (
        <Checkbox
          label={RECORDINGS.asList}
          hint={RECORDINGS.asListHint}
          checked={asList}
          onChange={setAsList}
        />
      )}
      <Checkbox
        label={RECORDINGS.maskHeaders}
        hint={RECORDINGS.maskHeadersHint}
        checked={maskHeaders}
        onChange={setMaskHeaders}
      />
      <MaskPaths paths={paths} onPaths={onPaths} refused={refused} />
      <div className={page.bar}>
        <Button
          icon={Download}
          kind={isEmpty ? 'plain' : 'primary'}
          off={away}
          pending={progress !== undefined}
          onClick={() => void start()}
        >
          {RECORDINGS.start}
        </Button>
        {progress !== undefined && (
          <ExportProgress progress={progress} onStop={() => stop.current?.abort()} />
        )}
      </div>
    </div>
  );
}

interface MaskPathsProps {
  readonly paths: string;
  readonly onPaths: (text: string) => void;
  readonly refused: Refused;
}

/** The paths to mask, and the host's refusal of the export. */
function MaskPaths({ paths, onPaths, refused }: MaskPathsProps): ReactElement {
  return (
    <>
      <TextField
        mono
        label={RECORDINGS.maskPaths}
        hint={RECORDINGS.maskPathsHint}
        error={refused.at('maskPaths')}
        value={paths}
        onChange={(next) => {
          refused.clear();
          onPaths(next);
        }}
      />
      {refused.problem !== undefined && (
        <p role="alert" className={page.problem}>
          {refused.problem}
        </p>
      )}
    </>
  );
}

/** Splits a text: "a, b" -> a and b */
function pathsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

interface ExportProgressProps {
  readonly progress: Progress;
  readonly onStop: () => void;
}

function ExportProgress({ progress, onStop }: ExportProgressProps): ReactElement {
  return (
    <>
      <progress aria-label={RECORDINGS.export} max={Math.max(1, progress.count)} value={progress.done} />
      <span role="status">
        {fill(RECORDINGS.exporting, { done: count(progress.done), count: count(progress.count) })}
      </span>
      <Button onClick={onStop}>{RECORDINGS.cancel}</Button>
    </>
  );
}
