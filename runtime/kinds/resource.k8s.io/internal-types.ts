import { GoStruct } from '../../machinery/go/value.ts';
import { memberOf } from '../../machinery/json/values.ts';

/** Values as Go shows them in messages: the internal types have no names for JSON. (pkg/apis/resource/types.go) */

/**
 * The members of a struct, in Go's order: the value of an absent one, or what its value, or each item of it, has as
 * members. A struct that is no pointer is in brackets.
 */
interface Shape {
  readonly [json: string]: string | number | null | Shape | readonly [Shape];
}

const goName = (json: string): string => (json === 'cel' ? 'CEL' : `${json.slice(0, 1).toUpperCase()}${json.slice(1)}`);

function internal(value: unknown, shape: Shape): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((item) => internal(item, shape));
  const members = Object.entries(shape).map(([json, of]) => {
    const member = memberOf(Object(value), json);
    if (of === null || typeof of !== 'object') return [goName(json), member ?? of];
    return [goName(json), isStruct(of) ? internal(member ?? {}, of[0]) : internal(member, of)];
  });
  return Object.fromEntries(members);
}

const isStruct = (of: Shape | readonly [Shape]): of is readonly [Shape] => Array.isArray(of);

const selector: Shape = { cel: { expression: '' } };
const request: Shape = {
  deviceClassName: '',
  selectors: selector,
  allocationMode: '',
  count: 0,
  adminAccess: null,
  tolerations: null,
  capacity: null,
};
const { adminAccess: _, ...alternative } = request;
const opaque: Shape = { driver: '', parameters: null };
const claimSpec: Shape = {
  devices: [
    {
      requests: { name: '', exactly: request, firstAvailable: { name: '', ...alternative } },
      constraints: { requests: null, matchAttribute: null, distinctAttribute: null },
      config: { requests: null, opaque },
    },
  ],
};

const struct = (value: unknown, shape: Shape): GoStruct => new GoStruct(() => Object(internal(value ?? {}, shape)));

export const internalClaimSpec = (spec: unknown): GoStruct => struct(spec, claimSpec);

interface TemplateSpec {
  readonly metadata?: object;
  readonly spec?: unknown;
}

/** The metadata is embedded, and has names for JSON. */
export const internalClaimTemplateSpec = ({ metadata, spec }: TemplateSpec): GoStruct =>
  new GoStruct(() => ({ ...metadata, Spec: internal(spec ?? {}, claimSpec) }));

const requirement: Shape = { key: '', operator: '', values: null };
const terms: Shape = { matchExpressions: requirement, matchFields: requirement };

export const internalNodeSelectorTerms = (value: unknown): unknown => internal(value, terms);

const allocation: Shape = {
  devices: [
    {
      results: {
        ...{ request: '', driver: '', pool: '', device: '', adminAccess: null, tolerations: null },
        ...{ bindingConditions: null, bindingFailureConditions: null, shareID: null, consumedCapacity: null },
      },
      config: { source: '', requests: null, opaque },
    },
  ],
  nodeSelector: { nodeSelectorTerms: terms },
  allocationTimestamp: null,
};

export const internalAllocation = (value: unknown): GoStruct => struct(value, allocation);

interface Attribute {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
}

export const internalAttribute = ({ int, bool, string, version }: Attribute): object => ({
  IntValue: int ?? null,
  BoolValue: bool ?? null,
  StringValue: string ?? null,
  VersionValue: version ?? null,
});
