// The only place where an edge between rooms, or from a room to a package, is allowed.

export interface Room {
  /** Rooms it may import from, besides itself. */
  readonly rooms: readonly RoomName[];
  /** Packages it may import; `node:*` stands for every built-in module. */
  readonly packages: readonly string[];
  /** Rooms of which it may use types only. */
  readonly typesOnly?: readonly RoomName[];
}

const ROOM_NAMES = [
  'core/contract',
  'core/domain',
  'core/ports',
  'core/runtime',
  'core/http',
  'core/console',
  'core/adapters',
  'core/mock-app',
  'core/host',
  'electron/preload',
  'electron',
  'renderer',
] as const;

export type RoomName = (typeof ROOM_NAMES)[number];

const INNER = ['core/contract', 'core/domain', 'core/ports'] as const;

export const ROOMS = {
  'core/contract': { rooms: [], packages: [] },
  // Pure libraries: the grammar of the filter language, and the expressions of routing rules with linear-time matching.
  'core/domain': {
    rooms: ['core/contract'],
    packages: ['chevrotain', '@marcbachmann/cel-js', '@bufbuild/re2'],
  },
  'core/ports': { rooms: ['core/contract', 'core/domain'], packages: [] },
  'core/runtime': { rooms: INNER, packages: [] },
  'core/http': {
    rooms: [...INNER, 'core/runtime'],
    packages: ['fastify', 'node:http', 'node:stream', 'node:crypto'],
  },
  'core/console': { rooms: [...INNER, 'core/runtime'], packages: ['fastify', 'ws', 'typebox', 'node:*'] },
  'core/adapters': {
    rooms: INNER,
    packages: [
      'undici',
      'cloudevents',
      'ioredis',
      '@nats-io/jetstream',
      '@nats-io/transport-node',
      'yaml',
      'ajv',
      'ajv-formats',
      // The event router: tokens, certificates, its own HTTPS listeners.
      'jose',
      '@peculiar/x509',
      '@peculiar/asn1-schema',
      '@peculiar/asn1-x509',
      'reflect-metadata',
      'fastify',
      'node:*',
    ],
  },
  'core/mock-app': { rooms: INNER, packages: ['fastify'] },
  'core/host': {
    rooms: [...INNER, 'core/runtime', 'core/http', 'core/console', 'core/adapters', 'core/mock-app'],
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
      '@codemirror/merge',
      '@codemirror/search',
      '@codemirror/state',
      '@codemirror/view',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      '@leeoniya/ufuzzy',
      '@lezer/highlight',
      'lucide-react',
      'papaparse',
      'react-resizable-panels',
      'uplot',
      'wouter',
    ],
  },
} as const satisfies Record<RoomName, Room>;

/** Folders whose members must not import each other, besides the files that put them together and what they share. */
export const SEPARATE: readonly {
  readonly folder: string;
  readonly joints: readonly string[];
  /** Members that all others may import; they themselves stay apart from the rest. */
  readonly shared: readonly string[];
}[] = [
  // What both journals keep alike; the codec, because a journal's thread cannot be handed one; whom TLS clients believe;
  // how settings are read; what both brokers count, remember and tell alike.
  {
    folder: 'core/adapters',
    joints: ['core/adapters/registry.ts'],
    shared: [
      'stored',
      'buffer-codec.ts',
      'tls-trust.ts',
      'setting-values.ts',
      'slots.ts',
      'early.ts',
      'unread.ts',
      'lost-connection.ts',
      'whole-file.ts',
    ],
  },
  { folder: 'renderer/views', joints: [], shared: [] },
];

/** Edges that are allowed against the table, each with the number of the decision record that says why. */
export const EXCEPTIONS: readonly { readonly from: string; readonly to: string; readonly adr: number }[] = [];

/** The room of a file, or undefined outside of all rooms (tests, scripts, tool settings): these may import anything. */
export const roomOf = (file: string): RoomName | undefined =>
  ROOM_NAMES.find((room) => file.startsWith(`${room}/`));
