/** The interface's two outcome tables as data; the sentence of every rule is in core/contract/cause-sentences.ts. */
import type { RuleId } from '../../core/contract/delivery.ts';

/** One row of an outcome table of the interface, with the ids of its rules. */
export interface OutcomeRow {
  readonly rules: readonly RuleId[];
  readonly trigger: string;
  readonly next: string;
  readonly also: string;
}

export interface OutcomeTable {
  readonly kind: 'single' | 'bulk';
  readonly title: string;
  readonly rows: readonly OutcomeRow[];
}

export const OUTCOME_COLUMNS = { trigger: 'Answer', next: 'Next state', also: 'Also' } as const;

export const OUTCOME_TABLES: readonly OutcomeTable[] = [
  {
    kind: 'single',
    title: 'Single message delivery',
    rows: [
      {
        rules: ['single.2xx.empty'],
        trigger: '2xx, empty body or no status',
        next: 'processed',
        also: 'Treated as SUCCESS.',
      },
      { rules: ['single.2xx.success'], trigger: '2xx, status SUCCESS', next: 'processed', also: '' },
      { rules: ['single.2xx.retry'], trigger: '2xx, status RETRY', next: 'to be retried', also: '' },
      {
        rules: ['single.2xx.drop'],
        trigger: '2xx, status DROP',
        next: 'dropped',
        also: 'A warning is logged.',
      },
      {
        rules: ['single.2xx.other'],
        trigger: '2xx, any other status',
        next: 'to be retried',
        also: 'Treated as an error.',
      },
      {
        rules: ['single.2xx.invalid'],
        trigger: '2xx, body that cannot be read',
        next: 'processed',
        also: 'The body is ignored.',
      },
      {
        rules: ['single.404', 'single.404.drop'],
        trigger: '404',
        next: 'dropped',
        also: 'An error is logged. In profile dapr-1.18 a copy goes to the dead-letter topic.',
      },
      {
        rules: ['single.other'],
        trigger: 'Any other status code',
        next: 'to be retried',
        also: 'A warning is logged.',
      },
    ],
  },
  {
    kind: 'bulk',
    title: 'Bulk delivery',
    rows: [
      {
        rules: ['bulk.2xx.success', 'bulk.2xx.retry', 'bulk.2xx.drop'],
        trigger: '2xx, a status for the entry',
        next: 'by the status of its entryId',
        also: 'SUCCESS: processed. RETRY: to be retried. DROP: dropped, a warning is logged.',
      },
      {
        rules: ['bulk.2xx.missing'],
        trigger: '2xx, no status for the entry',
        next: 'to be retried',
        also: 'Treated as RETRY.',
      },
      { rules: ['bulk.404'], trigger: '404', next: 'all dropped', also: 'An error is logged.' },
      {
        rules: ['bulk.other'],
        trigger: 'Any other status code',
        next: 'all to be retried',
        also: 'A warning is logged.',
      },
    ],
  },
];

export const RULE_TEXTS = {
  link: 'Rule',
  popoverTitle: 'Why this happened',
  table: 'Rules',
  own: "Not in the interface; Sidelight's rule",
  applies: 'applies',
} as const;
