/** The worker that reads long texts as JSON or XML, so that the page is not blocked. */
import { readText, type TextQuestion } from '../format/text-facts.ts';
import { onQuestion, postAnswer, postShare } from './answer.ts';

onQuestion((question: TextQuestion) => postAnswer(readText(question, postShare)));
