import { httpMethods } from '../load/openapi.ts';

type Value = Readonly<Record<string, unknown>>;
type Holder = Record<string, unknown>;

/**
 * Replaces parameters by references to shared ones, in place, and returns the shared ones by name. (kube-openapi
 * pkg/builder/parameters.go)
 */
export function shareParameters(paths: Readonly<Record<string, Value>>): Record<string, Value> {
  const shared = new Map<string, Value>();
  for (const item of Object.values(paths)) {
    for (const holder of [item, ...httpMethods.map((method) => item[method])]) {
      if (!hasParameters(holder)) continue;
      holder.parameters = holder.parameters.map((parameter) => {
        if (!isShared(parameter)) return parameter;
        const name = nameOf(parameter);
        shared.set(name, parameter);
        return { $ref: `#/parameters/${name}` };
      });
    }
  }
  return Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hasParameters = (value: unknown): value is Holder & { parameters: Value[] } =>
  typeof value === 'object' && value !== null && Array.isArray((value as Value).parameters);

/**
 * Names differ from kind to kind, and so do the bodies of most operations. Old versions of kubectl look for
 * fieldValidation and dryRun in the operation itself.
 */
function isShared({ in: place, name, schema }: Value): boolean {
  if (name === 'name' || name === 'fieldValidation' || name === 'dryRun') return false;
  if (place !== 'body') return true;
  const ref = (schema as { $ref?: string } | undefined)?.$ref ?? '';
  return ref.startsWith('#/definitions/io.k8s.apimachinery');
}

/** Returns `limit-1NfNmdNH`: the name with a hash of the JSON, whose members are in Go's order. */
const nameOf = (parameter: Value): string => `${parameter.name}-${base64Hash(JSON.stringify(parameter))}`;

/** Returns the first six bytes of the 64-bit FNV-1 hash, in base64. */
function base64Hash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, hash * 0x100000001b3n) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.toString('base64url', 0, 6);
}
