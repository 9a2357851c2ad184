import { describeFlags, type Flag, type ParsedFlags, parseFlags, UsageError } from '../machinery/options/flags.ts';
import type { Request } from '../testkit/history/audit-log.ts';
import type { ObjectPlace, ObjectRevision } from '../testkit/history/object-history.ts';
import { clientOptionsOf, kubeconfigFlags } from './kubeconfig-flags.ts';
import { isJsonOutput, outputFlag } from './output-flag.ts';

const flags: readonly Flag[] = [
  { name: 'namespace', type: 'string', value: 'NAME', default: 'default', about: 'Namespace of the object.' },
  {
    name: 'audit-log',
    type: 'string',
    value: 'FILE',
    about: 'Audit log of the server, in JSON: names the user and the program of each revision.',
  },
  { ...outputFlag, about: 'What to print: json has whole values.' },
  ...kubeconfigFlags,
];

const historyHelp = `Print who changed which fields of an object, and when.

Usage:
  kubeloom history TYPE/NAME [flags]

TYPE is a resource as kubectl has it: deployments, deploy, deployments.apps. A line is a revision. Servers that were started with
--history=all know all of them, others those of some minutes.

Flags:
${describeFlags(flags)}`;

/** The maximum characters of a value in a line. */
const longestValue = 60;

export async function history(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(withShortFlags(args), flags, 2);
  if (parsed.help) {
    process.stdout.write(historyHelp);
    return;
  }
  const [type, name] = parsed.positionals.flatMap((word) => word.split('/'));
  if (type === undefined || !name) throw new UsageError('kubeloom history needs TYPE/NAME');
  const isJson = isJsonOutput(parsed);
  const { revisions, requests } = await read(parsed, type, name);
  if (revisions.length === 0) throw new Error(`nothing is known of ${type} ${JSON.stringify(name)}`);
  const rows = revisions.map((revision, at) => ({ ...revision, ...(requests[at] && { request: requests[at] }) }));
  if (isJson) process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else process.stdout.write(await table(rows));
}

/** Expands the short flags -n and -o, as kubectl does. */
export const withShortFlags = (args: readonly string[]): string[] =>
  args.map((arg) => arg.replace(/^-n(?==|$)/, '--namespace').replace(/^-o(?==|$)/, '--output'));

async function read(
  parsed: ParsedFlags,
  type: string,
  name: string,
): Promise<{ revisions: readonly ObjectRevision[]; requests: readonly (Request | undefined)[] }> {
  const [{ RestClient }, { apiResources, resourceNamed }, { objectHistory }] = await Promise.all([
    import('../client/rest-client.ts'),
    import('../testkit/history/api-resources.ts'),
    import('../testkit/history/object-history.ts'),
  ]);
  const client = new RestClient({ userAgent: 'kubeloom-history', ...(await clientOptionsOf(parsed)) });
  try {
    const resource = resourceNamed(await apiResources(client), type);
    const place: ObjectPlace = { resource, namespace: parsed.string('namespace') ?? 'default', name };
    const revisions = await objectHistory(client, place);
    const log = parsed.string('audit-log');
    if (log === undefined) return { revisions, requests: [] };
    const { requestsOf } = await import('../testkit/history/audit-log.ts');
    return { revisions, requests: await requestsOf(log, place, revisions) };
  } finally {
    client.close();
  }
}

type Row = ObjectRevision & { readonly request?: Request };

async function table(rows: readonly Row[]): Promise<string> {
  const { changeText } = await import('../testkit/history/change-text.ts');
  const cells = rows.map(({ revision, type, time, managers, operation, changes, request }) => [
    String(revision),
    time ?? request?.time ?? '-',
    request === undefined ? managers.join(',') || '-' : `${request.user} (${request.userAgent.split(' ')[0]})`,
    operation ?? request?.verb ?? '-',
    type === 'changed' ? changes.map((change) => changeText(change, longestValue)).join('; ') || '-' : type,
  ]);
  const titles = ['REVISION', 'TIME', 'BY', 'OPERATION', 'CHANGES'];
  const all = [titles, ...cells];
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + 3))).join('');
  return all.map((row) => `${line(row)}\n`).join('');
}
