/** The worker that compares long texts, so that the page is not blocked. */
import { differenceOf, type DifferenceQuestion } from '../format/diff.ts';
import { postAnswer } from './answer.ts';

addEventListener('message', ({ data }: MessageEvent<DifferenceQuestion>) =>
  postAnswer(differenceOf(data.before, data.after)),
);
