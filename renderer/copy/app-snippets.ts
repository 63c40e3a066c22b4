/**
 * Minimal apps to which Sidelight can deliver, by language; %port%, %discovery% and %pubsub% are filled in.
 */

export const APP_SNIPPETS = {
  tabs: 'Languages',
  label: 'A small app in {language}',
  save: 'Save it as {file}, start it with',
  /** What makes Sidelight deliver to it: the field above, nothing, or a new start. */
  then: {
    enter: ', then enter its address above: http://127.0.0.1:{port}',
    given: '. Sidelight delivers to {app}, where this app then listens.',
    start: ', then start Sidelight again with --app-url http://127.0.0.1:{port}',
  },
} as const;

export interface Snippet {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Name of the file, and the command that starts it; absent: the text is not an app. */
  readonly start?: { readonly file: string; readonly command: string };
}

export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'node',
    start: { file: 'app.mjs', command: 'node app.mjs' },
    title: 'Node',
    text: `import { createServer } from 'node:http';

createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '%discovery%') {
    response.end('[{"pubsubname":"%pubsub%","topic":"orders","route":"/orders"}]');
    return;
  }
  request.resume().on('end', () => response.end('{"status":"SUCCESS"}'));
}).listen(%port%, '127.0.0.1');
`,
  },
  {
    id: 'python',
    start: { file: 'app.py', command: 'python3 app.py' },
    title: 'Python',
    text: `import json
from http.server import BaseHTTPRequestHandler, HTTPServer

class App(BaseHTTPRequestHandler):
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # %discovery%
        self.answer([{"pubsubname": "%pubsub%", "topic": "orders", "route": "/orders"}])

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        print(event["data"])
        self.answer({"status": "SUCCESS"})

HTTPServer(("127.0.0.1", %port%), App).serve_forever()
`,
  },
  {
    id: 'dotnet',
    start: { file: 'Program.cs of a new web project (dotnet new web)', command: 'dotnet run' },
    title: '.NET',
    text: `var app = WebApplication.CreateBuilder(args).Build();
app.MapGet("%discovery%", () => new[] { new { pubsubname = "%pubsub%", topic = "orders", route = "/orders" } });
app.MapPost("/orders", (System.Text.Json.JsonElement order) => new { status = "SUCCESS" });
app.Run("http://127.0.0.1:%port%");
`,
  },
  {
    id: 'java',
    start: { file: 'App.java', command: 'java App.java' },
    title: 'Java',
    text: `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class App {
  public static void main(String[] args) throws Exception {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", %port%), 0);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      var isDiscovery = exchange.getRequestURI().getPath().equals("%discovery%");
      var text = isDiscovery
          ? "[{\\"pubsubname\\":\\"%pubsub%\\",\\"topic\\":\\"orders\\",\\"route\\":\\"/orders\\"}]"
          : "{\\"status\\":\\"SUCCESS\\"}";
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, text.length());
      exchange.getResponseBody().write(text.getBytes());
      exchange.close();
    });
    server.start();
  }
}
`,
  },
  {
    id: 'go',
    start: { file: 'app.go', command: 'go run app.go' },
    title: 'Go',
    text: `package main

import (
	"fmt"
	"net/http"
)

func answer(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, text)
	}
}

func main() {
	http.HandleFunc("%discovery%", answer(\`[{"pubsubname":"%pubsub%","topic":"orders","route":"/orders"}]\`))
	http.HandleFunc("/orders", answer(\`{"status":"SUCCESS"}\`))
	http.ListenAndServe("127.0.0.1:%port%", nil)
}
`,
  },
  {
    id: 'curl',
    title: 'curl',
    text: `# What Sidelight asks the app, and what it delivers:
curl http://127.0.0.1:%port%%discovery%
curl -X POST http://127.0.0.1:%port%/orders -H 'Content-Type: application/cloudevents+json' \\
  -d '{"specversion":"1.0","id":"1","source":"app","type":"order","data":{"orderId":1}}'
`,
  },
];
