import type { OptionFinding } from '../../machinery/options/check-options.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RequestMatch } from './request-match.ts';
import { isKnownCode, isKnownVerb, isPath, knownVerbs } from './request-names.ts';

/** Reports verbs and paths that no request has. */
export function validateMatch({ verbs = [], nonResourceURLs = [] }: RequestMatch, field: Field): void {
  for (const [at, verb] of verbs.entries()) {
    if (!isKnownVerb(verb)) field.child('verbs').index(at).notSupported(verb, knownVerbs);
  }
  for (const [at, path] of nonResourceURLs.entries()) {
    if (!isPath(path)) field.child('nonResourceURLs').index(at).invalid(path, 'must be a path, as "/readyz"');
  }
}

/** Reports status codes that no response has. */
export function validateCodes(codes: readonly number[], field: Field): void {
  for (const [at, code] of codes.entries()) {
    if (!isKnownCode(code)) field.index(at).invalid(code, 'must be a code that HTTP defines');
  }
}

/** Reports unknown members and wrong types in the words of Kubernetes. Members that are needed, others report. */
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
