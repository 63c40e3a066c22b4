/** Requests as code: quoting that holds, bytes, headers that are left out or masked, names of the profile. */
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { asCode, asRawHttp, CODE_KINDS, copiedHeaders, quoted } from '../../renderer/format/as-code.ts';
import { automationCall } from '../../renderer/format/curl.ts';
import { asSdk, SDK_KINDS } from '../../renderer/format/as-sdk.ts';

const REQUEST = {
  method: 'POST',
  url: 'http://127.0.0.1:3500/v1.0/publish/pubsub/orders?metadata.ttlInSeconds=60',
  headers: [
    ['Content-Type', 'application/json'],
    ['x-shop', "O'Hara"],
  ],
  body: '{"name":"O\'Hara “x”\\n"}',
  isBase64: false,
} as const;

describe('a request as code', () => {
  test.each(CODE_KINDS)('%s has address, header and body', (kind) => {
    const code = asCode(kind, REQUEST);
    expect(code).toContain('http://127.0.0.1:3500/v1.0/publish/pubsub/orders?metadata.ttlInSeconds=60');
    expect(code).toContain('application/json');
    expect(code).toMatch(/x-shop/);
    expect(code).not.toContain('undefined');
  });

  test('quotes of every kind are escaped', () => {
    expect(asCode('curl', REQUEST)).toContain("--data-raw '{\"name\":\"O'\\''Hara");
    expect(asCode('powershell', REQUEST)).toContain('\'{"name":"O\'\'Hara');
    // A curled quote ends a text there too.
    expect(asCode('powershell', { ...REQUEST, body: 'a\u2019; b' })).toContain("'a\u2019\u2019; b'");
    expect(asCode('fetch', REQUEST)).toContain(
      'body: Buffer.from("{\\"name\\":\\"O\'Hara \\u201cx\\u201d\\\\n\\"}")',
    );
    expect(quoted('a\u2028b')).toBe('"a\\u2028b"');
  });

  test('brackets and braces of an address are plain text for curl', () => {
    const code = asCode('curl', { ...REQUEST, url: 'http://h/{a,b}/[1-9]' });
    expect(code).toMatch(/^curl -g -X POST 'http:\/\/h\/\{a,b\}\/\[1-9\]' /);
  });

  test('the method of an imported recording is one word of the command', () => {
    const odd = { ...REQUEST, method: 'POST; touch x; echo' };
    expect(asCode('curl', odd)).toContain("-X 'POST; touch x; echo' 'http");
    expect(asCode('powershell', odd)).toContain("-Method 'POST; touch x; echo' -Uri");
  });

  test('the address and the headers of an imported recording are no options of curl', () => {
    // With a configuration from the body, curl would write any file.
    expect(asCode('curl', { ...REQUEST, url: '-K-' })).toContain('-X POST --url -K- -H');
    expect(asCode('curl', { ...REQUEST, headers: [['@/etc/hostname', 'v']] })).not.toContain(
      '@/etc/hostname',
    );
  });

  test.each([
    ['erase', `${'\x7f'.repeat(200)}touch x #`],
    ['interrupt', 'a\x03touch x\n'],
    ['complete', 'a\tb'],
    ['enter', 'a\r\nb'],
    ['end of what was pasted', 'a\u009b201~b'],
  ])('a command that is pasted has no key of a terminal: %s', (_, body) => {
    const key = /(?!\n)\p{Cc}/u;
    const odd = { ...REQUEST, url: `${REQUEST.url}&a=${body}`, headers: [['x-a', body]], body } as const;
    expect(asCode('curl', odd)).not.toMatch(key);
    expect(asCode('curl', odd)).toContain(`printf %s ${Buffer.from(body).toString('base64')} | base64 -d | `);
    const type = ['Content-Type', `text/${body}`] as const;
    for (const each of [odd, { ...odd, method: body, headers: [type, [body, body]] }] as const) {
      expect(asCode('curl', each)).not.toMatch(key);
      expect(asCode('powershell', each)).not.toMatch(key);
    }
    expect(automationCall('messages.publish', { pubsubname: 'p', topic: 't', data: body })).not.toMatch(key);
  });

  test('PowerShell gets control characters as numbers, within a word that stays one', () => {
    const url = "http://h/\x7f\x1b'$(id)`\u2019\u009b";
    const code = asCode('powershell', { ...REQUEST, url, headers: [['x\t', '\r']] });
    expect(code).toContain(
      "-Uri ('http://h/' + [char]0x7f + [char]0x1b + '''$(id)`\u2019\u2019' + [char]0x9b + '')",
    );
    // A text stands first: a number in front of a text would be added to it.
    expect(code).toContain("$headers = @{ ('x' + [char]0x09 + '') = ('' + [char]0x0d + '') }");
    expect(asCode('powershell', REQUEST)).toContain("-Uri 'http://127.0.0.1:3500/v1.0/");
  });

  test('a word that begins with an equals sign is quoted: zsh would look for a program', () => {
    expect(asCode('curl', { ...REQUEST, body: '=ls' })).toContain("--data-raw '=ls'");
    expect(asCode('curl', { ...REQUEST, body: 'a=ls' })).toContain('--data-raw a=ls');
  });

  test('a character beyond 16 bits is one escape where a language has no halves', () => {
    const wide = { ...REQUEST, body: '\u{1f600}' };
    expect(asCode('python', wide)).toContain(String.raw`"\U0001f600"`);
    expect(asCode('go', wide)).toContain(String.raw`"\U0001f600"`);
    expect(asCode('java', wide)).toContain(String.raw`"\ud83d\ude00"`);
  });

  test.each(CODE_KINDS)('%s decodes bytes from base64', (kind) => {
    const code = asCode(kind, { ...REQUEST, headers: [], body: 'AP8=', isBase64: true });
    expect(code).toContain('AP8=');
    expect(code).toMatch(/base64/i);
  });

  test.each([
    ['curl', '-H "dapr-api-token: $DAPR_API_TOKEN"'],
    ['powershell', "'dapr-api-token' = $env:DAPR_API_TOKEN }"],
    ['fetch', '"dapr-api-token": process.env.DAPR_API_TOKEN,'],
    ['python', '"dapr-api-token": os.environ["DAPR_API_TOKEN"],'],
    ['csharp', '"dapr-api-token", Environment.GetEnvironmentVariable("DAPR_API_TOKEN"))'],
    ['java', '.header("dapr-api-token", System.getenv("DAPR_API_TOKEN"))'],
    ['go', 'request.Header.Set("dapr-api-token", os.Getenv("DAPR_API_TOKEN"))'],
  ] as const)('%s reads the API token of the sidecar from its variable', (kind, part) => {
    const token = { header: 'dapr-api-token', variable: 'DAPR_API_TOKEN' };
    expect(asCode(kind, { ...REQUEST, token })).toContain(part);
    expect(asCode(kind, { ...REQUEST, headers: [], token })).toContain(part);
    expect(asCode(kind, REQUEST)).not.toMatch(/token/i);
  });

  test('the generated JavaScript can be read', () => {
    expect(() => new Script(`(async () => {${asCode('fetch', REQUEST)}})`)).not.toThrow();
  });

  test('raw HTTP is the request line, headers, a blank line and the body', () => {
    expect(asRawHttp({ ...REQUEST, body: 'hi' })).toBe(
      "POST /v1.0/publish/pubsub/orders?metadata.ttlInSeconds=60 HTTP/1.1\r\nhost: 127.0.0.1:3500\r\nContent-Type: application/json\r\nx-shop: O'Hara\r\n\r\nhi",
    );
  });

  test('keys are masked unless they are asked for; what a client makes itself is left out', () => {
    const headers = { Authorization: 'Bearer s', 'sidecar-api-token': 't', 'content-length': '3', a: 'b' };
    expect(copiedHeaders(headers, false)).toEqual([
      ['Authorization', '***'],
      ['sidecar-api-token', '***'],
      ['a', 'b'],
    ]);
    expect(copiedHeaders(headers, true)[0]).toEqual(['Authorization', 'Bearer s']);
  });
});

describe('a publish for an SDK', () => {
  const publish = {
    pubsubname: 'pubsub',
    topic: 'orders',
    data: { orderId: 1 },
    contentType: 'application/json',
    metadata: { ttlInSeconds: '60' },
  };

  test.each(SDK_KINDS)('%s has component, topic, data, content type and metadata', (kind) => {
    const code = asSdk(kind, publish, PROFILES.dapr, 'http://127.0.0.1:3500');
    expect(code).toContain('"pubsub"');
    expect(code).toContain('"orders"');
    expect(code).toMatch(/orderId/);
    expect(code).toContain('"ttlInSeconds"');
    expect(code).toContain(PROFILES.dapr.brandTitle === 'Dapr' && kind !== 'sdkGo' ? 'Dapr' : 'dapr');
    expect(code).not.toContain('undefined');
  });

  test('decodes bytes from base64', () => {
    const bytes = { pubsubname: 'p', topic: 't', dataBase64: 'AP8=' };
    expect(asSdk('sdkNode', bytes, PROFILES.dapr, 'http://127.0.0.1:3500')).toContain(
      'Buffer.from("AP8=", \'base64\')',
    );
    expect(asSdk('sdkGo', bytes, PROFILES.dapr, 'http://127.0.0.1:3500')).toContain('DecodeString("AP8=")');
  });
});
