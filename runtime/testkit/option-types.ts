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
  oneOrMore,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import type { LabelSelectorObject } from '../machinery/selectors/label-selector.ts';
import type { ExpectationOptions } from './expectation/expectation.ts';
import type { NamedReference, SelectingReference } from './expectation/object-reference.ts';
import type { ReplaySpec } from './recording/replay.ts';
import type { RequestFilter } from './requests/request-filter.ts';
import { isKnownCode, isKnownVerb, isPath } from './requests/request-names.ts';
import type { SettledOptions } from './settling/settled.ts';
import type { RestoreOptions } from './snapshot/snapshots.ts';
import type { SnapshotFileOptions } from './snapshot-file/snapshot-text.ts';

/* The options of what tests steer and see. */

export const expectationOptions = object<ExpectationOptions>({ timeout: duration });

export const settledOptions = object<SettledOptions>({
  controllers: listOf(text),
  quiet: duration,
  timeout: duration,
});

export const restoreOptions = object<RestoreOptions>({ watches: oneOf('Continue', 'Expire') });

export const snapshotFileOptions = object<SnapshotFileOptions>({ portable: boolean, all: boolean });

export const replaySpec = object<ReplaySpec>(
  {
    file: text,
    at: either(whole(), text),
    speed: either(
      checked<number>('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0),
      oneOf('max'),
    ),
    paused: boolean,
  },
  'file',
);

const verb: OptionType<string> = checked('a verb, as "create" or "*"', (value) => isText(value) && isKnownVerb(value));
const path: OptionType<string> = checked('a path, as "/readyz"', (value) => isText(value) && isPath(value));
const code: OptionType<number> = checked('a status code of HTTP', (value) => isKnownCode(value));

export const requestFilterOptions = object<RequestFilter>({
  user: oneOrMore(text),
  group: oneOrMore(text),
  userAgent: oneOrMore(text),
  verb: oneOrMore(verb),
  apiGroup: oneOrMore(text),
  resource: oneOrMore(text),
  namespace: oneOrMore(text),
  name: oneOrMore(text),
  nonResourceURL: oneOrMore(path),
  code: oneOrMore(code),
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

/** Who refers to an object is told by the reference what it lacks. */
export const namedReference = object<NamedReference>({ apiVersion: text, kind: text, namespace: text, name: text });

export const selectingReference = object<SelectingReference>({
  apiVersion: text,
  kind: text,
  namespace: text,
  labelSelector: either(text, labelSelectorObject),
});

const isText = (value: unknown): value is string => typeof value === 'string';
