/** Draws a part of the console as HTML, with the stores that it reads as they are when a view is first drawn. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { createStore } from 'zustand/vanilla';
import type { Console } from '../../renderer/state/console.ts';
import { ConsoleProvider } from '../../renderer/state/context.ts';
import type { Resource, ResourceStore } from '../../renderer/state/resource.ts';

/** Store with an answer of the host, and nothing newer. */
export function known<T>(value: T): ResourceStore<T> {
  return {
    store: createStore<Resource<T>>(() => ({ status: 'ready', value, failure: undefined, at: 0 })),
    refresh: () => Promise.resolve(),
    invalidate: () => undefined,
    watch: () => () => undefined,
    accept: () => undefined,
  };
}

/** A connection that opened once and stays open. */
const connection = createStore(() => ({ openings: 1 }));

/**
 * The part as HTML.
 * @param parts members of the console that the part reads beside the openings of its connection; it must not read others
 */
export function drawn(part: ReactElement, parts: object): string {
  return renderToStaticMarkup(
    <ConsoleProvider value={{ connection, ...parts } as unknown as Console}>
      <Router ssrPath="/">{part}</Router>
    </ConsoleProvider>,
  );
}

/** The words of a part, without its elements. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}
