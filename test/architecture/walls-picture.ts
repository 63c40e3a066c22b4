/** Draws the walls of docs/architecture.md from the import table: floors from the bottom up, and who may import whom. */
import { type Room, type RoomName, ROOMS } from './rules.ts';

type Table = Readonly<Record<string, Room>>;

const START = '<!-- walls: drawn by `npm run walls` from test/architecture/rules.ts -->';
const END = '<!-- walls: end -->';

/** Rooms in an order in which each one only imports from rooms before it. The table has no cycle; walls.test.ts checks that. */
function bottomUp(table: Table): readonly { readonly room: string; readonly floor: number }[] {
  const floorOf = (room: string): number =>
    Math.max(0, ...(table[room]?.rooms ?? []).map((below) => floorOf(below) + 1));
  return Object.keys(table)
    .map((room) => ({ room, floor: floorOf(room) }))
    .toSorted((a, b) => a.floor - b.floor || (a.room < b.room ? -1 : 1));
}

/** Mark of an edge: X any file, t types only, f only the files that the table names, a dot for none. */
function mark(room: Room | undefined, target: RoomName): string {
  if (room?.rooms.includes(target) !== true) return '.';
  if (room.typesOnly?.includes(target) === true) return 't';
  return room.filesOnly?.[target] === undefined ? 'X' : 'f';
}

/** The picture as lines of text: the floors with their rooms, top first; then one row and one column for each room, lowest first. */
export function drawWalls(table: Table = ROOMS): string {
  const rooms = bottomUp(table);
  const widest = Math.max(...rooms.map(({ room }) => room.length));
  const heads = rooms.map((_, index) => String(index + 1).padStart(3)).join('');
  const rows = rooms.map(({ room, floor }, row) => {
    const marks = rooms.map((column, index) =>
      (index === row ? '\\' : mark(table[room], column.room as RoomName)).padStart(3),
    );
    return `${String(floor).padStart(5)}  ${String(row + 1).padStart(2)} ${room.padEnd(widest)} ${marks.join('')}`;
  });
  const top = rooms.at(-1)?.floor ?? 0;
  const floors = Array.from({ length: top + 1 }, (_, n) => {
    const names = rooms.filter(({ floor }) => floor === top - n).map(({ room }) => room);
    return `${String(top - n).padStart(5)}  ${names.join('   ')}`;
  });
  return ['floor', ...floors, '', `floor     ${'may import'.padEnd(widest)} ${heads}`, ...rows].join('\n');
}

/** The document with a fresh picture between its two marks. Throws Error when a mark is missing. */
export function withWalls(doc: string, table: Table = ROOMS): string {
  const start = doc.indexOf(START);
  const end = doc.indexOf(END);
  if (start === -1 || end < start) throw new Error(`docs/architecture.md lacks ${START} or ${END}`);
  return `${doc.slice(0, start + START.length)}\n\n\`\`\`text\n${drawWalls(table)}\n\`\`\`\n\n${doc.slice(end)}`;
}
