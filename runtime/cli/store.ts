import type { Engine, KeyValue } from '../storage/kv/engine.ts';
import { describeFlags, type Flag, parseFlags, UsageError } from './flags.ts';

const flags: readonly Flag[] = [
  { name: 'data-dir', type: 'string', value: 'DIR', default: 'data', about: 'Folder of the store.' },
  {
    name: 'revision',
    type: 'string',
    value: 'N',
    about: 'compact: forget what only revisions before this one need; default the newest.',
  },
  { name: 'prefix', type: 'string', value: 'KEY', default: '', about: 'dump: only keys that begin like this.' },
];

export const storeHelp = `Look after a store on disk, while no server has it open.

Usage:
  kubeloom store check [flags]     read everything; exit 1 when something cannot be read
  kubeloom store dump [flags]      one line of JSON an object: key, revisions, object
  kubeloom store compact [flags]   forget history

Flags:
${describeFlags(flags)}`;

const actions: Readonly<Record<string, (engine: Engine, flags: ReturnType<typeof parseFlags>) => Promise<void>>> = {
  check,
  dump,
  compact,
};

export async function store(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args, flags, 1);
  if (parsed.help) {
    process.stdout.write(storeHelp);
    return;
  }
  const name = parsed.positionals[0] ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new UsageError(`store wants one of: ${Object.keys(actions).join(', ')}`);
  const folder = parsed.string('data-dir') ?? '';
  const { existsSync } = await import('node:fs');
  if (!existsSync(folder)) throw new UsageError(`--data-dir: no folder ${folder}`);
  const { openLmdbEngine } = await import('../storage/lmdb/lmdb-engine.ts');
  const engine = await openLmdbEngine({ path: folder });
  try {
    await action(engine, parsed);
  } finally {
    await engine.close();
  }
}

async function check(engine: Engine): Promise<void> {
  let count = 0;
  const broken: string[] = [];
  for await (const { key, value } of everything(engine, '')) {
    count++;
    try {
      const object = JSON.parse(Buffer.from(value).toString('utf8'));
      if (typeof object?.metadata?.name !== 'string') broken.push(`${key}: no metadata.name`);
    } catch (error) {
      broken.push(`${key}: ${(error as Error).message}`);
    }
  }
  for (const line of broken) process.stderr.write(`${line}\n`);
  const size = broken.length;
  process.stdout.write(
    `${count} objects, ${size} unreadable, revision ${engine.revision()}, compacted ${engine.compactedRevision()}\n`,
  );
  if (size > 0) process.exitCode = 1;
}

async function dump(engine: Engine, parsed: ReturnType<typeof parseFlags>): Promise<void> {
  for await (const { key, value, createRevision, modRevision } of everything(engine, parsed.string('prefix') ?? '')) {
    const head = JSON.stringify({ key, createRevision, modRevision });
    const line = `${head.slice(0, -1)},"object":${Buffer.from(value).toString('utf8')}}\n`;
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

async function compact(engine: Engine, parsed: ReturnType<typeof parseFlags>): Promise<void> {
  const text = parsed.string('revision');
  const newest = engine.revision();
  const revision = text === undefined ? newest : Number(text);
  if (!Number.isSafeInteger(revision) || revision < 1 || revision > newest) {
    throw new UsageError(`invalid argument ${JSON.stringify(text)} for --revision: must be between 1 and ${newest}`);
  }
  await engine.compact(revision);
  process.stdout.write(`compacted ${engine.compactedRevision()}, revision ${newest}\n`);
}

/** Every key from `prefix` on that begins with it, in pages. */
async function* everything(engine: Engine, prefix: string): AsyncGenerator<KeyValue> {
  const revision = engine.revision();
  let start = prefix;
  for (;;) {
    const { items, more } = await engine.range(start, '\u{10ffff}', { limit: 500, revision });
    for (const item of items) {
      if (!item.key.startsWith(prefix)) return;
      yield item;
    }
    const last = items.at(-1);
    if (!more || !last) return;
    start = `${last.key}\0`;
  }
}
