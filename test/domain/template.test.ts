// Variables of a text that is to be published.
import { describe, expect, test } from 'vitest';
import { hasTemplate, resolveTemplate } from '../../core/domain/template.ts';
import type { TemplateSource } from '../../core/domain/template.ts';

function source(more: Partial<TemplateSource> = {}): TemplateSource {
  let counter = 0;
  return {
    nowMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    uuid: () => 'a-uuid',
    counter: () => (counter += 1),
    random: () => 0.5,
    env: (name) => (name === 'HOME_TOWN' ? 'Ghent' : undefined),
    variable: (name) => (name === 'shop' ? 'north' : undefined),
    ...more,
  };
}

describe('a template', () => {
  test.each([
    ['plain', 'plain'],
    ['{"a":{"b":{}}}', '{"a":{"b":{}}}'],
    ['{{uuid}}', 'a-uuid'],
    ['{{ uuid }}', 'a-uuid'],
    ['{{counter}},{{counter}}', '1,2'],
    ['{{now}}', '2026-01-02T03:04:05.006Z'],
    ['{{now+60s}}', '2026-01-02T03:05:05.006Z'],
    ['{{now-1d}}', '2026-01-01T03:04:05.006Z'],
    ['{{epoch}}', '1767323045'],
    ['{{int 1 500}}', '251'],
    ['{{int -3 -3}}', '-3'],
    ['{{pick red, green,blue}}', 'green'],
    ['{{env HOME_TOWN}}', 'Ghent'],
    ['x{{var shop}}y', 'xnorthy'],
    ['\\{{uuid}}', '{{uuid}}'],
    ['\\{{ and {{uuid}}', '{{ and a-uuid'],
    ['{{', '{{'],
  ])('%s gives %s', (text, expected) => {
    expect(resolveTemplate(text, source())).toEqual({ ok: true, text: expected });
  });

  test.each([
    ['a {{nope}}', 2, '{{nope}}', /^\{\{nope\}\} is unknown; expected uuid, now,/],
    ['{{}}', 0, '{{}}', /is unknown/],
    ['{{uuid x}}', 0, '{{uuid x}}', /is unknown/],
    ['{{int 5 1}}', 0, '{{int 5 1}}', /^int takes two whole numbers/],
    ['{{int 1.5 2}}', 0, '{{int 1.5 2}}', /^int takes two whole numbers/],
    ['{{uuid}}{{env NONE}}', 8, '{{env NONE}}', /^There is no environment variable NONE\.$/],
    ['{{var other}}', 0, '{{var other}}', /^There is no variable other\.$/],
    ['{{now+99999999999d}}', 0, '{{now+99999999999d}}', /is not a time/],
  ])('%s is a mistake at %i', (text, position, found, message) => {
    const resolved = resolveTemplate(text, source());
    expect(resolved).toMatchObject({ ok: false, mistake: { position, found, length: found.length } });
    expect(resolved.ok ? '' : resolved.mistake.message).toMatch(message);
  });

  test('reaches both ends of a range and of a choice', () => {
    expect(resolveTemplate('{{int 1 3}}{{pick a,b}}', source({ random: () => 0 }))).toMatchObject({
      text: '1a',
    });
    expect(resolveTemplate('{{int 1 3}}{{pick a,b}}', source({ random: () => 0.999 }))).toMatchObject({
      text: '3b',
    });
  });

  test('is looked for by its braces', () => {
    expect(hasTemplate('{"a":{}}')).toBe(false);
    expect(hasTemplate('{{uuid}}')).toBe(true);
  });
});
