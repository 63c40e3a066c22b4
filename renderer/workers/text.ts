/** The worker that reads long texts as JSON or XML, so that the page is not blocked. */
import { readText, type TextQuestion } from '../format/text-facts.ts';
import { postAnswer, postShare } from './answer.ts';

addEventListener('message', ({ data }: MessageEvent<TextQuestion>) => postAnswer(readText(data, postShare)));
