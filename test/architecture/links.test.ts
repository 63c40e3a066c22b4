/** Links between the pages of this repository lead to files and headings that exist. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, ROOT } from './graph.ts';

const LINK = /\]\((?![a-z]+:)([^)\s]+)\)/g;
const FENCED = /^\s*```[\s\S]*?^\s*```/gm;

/** The anchor that a heading gets where repositories are shown: lower case, without signs, spaces as hyphens. */
function anchorOf(heading: string): string {
  const plain = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return plain.replaceAll(/\s/g, '-');
}

function anchorsIn(markdown: string): ReadonlySet<string> {
  const headings = markdown.replaceAll(FENCED, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map((match) => anchorOf(match[1] ?? '')));
}

/**
 * Links of a page that lead nowhere.
 * @param read text of a file of the tree; undefined: there is none; "": a folder or no page
 */
function deadLinks(page: string, read: (file: string) => string | undefined): readonly string[] {
  const text = (read(page) ?? '').replaceAll(FENCED, '');
  return [...text.matchAll(LINK)]
    .map((match) => match[1] ?? '')
    .filter((link) => {
      const [file = '', anchor] = link.split('#', 2);
      const target =
        file === '' ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
      const found = read(target);
      return found === undefined || (anchor !== undefined && !anchorsIn(found).has(anchor));
    })
    .map((link) => `${page}: ${link}`);
}

function fromTree(file: string): string | undefined {
  const full = path.join(ROOT, file);
  if (!fs.existsSync(full)) return undefined;
  return file.endsWith('.md') ? fs.readFileSync(full, 'utf8') : '';
}

test('every link between pages leads to a file and a heading', () => {
  const pages = filesOf(ROOT, (file) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap((page) => deadLinks(page, fromTree))).toEqual([]);
});

test('canary: a missing file and a missing heading are found', () => {
  const pages: Readonly<Record<string, string>> = {
    'docs/a.md':
      '[1](b.md) [2](b.md#the-end) [3](../c.md) [4](gone.md) [5](b.md#gone) [6](#here) [7](https://x.org/gone)\n# Here',
    'docs/b.md': '# A `b`\n## The end\n```\n# gone\n```',
    'c.md': '',
  };
  expect(deadLinks('docs/a.md', (file) => pages[file])).toEqual([
    'docs/a.md: gone.md',
    'docs/a.md: b.md#gone',
  ]);
});
