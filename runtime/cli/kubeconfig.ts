import { describeFlags, type Flag, parseFlags, UsageError } from '../machinery/options/flags.ts';

const flags: readonly Flag[] = [
  {
    name: 'cert-dir',
    type: 'string',
    value: 'DIR',
    default: 'certs',
    about: 'Folder with the certificates of the server.',
  },
  {
    name: 'server',
    type: 'string',
    value: 'URL',
    default: 'https://127.0.0.1:6443',
    about: 'Address of the server.',
  },
  { name: 'output', type: 'string', value: 'FILE', about: 'Write to a file with mode 0600 instead of stdout.' },
];

const kubeconfigHelp = `Print the admin kubeconfig of a server that was started before.

Usage:
  kubeloom kubeconfig [flags]

Flags:
${describeFlags(flags)}`;

export async function kubeconfig(args: readonly string[]): Promise<void> {
  const parsed = parseFlags(args, flags);
  if (parsed.help) {
    process.stdout.write(kubeconfigHelp);
    return;
  }
  const url = parsed.string('server') ?? '';
  if (!URL.canParse(url)) throw new UsageError(`invalid argument ${JSON.stringify(url)} for --server: not a URL`);
  const { kubeconfigFrom, writeKubeconfig } = await import('../serving/kubeconfig.ts');
  const text = await kubeconfigFrom(parsed.string('cert-dir') ?? '', url);
  const output = parsed.string('output');
  if (output === undefined) process.stdout.write(text);
  else await writeKubeconfig(output, text);
}
