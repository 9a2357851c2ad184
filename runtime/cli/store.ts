import { describeFlags, type Flag, type ParsedFlags, parseFlags, UsageError } from './flags.ts';

const flags: readonly Flag[] = [
  { name: 'data-dir', type: 'string', value: 'DIR', default: 'data', about: 'Folder of the store.' },
  { name: 'prefix', type: 'string', value: 'KEY', about: 'dump: only keys that begin like this.' },
  {
    name: 'revision',
    type: 'string',
    value: 'N',
    about: 'compact: forget what only revisions before this one need; the newest when not given.',
  },
];

export const storeHelp = `Look after a store on disk, while no server has it open.

Usage:
  kubeloom store check [flags]     read everything; exit 1 when something does not fit together
  kubeloom store dump [flags]      one line of JSON an object: key, revisions, object
  kubeloom store compact [flags]   forget history and give its disk space back

Flags:
${describeFlags(flags)}`;

const actions = new Map<string, (dir: string, flags: ParsedFlags) => Promise<void>>([
  ['check', check],
  ['dump', dump],
  ['compact', compact],
]);

export async function store(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args, flags, 1);
  if (parsed.help) {
    process.stdout.write(storeHelp);
    return;
  }
  const action = actions.get(parsed.positionals[0] ?? '');
  if (!action) throw new UsageError(`store wants one of: ${[...actions.keys()].join(', ')}`);
  await action(parsed.string('data-dir') ?? '', parsed);
}

async function check(dir: string): Promise<void> {
  const { checkStore } = await import('../storage/lmdb/check-store.ts');
  const { problems, revision, compactedRevision, keys, bytes, changes } = await checkStore(dir);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(
    `${keys} objects of ${bytes} bytes, ${changes} changes, revision ${revision}, compacted ${compactedRevision}: ` +
      `${problems.length === 0 ? 'sound' : `${problems.length} problems`}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

async function dump(dir: string, parsed: ParsedFlags): Promise<void> {
  const { dumpStore } = await import('../storage/lmdb/dump-store.ts');
  for await (const { key, value, createRevision, modRevision } of dumpStore(dir, parsed.string('prefix'))) {
    const head = JSON.stringify({ key, createRevision, modRevision });
    // the stored bytes as they are: nothing is lost by decoding them
    const line = `${head.slice(0, -1)},"object":${Buffer.from(value).toString('utf8')}}\n`;
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}

async function compact(dir: string, parsed: ParsedFlags): Promise<void> {
  const text = parsed.string('revision');
  const revision = text === undefined ? undefined : Number(text);
  if (revision !== undefined && (!Number.isSafeInteger(revision) || revision < 1)) {
    throw new UsageError(`invalid argument ${JSON.stringify(text)} for --revision: must be a revision, 1 or greater`);
  }
  const { compactStore } = await import('../storage/lmdb/compact-store.ts');
  const report = await compactStore(dir, revision);
  process.stdout.write(
    `revision ${report.revision}, compacted ${report.compactedRevision}, ${report.bytesBefore} -> ${report.bytesAfter} bytes\n`,
  );
}
