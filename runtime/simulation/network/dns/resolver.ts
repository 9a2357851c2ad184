import type { DNSRecord, RecordType } from './record.ts';

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

export const dataOf = (records: readonly DNSRecord[], type: RecordType): readonly string[] =>
  records.filter((record) => record.type === type).map(({ data }) => data);
