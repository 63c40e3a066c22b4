/** Compares two recordings, or a recording and this session: choice, counts, list. */
import { RotateCw } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { whyNotRead } from '../../format/why-not-read.ts';
import type { CompareResult, Recording } from '../../../core/contract/recording.ts';
import { COMPARED } from '../../../core/contract/words.ts';
import { Button } from '../../components/Button.tsx';
import { Choice, type ChoiceOption } from '../../components/Choice.tsx';
import { TextField, Checkbox } from '../../components/Fields.tsx';
import { Failed, Loading } from '../../components/States.tsx';
import { useGivenFilter } from '../../components/use-filter-check.ts';
import { ACT_WHY } from '../../copy/acts.ts';
import { COMPARE_RECORDINGS } from '../../copy/compare.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';
import { visibleShort } from '../../format/visible-text.ts';
import { useAway, useConsole, useParam, useResource } from '../../state/context.ts';
import page from '../page.module.css';
import { ComparedGrid, type Side } from './ComparedGrid.tsx';
import css from './Recordings.module.css';
import { useAskedPart } from './use-asked-part.ts';
import { LIVE, useComparison, type Shown } from './use-comparison.ts';

const SHOWN: readonly Shown[] = ['differences', 'changed', 'only-before', 'only-after', 'same'];

/** The choice of two recordings, and the result once the user requests it, because reading both takes a while. */
export function ComparePart(): ReactElement {
  const { recordings } = useConsole();
  const part = useAskedPart('compare');
  const { value } = useResource(recordings.list);
  const open = value?.items ?? [];
  return (
    <section ref={part} aria-label={COMPARE_RECORDINGS.title} className={page.box}>
      <h2>{COMPARE_RECORDINGS.title}</h2>
      <p className={page.muted}>{open.length === 0 ? COMPARE_RECORDINGS.none : COMPARE_RECORDINGS.hint}</p>
      {open.length > 0 && <Chosen open={open} />}
    </section>
  );
}

function Chosen({ open }: { readonly open: readonly Recording[] }): ReactElement {
  const { navigation } = useConsole();
  const options: readonly ChoiceOption[] = [
    ...open.map(({ recordingId, name }) => ({ value: recordingId, title: visibleShort(name) })),
    { value: LIVE, title: COMPARE_RECORDINGS.live },
  ];
  const known = (wanted: string | undefined, other: string): ChoiceOption =>
    options.find(({ value }) => value === wanted) ??
    options.find(({ value }) => value === other) ?? { value: LIVE, title: COMPARE_RECORDINGS.live };
  const before = known(useParam('a'), open[0]?.recordingId ?? LIVE);
  const after = known(useParam('b'), LIVE);
  const filter = useParam('cf') ?? '';
  const [fieldSaysWhy, setSaysWhy] = useState(false);
  const isAskedFor = useParam('part') === 'compare';
  const change = (params: Readonly<Record<string, string | undefined>>): void =>
    navigation.change({ part: 'compare', ...params }, { replace: true });
  return (
    <>
      <div className={css.fields}>
        <span aria-hidden>{COMPARE_RECORDINGS.before}</span>
        <Choice
          label={COMPARE_RECORDINGS.before}
          value={before.value}
          options={options}
          onChange={(a) => change({ a, show: undefined })}
        />
        <span aria-hidden>{COMPARE_RECORDINGS.after}</span>
        <Choice
          label={COMPARE_RECORDINGS.after}
          value={after.value}
          options={options}
          onChange={(b) => change({ b, show: undefined })}
        />
        <FilterOfBoth filter={filter} onFilter={(cf) => change({ cf })} onMistake={setSaysWhy} />
        {before.value !== after.value && !isAskedFor && (
          <Button onClick={() => change({})}>{COMPARE_RECORDINGS.start}</Button>
        )}
      </div>
      {before.value === after.value && <p role="status">{COMPARE_RECORDINGS.sameTwice}</p>}
      {before.value !== after.value && isAskedFor && (
        <Compared
          sides={{ before: sideOf(before), after: sideOf(after) }}
          filter={filter}
          fieldSaysWhy={fieldSaysWhy}
        />
      )}
    </>
  );
}

function sideOf({ value, title }: ChoiceOption): Side {
  return value === LIVE
    ? { name: COMPARE_RECORDINGS.liveName, recordingId: undefined }
    : { name: title, recordingId: value };
}

interface FilterOfBothProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  /** Receives whether the field shows what is wrong with the filter. */
  readonly onMistake: (isShown: boolean) => void;
}

/** Filter for both sides, applied at Enter and when the field is left, not while typing. */
function FilterOfBoth({ filter, onFilter, onMistake }: FilterOfBothProps): ReactElement {
  const [text, setText] = useState(filter);
  // A new address replaces what stands in the field: with the old text, leaving the field would apply that again.
  const [shown, setShown] = useState(filter);
  if (shown !== filter) {
    setShown(filter);
    setText(filter);
  }
  const { check } = useGivenFilter(filter).asked;
  const mistake = text.trim() === filter ? check.error?.message : undefined;
  useEffect(() => onMistake(mistake !== undefined), [mistake, onMistake]);
  const apply = (): void => {
    if (text.trim() !== filter) onFilter(text.trim());
  };
  return (
    <TextField
      hideLabel
      mono
      label={COMPARE_RECORDINGS.filter}
      placeholder={COMPARE_RECORDINGS.filterHint}
      error={mistake}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}

interface ComparedProps {
  readonly sides: { readonly before: Side; readonly after: Side };
  readonly filter: string;
  /** True: the field of the filter shows what is wrong with it. */
  readonly fieldSaysWhy: boolean;
}

function Compared({ sides, filter, fieldSaysWhy }: ComparedProps): ReactElement | null {
  const { navigation } = useConsole();
  const away = useAway(ACT_WHY.away);
  const asked = useParam('show');
  const shown = SHOWN.find((each) => each === asked) ?? 'differences';
  const matchesApps = useParam('ids') === undefined;
  const { result, failure, again } = useComparison({
    before: sides.before.recordingId ?? LIVE,
    after: sides.after.recordingId ?? LIVE,
    filter,
    shown,
    matchesApps,
  });
  if (failure !== undefined) {
    if (failure.field === 'filter' && fieldSaysWhy) return null;
    const text = fill(COMPARE_RECORDINGS.failed, { message: whyNotRead(failure) });
    return <Failed text={text} again={again} />;
  }
  if (result === undefined) return <Loading text={COMPARE_RECORDINGS.loading} rows={3} />;
  const total = amountOf(result, shown);
  return (
    <>
      <div className={page.bar}>
        <span role="status">{summary(result, sides)}</span>
        <span className={page.space} />
        <Button icon={RotateCw} off={away} onClick={again}>
          {COMPARE_RECORDINGS.again}
        </Button>
      </div>
      <Apps apps={result.apps} matches={matchesApps} />
      <div role="group" aria-label={COMPARE_RECORDINGS.show} className={page.bar}>
        {SHOWN.map((each) => (
          <Button
            key={each}
            kind="quiet"
            aria-pressed={each === shown}
            className={css.shown}
            onClick={() =>
              navigation.change({ show: each === 'differences' ? undefined : each }, { replace: true })
            }
          >
            {fill(COMPARE_RECORDINGS.shows[each], { n: count(amountOf(result, each)) })}
          </Button>
        ))}
      </div>
      {result.items.length === 0 && total === 0 && shown !== 'differences' && (
        <p className={page.muted}>{COMPARE_RECORDINGS.noneSuch}</p>
      )}
      {result.items.length > 0 && <ComparedGrid key={shown} items={result.items} sides={sides} />}
      {result.items.length < total && (
        <p className={page.muted}>
          {fill(COMPARE_RECORDINGS.first, { n: count(result.items.length), total: count(total) })}
        </p>
      )}
    </>
  );
}

/** Apps that were matched under different ids, with a button that separates them. */
function Apps({
  apps,
  matches,
}: {
  readonly apps: CompareResult['apps'];
  readonly matches: boolean;
}): ReactElement | null {
  const { navigation } = useConsole();
  if (matches && apps.length === 0) return null;
  return (
    <div className={page.bar} title={COMPARE_RECORDINGS.sameAppHint}>
      {apps.map(({ before, after }) => (
        <span key={before}>{fill(COMPARE_RECORDINGS.sameApp, { before, after })}</span>
      ))}
      <Checkbox
        label={COMPARE_RECORDINGS.withAppIds}
        checked={!matches}
        onChange={(tells) => navigation.change({ ids: tells ? 'own' : undefined }, { replace: true })}
      />
    </div>
  );
}

function amountOf({ counts }: CompareResult, shown: Shown): number {
  return shown === 'differences'
    ? counts.changed + counts['only-before'] + counts['only-after']
    : counts[shown];
}

function summary({ counts }: CompareResult, { before, after }: ComparedProps['sides']): string {
  if (COMPARED.every((each) => counts[each] === 0)) return COMPARE_RECORDINGS.nothing;
  const { same, changed } = counts;
  if (COMPARED.every((each) => each === 'same' || counts[each] === 0))
    return fill(COMPARE_RECORDINGS.allSame, { n: count(same) });
  return fill(COMPARE_RECORDINGS.counts, {
    changed: count(changed),
    before: count(counts['only-before']),
    beforeName: before.name,
    after: count(counts['only-after']),
    afterName: after.name,
    same: count(same),
  });
}
