/** The button of the console: with an icon, a reason why it is off, and its keys. */
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { drawnKeys } from '../keys/bindings.ts';
import css from './Button.module.css';
import { cx } from './class-names.ts';
import { Hint, type HintProps } from './Hint.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly icon?: LucideIcon | undefined;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  /** Why it cannot be used now; it then stays focusable and says so. */
  readonly off?: string | undefined;
  readonly pending?: boolean | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly hint?: string | undefined;
  /** Where the tooltip stands; below, unless something to press is there. */
  readonly hintSide?: HintProps['side'];
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** For assistive technology; a chord has no notation there. */
function shortcutOf(keys: readonly string[] | undefined): string | undefined {
  const [first] = drawnKeys(keys ?? []);
  return first?.includes(' ') === true ? undefined : first;
}

/** A button with a visible title. */
export function Button(props: ButtonProps): ReactElement {
  const {
    icon: Icon,
    kind = 'plain',
    off,
    pending,
    keys,
    hint,
    hintSide,
    children,
    className,
    onClick,
    ...rest
  } = props;
  const isOff = off !== undefined || pending === true;
  const button = (
    <button
      type="button"
      {...rest}
      className={cx(css.button, css[kind], className)}
      data-primary={kind === 'primary' || undefined}
      aria-disabled={isOff || undefined}
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- global since ARIA 1.3
      aria-description={off}
      aria-busy={pending === true || undefined}
      aria-keyshortcuts={shortcutOf(keys)}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {Icon !== undefined && <Icon aria-hidden size={14} className={css.icon} />}
      {children !== undefined && <span className={css.label}>{children}</span>}
    </button>
  );
  const text = off ?? hint;
  if (text === undefined && keys === undefined) return button;
  return (
    <Hint text={text ?? children} keys={keys} side={hintSide}>
      {button}
    </Hint>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: LucideIcon;
  /** Accessible name, shown as tooltip. */
  readonly label: string;
}

/** A button that shows an icon only; its name is the tooltip. */
export function IconButton({ label, className, hint, ...rest }: IconButtonProps): ReactElement {
  return (
    <Button
      {...rest}
      aria-label={label}
      hint={hint ?? label}
      className={cx(css.iconOnly, className)}
      kind={rest.kind ?? 'quiet'}
    />
  );
}
