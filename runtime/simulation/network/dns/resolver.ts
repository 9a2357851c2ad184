import type { DNSAnswer, DNSRecord, RecordType } from './record.ts';

/** A container's /etc/resolv.conf. */
export interface ResolverSettings {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly ndots: number;
}

const maxNdots = 15;

export function resolverSettings(text: string): ResolverSettings {
  const words = text.split('\n').map((line) => line.trim().split(/\s+/));
  const valuesOf = (keyword: string): string[] => words.filter(([first]) => first === keyword).flatMap((line) => line.slice(1));
  const ndots = valuesOf('options').find((option) => option.startsWith('ndots:'));
  return {
    servers: valuesOf('nameserver'),
    searches: valuesOf('search'),
    ndots: ndots === undefined ? 1 : Math.min(Number(ndots.slice('ndots:'.length)) || 0, maxNdots),
  };
}

/** Returns the addresses of a name in /etc/hosts. */
export function hostAddresses(hosts: string, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((one) => one.toLowerCase() === wanted) ? [address] : [];
  });
}

/** Returns the full names that a resolver asks for, in order. (resolv.conf(5)) */
export function candidates(name: string, { searches, ndots }: Pick<ResolverSettings, 'searches' | 'ndots'>): readonly string[] {
  if (name.endsWith('.')) return [name];
  const withSearches = searches.map((search) => `${name}.${search.replace(/\.$/, '')}.`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [`${name}.`, ...withSearches] : [...withSearches, `${name}.`];
}

/** Asks a DNS server. Undefined if it does not answer. */
export type Ask = (name: string, type: RecordType) => DNSAnswer | undefined;

/** Returns the first answer with records, else one that says that there are none. */
export function searched(names: readonly string[], type: RecordType, ask: Ask): (DNSAnswer & { readonly name: string }) | undefined {
  let best: (DNSAnswer & { readonly name: string }) | undefined;
  for (const name of names) {
    const answer = ask(name, type);
    if (answer === undefined) return best;
    if (answer.records.length > 0) return { ...answer, name };
    if (best === undefined || (best.code === 'NXDOMAIN' && answer.code === 'NOERROR')) best = { ...answer, name };
  }
  return best;
}

export const dataOf = (records: readonly DNSRecord[], type: RecordType): readonly string[] =>
  records.filter((record) => record.type === type).map(({ data }) => data);
