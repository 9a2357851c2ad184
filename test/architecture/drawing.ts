import { codegenFloors, floors, groups, type RoomGroup } from './floors.ts';

/* The table of floors as ARCHITECTURE.md shows it. */

/** The blocks of ARCHITECTURE.md that floors.ts says, by the name in their markers. */
export const blocks: Readonly<Record<string, string>> = {
  floors: mermaid(
    groups.map(({ name, rooms }) => [name, Object.keys(rooms)]),
    floors,
    ['server -.-> simulation', 'server -.-> testkit'],
  ),
  rooms: groups.map(listOf).join('\n\n'),
  'floors of codegen': mermaid([['codegen', Object.keys(codegenFloors)]], codegenFloors),
};

/** A pattern of a block between its markers. */
export const blockPattern = (name: string): RegExp => new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end of ${name} -->)`);

function listOf({ name, about, rooms }: RoomGroup): string {
  return [`**${name}.** ${about}\n`, ...Object.entries(rooms).map(([room, { about: line }]) => `- \`${room}\`: ${line}`)].join('\n');
}

/** Draws each room below those that import it. An arrow that others imply is left out. */
function mermaid(
  boxes: readonly (readonly [name: string, rooms: readonly string[]])[],
  table: Readonly<Record<string, readonly string[]>>,
  loaded: readonly string[] = [],
): string {
  const all = Object.keys(table);
  const below = (room: string): readonly string[] => {
    const named = table[room].includes('*') ? all.filter((other) => isImported(table, other, room)) : table[room];
    return all.includes('machinery') && room !== 'machinery' ? [...named, 'machinery'] : named;
  };
  const reached = new Map<string, Set<string>>();
  const reach = (room: string): Set<string> => {
    const known = reached.get(room);
    if (known !== undefined) return known;
    const found = new Set<string>();
    reached.set(room, found);
    for (const next of below(room)) for (const one of [next, ...reach(next)]) found.add(one);
    return found;
  };
  const arrows = all.flatMap((room) => {
    const direct = [...new Set(below(room))];
    return direct
      .filter((target) => !direct.some((other) => other !== target && reach(other).has(target)))
      .sort()
      .map((target) => `  ${room} --> ${target}`);
  });
  return [
    '```mermaid',
    'flowchart TB',
    ...(boxes.length > 1 ? boxes.flatMap(box) : []),
    ...arrows,
    ...loaded.map((arrow) => `  ${arrow}`),
    '```',
  ].join('\n');
}

function box([name, rooms]: readonly [name: string, rooms: readonly string[]], index: number): readonly string[] {
  return [`  subgraph group${index} [${name}]`, ...rooms.map((room) => `    ${room}`), '  end'];
}

/** Whether a room with `*` may import another statically: none that imports it, and none of the groups that are loaded when asked for. */
function isImported(table: Readonly<Record<string, readonly string[]>>, room: string, from: string): boolean {
  return room !== from && room in groups[0].rooms && !table[room].includes(from);
}
