/** What there is to know of a text that may be JSON or XML. Takes long for a long one, which is why a worker can do it too. */
import { jsonMistake, type JsonMistake } from '../../core/contract/json-position.ts';
import { layOutJson } from './json-text.ts';
import { withoutVariables } from './variables.ts';
import { xmlMistake } from './xml-mistake.ts';

export interface TextQuestion {
  readonly text: string;
  readonly kind: 'json' | 'xml';
  /** JSON is laid out too, where it is JSON. */
  readonly lays?: boolean;
  /** Variables are in it, which count as what they may become. */
  readonly variables?: boolean;
}

export interface TextFacts {
  /** Undefined: it is what it is to be. */
  readonly mistake?: JsonMistake;
  readonly laidOut?: string;
}

/** A part of the work that is done, from 0 to 1. */
export type OnShare = (share: number) => void;

/** Share of the work on a JSON text that reading takes; laying it out takes the rest. */
const READING = 0.3;
/** Share of a text that is read between two reports of progress. */
const STEP = 0.05;

/** Reads the text, telling `onShare` now and then how far it has come. */
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
  if (lays !== true) return {};
  told?.(READING);
  return { laidOut: layOutJson(text, (offset) => toOffset(READING * text.length + (1 - READING) * offset)) };
}

function inSteps(onShare: OnShare): OnShare {
  let last = 0;
  return (share) => {
    if (share < last + STEP) return;
    last = share;
    onShare(share);
  };
}
