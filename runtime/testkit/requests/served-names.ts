import { editDistance, suggestionFor } from '../../machinery/options/suggestion.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';
import { anyOf } from './request-match.ts';

/** The maximum number of letters in which a misspelled group differs from a served one. */
const fewLetters = 2;

/** Checks the names of groups and resources in a match against those that a server serves. */
export class ServedNames {
  readonly #registry: Pick<ResourceRegistry, 'entries' | 'isStatic'>;

  constructor(registry: Pick<ResourceRegistry, 'entries' | 'isStatic'>) {
    this.#registry = registry;
  }

  /** Returns the requirement that a group violates; undefined if the group is served, or may be served later. */
  problemOfGroup(group: string): string | undefined {
    const served = new Set(this.#facts().map((facts) => facts.group));
    if (served.has(group) || group === '*') return undefined;
    if (group === 'core') return 'must be a served group: did you mean ""?';
    const slash = group.indexOf('/');
    if (slash >= 0) return `must be a group without its version: did you mean ${JSON.stringify(group.slice(0, slash))}?`;
    if (group.endsWith('*')) return this.#problemOfGroupPattern(group, served);
    const near = nearGroup(group, served);
    if (near !== undefined) return `must be a served group: did you mean ${JSON.stringify(near)}?`;
    if (mayComeLater(group)) return undefined;
    return 'must be a served group, or one with a dot, which may be served later';
  }

  /**
   * Returns the requirement that a resource violates; undefined if requests may name the resource.
   *
   * @param pattern in the notation of RequestMatch.resources
   * @param groups the groups of the match; undefined for any
   */
  problemOfResource(pattern: string, groups: readonly string[] | undefined): string | undefined {
    const [name = '', part, ...rest] = pattern.split('/');
    if (rest.length > 0) return 'must be a resource, or a resource and a subresource';
    if (name === '*') return part === undefined ? undefined : problemOfSubresource(name, part, this.#facts());
    if (name.includes('*')) return 'must be the plural of a resource, or * for all';
    const isMeant = anyOf(groups);
    const facts = this.#facts();
    const candidates = facts.filter(({ group }) => isMeant(group));
    const named = candidates.filter(({ resource }) => resource === name);
    if (named.length > 0) return part === undefined ? undefined : problemOfSubresource(name, part, named);
    const inOtherGroup = facts.find(({ resource }) => resource === name);
    if (inOtherGroup !== undefined) return `must be of one of apiGroups: ${name} are of the group ${JSON.stringify(inOtherGroup.group)}`;
    const meant = resourceMeantBy(name, candidates);
    if (meant !== undefined) return `must be the plural of a served resource${hint(meant, part)}`;
    if (groups?.some((group) => this.#mayServeMore(group)) && isPlural(name)) return undefined;
    const other = resourceMeantBy(name, facts);
    if (other !== undefined) return `must be the plural of a served resource${hint(other, part)}`;
    return 'must be the plural of a served resource; apiGroups must name the group of one that is served later';
  }

  #facts(): ResourceFacts[] {
    return [...this.#registry.entries()].map(({ facts }) => facts);
  }

  #problemOfGroupPattern(pattern: string, served: ReadonlySet<string>): string | undefined {
    const prefix = pattern.slice(0, -1);
    if (prefix.includes('.') || [...served].some((group) => group.startsWith(prefix))) return undefined;
    return 'must be what a served group begins with';
  }

  /** Reports whether a group may gain resources. */
  #mayServeMore(group: string): boolean {
    return mayComeLater(group) && !this.#registry.isStatic(group);
  }
}

/** The groups of definitions and of aggregated servers are domains. */
const mayComeLater = (group: string): boolean => group.includes('.');

const isPlural = (name: string): boolean => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name);

function nearGroup(group: string, served: Iterable<string>): string | undefined {
  if (!mayComeLater(group)) return suggestionFor(group, served);
  return [...served].find((one) => editDistance(group.toLowerCase(), one) <= fewLetters);
}

/** Returns the resource for a singular, a kind, a short name or a misspelled name. */
function resourceMeantBy(name: string, facts: readonly ResourceFacts[]): string | undefined {
  const given = name.toLowerCase();
  const byOtherName = facts.find(
    ({ singular, kind, shortNames, resource }) => [singular, kind.toLowerCase(), resource].includes(given) || shortNames.includes(given),
  );
  return byOtherName?.resource ?? suggestionFor(name, new Set(facts.map(({ resource }) => resource)));
}

function problemOfSubresource(name: string, part: string, facts: readonly ResourceFacts[]): string | undefined {
  const known = new Set(facts.flatMap(({ subresources }) => subresources.map((one) => one.name)));
  if (part === '*' || known.has(part)) return undefined;
  const meant = suggestionFor(part, known);
  const of = name === '*' ? 'any resource' : name;
  return `must be a subresource of ${of}${meant === undefined ? '' : hint(name, meant)}`;
}

const hint = (name: string, part: string | undefined): string =>
  `: did you mean ${JSON.stringify(part === undefined ? name : `${name}/${part}`)}?`;
