/** A choice of one value from a list. */
import { Select } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { useContext, useState, type ReactElement, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Edited } from './edited-context.ts';
import css from './Choice.module.css';

export interface ChoiceOption {
  readonly value: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly group?: string;
}

export interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly ChoiceOption[];
  readonly onChange: (value: string) => void;
  readonly id?: string;
  /** Id of the text that describes it, such as its mistake. */
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  readonly wide?: boolean;
  /** Text while the value is not one of the options. */
  readonly placeholder?: string;
  /** Why it is disabled; it stays in the order of Tab and shows the reason. */
  readonly off?: string | undefined;
}

/** A select with its own list; `label` is its accessible name. */
export function Choice({
  label,
  value,
  options,
  onChange,
  id,
  describedBy,
  invalid,
  wide,
  placeholder,
  off,
}: ChoiceProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const edited = useContext(Edited);
  const chosen = options.find((option) => option.value === value);
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <Select.Root
      value={value}
      readOnly={off !== undefined}
      open={isOpen && off === undefined}
      onOpenChange={setIsOpen}
      onValueChange={(next) => {
        if (next === null) return;
        edited();
        onChange(next);
      }}
    >
      <Select.Trigger
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid === true || undefined}
        aria-disabled={off === undefined ? undefined : true}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- global since ARIA 1.3
        aria-description={off}
        title={off}
        className={cx(css.trigger, wide === true && css.wide)}
      >
        <span className={css.value}>{chosen?.title ?? placeholder ?? value}</span>
        <ChevronDown aria-hidden size={12} />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner alignItemWithTrigger={false} sideOffset={4} className={css.positioner}>
          <Select.Popup className={css.popup}>
            <Select.List>
              {groups.map((group) => (
                <Select.Group key={group ?? ''}>
                  {group !== undefined && (
                    <Select.GroupLabel className={css.groupTitle}>{group}</Select.GroupLabel>
                  )}
                  {options
                    .filter((option) => option.group === group)
                    .map((option) => (
                      <Select.Item key={option.value} value={option.value} className={css.item}>
                        <Select.ItemIndicator className={css.mark}>
                          <Check aria-hidden size={12} />
                        </Select.ItemIndicator>
                        <Select.ItemText className={css.title}>{option.title}</Select.ItemText>
                        {option.note}
                      </Select.Item>
                    ))}
                </Select.Group>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
