import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ClientOptions } from '../client/options.ts';
import type { Flag, ParsedFlags } from '../machinery/options/flags.ts';

export const kubeconfigFlags: readonly Flag[] = [
  {
    name: 'kubeconfig',
    type: 'string',
    value: 'FILE',
    about: 'Kubeconfig of the server. Default: the first file of $KUBECONFIG, or ~/.kube/config.',
  },
  { name: 'context', type: 'string', value: 'NAME', about: 'Its context. Default: the current one.' },
];

/** @throws Error if the file cannot be read, or is incomplete */
export async function clientOptionsOf(flags: ParsedFlags): Promise<ClientOptions> {
  const [first = ''] = (process.env.KUBECONFIG ?? '').split(delimiter);
  const path = flags.string('kubeconfig') ?? (first === '' ? join(homedir(), '.kube', 'config') : first);
  const { loadKubeconfig } = await import('../client/kubeconfig.ts');
  return loadKubeconfig(path, flags.string('context'));
}
