/** Form fields with their label, control, description and error connected for assistive technology. */
import {
  useId,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type TextareaHTMLAttributes,
} from 'react';
import { cx } from './class-names.ts';
import css from './Fields.module.css';

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** True: only assistive technology gets the label. */
  readonly hideLabel?: boolean;
  readonly children: (ids: {
    readonly id: string;
    readonly describedBy: string | undefined;
    readonly invalid: boolean;
  }) => ReactNode;
}

/** Label, control and texts of one field. */
export function Field({ label, hint, error, hideLabel, children }: FieldProps): ReactElement {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [errorId, hintId].filter((each) => each !== undefined).join(' ') || undefined;
  return (
    <div className={css.field}>
      <label htmlFor={id} className={hideLabel === true ? 'visually-hidden' : css.label}>
        {label}
      </label>
      {children({ id, describedBy, invalid: error !== undefined })}
      {error !== undefined && (
        <p id={errorId} className={css.error}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly hideLabel?: boolean;
  readonly mono?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Suggestions while typing, some with a remark. */
  readonly suggestions?: readonly (string | Suggestion)[] | undefined;
}

export interface Suggestion {
  readonly value: string;
  readonly note: string;
}

/** One line of text. */
export function TextField(props: TextFieldProps): ReactElement {
  const { label, hint, error, hideLabel, mono, value, onChange, suggestions, className, ...rest } = props;
  const listId = useId();
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {({ id, describedBy, invalid }) => (
        <>
          <input
            autoComplete="off"
            spellCheck={false}
            {...rest}
            id={id}
            value={value}
            list={suggestions === undefined ? undefined : listId}
            className={cx(css.input, mono === true && css.mono, className)}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions !== undefined && (
            <datalist id={listId}>
              {suggestions.map((word) =>
                typeof word === 'string' ? (
                  <option key={word} value={word} />
                ) : (
                  <option key={word.value} value={word.value} label={`${word.value} — ${word.note}`} />
                ),
              )}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Several lines of text, in the fixed-width font. */
export function TextArea(props: TextAreaProps): ReactElement {
  const { label, hint, error, hideLabel, value, onChange, className, ...rest } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel ?? false}>
      {({ id, describedBy, invalid }) => (
        <textarea
          autoComplete="off"
          spellCheck={false}
          {...rest}
          id={id}
          value={value}
          className={cx(css.input, css.area, css.mono, className)}
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface TickProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly hint?: string | undefined;
  /** True: a switch, which acts at once; false: a check box of a form. */
  readonly isSwitch?: boolean;
  readonly hideLabel?: boolean;
  /** Why it is disabled; it stays in the order of Tab and shows the reason. */
  readonly off?: string | undefined;
}

/** A check box or switch with its label. */
export function Checkbox({
  label,
  checked,
  onChange,
  hint,
  isSwitch,
  hideLabel,
  off,
}: TickProps): ReactElement {
  const id = useId();
  return (
    <span className={css.tick}>
      <input
        id={id}
        type="checkbox"
        role={isSwitch === true ? 'switch' : undefined}
        className={isSwitch === true ? css.switch : css.box}
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        aria-disabled={off === undefined ? undefined : true}
        title={off}
        onChange={(event) => {
          if (off === undefined) onChange(event.target.checked);
        }}
      />
      <label htmlFor={id} className={hideLabel === true ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
    </span>
  );
}

export interface RadiosProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly title: string; readonly hint?: string }[];
  readonly onChange: (value: V) => void;
  readonly hideLabel?: boolean;
}

/** A choice of one of a few values, all visible. */
export function Radios<V extends string>({
  label,
  value,
  options,
  onChange,
  hideLabel,
}: RadiosProps<V>): ReactElement {
  const name = useId();
  return (
    <fieldset className={cx(css.radios, options.some(({ hint }) => hint !== undefined) && css.column)}>
      <legend className={hideLabel === true ? 'visually-hidden' : css.label}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.radio}>
          <input
            type="radio"
            name={name}
            className={css.box}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.title}
            {option.hint !== undefined && <span className={css.radioHint}>{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
