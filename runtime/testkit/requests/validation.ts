import type { OptionFinding } from '../../machinery/options/check-options.ts';
import { OptionError } from '../../machinery/options/option-error.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { type RequestFilter, requestMatchOf } from './request-filter.ts';
import type { RequestMatch } from './request-match.ts';
import { isKnownCode, isKnownVerb, isResourcePath, knownVerbs } from './request-names.ts';
import type { ServedNames } from './served-names.ts';

/** A value in a match that no request can have. */
interface MatchProblem {
  readonly member: keyof RequestMatch;
  /** The index in the list; undefined for the whole list. */
  readonly at?: number;
  readonly value: unknown;
  /** The requirement: `must be a path, as "/readyz"`. */
  readonly detail: string;
}

/** Returns the requirement that a value violates; undefined for a valid value. */
type Check = (value: string) => string | undefined;

const checks: Readonly<Partial<Record<keyof RequestMatch, Check>>> = {
  namespaces: (name) => (name === '' ? undefined : problemOfPattern(name, (text) => dnsLabel(text)[0])),
  names: (name) => (/[/%]/.test(name) ? 'must be a name, which has no / and no %' : undefined),
  users: (name) => (name === '' ? 'must be the name of a user, as "system:anonymous"' : undefined),
  groups: (name) => (name === '' ? 'must be the name of a group of users' : undefined),
  nonResourceURLs(path) {
    if (path !== '*' && !path.startsWith('/')) return 'must be a path, as "/readyz"';
    return isResourcePath(path) ? 'must be a path that names no resource; resources matches those that do' : undefined;
  },
};

/** Returns the problems of all values of a match except verbs. */
const problemsOf = (match: RequestMatch): MatchProblem[] =>
  Object.entries(match).flatMap(([key, values]: [string, readonly string[] | undefined]) => {
    const member = key as keyof RequestMatch;
    if (values?.length === 0) return [{ member, value: values, detail: 'must not be empty: without it, any' }];
    return problemsOfList(member, values, checks[member] ?? (() => undefined));
  });

/** Returns the problems of the groups and resources of a match. */
const unservedOf = ({ apiGroups, resources }: RequestMatch, served: ServedNames): MatchProblem[] => [
  ...problemsOfList('apiGroups', apiGroups, (group) => served.problemOfGroup(group)),
  ...problemsOfList('resources', resources, (resource) => served.problemOfResource(resource, apiGroups)),
];

const problemsOfList = (member: keyof RequestMatch, values: readonly string[] = [], check: Check): MatchProblem[] =>
  values.flatMap((value, at) => {
    const detail = check(value);
    return detail === undefined ? [] : [{ member, at, value, detail }];
  });

/** Reports values that no request can have. */
export function validateMatch(match: RequestMatch, field: Field): void {
  for (const [at, verb] of (match.verbs ?? []).entries()) {
    if (!isKnownVerb(verb)) field.child('verbs').index(at).notSupported(verb, knownVerbs);
  }
  report(problemsOf(match), field);
}

/** Reports groups and resources that are not served and cannot be served later. */
export function validateServed(match: RequestMatch, field: Field, served: ServedNames): void {
  report(unservedOf(match, served), field);
}

function report(problems: readonly MatchProblem[], field: Field): void {
  for (const { member, at, value, detail } of problems) {
    const list = field.child(member);
    (at === undefined ? list : list.index(at)).invalid(value, detail);
  }
}

/** @throws OptionError for a value that no request can have */
export function requireMatching(filter: RequestFilter, served: ServedNames): void {
  const match = requestMatchOf(filter);
  const [problem] = [...problemsOf(match), ...unservedOf(match, served)];
  if (problem === undefined) return;
  const { member, value, detail } = problem;
  // members of filters have the names of matches in the singular
  throw new OptionError(`option ${JSON.stringify(member.slice(0, -1))}: ${JSON.stringify(value)} ${detail}`);
}

/** Reports status codes that no response can have. */
export function validateCodes(codes: readonly number[] | undefined, field: Field): void {
  if (codes?.length === 0) field.invalid(codes, 'must not be empty: without it, any');
  for (const [at, code] of (codes ?? []).entries()) {
    if (!isKnownCode(code)) field.index(at).invalid(code, 'must be a code that HTTP defines');
  }
}

/** Reports unknown members and wrong types in Kubernetes' words. Missing members are reported elsewhere. */
export function reportFindings(findings: readonly OptionFinding[], field: Field): void {
  for (const { path, problem, value, hint } of findings) {
    const at = path.reduce((parent, name) => {
      const index = /^\[(\d+)\]$/.exec(name);
      return index === null ? parent.child(name) : parent.index(Number(index[1]));
    }, field);
    if (problem === 'unknown') at.forbidden(`unknown field${hint}`);
    else at.invalid(value, `must be ${hint}`);
  }
}

/** Returns the problem of a name, or of the beginning before a trailing `*`. */
function problemOfPattern(pattern: string, problem: (name: string) => string | undefined): string | undefined {
  if (!pattern.endsWith('*')) return problem(pattern);
  // the name may continue with a letter
  return pattern === '*' ? undefined : problem(`${pattern.slice(0, -1)}a`);
}
