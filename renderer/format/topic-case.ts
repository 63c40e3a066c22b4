/** Topics in a filter that differ from a known topic only in upper and lower case. */
import { filterValue } from './cell-term.ts';

const TOPIC = /(?<![\w.])topic:("[^"]*"|[^\s()"]+)/g;

/** The filter with the known topics that were probably meant; undefined: it names none in another case. */
export function withKnownTopics(filter: string, topics: readonly string[]): string | undefined {
  const next = filter.replaceAll(TOPIC, (term: string, value: string) => {
    const name = value.replaceAll('"', '');
    const meant = topics.find((topic) => topic.toLowerCase() === name.toLowerCase());
    return meant === undefined || topics.includes(name) ? term : `topic:${filterValue(meant)}`;
  });
  return next === filter ? undefined : next;
}
