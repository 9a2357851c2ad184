import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { unifiedDiff } from '../../machinery/go/unified-diff.ts';
import { GoStruct, prettyJson } from '../../machinery/go/value.ts';
import { memberOrDropped } from '../../machinery/prune/dropped-values.ts';

/** Values as Go shows them in messages. The internal types have no JSON names. (pkg/apis: types.go of each group) */

/**
 * The members of a struct, in Go's order. A scalar or null is the value of an absent member. A Shape describes a
 * pointer to a struct, or the items of a list; brackets around a Shape describe a struct without a pointer. [] is a
 * map, whose keys Go sorts. `image:RBDImage` is a member with a different name in Go.
 */
export interface Shape {
  readonly [json: string]: string | number | boolean | null | Shape | readonly [Shape] | readonly [];
}

/** Names that Go writes in capitals. */
const initialisms: Readonly<Record<string, string>> = {
  apiGroup: 'APIGroup',
  apiVersion: 'APIVersion',
  cel: 'CEL',
  csi: 'CSI',
  fsType: 'FSType',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  ip: 'IP',
  seLinuxOptions: 'SELinuxOptions',
  uid: 'UID',
};

const goName = (json: string): string => initialisms[json] ?? `${json.slice(0, 1).toUpperCase()}${json.slice(1)}`;

export function internal(value: unknown, shape: Shape): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((item) => internal(item, shape));
  const members = Object.entries(shape).map(([key, of]) => {
    const [json = '', name = goName(json)] = key.split(':');
    const member = memberOrDropped(Object(value), json);
    if (of === null || typeof of !== 'object') return [name, member ?? of];
    if (!isList(of)) return [name, internal(member, of)];
    return [name, of.length === 0 ? sorted(member) : internal(member ?? {}, of[0])];
  });
  return Object.fromEntries(members);
}

const isList = (of: Shape | readonly [Shape] | readonly []): of is readonly [Shape] | readonly [] => Array.isArray(of);

const sorted = (map: unknown): unknown => (map ? Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareStrings(a, b))) : null);

/** A struct without a pointer: an absent one is shown with its members. */
export const internalStruct = (value: unknown, shape: Shape): GoStruct => new GoStruct(() => Object(internal(value ?? {}, shape)));

/** Returns the changes of a struct for a message: a line diff of its JSON. (apimachinery pkg/util/diff) */
export const internalDiff = (old: unknown, value: unknown, shape: Shape): string =>
  unifiedDiff(prettyJson(internal(old ?? {}, shape)), prettyJson(internal(value ?? {}, shape)));
