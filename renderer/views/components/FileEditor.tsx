/**
 * A file of the resources folder in an editor: checked while typing, with its changes shown before saving.
 */
import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { DiffLines } from '../../components/DiffLines.tsx';
import { PROFILES, type ProfileName } from '../../../core/contract/profile.ts';
import type { Problem } from '../../../core/contract/subscription.ts';
import { clause } from '../../../core/contract/error-text.ts';
import { Button } from '../../components/Button.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { Choice } from '../../components/Choice.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Field, TextField } from '../../components/Fields.tsx';
import { Overlay, Question } from '../../components/Overlay.tsx';
import { closerOfThis, useNoteSent } from '../../components/own-dialog.ts';
import { ProblemList } from '../../components/ProblemList.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { TabBar } from '../../components/TabBar.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { useRefused, type Refused } from '../../components/use-refused.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { FILES, TEMPLATES, type Template } from '../../copy/files.ts';
import { fill } from '../../copy/fill.ts';
import { changedLines, diffLines } from '../../format/diff.ts';
import { useAway, useConsole, useOpenings, useResource } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { useSelected } from '../../state/store.ts';
import css from './FileEditor.module.css';
import { useProblems } from './use-problems.ts';

/** Line and column, from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

const NAME = /^[^/\\]+\.ya?ml$/;

export interface FileEditorProps {
  /** File to edit; undefined: a new one. */
  readonly file: string | undefined;
  /** Beginning of a new file. */
  readonly template?: Template | undefined;
}

/** Reads the file, then edits it. */
export function FileEditor({ file, template = 'memory' }: FileEditorProps): ReactElement {
  const { call, commands } = useConsole();
  const openings = useOpenings();
  const [text, setText] = useState<string | undefined>(file === undefined ? '' : undefined);
  const [failure, setFailure] = useState<string | undefined>();
  const isRead = text !== undefined;
  useEffect(() => {
    let isCurrent = true;
    // What was read stays while it is edited; a failed request is repeated once the host is there again.
    if (file === undefined || isRead) return undefined;
    call('components.read', { file }).then(
      (read) => isCurrent && setText(read.text),
      (reason: unknown) => isCurrent && setFailure(asFailure(reason).message),
    );
    return () => {
      isCurrent = false;
    };
  }, [call, file, isRead, openings]);
  if (text !== undefined) return <Editor read={{ file, original: text }} begin={template} />;
  const title = fill(FILES.editOf, { file });
  return (
    <Overlay title={title} wide onClose={commands.close}>
      {failure === undefined ? (
        <Loading text={fill(FILES.loading, { file })} />
      ) : (
        <Failed text={fill(FILES.failed, { file, message: clause(failure) })} />
      )}
    </Overlay>
  );
}

function templateText(template: Template, profile: ProfileName): string {
  return fill(TEMPLATES[template], { group: PROFILES[profile].apiGroup });
}

/** A file as it was read, or as the editor saved it last. */
interface KnownFile {
  /** Undefined: a new one. */
  readonly file: string | undefined;
  readonly original: string;
}

interface SaveOptions {
  readonly read: KnownFile;
  /** Name of a new file. */
  readonly name: string;
  readonly text: string;
}

interface Saving {
  readonly known: KnownFile;
  readonly save: (isSure?: boolean) => Promise<void>;
  readonly refused: Refused;
  /** True if another program changed the file: the person has to decide whether to overwrite it. */
  readonly overwrites: boolean;
  /** Keeps the other program's file. */
  readonly keep: () => void;
}

function useSave({ read, name, text }: SaveOptions): Saving {
  const { call, commands, topology } = useConsole();
  const refused = useRefused();
  const noteSent = useNoteSent({ name, text });
  const [known, setKnown] = useState(read);
  const { file, original } = known;
  // A name that was typed while a new file was saved is not the name of that file.
  const target = file ?? name;
  const [overwrites, setOverwrites] = useState(false);

  /** Present text of the file; undefined: it was removed. */
  function textNow(present: string): Promise<string | undefined> {
    return call('components.read', { file: present }).then(
      ({ text: now }) => now,
      (reason: unknown) => {
        if (asFailure(reason).code !== 'NOT_FOUND') throw reason;
        return undefined;
      },
    );
  }

  /** Saves the file. The editor stays open with a text that has an error, which is not written, and where more was typed meanwhile. */
  async function save(isSure = false): Promise<void> {
    setOverwrites(false);
    const close = closerOfThis(commands);
    const mayClose = noteSent();
    let isOther = false;
    const done = await refused.run('components.save', async () => {
      isOther = !isSure && file !== undefined && (await textNow(file)) !== original;
      if (isOther) return undefined;
      const { problems: found } = await call('components.save', { file: target, text });
      const errors = errorsIn(found);
      if (errors > 0) throw new Error(fill(FILES.notSaved, { file: target, n: errors }));
      topology.onChange();
      const n = found.length;
      return n === 0 ? fill(FILES.saved, { file: target }) : fill(FILES.savedWith, { file: target, n });
    });
    if (isOther) setOverwrites(true);
    if (isOther || !done) return;
    if (mayClose()) close();
    else setKnown({ file: target, original: text });
  }

  return { known, save, refused, overwrites, keep: () => setOverwrites(false) };
}

interface EditorProps {
  readonly read: KnownFile;
  readonly begin: Template;
}

function Editor({ read, begin }: EditorProps): ReactElement {
  const { commands, connection, topology } = useConsole();
  const profile = useSelected(connection, ({ system }) => system?.profile ?? 'sidecar');
  const [template, setTemplate] = useState(begin);
  const [newName, setNewName] = useState('my-component.yaml');
  const [text, setText] = useState(read.file === undefined ? templateText(begin, profile) : read.original);
  const [tab, setTab] = useState('text');
  const [goTo, setGoTo] = useState<Position>();
  const { known, save, refused, overwrites, keep } = useSave({ read, name: newName, text });
  const { file, original } = known;
  const name = file ?? newName;
  const { value: loaded } = useResource(topology.components);
  const isTaken = file === undefined && (loaded?.files ?? []).some((each) => each.file === name);
  const isNamed = NAME.test(name);
  const wrongName = isNamed ? (isTaken ? fill(FILES.taken, { file: name }) : undefined) : FILES.nameWrong;
  const isNewFilled = useDiffers({ template, newName, text });
  const isFilled = file === undefined ? isNewFilled : text !== original;
  const problems = useProblems(isNamed ? name : 'new.yaml', text);
  const hasErrors = errorsIn(problems ?? []) > 0;

  return (
    <Overlay
      wide
      title={file === undefined ? FILES.newTitle : fill(FILES.editOf, { file })}
      isFilled={isFilled}
      onClose={commands.close}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <Foot
          file={file}
          off={wrongName ?? (text === original ? FILES.noChanges : hasErrors ? FILES.fixFirst : undefined)}
          onSave={() => void save()}
        />
      }
    >
      {overwrites && <OverwriteQuestion file={name} onYes={() => void save(true)} onClose={keep} />}
      <div className={css.editor}>
        {file === undefined && (
          <NewFields
            name={name}
            wrongName={wrongName}
            onName={setNewName}
            template={template}
            onTemplate={(next) => {
              setTemplate(next);
              setText(templateText(next, profile));
            }}
          />
        )}
        <TextTabs
          name={name}
          isFirst={file !== undefined}
          original={original}
          text={text}
          onText={setText}
          tab={tab}
          onTab={setTab}
          problems={problems}
          goTo={goTo}
        />
        <Problems
          problems={problems}
          onGo={(position) => {
            setTab('text');
            setGoTo(position);
          }}
        />
      </div>
    </Overlay>
  );
}

interface QuestionProps {
  readonly file: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

function OverwriteQuestion({ file, onYes, onClose }: QuestionProps): ReactElement {
  return (
    <Question
      danger
      title={fill(FILES.overwrite, { file })}
      text={FILES.overwriteText}
      yes={FILES.overwriteYes}
      onYes={onYes}
      onClose={onClose}
    />
  );
}

interface FootProps {
  readonly file: string | undefined;
  /** Why the file cannot be saved. */
  readonly off: string | undefined;
  readonly onSave: () => void;
}

function Foot({ file, off, onSave }: FootProps): ReactElement {
  const { acting, commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const pending = useSelected(commands.store, (state) => state.pending.has('components.save'));
  return (
    <>
      {file !== undefined && <Button onClick={() => void acting.copy(file)}>{FILES.copyPath}</Button>}
      <CancelButton />
      <Button kind="primary" pending={pending} off={away ?? off} onClick={onSave}>
        {FILES.save}
      </Button>
    </>
  );
}

interface NewFieldsProps {
  readonly name: string;
  readonly wrongName: string | undefined;
  readonly onName: (name: string) => void;
  readonly template: Template;
  readonly onTemplate: (template: Template) => void;
}

/** Fields for the name and beginning of a new file. */
function NewFields({ name, wrongName, onName, template, onTemplate }: NewFieldsProps): ReactElement {
  return (
    <div className={css.fields}>
      <TextField
        mono
        label={FILES.name}
        hint={FILES.nameHint}
        error={wrongName}
        value={name}
        onChange={onName}
      />
      <Field label={FILES.template}>
        {({ id }) => (
          <Choice
            id={id}
            label={FILES.template}
            value={template}
            options={Object.entries(FILES.templates).map(([value, title]) => ({ value, title }))}
            onChange={(next) => isTemplate(next) && onTemplate(next)}
          />
        )}
      </Field>
    </div>
  );
}

interface TextTabsProps {
  /** Whether the dialog gives the text the focus first: a new file has its name before it. */
  readonly isFirst: boolean;
  readonly name: string;
  readonly original: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly problems: readonly Problem[] | undefined;
  readonly goTo: Position | undefined;
}

/** Tabs with the text and its changes. */
function TextTabs(props: TextTabsProps): ReactElement {
  const { name, isFirst, original, text, onText, tab, onTab, problems, goTo } = props;
  const lines = useMemo(() => diffLines(original, text), [original, text]);
  return (
    <TabBar
      fills={false}
      label={FILES.tabs}
      value={tab}
      onChange={onTab}
      tabs={[
        {
          id: 'text',
          title: FILES.text,
          panel: () => (
            <CodeBox
              label={fill(FILES.editor, { file: name })}
              value={text}
              language="yaml"
              readOnly={false}
              takesFocus={isFirst}
              invalid={errorsIn(problems ?? []) > 0}
              marks={problems}
              goTo={goTo}
              onChange={onText}
              className={css.code}
            />
          ),
        },
        {
          id: 'changes',
          title: fill(FILES.changes, { n: changedLines(lines) }),
          panel: () =>
            text === original ? <p className={css.none}>{FILES.noChanges}</p> : <DiffLines lines={lines} />,
        },
      ]}
    />
  );
}

function errorsIn(problems: readonly Problem[]): number {
  return problems.filter(({ severity }) => severity !== 'warning').length;
}

function isTemplate(text: string): text is Template {
  return Object.hasOwn(TEMPLATES, text);
}

interface ProblemsProps {
  readonly problems: readonly Problem[] | undefined;
  readonly onGo: (position: Position) => void;
}

function Problems({ problems, onGo }: ProblemsProps): ReactElement {
  const n = problems?.length ?? 0;
  return (
    <section aria-label={fill(FILES.problems, { n })}>
      <p role="status">
        {problems === undefined ? FILES.checking : n === 0 ? FILES.fine : fill(FILES.problems, { n })}
      </p>
      <ProblemList
        isInFile
        problems={problems ?? []}
        label={fill(FILES.problems, { n })}
        onGo={({ line = 1, column = 1 }) => onGo({ line, column })}
      />
    </section>
  );
}
