/** The HTTP binding: what each operation sends, what counts as an error, and where redirects lead. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { createHttpBinding } from '../../core/adapters/bindings/http.ts';
import type { HttpBindingOptions } from '../../core/adapters/bindings/http.ts';
import type { Binding } from '../../core/ports/binding.ts';
import { startRawApp } from '../support/raw-app.ts';
import type { RawApp } from '../support/raw-app.ts';

describe('bindings.http', () => {
  async function given(
    text: string,
    options: Partial<HttpBindingOptions> = {},
  ): Promise<{ app: RawApp; binding: Binding }> {
    const app = await startRawApp((socket) => void socket.write(text));
    const binding = createHttpBinding({ url: `${app.url}/base`, ...options });
    await binding.start();
    onTestFinished(async () => {
      await binding.close();
      await app.close();
    });
    return { app, binding };
  }
  const OK = 'HTTP/1.1 201 Made\r\nx-a: 1\r\ncontent-length: 2\r\n\r\n{}';

  test.each([
    ['create', 'POST', '{"a":1}'],
    ['post', 'POST', '{"a":1}'],
    ['PUT', 'PUT', '{"a":1}'],
    ['patch', 'PATCH', '{"a":1}'],
    ['delete', 'DELETE', ''],
    ['options', 'OPTIONS', ''],
    ['trace', 'TRACE', ''],
    ['get', 'GET', ''],
  ])('operation %s sends %s', async (operation, method, body) => {
    const { app, binding } = await given(OK);
    const reply = await binding.invoke(operation, '{"a":1}', {});
    expect(app.requests[0]?.line).toBe(`${method} /base HTTP/1.1`);
    expect(app.requests[0]?.body).toBe(body);
    expect(Buffer.from(reply?.data ?? '').toString()).toBe('{}');
    expect(reply?.metadata).toMatchObject({ statusCode: '201', status: '201 Made', 'x-a': '1' });
  });

  test('a call has the path, the allowed headers and the content type of its metadata', async () => {
    const { app, binding } = await given(OK);
    await binding.invoke('create', '"x"', {
      path: '/v1/a?b=1',
      Accept: 'text/plain',
      other: 'no',
      traceparent: 't',
    });
    await binding.invoke('create', 'null', { 'Content-Type': 'text/css' });
    expect(app.requests[0]?.line).toBe('POST /base/v1/a?b=1 HTTP/1.1');
    expect(app.requests[0]?.headers).toEqual(
      expect.arrayContaining([
        'Accept: text/plain',
        'traceparent: t',
        'Content-Type: application/json; charset=utf-8',
      ]),
    );
    expect(app.requests[0]?.headers.join()).not.toContain('other');
    expect(app.requests[1]?.body).toBe('null');
    expect(app.requests[1]?.headers).toContain('Content-Type: text/css');
  });

  test('a call asks for JSON unless its metadata asks for something else', async () => {
    const { app, binding } = await given(OK);
    await binding.invoke('get', 'null', {});
    await binding.invoke('post', 'null', { Accept: 'text/plain' });
    const asked = app.requests.map(({ headers }) => headers.filter((one) => /^accept:/i.test(one)));
    expect(asked).toEqual([['Accept: application/json; charset=utf-8'], ['Accept: text/plain']]);
  });

  test.each(['../secret', '/../secret', 'a/../../secret', '//evil.example/x', 'http://evil.example/'])(
    'path %s cannot leave the address',
    async (path) => {
      const { app, binding } = await given(OK);
      const outcome = await binding.invoke('get', 'null', { path }).then(() => 'sent', String);
      expect(outcome).toMatch(/^sent$|leaves the address/);
      expect(app.requests.every(({ line }) => line.startsWith('GET /base/'))).toBe(true);
    },
  );

  test.each([
    ['orders:cancel', '/base/orders:cancel'],
    ['/projects:export', '/base/projects:export'],
    ['http://evil.example/x', '/base/http://evil.example/x'],
    ['?q=1', '/base/?q=1'],
    ['x\\..\\y', '/base/x%5C..%5Cy'],
    ['/x ', '/base/x%20'],
    ['/x\\y?q=a\\b', '/base/x%5Cy?q=a\\b'],
  ])('path %s is appended as text', async (path, target) => {
    const { app, binding } = await given(OK);
    await binding.invoke('get', 'null', { path });
    expect(app.requests[0]?.line).toBe(`GET ${target} HTTP/1.1`);
  });

  test.each(['/x\ty', '/x\n', '/x?q=\u0000'])('path %j with a control character is refused', async (path) => {
    const { app, binding } = await given(OK);
    await expect(binding.invoke('get', 'null', { path })).rejects.toThrow('has a control character');
    expect(app.requests).toEqual([]);
  });

  test('a status outside 2xx is an error, unless it may be', async () => {
    const text = 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n';
    await expect((await given(text)).binding.invoke('get', 'null', {})).rejects.toThrow(
      'received status code 503',
    );
    const calm = await given(text, { errorIfNot2XX: false });
    expect((await calm.binding.invoke('get', 'null', {}))?.metadata?.['statusCode']).toBe('503');
  });

  test.each([
    ['false', 'sent'],
    ['0', 'sent'],
    ['', 'sent'],
    ['true', 'Error: received status code 503'],
    [' Yes ', 'Error: received status code 503'],
  ])('errorIfNot2XX %j of the call goes first', async (errorIfNot2XX, outcome) => {
    const text = 'HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy';
    for (const own of [true, false]) {
      const { binding } = await given(text, { errorIfNot2XX: own });
      const reply = binding.invoke('get', 'null', { errorIfNot2XX });
      expect(await reply.then(({ data } = {}) => (String(data) === 'busy' ? 'sent' : data), String)).toBe(
        outcome,
      );
    }
  });

  describe('redirects', () => {
    const HEADERS = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-More': '1' };

    /** Answers each request in turn; `{port}` in a place is the app's own. */
    async function redirecting(
      ...answers: readonly (readonly [status: number, location?: string])[]
    ): Promise<{ app: RawApp; binding: Binding }> {
      let at = 0;
      const app: RawApp = await startRawApp((socket) => {
        const [status, location] = answers[Math.min(at, answers.length - 1)] ?? [200];
        at += 1;
        const place =
          location === undefined ? '' : `location: ${location.replace('{port}', String(app.port))}\r\n`;
        socket.write(`HTTP/1.1 ${status} Any\r\n${place}content-length: 2\r\n\r\nok`);
      });
      const binding = createHttpBinding({ url: `${app.url}/base` });
      onTestFinished(async () => {
        await binding.close();
        await app.close();
      });
      return { app, binding };
    }

    test.each([
      [301, 'post', 'GET /there HTTP/1.1', ''],
      [302, 'put', 'GET /there HTTP/1.1', ''],
      [303, 'patch', 'GET /there HTTP/1.1', ''],
      [303, 'head', 'HEAD /there HTTP/1.1', ''],
      [307, 'post', 'POST /there HTTP/1.1', '{"a":1}'],
      [308, 'put', 'PUT /there HTTP/1.1', '{"a":1}'],
    ])('%i of %s is followed with %s', async (status, operation, line, body) => {
      const { app, binding } = await redirecting([status, '/there'], [200]);
      expect((await binding.invoke(operation, '{"a":1}', HEADERS))?.metadata?.['statusCode']).toBe('200');
      expect(app.requests[1]).toMatchObject({ line, body });
      const headers = app.requests[1]?.headers.join('\n') ?? '';
      expect(headers).toContain('Authorization: Bearer x');
      expect(/content-type/i.test(headers)).toBe(body !== '');
    });

    test('another host does not get the secrets, and neither does the first host after that', async () => {
      const { app, binding } = await redirecting(
        [307, 'http://localhost:{port}/b'],
        [307, 'http://127.0.0.1:{port}/c'],
        [200],
      );
      await binding.invoke('post', '1', HEADERS);
      const secret = app.requests.map(({ headers }) => /authorization|cookie/i.test(headers.join()));
      expect(secret).toEqual([true, false, false]);
      expect(app.requests[2]?.headers).toContain('X-More: 1');
    });

    test.each([
      [300, '/there'],
      [304, '/there'],
      [302, undefined],
    ])('%i to %s is the answer itself', async (status, location) => {
      const { binding } = await redirecting(location === undefined ? [status] : [status, location]);
      await expect(binding.invoke('post', '1', {})).rejects.toThrow(`received status code ${status}`);
    });

    test('the tenth redirect is an error, as with the client of the reference, and so is one to an address that cannot be called', async () => {
      const { app, binding } = await redirecting([302, '/again']);
      await expect(binding.invoke('get', 'null', {})).rejects.toThrow('stopped after 10 redirects');
      expect(app.requests).toHaveLength(10);
      const away = await redirecting([302, 'ftp://x/y']);
      await expect(away.binding.invoke('get', 'null', {})).rejects.toThrow('not an http or https address');
    });
  });

  test('a server that does not answer in time is an error', async () => {
    const { binding } = await given('HTTP/1.1 200 OK\r\n', { timeoutMs: 50 });
    await expect(binding.invoke('get', 'null', {})).rejects.toThrow(/timeout/i);
  });

  test.each(['', 'no address', 'ftp://x'])('the component does not start with the url "%s"', async (url) => {
    await expect(createHttpBinding({ url }).start()).rejects.toThrow(/metadata url/);
  });

  test('an unknown operation is an error', async () => {
    const { binding } = await given(OK);
    await expect(binding.invoke('fly', 'null', {})).rejects.toThrow('invalid operation: fly');
    expect(binding.operations).toContain('create');
  });
});
