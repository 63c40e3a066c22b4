/** Differences from the retry policy for single topics: a group of fields for each topic. */
import { Plus, X } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { otherText } from '../../components/ChangedElsewhere.tsx';
import { TextField } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { RETRY } from '../../copy/settings.ts';
import { useConsole, useResource } from '../../state/context.ts';
import {
  RETRY_MEMBERS,
  isTopicKey,
  readMember,
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

function mistakeOf(member: RetryMember, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const read = readMember(member, text);
  return read.ok ? undefined : read.mistake;
}

function wordsOf(texts: Texts<RetryMember>, general: Texts<RetryMember>): string | undefined {
  const whole = Object.fromEntries(
    RETRY_MEMBERS.map((member) => [member, texts[member].trim() === '' ? general[member] : texts[member]]),
  );
  const policy = readPolicy(retryTexts(whole));
  return policy === undefined ? undefined : retryText(policy);
}

/** Topics with the members that they set: `pubsub/a (Attempts 5), pubsub/b`; empty without any. */
export function topicWords(topics: readonly TopicDraft[]): string {
  return topics
    .map(({ topic, texts }) => {
      const set = RETRY_MEMBERS.filter((member) => texts[member] !== '');
      const members = set.map((member) => `${RETRY.members[member]} ${texts[member]}`).join(', ');
      return members === '' ? topic : `${topic} (${members})`;
    })
    .join(', ');
}

/** Name of a member as the host refuses it. */
function fieldOf(topic: string, member: RetryMember): string {
  return `${topic}.${member}`;
}

/** A group for each topic, and a field to add one. */
export function RetryByTopic({ item, general }: RetryByTopicProps): ReactElement {
  const { draft, set, isChanged, discard, elsewhere } = useDraft(item, topicDrafts, (topics) =>
    topics.map((each) => [each.topic, readTopic(each) ?? each.texts]),
  );
  const saving = useSaving(
    item,
    draft.flatMap(({ topic }) => RETRY_MEMBERS.map((member) => fieldOf(topic, member))),
  );
  const generalTexts = retryTexts(general);
  const isFixed = item.origin === 'flag';
  const mistake = draft
    .flatMap(({ texts }) => RETRY_MEMBERS.map((member) => mistakeOf(member, texts[member])))
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
      elsewhere={elsewhere}
      wordsOf={() => otherText(topicWords(topicDrafts(item.value)))}
      mistake={mistake}
      onSave={() =>
        void saving.save(Object.fromEntries(draft.map((each) => [each.topic, readTopic(each) ?? {}])))
      }
    >
      {draft.length === 0 ? (
        <p>{RETRY.none}</p>
      ) : (
        <Topics
          draft={draft}
          general={generalTexts}
          errorAt={saving.errorAt}
          isFixed={isFixed}
          onChange={change}
        />
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

interface TopicsProps {
  readonly draft: readonly TopicDraft[];
  /** The texts that apply to empty fields. */
  readonly general: Texts<RetryMember>;
  readonly errorAt: (field: string) => string | undefined;
  readonly isFixed: boolean;
  readonly onChange: (draft: readonly TopicDraft[]) => void;
}

/** A group of fields for each topic; they wrap where there is no room for all beside each other. */
function Topics({ draft, general, errorAt, isFixed, onChange }: TopicsProps): ReactElement {
  function change(topic: string, member: RetryMember, text: string): void {
    onChange(
      draft.map((each) =>
        each.topic === topic ? { topic, texts: { ...each.texts, [member]: text } } : each,
      ),
    );
  }
  return (
    <ul aria-label={RETRY.topics} className={css.topics}>
      {draft.map(({ topic, texts }) => (
        <li key={topic} className={css.topic}>
          <div className={css.topicHead}>
            <code>{topic}</code>
            {!isFixed && (
              <IconButton
                steps
                icon={X}
                label={fill(RETRY.remove, { topic })}
                onClick={() => onChange(draft.filter((each) => each.topic !== topic))}
              />
            )}
          </div>
          <div className={css.members}>
            {RETRY_MEMBERS.map((member) => (
              <TextField
                key={member}
                mono
                label={RETRY.members[member]}
                aria-label={fill(RETRY.memberOf, { member: RETRY.members[member], topic })}
                placeholder={general[member]}
                error={mistakeOf(member, texts[member]) ?? errorAt(fieldOf(topic, member))}
                value={texts[member]}
                readOnly={isFixed}
                onChange={(text) => change(topic, member, text)}
              />
            ))}
          </div>
          <p className={css.meaning}>{wordsOf(texts, general)}</p>
        </li>
      ))}
    </ul>
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
