/** Buttons, fields, choices, chips, keys: what a person presses, types into or reads at a glance. */
import { Download, Pause, RotateCw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import { Button, IconButton } from '../../renderer/components/Button.tsx';
import { Chip } from '../../renderer/components/Chip.tsx';
import { Choice } from '../../renderer/components/Choice.tsx';
import { ChoiceMenu } from '../../renderer/components/ChoiceMenu.tsx';
import { Radios, TextArea, TextField, Checkbox } from '../../renderer/components/Fields.tsx';
import { Keys } from '../../renderer/components/Keys.tsx';
import { FilterField } from '../../renderer/components/FilterField.tsx';
import { Specimen } from './Specimen.tsx';

const SURFACES = ['canvas', 'panel', 'raised', 'sunken', 'hover', 'selected'] as const;
const CHIPS = [...DELIVERY_STATES, 'none', 'waiting', 'refused'] as const;
const KINDS = ['plain', 'primary', 'danger', 'quiet'] as const;
const nothing = (): void => undefined;

/** All controls. */
export function Controls({ theme }: { readonly theme: string }): ReactElement {
  return (
    <>
      <Specimen title="Button">
        {KINDS.map((kind) => (
          <div key={kind} className="states">
            <Button kind={kind}>{kind}</Button>
            <Button kind={kind} icon={RotateCw} keys={['t']} hint="With icon, hint and keys">
              Icon and keys
            </Button>
            <Button kind={kind} off="The reason why it is off">
              Off
            </Button>
            <Button kind={kind} pending>
              Pending
            </Button>
            <Button kind={kind} aria-pressed>
              Pressed
            </Button>
          </div>
        ))}
      </Specimen>
      <Specimen title="Icon button">
        <IconButton icon={Pause} label="Pause" />
        <IconButton icon={Pause} label="Pause is off" off="Nothing runs" />
        <IconButton icon={Download} label="Download, primary" kind="primary" />
      </Specimen>
      <Chips />
      <Specimen title="Keys">
        <Keys keys={['g m']} />
        <Keys keys={['Mod+K']} />
        <Keys keys={['Shift+U']} />
        <Keys keys={[]} />
      </Specimen>
      <Fields theme={theme} />
      <Choices theme={theme} />
      <Filters theme={theme} />
    </>
  );
}

function Chips(): ReactElement {
  return (
    <Specimen title="Chip">
      {SURFACES.map((surface) => (
        <div key={surface} className="surface" style={{ background: `var(--${surface})` }}>
          {CHIPS.map((kind) => (
            <Chip key={kind} kind={kind} />
          ))}
        </div>
      ))}
      <div className="surface">
        <Chip kind="parked" more={2} name="Parked, 1 of 3 deliveries; 2 processed" />
        <Chip kind="processed" amount="12,402" />
        <Chip kind="waiting" apps={['orders-api']} />
      </div>
    </Specimen>
  );
}

function Fields({ theme }: { readonly theme: string }): ReactElement {
  const [text, setText] = useState('orders');
  const [on, setOn] = useState(true);
  const field = (name: string): string => `${name}, ${theme}`;
  return (
    <>
      <Specimen title="Text field">
        <TextField label={field('Topic')} value={text} onChange={setText} />
        <TextField label={field('Empty')} value="" placeholder="orders" onChange={nothing} />
        <TextField label={field('With hint')} hint="In seconds." value="30" onChange={nothing} />
        <TextField label={field('With error')} error="Expected a number." value="abc" onChange={nothing} />
        <TextField label={field('Read-only')} readOnly mono value="set by flag" onChange={nothing} />
        <TextField label={field('Off')} disabled value="off" onChange={nothing} />
        <TextField label={field('Offers words')} value="" suggestions={['a', 'b']} onChange={nothing} />
      </Specimen>
      <Specimen title="Text area">
        <TextArea label={field('Note')} value={'two\nlines'} onChange={nothing} />
        <TextArea label={field('Wrong')} error="Line 2: not valid JSON." value="{" onChange={nothing} />
      </Specimen>
      <Specimen title="Tick and switch">
        <Checkbox label={field('Ticked')} checked={on} onChange={setOn} />
        <Checkbox label={field('Not ticked')} checked={false} hint="Says what it does." onChange={nothing} />
        <Checkbox isSwitch label={field('On')} checked={on} onChange={setOn} />
        <Checkbox isSwitch label={field('Switched off')} checked={false} onChange={nothing} />
      </Specimen>
    </>
  );
}

function Choices({ theme }: { readonly theme: string }): ReactElement {
  const [value, setValue] = useState('one');
  const options = [
    { value: 'one', title: 'One', hint: 'The first' },
    { value: 'two', title: 'Two' },
  ];
  return (
    <Specimen title="Radios, choice, menu">
      <Radios label={`Pick, ${theme}`} value={value} options={options} onChange={setValue} />
      <Choice label={`Choice, ${theme}`} value={value} options={options} onChange={setValue} />
      <Choice
        label={`No value, ${theme}`}
        value=""
        placeholder="Choose…"
        options={options}
        onChange={setValue}
      />
      <ChoiceMenu
        title={`Menu, ${theme}`}
        groups={[
          {
            title: 'Group',
            entries: [
              { id: 'a', title: 'With keys', keys: ['r'], icon: RotateCw, run: nothing },
              { id: 'b', title: 'Off', off: 'It is processed; use Replay' },
              { id: 'c', title: 'More', entries: [{ id: 'd', title: 'Inner', run: nothing }] },
            ],
          },
        ]}
      />
    </Specimen>
  );
}

function Filters({ theme }: { readonly theme: string }): ReactElement {
  const field = (name: string): string => `gallery-${theme}-${name}`;
  return (
    <Specimen title="Filter field">
      <div className="wide">
        <FilterField id={field('empty')} label={`Filter, ${theme}`} value="" onApply={nothing} />
      </div>
      <div className="wide">
        <FilterField
          id={field('good')}
          label={`Good filter, ${theme}`}
          value={'topic:orders state:retrying "late"'}
          onApply={nothing}
        />
      </div>
      <div className="wide">
        <FilterField id={field('bad')} label={`Bad filter, ${theme}`} value="topik:x" onApply={nothing} />
      </div>
    </Specimen>
  );
}
