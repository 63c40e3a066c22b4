/** The link "Rule" after a sentence: opens the interface's table with the row that applies. */
import { Popover } from '@base-ui/react/popover';
import type { ReactElement } from 'react';
import type { RuleId } from '../../core/contract/delivery.ts';
import { PopoverPanel } from './PopoverPanel.tsx';
import { OUTCOME_COLUMNS, OUTCOME_TABLES, RULE_TEXTS } from '../copy/rules.ts';
import css from './RulePopover.module.css';

export interface RulePopoverProps {
  readonly rule: RuleId;
  /** The sentence that the rule explains. */
  readonly sentence: string;
}

/** A button that names the rule and explains it. */
export function RulePopover({ rule, sentence }: RulePopoverProps): ReactElement {
  const table = OUTCOME_TABLES.find(({ rows }) => rows.some((row) => row.rules.includes(rule)));
  return (
    <PopoverPanel
      trigger={
        <button type="button" className={css.link}>
          <span data-word>{RULE_TEXTS.link} </span>
          <code className={css.id}>{rule}</code>
        </button>
      }
      title={RULE_TEXTS.popoverTitle}
    >
      <Popover.Description className={css.sentence}>{sentence}</Popover.Description>
      <p>
        <code>{rule}</code>
      </p>
      {table === undefined ? (
        <p className={css.own}>{RULE_TEXTS.own}</p>
      ) : (
        <table className={css.table} aria-label={RULE_TEXTS.table}>
          <caption className={css.caption}>{table.title}</caption>
          <thead>
            <tr>
              <th scope="col">{OUTCOME_COLUMNS.trigger}</th>
              <th scope="col">{OUTCOME_COLUMNS.next}</th>
              <th scope="col">{OUTCOME_COLUMNS.also}</th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => {
              const applies = row.rules.includes(rule);
              return (
                <tr key={row.trigger} aria-current={applies ? 'true' : undefined}>
                  <td>
                    {row.trigger}
                    {applies && <span className={css.applies}> {RULE_TEXTS.applies}</span>}
                  </td>
                  <td>{row.next}</td>
                  <td>{row.also}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </PopoverPanel>
  );
}
