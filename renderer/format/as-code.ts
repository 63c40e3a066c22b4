/**
 * Turns a publish or a delivery into code that repeats it: for shells and the HTTP clients of several
 * languages.
 */
import { escapeUnits } from '../../core/contract/unicode-escape.ts';
import { hasKeys, shellQuote, splitKeys } from '../../core/contract/shell-quote.ts';
import type { TokenFrom } from './sidecar-target.ts';

/** One request; the body is text, or base64 for bytes. */
export interface CodeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly isBase64: boolean;
  /** The server speaks HTTP/2 without TLS. */
  readonly isH2c?: boolean;
  /** A header whose value the code reads from a variable of the environment. */
  readonly token?: TokenFrom;
}

export const CODE_KINDS = ['curl', 'powershell', 'fetch', 'python', 'csharp', 'java', 'go'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

const HIDDEN = /^(content-length|host|connection|transfer-encoding)$/i;
const DOT_SEGMENT = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;
const SECRET = /^(authorization|cookie|set-cookie|.*api-token|.*access-?key|aeg-sas-key|aeg-sas-token)$/i;

/**
 * Headers for the copy: without those that a client adds itself, and with secrets masked unless they are
 * requested.
 */
export function copiedHeaders(
  headers: Readonly<Record<string, string>>,
  withSecrets: boolean,
): CodeRequest['headers'] {
  return Object.entries(headers)
    .filter(([name]) => !HIDDEN.test(name))
    .map(([name, value]) => [name, SECRET.test(name) && !withSecrets ? '***' : value] as const);
}

/** Text in double quotes that JavaScript, Java, C#, Go and Python read the same way. */
export function quoted(text: string): string {
  return escapeUnits(JSON.stringify(text), /[\u007f-\uffff]/g);
}

/**
 * Quoted text for languages that have a separate escape for characters beyond 16 bits, such as Python and Go.
 */
export function quotedWide(text: string): string {
  return quoted(text).replaceAll(/\\u(d[89ab]..)\\u(d[c-f]..)/g, (_pair, high: string, low: string) => {
    const code = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
    return `\\U${code.toString(16).padStart(8, '0')}`;
  });
}

/** The request as code. */
export function asCode(kind: CodeKind, request: CodeRequest): string {
  return WRITERS[kind](request);
}

/** Arguments of `curl` in a command for a POSIX shell, and the command piped into it with its `|`, or "". */
export function curlParts(request: CodeRequest): {
  readonly piped: string;
  readonly options: readonly string[];
} {
  const { method, url, headers, token, isH2c = false } = request;
  const { body, isBase64 } = bodyToPaste(request);
  // curl would declare the body as a form where no content type is given.
  const hasType = body === '' || splitType(headers).type !== undefined;
  const options = [
    // Brackets and braces in an address are plain text.
    '-g',
    ...(isH2c ? ['--http2-prior-knowledge'] : []),
    // curl would resolve dots itself and call another path.
    ...(DOT_SEGMENT.test(url) ? ['--path-as-is'] : []),
    // The method and the address of an imported recording can be any text, also the name of an option.
    `-X ${shellQuote(method)} ${url.startsWith('-') ? '--url ' : ''}${shellQuote(url)}`,
    ...headers
      // curl would read headers from the file of that name.
      .filter(([name]) => !name.startsWith('@'))
      // A colon without a value would make curl omit the header.
      .map(([name, value]) => `-H ${shellQuote(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(hasType ? [] : ['-H Content-Type:']),
    // The value stands in double quotes, because the shell puts the variable in.
    ...(token === undefined ? [] : [`-H "${token.header}: $${token.variable}"`]),
  ];
  if (isBase64)
    return {
      piped: `printf %s ${shellQuote(body)} | base64 -d | `,
      options: [...options, '--data-binary @-'],
    };
  // Text that begins with @ is no name of a file.
  return { piped: '', options: body === '' ? options : [...options, `--data-raw ${shellQuote(body)}`] };
}

/** The request as HTTP text, without the headers that the client adds. */
export function asRawHttp({ method, url, headers, body, isH2c = false }: CodeRequest): string {
  const { host, pathname, search } = new URL(url);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [
    `${method} ${pathname}${search} ${isH2c ? 'HTTP/2' : 'HTTP/1.1'}`,
    `host: ${host}`,
    ...lines,
    '',
    body,
  ].join('\r\n');
}

const WRITERS: Readonly<Record<CodeKind, (request: CodeRequest) => string>> = {
  curl: (request) => {
    const { piped, options } = curlParts(request);
    return `${piped}${['curl', ...options].join(' ')}`;
  },

  powershell: (request) => {
    const { method, url, headers, token } = request;
    const { body, isBase64 } = bodyToPaste(request);
    const { type, rest } = splitType(headers);
    const members = [
      ...rest.map(([name, value]) => `${psQuoted(name)} = ${psQuoted(value)}`),
      ...(token === undefined ? [] : [`${psQuoted(token.header)} = $env:${token.variable}`]),
    ];
    const bytes = isBase64
      ? `[Convert]::FromBase64String(${psQuoted(body)})`
      : `[Text.Encoding]::UTF8.GetBytes(${psQuoted(body)})`;
    return [
      `$body = ${bytes}`,
      ...(members.length === 0 ? [] : [`$headers = @{ ${members.join('; ')} }`]),
      [
        `Invoke-WebRequest -Method ${/^\w+$/.test(method) ? method : psQuoted(method)} -Uri ${psQuoted(url)} -Body $body`,
        ...(type === undefined ? [] : [`-ContentType ${psQuoted(type)}`]),
        ...(members.length === 0 ? [] : ['-Headers $headers']),
      ].join(' '),
    ].join('\n');
  },

  fetch: ({ method, url, headers, body, isBase64, token }) =>
    [
      `const response = await fetch(${quoted(url)}, {`,
      `  method: ${quoted(method)},`,
      ...block('  headers: {', '  },', [
        ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`),
        ...(token === undefined ? [] : [`    ${quoted(token.header)}: process.env.${token.variable},`]),
      ]),
      // A Buffer is used, because the client would declare a string as text/plain.
      `  body: Buffer.from(${quoted(body)}${isBase64 ? ", 'base64'" : ''}),`,
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n'),

  python: ({ method, url, headers, body, isBase64, token }) =>
    [
      ...(isBase64 ? ['import base64'] : []),
      ...(token === undefined ? [] : ['import os']),
      'import requests',
      '',
      'response = requests.request(',
      `    ${quotedWide(method)},`,
      `    ${quotedWide(url)},`,
      ...block('    headers={', '    },', [
        ...headers.map(([name, value]) => `        ${quotedWide(name)}: ${quotedWide(value)},`),
        ...(token === undefined
          ? []
          : [`        ${quotedWide(token.header)}: os.environ[${quotedWide(token.variable)}],`]),
      ]),
      `    data=${isBase64 ? `base64.b64decode(${quotedWide(body)})` : `${quotedWide(body)}.encode()`},`,
      '    timeout=60,',
      ')',
      'print(response.status_code, response.text)',
    ].join('\n'),

  csharp: ({ method, url, headers, body, isBase64, token }) => {
    const { type, rest } = splitType(headers);
    const bytes = isBase64
      ? `Convert.FromBase64String(${quoted(body)})`
      : `System.Text.Encoding.UTF8.GetBytes(${quoted(body)})`;
    return [
      'using var client = new HttpClient();',
      `using var request = new HttpRequestMessage(new HttpMethod(${quoted(method)}), ${quoted(url)});`,
      `request.Content = new ByteArrayContent(${bytes});`,
      ...(type === undefined
        ? []
        : [`request.Content.Headers.TryAddWithoutValidation("Content-Type", ${quoted(type)});`]),
      ...rest.map(
        ([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`,
      ),
      ...(token === undefined
        ? []
        : [
            `request.Headers.TryAddWithoutValidation(${quoted(token.header)}, Environment.GetEnvironmentVariable(${quoted(token.variable)}));`,
          ]),
      'using var response = await client.SendAsync(request);',
      'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    ].join('\n');
  },

  java: ({ method, url, headers, body, isBase64, token }) =>
    [
      'var request = java.net.http.HttpRequest.newBuilder()',
      `    .uri(java.net.URI.create(${quoted(url)}))`,
      ...headers.map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
      ...(token === undefined
        ? []
        : [`    .header(${quoted(token.header)}, System.getenv(${quoted(token.variable)}))`]),
      isBase64
        ? `    .method(${quoted(method)}, java.net.http.HttpRequest.BodyPublishers.ofByteArray(java.util.Base64.getDecoder().decode(${quoted(body)})))`
        : `    .method(${quoted(method)}, java.net.http.HttpRequest.BodyPublishers.ofString(${quoted(body)}))`,
      '    .build();',
      'var response = java.net.http.HttpClient.newHttpClient()',
      '    .send(request, java.net.http.HttpResponse.BodyHandlers.ofString());',
      'System.out.println(response.statusCode() + " " + response.body());',
    ].join('\n'),

  go: ({ method, url, headers, body, isBase64, token }) =>
    [
      'package main',
      '',
      'import (',
      ...[
        ...(isBase64 ? ['bytes', 'encoding/base64'] : []),
        'fmt',
        'io',
        'net/http',
        ...(token === undefined ? [] : ['os']),
        ...(isBase64 ? [] : ['strings']),
      ].map((name) => `\t"${name}"`),
      ')',
      '',
      'func main() {',
      ...(isBase64 ? [`\tbody, _ := base64.StdEncoding.DecodeString(${quotedWide(body)})`] : []),
      `\trequest, err := http.NewRequest(${quotedWide(method)}, ${quotedWide(url)}, ${isBase64 ? 'bytes.NewReader(body)' : `strings.NewReader(${quotedWide(body)})`})`,
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      ...headers.map(([name, value]) => `\trequest.Header.Set(${quotedWide(name)}, ${quotedWide(value)})`),
      ...(token === undefined
        ? []
        : [`\trequest.Header.Set(${quotedWide(token.header)}, os.Getenv(${quotedWide(token.variable)}))`]),
      '\tresponse, err := http.DefaultClient.Do(request)',
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '\tdefer response.Body.Close()',
      '\ttext, _ := io.ReadAll(response.Body)',
      '\tfmt.Println(response.StatusCode, string(text))',
      '}',
    ].join('\n'),
};

function splitType(headers: CodeRequest['headers']): {
  readonly type: string | undefined;
  readonly rest: CodeRequest['headers'];
} {
  const isType = ([name]: readonly [string, string]): boolean => /^content-type$/i.test(name);
  return { type: headers.find(isType)?.[1], rest: headers.filter((header) => !isType(header)) };
}

/** Lines between an opening and a closing one; nothing without any. */
function block(open: string, close: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [open, ...lines, close];
}

/**
 * The body as it can stand in a command. A shell cannot pass a NUL character in a word, and a terminal takes other control characters for keys
 * when the command is pasted, so a text with any of them is in base64.
 */
function bodyToPaste({ body, isBase64 }: CodeRequest): Pick<CodeRequest, 'body' | 'isBase64'> {
  return isBase64 || !hasKeys(body) ? { body, isBase64 } : { body: toBase64(body), isBase64: true };
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Quotes for PowerShell, which takes curly quotes for straight ones. Control characters are written as numbers: a terminal would take them for
 * keys when the command is pasted.
 */
function psQuoted(text: string): string {
  const [first = '', ...more] = splitKeys(text).map(({ isKeys, part }) =>
    isKeys
      ? Array.from(part, (key) => `[char]0x${key.charCodeAt(0).toString(16).padStart(2, '0')}`).join(' + ')
      : `'${part.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`,
  );
  return more.length === 0 ? first : `(${[first, ...more].join(' + ')})`;
}
