/** The worker that compares long texts, so that the page is not blocked. */
import { differenceOf, type DifferenceQuestion } from '../format/diff.ts';
import { onQuestion, postAnswer } from './answer.ts';

onQuestion(({ before, after }: DifferenceQuestion) => postAnswer(differenceOf(before, after)));
