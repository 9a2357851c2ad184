import type { ContainerFiles } from '../../streams/container-files.ts';
import type { ContainerNetwork } from '../container-network.ts';
import type { DNSAnswer, RecordType } from './record.ts';
import { candidates, dataOf, hostAddresses, type ResolverSettings, resolverSettings } from './resolver.ts';

/** A container's files and network, from which its programs resolve names. */
export interface ResolvingContainer {
  readonly files: ContainerFiles;
  readonly network: ContainerNetwork;
}

const isAddress = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || (text.includes(':') && /^[\da-fA-F:.]+$/.test(text));

const textOf = (files: ContainerFiles, path: string): string => (files.isFile(path) ? files.read(path).toString() : '');

export const settingsOf = ({ files }: Pick<ResolvingContainer, 'files'>): ResolverSettings =>
  resolverSettings(textOf(files, '/etc/resolv.conf'));

/**
 * Returns the addresses of a name: of /etc/hosts, or else from the DNS servers of /etc/resolv.conf. An address is its
 * own. (getaddrinfo)
 */
export async function addressesOf(name: string, container: ResolvingContainer): Promise<readonly string[]> {
  if (isAddress(name)) return [name];
  const known = hostAddresses(textOf(container.files, '/etc/hosts'), name);
  if (known.length > 0) return known;
  const found: string[] = [];
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await askServers(name, type, container);
    found.push(...dataOf(answer?.records ?? [], type));
  }
  return found;
}

/** An answer, and the full name that was asked for. */
export interface FoundAnswer extends DNSAnswer {
  readonly name: string;
}

/**
 * Asks the DNS servers of a container for a name, in the order of its searches. Undefined if none answers.
 *
 * @param servers Default: those of /etc/resolv.conf
 */
export async function askServers(
  name: string,
  type: RecordType,
  container: ResolvingContainer,
  servers?: readonly string[],
): Promise<FoundAnswer | undefined> {
  const settings = settingsOf(container);
  return askFor(candidates(name, settings), type, container.network, servers ?? settings.servers);
}

/** Asks for each name until one has records. Undefined if no server answers. */
export async function askFor(
  names: readonly string[],
  type: RecordType,
  network: Pick<ContainerNetwork, 'ask'>,
  servers: readonly string[],
): Promise<FoundAnswer | undefined> {
  let best: FoundAnswer | undefined;
  for (const full of names) {
    let answer: DNSAnswer | undefined;
    for (const server of servers) {
      answer = await network.ask(server, full, type);
      if (answer !== undefined) break;
    }
    if (answer === undefined) return best;
    const found = { ...answer, name: full };
    if (answer.records.length > 0) return found;
    if (best === undefined || (best.code === 'NXDOMAIN' && answer.code === 'NOERROR')) best = found;
  }
  return best;
}
