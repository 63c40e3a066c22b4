/** The only place where an edge between rooms, or from a room to a package, is allowed. */

export interface Room {
  /** Rooms it may import from, besides itself. */
  readonly rooms: readonly RoomName[];
  /** Packages it may import; `node:*` stands for every built-in module. */
  readonly packages: readonly string[];
  /** Rooms of which it may use types only. */
  readonly typesOnly?: readonly RoomName[];
  /** Rooms of which it may use these files only. */
  readonly filesOnly?: { readonly [room in RoomName]?: readonly string[] };
}

const ROOM_NAMES = [
  'core/contract',
  'core/domain',
  'core/ports',
  'core/runtime',
  'core/grpc-protocol',
  'core/http',
  'core/grpc',
  'core/tap',
  'core/console',
  'core/adapters',
  'core/mock-app',
  'core/router-protocol',
  // A room inside another one stands before it: the first name that fits a file is its room.
  'core/event-router/rules',
  'core/event-router',
  'core/local-router/rules',
  'core/local-router',
  'core/scenario',
  'core/testing',
  'core/mcp',
  'core/host',
  'electron/preload',
  'electron',
  'renderer',
] as const;

export type RoomName = (typeof ROOM_NAMES)[number];

const INNER = ['core/contract', 'core/domain', 'core/ports'] as const;

/** What the rooms of the event router use of the domain: values and texts, no rule of publish or delivery. */
const DOMAIN_HELPERS = [
  'core/domain/component.ts',
  'core/domain/command-line.ts',
  // The search whose time is linear in the text.
  'core/domain/filter/glob.ts',
  'core/domain/filter/mistakes.ts',
  'core/domain/heap.ts',
  // How a server ends a request that it does not take.
  'core/domain/http-edge.ts',
  'core/domain/json.ts',
  'core/domain/loopback.ts',
  // What a body takes while it comes.
  'core/domain/pieces.ts',
  'core/domain/redact.ts',
  'core/domain/refusal.ts',
  'core/domain/result.ts',
  'core/domain/setting-checks.ts',
  'core/domain/usage-error.ts',
] as const;

/** Pure rules of the event router: of what both its ends agree on, they use the names of resources and nothing that opens a socket. */
const ROUTER_RULES = {
  rooms: ['core/contract', 'core/domain', 'core/router-protocol'],
  filesOnly: { 'core/domain': DOMAIN_HELPERS, 'core/router-protocol': ['core/router-protocol/scope.ts'] },
  packages: [],
} as const satisfies Room;

export const ROOMS = {
  // The schema library, because the schemas are the contract: ADR 0021. Only SCHEMA_FILE imports it.
  'core/contract': { rooms: [], packages: ['typebox'] },
  // Pure libraries: the grammar of the filter language, and the expressions of routing rules with linear-time matching.
  'core/domain': {
    rooms: ['core/contract'],
    packages: ['chevrotain', '@marcbachmann/cel-js', '@bufbuild/re2'],
  },
  'core/ports': { rooms: ['core/contract', 'core/domain'], packages: [] },
  'core/runtime': { rooms: INNER, packages: [] },
  'core/http': {
    rooms: [...INNER, 'core/runtime'],
    packages: ['fastify', 'node:http', 'node:net', 'node:stream', 'node:crypto', 'node:diagnostics_channel'],
  },
  // What both ends of a gRPC call agree on: messages, services, and how they are written as bytes.
  'core/grpc-protocol': {
    rooms: ['core/contract', 'core/domain'],
    packages: ['protobufjs', '@grpc/proto-loader', 'node:*'],
  },
  'core/grpc': {
    rooms: [...INNER, 'core/grpc-protocol', 'core/runtime'],
    packages: ['@grpc/grpc-js', '@grpc/reflection', 'node:net', 'node:crypto'],
  },
  // Bytes between an app and a sidecar that is not ours. What a target names is read as the sidecar's own edge reads it.
  'core/tap': {
    rooms: [...INNER, 'core/grpc-protocol', 'core/http'],
    filesOnly: {
      'core/http': ['core/http/path.ts', 'core/http/metadata-query.ts', 'core/http/shared-read.ts'],
    },
    packages: ['node:net', 'node:http', 'node:http2', 'node:zlib'],
  },
  'core/console': { rooms: [...INNER, 'core/runtime'], packages: ['fastify', 'ws', 'typebox', 'node:*'] },
  'core/adapters': {
    rooms: [...INNER, 'core/grpc-protocol'],
    packages: [
      'undici',
      '@grpc/grpc-js',
      'cloudevents',
      'ioredis',
      '@nats-io/jetstream',
      '@nats-io/transport-node',
      'yaml',
      'ajv',
      'ajv-formats',
      'node:*',
    ],
  },
  'core/mock-app': {
    rooms: [...INNER, 'core/grpc-protocol'],
    packages: ['fastify', '@grpc/grpc-js', 'node:http', 'node:net'],
  },
  // What both ends of the event router's wire agree on: names of resources, and which certificates count.
  'core/router-protocol': {
    rooms: ['core/contract', 'core/domain'],
    filesOnly: { 'core/domain': DOMAIN_HELPERS },
    packages: ['node:*'],
  },
  'core/event-router/rules': ROUTER_RULES,
  // The binding. It knows the service that it talks to by addresses, never by an import.
  'core/event-router': {
    rooms: [...INNER, 'core/router-protocol', 'core/event-router/rules'],
    filesOnly: { 'core/domain': DOMAIN_HELPERS },
    packages: ['jose', 'undici', 'node:*'],
  },
  'core/local-router/rules': ROUTER_RULES,
  // The service that stands in for the cloud on this machine: tokens, certificates and HTTPS listeners of its own.
  'core/local-router': {
    rooms: [...INNER, 'core/router-protocol', 'core/local-router/rules'],
    filesOnly: { 'core/domain': DOMAIN_HELPERS },
    packages: [
      'jose',
      '@peculiar/x509',
      '@peculiar/asn1-schema',
      '@peculiar/asn1-x509',
      'reflect-metadata',
      'fastify',
      'undici',
      'node:*',
    ],
  },
  // Waits, scenario files and stories: reads and acts over the console's methods alone.
  'core/scenario': { rooms: INNER, packages: ['yaml'] },
  // Starts instances and connects to them, from outside.
  'core/testing': {
    rooms: [...INNER, 'core/grpc-protocol', 'core/adapters', 'core/scenario'],
    filesOnly: { 'core/adapters': ['core/adapters/system-clock.ts'] },
    packages: ['ws', '@grpc/grpc-js', 'node:*'],
  },
  // Tools for agents, and the protocol that they speak; over the console's methods alone.
  'core/mcp': { rooms: [...INNER, 'core/scenario'], packages: ['@modelcontextprotocol/sdk', 'node:*'] },
  'core/host': {
    rooms: [
      ...INNER,
      'core/runtime',
      'core/http',
      'core/grpc',
      'core/tap',
      'core/console',
      'core/adapters',
      'core/mock-app',
      'core/router-protocol',
      'core/event-router',
      'core/local-router',
      'core/local-router/rules',
      'core/scenario',
      'core/testing',
      'core/mcp',
    ],
    packages: ['yaml', 'node:*'],
  },
  electron: { rooms: ['core/contract', 'core/host'], packages: ['electron', 'node:*'] },
  'electron/preload': { rooms: ['core/contract'], typesOnly: ['core/contract'], packages: ['electron'] },
  renderer: {
    rooms: ['core/contract'],
    packages: [
      'react',
      'react-dom',
      'zustand',
      '@base-ui/react',
      '@dagrejs/dagre',
      '@tanstack/react-virtual',
      '@xyflow/react',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/lang-xml',
      '@codemirror/lang-yaml',
      '@codemirror/language',
      '@codemirror/merge',
      '@codemirror/lint',
      '@codemirror/search',
      '@codemirror/state',
      '@codemirror/view',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      '@leeoniya/ufuzzy',
      '@lezer/highlight',
      '@noble/hashes',
      'diff',
      'lucide-react',
      'papaparse',
      'react-resizable-panels',
      'saxes',
      'uplot',
      'wouter',
    ],
  },
} as const satisfies Record<RoomName, Room>;

/** The only file of the contract that imports the schema library. Rooms of the page have the contract's types, and never load this file. */
export const SCHEMA_FILE = 'core/contract/schema.ts';
export const WITHOUT_SCHEMAS: readonly RoomName[] = ['renderer', 'electron/preload'];

/** Folders whose members must not import each other, besides the files that put them together and what they share. */
export const SEPARATE: readonly {
  readonly folder: string;
  readonly joints: readonly string[];
  /** Members that all others may import; they themselves stay apart from the rest. */
  readonly shared: readonly string[];
}[] = [
  {
    folder: 'core/adapters',
    joints: ['core/adapters/registry.ts'],
    shared: [
      // Both journals keep these alike.
      'stored',
      // No codec can be handed to a thread, so each thread imports it.
      'buffer-codec.ts',
      // Both brokers read, count, remember and report these alike.
      'setting-values.ts',
      'slots.ts',
      'before-subscription.ts',
      'broker-readers.ts',
      'not-handed-over.ts',
      'lost-connection.ts',
      // Files are read up to a limit, and written whole.
      'bounded-file.ts',
      'whole-file.ts',
      // Threads: where their code is, and how they return memory.
      'thread-file.ts',
      'collect-garbage.ts',
      // A journal and a broker leave work to the end of one turn, in one order.
      'turn-end.ts',
      // The ways to an app find out what its port speaks, and whether a program listens there.
      'port-protocol.ts',
      'http2-kind.ts',
      'listening.ts',
      // Lines are written for a slow reader.
      'line-output.ts',
    ],
  },
  { folder: 'renderer/views', joints: [], shared: [] },
];

/** Folders and files of a room from the lowest floor up: none imports from a higher one. What is not listed stands on top. */
export const FLOORS: readonly { readonly folder: string; readonly floors: readonly (readonly string[])[] }[] =
  [
    {
      folder: 'core/event-router',
      floors: [['client'], ['webhook'], ['binding'], ['connection'], ['console', 'command']],
    },
    {
      folder: 'core/local-router',
      floors: [
        [
          'options.ts',
          'changes.ts',
          'faults.ts',
          'handshake-log.ts',
          'secrets.ts',
          'sleeps.ts',
          'store',
          'trust',
          'identity',
          'topics',
          'subscriptions',
          'outbound',
        ],
        ['engine'],
        ['edge'],
      ],
    },
  ];

/** Files that only some folders of a room may import. */
export const RESERVED: readonly {
  readonly file: string;
  readonly room: RoomName;
  readonly folders: readonly string[];
}[] = [
  // The binding reaches the embedded service through its addresses alone; the console's methods show and steer the service itself.
  {
    file: 'core/ports/local-router.ts',
    room: 'core/event-router',
    folders: ['connection', 'console', 'event-router.ts'],
  },
];

/** Edges that are allowed against the table, each with the number of the decision record that says why. */
export const EXCEPTIONS: readonly { readonly from: string; readonly to: string; readonly adr: number }[] = [];

/** The room of a file, or undefined outside of all rooms (tests, scripts, tool settings): these may import anything. */
export const roomOf = (file: string): RoomName | undefined =>
  ROOM_NAMES.find((room) => file.startsWith(`${room}/`));
