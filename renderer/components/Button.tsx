/** The button of the console: with an icon, a reason when it is disabled, and its keys. */
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactElement, ReactNode, Ref } from 'react';
import { drawnKeys } from '../keys/bindings.ts';
import css from './Button.module.css';
import { cx } from './class-names.ts';
import { Hint, type HintProps } from './Hint.tsx';
import { isStrayClick } from './stray-click.ts';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly icon?: LucideIcon | undefined;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  /** Why it is disabled; it then stays focusable and its tooltip shows the reason. */
  readonly off?: string | undefined;
  readonly pending?: boolean | undefined;
  /** True: each quick click counts, though the button is drawn again after each; else a double click presses one button. */
  readonly steps?: boolean | undefined;
  /** True: a double click presses it once, because the second click may be too late for the same thing. */
  readonly once?: boolean | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly hint?: string | undefined;
  /** Side of the tooltip: below, unless another control is there. */
  readonly hintSide?: HintProps['side'];
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

/** Shortcut for assistive technology, which has no notation for a chord. */
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
    steps,
    once,
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
        const isLater = once === true && event.detail > 1;
        const isStray = (isStrayClick(event) && steps !== true) || isLater;
        if (isOff || isStray) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {Icon !== undefined && <Icon aria-hidden size={14} className={css.icon} />}
      {children !== undefined && <span className={css.label}>{children}</span>}
    </button>
  );
  const text = off ?? hint ?? (keys === undefined ? undefined : children);
  // A button without a tooltip has its place too: one that gets a reason would be another element, and lose the focus.
  return (
    <Hint text={text} keys={keys} side={hintSide}>
      {button}
    </Hint>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: LucideIcon;
  /** Accessible name, which is also the tooltip. */
  readonly label: string;
}

/** A button with only an icon; its tooltip is its name. */
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
