/** Answers and rules of the mock app in words. */
import type { Answer, ResponseRule, RuleAnswer } from '../../core/contract/mock-app.ts';
import { ANSWER_SENTENCE, ANSWER_WORDS, MOCK } from '../copy/mock-app.ts';
import { fill } from '../copy/fill.ts';
import { duration } from './quantity.ts';

function bodyWord(status: number, body: unknown): string {
  if (body === undefined) return fill(ANSWER_WORDS.status, { status });
  if (typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string') {
    return `${status} ${body.status}`;
  }
  if (typeof body !== 'string') return fill(ANSWER_WORDS.withBody, { status });
  try {
    JSON.parse(body);
    return fill(ANSWER_WORDS.withBody, { status });
  } catch {
    // The words already say that the text is not JSON.
    return fill(ANSWER_WORDS.notJson, { status });
  }
}

function withDelay(answer: string, delayMs: number | readonly [number, number] | undefined): string {
  if (delayMs === undefined || delayMs === 0) return answer;
  if (typeof delayMs === 'number') return fill(ANSWER_WORDS.after, { answer, t: duration(delayMs) });
  const [t, u] = delayMs;
  return fill(ANSWER_WORDS.between, { answer, t: duration(t), u: duration(u) });
}

/** One answer in a few words: "503", "200 SUCCESS", "ask me". */
export function answerText(answer: Answer): string {
  switch (answer.kind) {
    case 'respond':
      return withDelay(bodyWord(answer.status, answer.body), answer.delayMs);
    case 'respond-bulk':
      return withDelay(bulkText(answer), answer.delayMs);
    case 'hang':
      return ANSWER_WORDS.hang;
    case 'reset':
      return ANSWER_WORDS.reset;
    case 'ask':
      return ANSWER_WORDS.ask;
  }
}

function bulkText({ status, statuses }: Extract<Answer, { kind: 'respond-bulk' }>): string {
  if (statuses === 'all-success') return fill(ANSWER_WORDS.allSuccess, { status });
  if (statuses === 'all-retry') return fill(ANSWER_WORDS.allRetry, { status });
  if (statuses === 'all-drop') return fill(ANSWER_WORDS.allDrop, { status });
  const entries = Object.entries(statuses).map(([entry, word]) =>
    fill(word === null ? ANSWER_WORDS.leftOut : ANSWER_WORDS.entryIs, { entry, status: word ?? '' }),
  );
  if (entries.length === 0) return fill(ANSWER_WORDS.noStatuses, { status });
  return fill(ANSWER_WORDS.mixed, { status, entries: entries.join(', ') });
}

/** Answer of a rule in words: "sequence 503, 503, 200 SUCCESS". */
export function ruleAnswerText(answer: RuleAnswer): string {
  if (answer.kind === 'sequence') {
    return fill(ANSWER_WORDS.sequence, { steps: answer.steps.map(answerText).join(', ') });
  }
  if (answer.kind === 'random') return fill(ANSWER_WORDS.random, { shares: sharesOf(answer.of) });
  return answerText(answer);
}

function sharesOf(of: readonly { readonly share: number; readonly answer: Answer }[]): string {
  return of
    .map(({ share, answer }) => fill(ANSWER_WORDS.share, { share, answer: answerText(answer) }))
    .join(', ');
}

/** Conditions of a rule as a filter: "topic:orders route:/orders". */
export function matchText({ match }: Pick<ResponseRule, 'match'>): string {
  const { topic, route, eventType, filter } = match;
  const parts = [
    topic === undefined ? '' : `topic:${topic}`,
    route === undefined ? '' : `route:${route}`,
    eventType === undefined ? '' : `type:${eventType}`,
    filter ?? '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? MOCK.everything : parts.join(' ');
}

/** Steps of a sequence in words: "503 twice, then 200 SUCCESS" */
function stepsText(steps: readonly Answer[]): string {
  const runs: { words: string; n: number }[] = [];
  for (const words of steps.map(answerText)) {
    const last = runs.at(-1);
    if (last?.words === words) last.n += 1;
    else runs.push({ words, n: 1 });
  }
  return runs
    .map(({ words, n }) => {
      const text = n === 1 ? ANSWER_SENTENCE.once : n === 2 ? ANSWER_SENTENCE.twice : ANSWER_SENTENCE.times;
      return fill(text, { answer: words, n });
    })
    .join(ANSWER_SENTENCE.then);
}

function whatText(answer: RuleAnswer): string {
  if (answer.kind === 'random') return fill(ANSWER_SENTENCE.random, { shares: sharesOf(answer.of) });
  if (answer.kind !== 'sequence') {
    const words = answerText(answer);
    const isAct = answer.kind === 'hang' || answer.kind === 'reset' || answer.kind === 'ask';
    return isAct ? words : fill(ANSWER_SENTENCE.answer, { answer: words });
  }
  const tail =
    answer.then === 'loop' ? ANSWER_SENTENCE.again : answer.then === 'next-rule' ? ANSWER_SENTENCE.next : '';
  return fill(ANSWER_SENTENCE.answer, { answer: stepsText(answer.steps) }) + tail;
}

/** A rule as a sentence: "For topic orders: answer 503 twice, then 200 SUCCESS." */
export function ruleSentence(rule: ResponseRule): string {
  const { topic, route, eventType, filter } = rule.match;
  const parts = [
    topic === undefined ? '' : fill(ANSWER_SENTENCE.topic, { value: topic }),
    route === undefined ? '' : fill(ANSWER_SENTENCE.route, { value: route }),
    eventType === undefined ? '' : fill(ANSWER_SENTENCE.eventType, { value: eventType }),
    filter === undefined ? '' : fill(ANSWER_SENTENCE.filter, { value: filter }),
  ].filter((part) => part !== '');
  const what = whatText(rule.answer);
  const said =
    parts.length === 0
      ? fill(ANSWER_SENTENCE.forAll, { what })
      : fill(ANSWER_SENTENCE.forMatch, { match: parts.join(ANSWER_SENTENCE.and), what });
  const first = rule.times === undefined ? '' : fill(ANSWER_SENTENCE.first, { n: rule.times });
  return said + first;
}
