/** Shows a body as JSON, XML, text or hex; exact and without running anything in it. */
import { Copy, Download, Search } from 'lucide-react';
import { useMemo, useState, type ReactElement } from 'react';
import { VIEWER } from '../copy/viewer.ts';
import { fill } from '../copy/fill.ts';
import { jsonPositionAt } from '../format/json-cursor.ts';
import { bestMode, bytePartsOf, mayBeJson, type Body, type ViewMode } from '../format/body.ts';
import { size } from '../format/quantity.ts';
import { saveBytes } from '../format/save-file.ts';
import { useConsole } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import { Button, IconButton } from './Button.tsx';
import { CodeBox, type CodeBoxProps } from './CodeBox.tsx';
import css from './DataViewer.module.css';
import { Checkbox } from './Fields.tsx';
import { HexView } from './HexView.tsx';
import { Progress } from './Progress.tsx';
import { cx } from './class-names.ts';
import { PathLine } from './PathLine.tsx';
import { SchemaResult } from './SchemaResult.tsx';
import { useTextFacts, type TextReading } from './use-text-facts.ts';

export interface DataViewerProps {
  readonly body: Body;
  readonly contentType: string;
  readonly label: string;
  readonly truncated?: boolean | undefined;
  /** True: the viewer takes the height it needs instead of the available height. */
  readonly inline?: boolean;
  /** Message of the data. Its paths can be used as filters, and its topic may have a schema. */
  readonly of?: { readonly topic: string; readonly eventType?: string } | undefined;
  /** True: number keys choose the mode. */
  readonly keys?: boolean;
  /** True: whoever gets the body gets a text, so it is shown as one even if it looks like JSON. */
  readonly isText?: boolean;
  /** Text for a body of no bytes; absent: that there is none. */
  readonly empty?: string | undefined;
}

const MODES: readonly ViewMode[] = ['json', 'xml', 'text', 'hex'];
const LARGE = 1024 * 1024;
const FIRST = 256 * 1024;
const TOO_LARGE = 16 * 1024 * 1024;

interface LaidOut {
  readonly reading: TextReading;
  /** Mode that suits the body best. */
  readonly best: ViewMode;
  readonly mode: ViewMode;
  /** JSON with line breaks, its first part if it is cut; undefined in another mode, and until it is laid out. */
  readonly pretty: string | undefined;
  readonly isReading: boolean;
}

/** Reads a body that may be JSON, and lays it out. */
function useLaidOut(
  { body, contentType, isText = false }: Pick<DataViewerProps, 'body' | 'contentType' | 'isText'>,
  chosen: ViewMode | undefined,
  isCut: boolean,
): LaidOut {
  const reads = chosen === 'json' || (!isText && mayBeJson(body, contentType));
  const question = useMemo(
    () => (reads ? { text: body.text, kind: 'json' as const, lays: isCut ? FIRST : true } : undefined),
    [reads, body, isCut],
  );
  const reading = useTextFacts(question);
  const facts = reading.state === 'known' ? reading.facts : undefined;
  // A text that looks like JSON is treated as JSON until the body is read.
  const best = bestMode(body, contentType, !isText && facts?.mistake === undefined);
  const mode = chosen ?? best;
  const pretty = mode === 'json' ? facts?.laidOut : undefined;
  const isReading = mode === 'json' && reading.state === 'reading';
  return { reading, best, mode, pretty, isReading };
}

/** The viewer with its toolbar. */
export function DataViewer(props: DataViewerProps): ReactElement {
  const { body, contentType, label, truncated, inline, keys, of, empty = VIEWER.empty } = props;
  const console = useConsole();
  const wrap = useSelected(console.ui, (state) => state.wrap);
  const [chosen, setChosen] = useState<ViewMode>();
  const [whole, setWhole] = useState(false);
  const [searches, setSearches] = useState(0);
  const [offset, setOffset] = useState<number>();
  const [goTo, setGoTo] = useState<CodeBoxProps['goTo']>();
  const isLarge = body.size > LARGE;
  const isCut = !whole && isLarge;
  const { reading, best, mode, pretty, isReading } = useLaidOut(props, chosen, isCut);
  const text = isCut || isReading ? body.text.slice(0, FIRST) : body.text;
  const shown = pretty ?? text;
  const cursor = useMemo(
    () => (pretty === undefined || offset === undefined ? undefined : jsonPositionAt(pretty, offset)),
    [pretty, offset],
  );

  const facts = [size(body.size), contentType, truncated === true ? VIEWER.truncated : ''];

  if (body.size > TOO_LARGE) {
    return <TooLarge body={body} name={fileName(label, best)} />;
  }
  return (
    <div
      className={cx(css.viewer, inline === true && css.inline)}
      onKeyDown={(event) => {
        const index = keys === true && !event.ctrlKey && !event.metaKey ? Number(event.key) - 1 : Number.NaN;
        const picked = MODES[index];
        if (picked !== undefined && !(event.target instanceof HTMLInputElement)) setChosen(picked);
      }}
    >
      <Tools
        body={body}
        label={label}
        mode={mode}
        best={best}
        facts={facts.filter((fact) => fact !== '')}
        onMode={setChosen}
        onSearch={() => setSearches((times) => times + 1)}
      />
      {isCut && (
        <div className={css.note}>
          {fill(VIEWER.cut, { shown: size(FIRST) })}{' '}
          <Button onClick={() => setWhole(true)}>{fill(VIEWER.showAll, { size: size(body.size) })}</Button>
        </div>
      )}
      {mode === 'json' && !isCut && <ReadingNote reading={reading} />}
      {body.size === 0 && <p className={css.note}>{empty}</p>}
      {body.size > 0 &&
        (isLarge || !isReading) &&
        (mode === 'hex' ? (
          <HexView bytes={bytePartsOf(body)} label={label} />
        ) : (
          <CodeBox
            label={label}
            value={shown}
            language={mode === 'text' ? 'text' : mode}
            wrap={wrap}
            className={css.code}
            searches={searches}
            goTo={goTo}
            onCursor={of === undefined ? undefined : setOffset}
          />
        ))}
      {of !== undefined && pretty !== undefined && !isCut && (
        <>
          <SchemaResult topic={of.topic} eventType={of.eventType} data={text} shown={pretty} onGo={setGoTo} />
          <PathLine cursor={cursor} />
        </>
      )}
    </div>
  );
}

interface TooLargeProps {
  readonly body: Body;
  readonly name: string;
}

/** Replaces a body that no viewer can show. */
function TooLarge({ body, name }: TooLargeProps): ReactElement {
  return (
    <div className={css.note}>
      {fill(VIEWER.tooLarge, { size: size(body.size) })}{' '}
      <Button icon={Download} onClick={() => saveBytes(name, body.bytes)}>
        {VIEWER.save}
      </Button>
    </div>
  );
}

/** A type that says nothing more than the mode beside it, and would break its line in a narrow panel. */
const PLAIN_JSON = /^application\/json$/i;

interface ToolsProps extends Pick<DataViewerProps, 'body' | 'label'> {
  readonly mode: ViewMode;
  readonly best: ViewMode;
  /** Size and type in words. */
  readonly facts: readonly string[];
  readonly onMode: (mode: ViewMode) => void;
  readonly onSearch: () => void;
}

/** Toolbar: mode, wrapping, search, copy and save. */
function Tools({ body, label, mode, best, facts, onMode, onSearch }: ToolsProps): ReactElement {
  const console = useConsole();
  const wrap = useSelected(console.ui, (state) => state.wrap);
  return (
    <div className={css.tools}>
      <div role="group" aria-label={VIEWER.mode} className={css.modes}>
        {MODES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === mode}
            className={css.mode}
            onClick={() => onMode(each)}
          >
            {VIEWER.modes[each]}
          </button>
        ))}
      </div>
      {mode !== 'hex' && (
        <Checkbox
          label={VIEWER.wrap}
          checked={wrap}
          onChange={(next) => console.ui.setState({ wrap: next })}
        />
      )}
      <span className={css.facts} title={facts.join(' · ')}>
        {facts.filter((fact) => !(best === 'json' && PLAIN_JSON.test(fact))).join(' · ')}
      </span>
      <span className={css.icons}>
        {mode !== 'hex' && (
          <IconButton icon={Search} label={VIEWER.find} keys={['Mod+F']} onClick={onSearch} />
        )}
        <IconButton icon={Copy} label={VIEWER.copy} onClick={() => void console.acting.copy(body.text)} />
        <IconButton
          icon={Download}
          label={VIEWER.save}
          onClick={() => saveBytes(fileName(label, best), body.bytes)}
        />
      </span>
    </div>
  );
}

/** Progress of reading a long JSON text, or that it was cancelled. */
function ReadingNote({ reading }: Pick<LaidOut, 'reading'>): ReactElement | null {
  if (reading.state === 'reading') {
    return (
      <div className={css.note}>
        <Progress text={VIEWER.layingOut} share={reading.share} onStop={reading.stop} />
      </div>
    );
  }
  if (reading.state !== 'unknown') return null;
  return (
    <div className={css.note}>
      {VIEWER.notLaidOut} <Button onClick={reading.again}>{VIEWER.layOut}</Button>
    </div>
  );
}

const ENDINGS: Readonly<Record<ViewMode, string>> = { json: 'json', xml: 'xml', text: 'txt', hex: 'bin' };

/** File name of a body: "Message data" -> `message-data.json` */
function fileName(label: string, mode: ViewMode): string {
  return `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.${ENDINGS[mode]}`;
}
