/** Rows of key and value. */
import { Plus, Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, IconButton } from '../../components/Button.tsx';
import { TextField } from '../../components/Fields.tsx';
import { fill } from '../../copy/fill.ts';
import { PUBLISH } from '../../copy/publish.ts';
import type { Pair } from '../../state/publish-drafts.ts';
import type { PairMistakes } from './pair-mistakes.ts';
import css from './SingleForm.module.css';

export interface PairsProps {
  readonly pairs: readonly Pair[];
  readonly add: string;
  readonly nextId: () => number;
  readonly mistakes?: PairMistakes;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** An editable list of pairs. */
export function Pairs({ pairs, add, nextId, mistakes, onChange }: PairsProps): ReactElement {
  const set = (id: number, change: Partial<Pair>): void =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...change } : pair)));
  return (
    <div className={css.pairs}>
      {pairs.map((pair, index) => (
        <div key={pair.id} className={css.pair}>
          <TextField
            hideLabel
            mono
            label={fill(PUBLISH.pairKey, { n: index + 1 })}
            placeholder={PUBLISH.key}
            error={mistakes?.get(pair.id)?.key}
            value={pair.key}
            onChange={(key) => set(pair.id, { key })}
          />
          <TextField
            hideLabel
            mono
            label={fill(PUBLISH.pairValue, { n: index + 1 })}
            placeholder={PUBLISH.value}
            error={mistakes?.get(pair.id)?.value}
            value={pair.value}
            onChange={(value) => set(pair.id, { value })}
          />
          <IconButton
            steps
            icon={Trash2}
            label={fill(PUBLISH.removePair, { n: index + 1 })}
            onClick={() => onChange(pairs.filter(({ id }) => id !== pair.id))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onChange([...pairs, { id: nextId(), key: '', value: '' }])}>
        {add}
      </Button>
    </div>
  );
}
