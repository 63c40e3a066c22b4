/** The thread that checks; what it does is in rules.ts. */
import { parentPort } from 'node:worker_threads';
import { errorText } from '../../contract/error-text.ts';
import { createSchemaRules, isOutOfStack } from './rules.ts';

/** `check`: with data; else the schema alone is read. */
export type SchemaQuestion =
  | { readonly kind: 'problemOf'; readonly schema: unknown }
  | { readonly kind: 'check'; readonly schema: unknown; readonly data: unknown };

/** `tooMuch`: schema or data are more than a check can take, and why. */
export type SchemaAnswer =
  | { readonly value: unknown }
  | { readonly error: string }
  | { readonly tooMuch: string };

const rules = createSchemaRules();

parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answerTo(question)));

function answerTo(question: SchemaQuestion): SchemaAnswer {
  try {
    const { schema } = question;
    const value = question.kind === 'check' ? rules.check(schema, question.data) : rules.problemOf(schema);
    return { value };
  } catch (error) {
    if (isOutOfStack(error)) return { tooMuch: 'it nests too deeply, or refers to itself without end' };
    return { error: errorText(error) };
  }
}
