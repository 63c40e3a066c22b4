/** The apps of a topic in the table: own ones, and apart from them those that a tap observes. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Subscribers } from '../../renderer/views/topics/TopicsTab.tsx';

test.each([
  [['mine'], ['shop'], 'mine · shop Observed'],
  [['mine', 'bulk'], [], 'mine · bulk'],
  [[], ['mail', 'shop'], 'mail Observed · shop Observed'],
])('own apps %j and observed ones %j are told apart: %s', (facts, observed, expected) => {
  const html = renderToStaticMarkup(<Subscribers facts={facts} observed={observed} />);
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(expected);
});
