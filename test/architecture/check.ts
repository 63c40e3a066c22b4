/** Judges edges by the table of rules.ts and finds cycles. */
import type { Edge } from './graph.ts';
import {
  EXCEPTIONS,
  FLOORS,
  RESERVED,
  type Room,
  roomOf,
  type RoomName,
  ROOMS,
  SCHEMA_FILE,
  SEPARATE,
} from './rules.ts';

const WHY = 'test/architecture/rules.ts is the list of what is allowed';

/** One sentence per forbidden edge. */
export function violations(edges: readonly Edge[]): string[] {
  return edges
    .filter((edge) => !EXCEPTIONS.some(({ from, to }) => from === edge.from && to === edge.to))
    .flatMap((edge) => {
      const complaint = complaintAbout(edge);
      return complaint === undefined ? [] : [`${edge.from} ${complaint} (${WHY})`];
    });
}

function complaintAbout(edge: Edge): string | undefined {
  const name = roomOf(edge.from);
  if (name === undefined) return undefined;
  const room: Room = ROOMS[name];
  if (edge.kind === 'unknown') return `loads ${edge.to}, which cannot be judged`;
  if (edge.kind === 'file') return aboutFile(edge, name, room);
  const allowed =
    room.packages.includes(edge.kind === 'node' ? 'node:*' : edge.to) || room.packages.includes(edge.to);
  if (!allowed) return `imports ${edge.to}, which ${name} may not`;
  const isElsewhere = name === 'core/contract' && edge.from !== SCHEMA_FILE;
  return isElsewhere ? `imports ${edge.to}, which only ${SCHEMA_FILE} may` : undefined;
}

function aboutFile(edge: Edge, name: RoomName, room: Room): string | undefined {
  const target = roomOf(edge.to);
  if (target === undefined) return `imports ${edge.to}, which is in no room`;
  if (target === name) return aboutNeighbour(edge) ?? aboutFloor(edge);
  if (!room.rooms.includes(target)) return `imports ${edge.to}: ${name} may not import ${target}`;
  if (room.filesOnly?.[target]?.includes(edge.to) === false)
    return `imports ${edge.to}, which ${name} may not use of ${target}`;
  if (isReserved(edge, name)) return `imports ${edge.to}, which is for other folders of ${name}`;
  if (room.typesOnly?.includes(target) && !edge.typeOnly)
    return `imports ${edge.to} at run time, types only here`;
  return undefined;
}

function aboutNeighbour({ from, to }: Edge): string | undefined {
  for (const { folder, joints, shared } of SEPARATE) {
    if (!from.startsWith(`${folder}/`) || !to.startsWith(`${folder}/`) || joints.includes(from)) continue;
    // A style sheet beside the members belongs to all of them.
    if (to.endsWith('.css') && !to.slice(folder.length + 1).includes('/')) continue;
    const member = (file: string): string | undefined => file.slice(folder.length + 1).split('/')[0];
    if (shared.includes(member(to) ?? '')) continue;
    if (member(from) !== member(to)) return `imports ${to}: members of ${folder} stay apart`;
  }
  return undefined;
}

/** First part of a file's path inside a folder; undefined: the file lies elsewhere. */
function memberOf(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined;
}

function aboutFloor({ from, to }: Edge): string | undefined {
  for (const { folder, floors } of FLOORS) {
    const floorOf = (file: string): number => {
      const floor = floors.findIndex((members) => members.includes(memberOf(folder, file) ?? ''));
      return floor === -1 ? floors.length : floor;
    };
    if (memberOf(folder, from) === undefined || memberOf(folder, to) === undefined) continue;
    if (floorOf(to) > floorOf(from)) return `imports ${to}, which is on a higher floor of ${folder}`;
  }
  return undefined;
}

function isReserved({ from, to }: Edge, name: RoomName): boolean {
  return RESERVED.some(
    ({ file, room, folders }) =>
      file === to && room === name && !folders.includes(memberOf(room, from) ?? ''),
  );
}

/** Files that are loaded at run time when a file of the room is, the room's own files among them. */
export function loadedBy(room: RoomName, edges: readonly Edge[]): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to, kind, typeOnly } of edges) {
    if (kind === 'file' && !typeOnly) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    next.get(file)?.forEach(visit);
  };
  for (const file of next.keys()) if (roomOf(file) === room) visit(file);
  return loaded;
}

/** Import cycles, each once, as a path from its alphabetically first member back to it. */
export function cycles(edges: readonly Pick<Edge, 'from' | 'to'>[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) return void found.add(fromFirst(trail.slice(at)));
    if (done.has(node)) return;
    for (const target of next.get(node) ?? []) visit(target, [...trail, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return [...found].sort();
}

function fromFirst(loop: readonly string[]): string {
  const first = loop.indexOf([...loop].sort()[0] ?? '');
  const turned = [...loop.slice(first), ...loop.slice(0, first)];
  return [...turned, turned[0]].join(' -> ');
}

/** The table itself as edges, to be checked for cycles. */
export const edgesOfTable = (): { from: string; to: string }[] =>
  Object.entries(ROOMS).flatMap(([from, room]) => room.rooms.map((to) => ({ from, to })));
