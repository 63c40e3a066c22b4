/** Terms of a hold's filter that match no message at the hold's point, because what they compare comes later. */
import type { HoldPoint } from '../../contract/hold.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { FilterNode, TermKey, TermNode } from './ast.ts';
import { compileNode } from './evaluate.ts';
import { parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import type { FilterSubject } from './subject.ts';

/**
 * Keys whose values come after a point: at publish there are no deliveries, attempts and answers. A message that another hold has held until then
 * may be pinned or replayed already. A retried delivery has all of them at its next attempt.
 */
const COME_LATER: Readonly<Record<HoldPoint, readonly TermKey[]>> = {
  publish: [
    'state',
    'route',
    'attempts',
    'took',
    'status',
    'answer',
    'error',
    'answeredby',
    'rule',
    'lastrule',
    'cause',
  ],
  delivery: [],
  response: [],
};

/** All that a message without deliveries can be for these keys: a term that matches none of them matches no message. */
const AT_PUBLISH: readonly FilterSubject[] = [
  atPublish({}),
  atPublish({ tap: 'app' }),
  // Another hold has held it until now.
  atPublish({ stage: 'held' }),
];

function atPublish(more: Partial<MessageRow>): FilterSubject {
  return {
    row: {
      messageId: '',
      number: 1,
      at: '2026-01-01T00:00:00.000Z',
      pubsubname: '',
      topic: '',
      appId: '',
      source: 'bulk',
      contentType: '',
      sizeBytes: 0,
      raw: true,
      replayOf: '',
      unread: true,
      deliveries: [],
      ...more,
    },
    deliveries: [],
    metadata: {},
    data: () => undefined,
    text: () => '',
    statuses: [],
    words: [],
    answers: () => [],
    errors: [],
    answeredBy: [],
    rules: [],
    causes: [],
    changedAt: [],
  };
}

/** The terms that can match no message at this point, as texts; none of a filter that cannot be read. A negated term is none of them. */
export function neverMatching(filter: string, at: HoldPoint): readonly string[] {
  const parsed = parseFilter(filter);
  if (!parsed.ok) return [];
  const never = wantedTerms(parsed.filter.root).filter(
    (term) =>
      COME_LATER[at].includes(term.key) && !AT_PUBLISH.some((message) => compileNode(term)(message, 0)),
  );
  return [...new Set(never.map((root) => printFilter({ isEmpty: false, root })))];
}

/** The terms that a message is to match: those below a negation are left out. */
function wantedTerms(node: FilterNode): readonly TermNode[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(wantedTerms);
    case 'term':
      return [node];
    case 'not':
    case 'text':
      return [];
  }
}
