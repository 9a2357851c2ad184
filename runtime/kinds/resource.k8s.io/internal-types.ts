import { GoStruct } from '../../machinery/go/value.ts';
import { internal, internalStruct, type Shape } from '../validation/internal-value.ts';

/** Values as Go shows them in messages. (pkg/apis/resource/types.go) */

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

export const internalClaimSpec = (spec: unknown): GoStruct => internalStruct(spec, claimSpec);

interface TemplateSpec {
  readonly metadata?: object;
  readonly spec?: unknown;
}

/** Unlike the spec, the embedded metadata has JSON names. */
export const internalClaimTemplateSpec = ({ metadata, spec }: TemplateSpec): GoStruct =>
  new GoStruct(() => ({ ...metadata, Spec: internal(spec ?? {}, claimSpec) }));

const requirement: Shape = { key: '', operator: '', values: null };
const terms: Shape = { matchExpressions: requirement, matchFields: requirement };

export const internalNodeSelectorTerms = (value: unknown): unknown => internal(value, terms);

const allocation: Shape = {
  devices: [
    {
      results: {
        request: '',
        driver: '',
        pool: '',
        device: '',
        adminAccess: null,
        tolerations: null,
        bindingConditions: null,
        bindingFailureConditions: null,
        shareID: null,
        consumedCapacity: null,
      },
      config: { source: '', requests: null, opaque },
    },
  ],
  nodeSelector: { nodeSelectorTerms: terms },
  allocationTimestamp: null,
};

export const internalAllocation = (value: unknown): GoStruct => internalStruct(value, allocation);

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
