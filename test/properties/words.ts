import { readTables, rowsOf } from '../rules/table.ts';
import type { Draw } from './schema-values.ts';

/** Texts that are often invalid. */
const anyText = [
  '',
  'a',
  'a-b',
  'A_B',
  'x.io/y',
  'a.b.c',
  '*',
  '/',
  '/a/../b',
  '..',
  '.',
  '-',
  ' ',
  '%',
  '50%',
  '0',
  '1',
  '-1',
  '10.0.0.1',
  '10.0.0.0/8',
  '::1',
  'fd00::/64',
  '010.0.0.1',
  '1.2.3.4:80',
  '[::1]:80',
  'http://a.b/c?d',
  'https://[::1',
  'true',
  'object.a',
  '[',
  '{.a}',
  '{',
  '$(A)',
  '* * * * *',
  '@every 1s',
  'TZ=UTC * * * * *',
  '2026-01-01T00:00:00Z',
  '1Gi',
  '1e400',
  '9'.repeat(400),
  '\u0000',
  '\ufffd',
  'ü',
  '日本',
  'a\nb',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(64),
  'x'.repeat(254),
  'system:masters',
  'kubernetes.io/x',
  'cpu',
  'memory',
  'example.com/gpu',
  'v1',
  'apps/v1',
  'a/b/c',
  'cluster.local',
  '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n',
  '^a$',
  '(',
];

/** Returns the texts of fields in the tables of rules, by the fields' names. */
function wordsOfTables(): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, Set<string>>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'string' && value.length < 100) words.set(name, (words.get(name) ?? new Set()).add(value));
    else if (Array.isArray(value)) for (const item of value) collect(item, name);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) collect(member, lastStep(key));
    }
  };
  for (const table of readTables()) {
    collect(table.base, '');
    for (const { row } of rowsOf(table)) {
      const cases: Record<string, unknown> = { ...row };
      for (const key of ['from', 'with', 'refused', 'accepted', 'set']) collect(cases[key], '');
    }
  }
  return new Map([...words].map(([name, texts]) => [name, [...texts]]));
}

const lastStep = (path: string): string => /([^.[\]"]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path;

/** Returns texts of fields with the name in tables of rules, and equally often any text. */
export function knownWords(): (name: string, draw: Draw) => string {
  const words = wordsOfTables();
  return (name, draw) => {
    const known = words.get(name) ?? anyText;
    const texts = draw(1) === 0 ? known : anyText;
    return texts[draw(texts.length - 1)];
  };
}

/** Texts of valid objects: short, and the same for all fields. */
export const plainWords = (_name: string, draw: Draw): string => ['a', 'b', 'cpu', 'x.io/y', 'Pods'][draw(4)];
