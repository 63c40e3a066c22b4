/** The worker that reads long texts as JSON or XML, so that the page is not blocked. */
import { readText, type TextQuestion } from '../format/text-facts.ts';
import { sayAnswer, sayShare } from './answer.ts';

addEventListener('message', ({ data }: MessageEvent<TextQuestion>) => sayAnswer(readText(data, sayShare)));
