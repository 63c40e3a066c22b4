/** Facts about a text that may be JSON or XML. A worker can compute them for a long text. */
import { jsonMistake, type JsonMistake } from '../../core/contract/json-position.ts';
import { layOutJson } from './json-text.ts';
import { withoutVariables } from './variables.ts';
import { xmlMistake } from './xml-mistake.ts';

export interface TextQuestion {
  readonly text: string;
  readonly kind: 'json' | 'xml';
  /** True: JSON is also formatted; a number: so many characters from its start. */
  readonly lays?: boolean | number;
  /** True: the text has variables, which count as the values that they may get. */
  readonly variables?: boolean;
}

export interface TextFacts {
  /** The first mistake; undefined: the text is valid. */
  readonly mistake?: JsonMistake;
  readonly laidOut?: string;
}

/** Receives the share of the work that is done, from 0 to 1. */
export type OnShare = (share: number) => void;

/** Share of the work on a JSON text for reading; the rest is for formatting. */
const READING = 0.3;
/** Share of a text between two progress reports. */
const STEP = 0.05;

/** Reads the text, and calls `onShare` now and then with its progress. */
export function readText(question: TextQuestion, onShare?: OnShare): TextFacts {
  const { kind, lays, variables } = question;
  const text = variables === true ? withoutVariables(question.text) : question.text;
  const told = onShare === undefined ? undefined : inSteps(onShare);
  const toOffset = (offset: number): void => told?.(offset / text.length);
  if (kind === 'xml') {
    const mistake = xmlMistake(text, toOffset);
    return mistake === undefined ? {} : { mistake };
  }
  const mistake = jsonMistake(text);
  if (mistake !== undefined) return { mistake };
  if (lays === undefined || lays === false) return {};
  told?.(READING);
  const part = lays === true ? text : text.slice(0, lays);
  return { laidOut: layOutJson(part, (offset) => toOffset(READING * text.length + (1 - READING) * offset)) };
}

function inSteps(onShare: OnShare): OnShare {
  let last = 0;
  return (share) => {
    if (share < last + STEP) return;
    last = share;
    onShare(share);
  };
}
