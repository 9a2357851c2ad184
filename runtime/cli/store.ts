import { describeFlags, type Flag, type ParsedFlags, parseFlags, UsageError } from './flags.ts';

const flags: readonly Flag[] = [
  { name: 'data-dir', type: 'string', value: 'DIR', default: 'data', about: 'Folder of the store.' },
  { name: 'prefix', type: 'string', value: 'KEY', about: 'dump: only keys with this prefix.' },
  {
    name: 'revision',
    type: 'string',
    value: 'N',
    about: 'compact: discard what only revisions before this one need. Default: the newest revision.',
  },
];

const storeHelp = `Maintain a store on disk that no server has open.

Usage:
  kubeloom store check [flags]     read the whole store; exit 1 if it is inconsistent
  kubeloom store dump [flags]      print a line of JSON for each object: key, revisions, object (encrypted: in base64)
  kubeloom store compact [flags]   discard history and free its disk space

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
  if (!action) throw new UsageError(`store needs one of: ${[...actions.keys()].join(', ')}`);
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
  const { isEncrypted } = await import('../storage/value/encrypt/identity.ts');
  for await (const { key, value, createRevision, modRevision } of dumpStore(dir, parsed.string('prefix'))) {
    const head = JSON.stringify({ key, createRevision, modRevision });
    // the stored bytes, without decoding them
    const object = isEncrypted(value)
      ? `"encrypted":"${Buffer.from(value).toString('base64')}"`
      : `"object":${Buffer.from(value).toString('utf8')}`;
    const line = `${head.slice(0, -1)},${object}}\n`;
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
