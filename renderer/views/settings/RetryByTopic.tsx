/** Differences from the retry policy for single topics: a table with one row of fields per topic. */
import { Plus, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { TextField } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { RETRY } from '../../copy/settings.ts';
import { useConsole, useResource } from '../../state/context.ts';
import {
  RETRY_MEMBERS,
  isTopicKey,
  readNumber,
  readPolicy,
  readTopic,
  retryTexts,
  topicDrafts,
  type RetryMember,
  type Texts,
  type TopicDraft,
} from './drafts.ts';
import type { SettingProps } from './PlainSettings.tsx';
import { retryText } from './retry-words.ts';
import { SettingRow } from './SettingRow.tsx';
import css from './Settings.module.css';
import { useDraft, useSaving } from './use-setting.ts';

export interface RetryByTopicProps extends SettingProps {
  /** The value of `delivery.retry`, which applies to empty fields. */
  readonly general: unknown;
}

function mistakeOf(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const read = readNumber(text);
  return read.ok ? undefined : read.mistake;
}

function wordsOf(texts: Texts<RetryMember>, general: Texts<RetryMember>): string | undefined {
  const whole = Object.fromEntries(
    RETRY_MEMBERS.map((member) => [member, texts[member].trim() === '' ? general[member] : texts[member]]),
  );
  const policy = readPolicy(retryTexts(whole));
  return policy === undefined ? undefined : retryText(policy);
}

/** One row for each topic, and a field to add one. */
export function RetryByTopic({ item, general }: RetryByTopicProps): ReactElement {
  const saving = useSaving(item);
  const { draft, set, isChanged, discard } = useDraft(item.value, topicDrafts);
  const generalTexts = retryTexts(general);
  const isFixed = item.origin === 'flag';
  const mistake = draft
    .flatMap(({ texts }) => RETRY_MEMBERS.map((member) => mistakeOf(texts[member])))
    .find((each) => each !== undefined);

  function change(next: readonly TopicDraft[]): void {
    saving.clearError();
    set(next);
  }

  return (
    <SettingRow
      isGroup
      item={item}
      saving={saving}
      isChanged={isChanged}
      discard={discard}
      mistake={mistake}
      onSave={() =>
        void saving.save(Object.fromEntries(draft.map((each) => [each.topic, readTopic(each) ?? {}])))
      }
    >
      {draft.length === 0 ? (
        <p>{RETRY.none}</p>
      ) : (
        <TopicTable draft={draft} general={generalTexts} isFixed={isFixed} onChange={change} />
      )}
      {!isFixed && (
        <AddTopic
          taken={draft.map(({ topic }) => topic)}
          add={(topic) => change([...draft, { topic, texts: retryTexts({}) }])}
        />
      )}
    </SettingRow>
  );
}

interface TopicTableProps {
  readonly draft: readonly TopicDraft[];
  /** The texts that apply to empty fields. */
  readonly general: Texts<RetryMember>;
  readonly isFixed: boolean;
  readonly onChange: (draft: readonly TopicDraft[]) => void;
}

/** One row of fields per topic. */
function TopicTable({ draft, general, isFixed, onChange }: TopicTableProps): ReactElement {
  return (
    <DataTable
      dense
      whole={[0]}
      label={RETRY.table}
      columns={[
        RETRY.topic,
        ...RETRY_MEMBERS.map((member) => RETRY.members[member]),
        <span key="actions" className="visually-hidden">
          {RETRY.actions}
        </span>,
      ]}
      rows={draft.map(({ topic, texts }) => ({
        id: topic,
        cells: [
          <code key="topic">{topic}</code>,
          ...RETRY_MEMBERS.map((member) => (
            <TextField
              key={member}
              hideLabel
              mono
              inputMode="decimal"
              className={css.cell}
              label={fill(RETRY.memberOf, { member: RETRY.members[member], topic })}
              placeholder={general[member]}
              error={mistakeOf(texts[member])}
              value={texts[member]}
              readOnly={isFixed}
              onChange={(text) =>
                onChange(
                  draft.map((each) =>
                    each.topic === topic ? { topic, texts: { ...texts, [member]: text } } : each,
                  ),
                )
              }
            />
          )),
          isFixed ? (
            ''
          ) : (
            <IconButton
              key="remove"
              icon={X}
              label={fill(RETRY.remove, { topic })}
              onClick={() => onChange(draft.filter((each) => each.topic !== topic))}
            />
          ),
        ],
        below: <span className={css.meaning}>{wordsOf(texts, general)}</span>,
      }))}
    />
  );
}

interface AddTopicProps {
  readonly taken: readonly string[];
  readonly add: (topic: string) => void;
}

function AddTopic({ taken, add }: AddTopicProps): ReactElement {
  const { topology } = useConsole();
  const { value: topics } = useResource(topology.topics);
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isTaken = taken.includes(text.trim());
  const isGood = isTopicKey(text) && !isTaken;
  const mistake = isTaken ? RETRY.newTopicTaken : RETRY.newTopicBad;

  function take(): void {
    setIsTried(!isGood);
    if (!isGood) return;
    add(text.trim());
    setText('');
  }

  return (
    <div className={css.add}>
      <TextField
        mono
        label={RETRY.newTopic}
        hint={RETRY.newTopicHint}
        error={isTried && !isGood ? mistake : undefined}
        suggestions={topics?.items
          .map(({ pubsubname, topic }) => `${pubsubname}/${topic}`)
          .filter((each) => !taken.includes(each))}
        value={text}
        onChange={(next) => {
          setIsTried(false);
          setText(next);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take();
        }}
      />
      <Button icon={Plus} onClick={take}>
        {RETRY.add}
      </Button>
    </div>
  );
}
