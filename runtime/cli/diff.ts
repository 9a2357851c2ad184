import type { RestClient } from '../client/rest-client.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import { describeFlags, type Flag, invalidFlag, type ParsedFlags, parseFlags, UsageError } from '../machinery/options/flags.ts';
import { testGroupName } from '../options/test-group-name.ts';
import type { ObjectDifference } from '../testkit/history/store-difference.ts';
import { withShortFlags } from './history.ts';
import { clientOptionsOf, kubeconfigFlags } from './kubeconfig-flags.ts';
import { isJsonOutput, outputFlag } from './output-flag.ts';

const flags: readonly Flag[] = [
  { name: 'from', type: 'string', value: 'REVISION', about: 'The resourceVersion of the state before.' },
  { name: 'to', type: 'string', value: 'REVISION', about: 'That of the state after. Default: now.' },
  { name: 'namespace', type: 'string', value: 'NAME', about: 'Only objects in this namespace. Default: all objects.' },
  outputFlag,
  ...kubeconfigFlags,
];

const diffHelp = `Print what is different between two states of a server: objects that were added (+), removed (-), replaced by others of the
same name (!) and changed (~), with their fields.

Usage:
  kubeloom diff --from=REVISION [--to=REVISION] [TYPE...] [flags]

Exit codes are those of diff: 0 if nothing is different, 1 if something is, 2 for an error. The server must have both states: with
--history=all it has every one.

Flags:
${describeFlags(flags)}`;

const signs: Readonly<Record<ObjectDifference['type'], string>> = {
  added: '+',
  removed: '-',
  replaced: '!',
  changed: '~',
};

/** The maximum number of named types. */
const maxTypes = 1000;
/** The maximum characters of a value in a line. */
const longestValue = 200;

export async function diff(args: readonly string[]): Promise<void> {
  try {
    await compare(args);
  } catch (error) {
    process.stderr.write(`kubeloom: ${messageOf(error).replaceAll('\n', ' ')}\n`);
    process.exitCode = 2;
  }
}

async function compare(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(withShortFlags(args), flags, maxTypes);
  if (parsed.help) {
    process.stdout.write(diffHelp);
    return;
  }
  const [from, to] = [revisionFlag(parsed, 'from'), revisionFlag(parsed, 'to')];
  const isJson = isJsonOutput(parsed);
  if (from === undefined) throw new UsageError('kubeloom diff needs --from');
  const { RestClient } = await import('../client/rest-client.ts');
  const client = new RestClient({ userAgent: 'kubeloom-diff', ...(await clientOptionsOf(parsed)) });
  try {
    const differences = await differencesOf(client, parsed, { from, to });
    if (isJson) process.stdout.write(`${JSON.stringify(differences, undefined, 2)}\n`);
    else process.stdout.write(await textOf(differences));
    process.exitCode = differences.length === 0 ? 0 : 1;
  } finally {
    client.close();
  }
}

function revisionFlag(parsed: ParsedFlags, name: string): number | undefined {
  const text = parsed.string(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,15}$/.test(text)) throw invalidFlag(name, text, 'must be a resourceVersion');
  return Number(text);
}

async function differencesOf(
  client: RestClient,
  parsed: ParsedFlags,
  { from, to }: { readonly from: number; readonly to: number | undefined },
): Promise<ObjectDifference[]> {
  const [{ apiResources, resourceNamed }, { exactList }, { storeDifference }] = await Promise.all([
    import('../testkit/history/api-resources.ts'),
    import('../testkit/history/exact-list.ts'),
    import('../testkit/history/store-difference.ts'),
  ]);
  const known = await apiResources(client);
  const types = parsed.positionals.flatMap((words) => words.split(','));
  // the objects with which tests control a server have their own revisions
  const all = known.filter(({ group }) => group !== testGroupName);
  const resources = types.length === 0 ? all : types.map((word) => resourceNamed(known, word));
  const end = to ?? (await exactList(client, '/api/v1/namespaces', {})).revision;
  const differences: ObjectDifference[] = [];
  const between = { from, to: end, namespace: parsed.string('namespace') };
  for await (const one of storeDifference(client, resources, between)) differences.push(one);
  return differences;
}

async function textOf(differences: readonly ObjectDifference[]): Promise<string> {
  const { changeText } = await import('../testkit/history/change-text.ts');
  const lines = differences.flatMap(({ resource, namespace, name, type, changes }) => [
    `${signs[type]} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    ...changes.map((change) => `    ${changeText(change, longestValue)}`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}
