import {
  boolean,
  checked,
  duration,
  either,
  listOf,
  mapOf,
  type OptionType,
  object,
  oneOf,
  oneOrSome,
  someOf,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import type { LabelSelectorObject } from '../machinery/selectors/label-selector.ts';
import type { ExpectationOptions } from './expectation/expectation.ts';
import type { NamedReference, SelectingReference } from './expectation/object-reference.ts';
import type { RequestFilter } from './requests/request-filter.ts';
import { isKnownCode, isKnownVerb, isPath, type RequestVerb, type StatusCode } from './requests/request-names.ts';
import type { SettledOptions } from './settling/settled.ts';
import type { RestoreOptions } from './snapshot/snapshots.ts';
import type { SnapshotFileOptions } from './snapshot-file/snapshot-text.ts';

/* The options of test controls and observations. */

export const expectationOptions = object<ExpectationOptions>({ timeout: duration });

export const settledOptions = object<SettledOptions>({
  controllers: someOf(text),
  quiet: duration,
  timeout: duration,
});

export const restoreOptions = object<RestoreOptions>({ watches: oneOf('Continue', 'Expire') });

export const snapshotFileOptions = object<SnapshotFileOptions>({ portable: boolean, all: boolean });

const verb: OptionType<RequestVerb> = checked('a verb, as "create" or "*"', (value) => isText(value) && isKnownVerb(value));
const path: OptionType<string> = checked('a path, as "/readyz"', (value) => isText(value) && isPath(value));
const code: OptionType<StatusCode> = checked('a status code of HTTP', (value) => isKnownCode(value));

export const requestFilterOptions = object<RequestFilter>({
  user: oneOrSome(text),
  group: oneOrSome(text),
  userAgent: oneOrSome(text),
  verb: oneOrSome(verb),
  apiGroup: oneOrSome(text),
  resource: oneOrSome(text),
  namespace: oneOrSome(text),
  name: oneOrSome(text),
  nonResourceURL: oneOrSome(path),
  code: oneOrSome(code),
  running: boolean,
  since: whole(),
});

const labelSelectorObject = object<LabelSelectorObject>({
  matchLabels: mapOf(text),
  matchExpressions: listOf(
    object<NonNullable<LabelSelectorObject['matchExpressions']>[number]>(
      { key: text, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: listOf(text) },
      'key',
      'operator',
    ),
  ),
});

const labelSelector = either(text, labelSelectorObject);
const ofKind = { apiVersion: text, kind: text, namespace: text };
const namedReference = object<NamedReference>({ ...ofKind, name: text });
const selectingReference = object<SelectingReference>({ ...ofKind, labelSelector });
const anyReference = object<NamedReference & SelectingReference>({ ...ofKind, name: text, labelSelector });

/**
 * Returns the type of a reference by name or by labels. A reference with neither gets its error from the reference's
 * own check.
 */
export function objectReference(given: object): OptionType<NamedReference | SelectingReference> {
  if ('labelSelector' in given) return selectingReference;
  return 'name' in given ? namedReference : anyReference;
}

const isText = (value: unknown): value is string => typeof value === 'string';
