/** The app's last answer as one text, to sort and to group by. */
import type { LastAnswer } from '../contract/message.ts';

/** Text of an answer: "200 RETRY", "503", "UNAVAILABLE", "timeout"; undefined: there is no answer yet. */
export function answerText(answer: LastAnswer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { status, statusText, word, error } = answer;
  return `${statusText ?? status ?? error ?? ''} ${word ?? ''}`.trim();
}
