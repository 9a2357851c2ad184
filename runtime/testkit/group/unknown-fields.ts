import { invalid, type StatusError } from '../../machinery/errors/status.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import { type OptionType, object, text } from '../../machinery/options/option-type.ts';
import { didYouMean } from '../../machinery/options/suggestion.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { faultPlanSpec, requestMatch } from '../faults/option-types.ts';
import { settledOptions } from '../option-types.ts';

const spec = (members: Readonly<Record<string, OptionType>>): OptionType => ({ ...object({}), members }) as OptionType;
const snapshot = { snapshot: text };

/** The specs of the kinds. Only the names of members are used. */
const specs: Readonly<Record<string, OptionType>> = {
  ClockAdvance: spec({ duration: text }),
  FaultPlan: faultPlanSpec,
  RequestLogReview: spec({ match: requestMatch, codes: text, running: text, since: text }),
  ServerFork: spec(snapshot),
  SettledReview: settledOptions,
  Snapshot: spec({}),
  SnapshotRestore: spec({ ...snapshot, watches: text }),
};

/**
 * Returns the refusal of an object with unknown fields.
 *
 * @param errors messages of strict decoding: `unknown field "spec.match.verb"`
 */
export function unknownFields({ group, kind }: GroupVersionKind, errors: readonly string[]): StatusError {
  const found = new FieldErrors();
  for (const error of errors) {
    const [, problem = error, path = ''] = /^(\w+ field) "(.*)"$/.exec(error) ?? [];
    const names = path.split('.');
    const [last = '', ...outer] = [...names].reverse();
    const field = Field.at(FieldPath.of(...(names as [string, ...string[]])), found);
    field.forbidden(problem === 'unknown field' ? `${problem}${didYouMean(last, namesAt(kind, outer.reverse()))}` : problem);
  }
  return invalid({ group, kind }, '', found);
}

/** Returns the names of a kind's members at a path. */
function namesAt(kind: string, path: readonly string[]): readonly string[] {
  const whole = spec({ apiVersion: text, kind: text, metadata: text, spec: specs[kind] ?? text });
  let at: OptionType | undefined = whole;
  for (const name of path) at = at?.kind === 'object' ? at.members[name] : undefined;
  return at?.kind === 'object' ? Object.keys(at.members) : [];
}
