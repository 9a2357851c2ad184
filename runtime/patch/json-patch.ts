import { excerpt } from '../machinery/errors/excerpt.ts';
import { quote } from '../machinery/go/quote.ts';
import { equalJson } from '../machinery/json/equality.ts';
import { isJsonObject, jsonTypeOf, memberOf } from '../machinery/json/values.ts';
import { maxReportedErrors } from '../machinery/limits.ts';
import type { Json } from '../machinery/object.ts';
import { PatchTarget } from './json-patch-target.ts';
import { PatchError } from './patch-error.ts';

/** (apiserver pkg/endpoints/handlers/patch.go) */
const maxOperations = 10_000;
/** Most bytes that the `copy` operations of one patch may add, as JSON. (apiserver pkg/server/config.go) */
const maxCopiedBytes = 3 * 1024 * 1024;

const known: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** undefined when absent */
  readonly value: Json | undefined;
}

/**
 * RFC 6902, with the habits of the library that Kubernetes uses (evanphx/json-patch v4): negative indices
 * count from the end, `replace` of a member that is not there adds it. The document is not changed; the result
 * may share parts with it and with the patch. Throws PatchError: `malformed` for what is no patch,
 * `too-large` beyond 10,000 operations, `unprocessable` for one that does not fit the document, a failed
 * `test` among them.
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  const operations = readOperations(patch);
  const target = new PatchTarget(document, maxCopiedBytes);
  for (const operation of operations) {
    switch (operation.op) {
      case 'add':
        target.add(pathOf(operation), operand(operation), 'add');
        break;
      case 'remove':
        target.remove(pathOf(operation));
        break;
      case 'replace':
        target.replace(pathOf(operation), operand(operation));
        break;
      case 'move':
        target.move(fromOf(operation), pathOf(operation));
        break;
      case 'copy':
        target.copy(fromOf(operation), pathOf(operation));
        break;
      case 'test': {
        const path = pathOf(operation);
        if (!equalJson(target.get(path) ?? null, operand(operation))) {
          throw new PatchError('unprocessable', `testing value ${path} failed: test failed`);
        }
        break;
      }
      default:
        throw new PatchError('unprocessable', `Unexpected kind: ${operation.op}`);
    }
  }
  return target.result();
}

/** Fields of operations that RFC 6902 does not know, as strict field validation reports them. */
export function unknownJsonPatchFields(patch: Json): string[] {
  const found: string[] = [];
  for (const [i, operation] of (Array.isArray(patch) ? patch : []).entries()) {
    for (const key of isJsonObject(operation) ? Object.keys(operation) : []) {
      if (known.has(key)) continue;
      found.push(`json patch unknown field ${quote(excerpt(`[${i}].${key}`))}`);
      if (found.length === maxReportedErrors) return found;
    }
  }
  return found;
}

function readOperations(patch: Json): Operation[] {
  if (!Array.isArray(patch)) throw wrongType(patch, 'value', '[]handlers.jsonPatchOp');
  if (patch.length > maxOperations) {
    throw new PatchError(
      'too-large',
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    );
  }
  return patch.map((operation) => {
    if (!isJsonObject(operation)) throw wrongType(operation, 'value', 'handlers.jsonPatchOp');
    const text = (name: string): string | undefined => {
      const value = memberOf(operation, name);
      if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
      throw wrongType(value, `struct field jsonPatchOp.${name}`, 'string');
    };
    return { op: text('op') ?? 'unknown', path: text('path'), from: text('from'), value: memberOf(operation, 'value') };
  });
}

function wrongType(value: Json, where: string, goType: string): PatchError {
  const message = `json: cannot unmarshal ${jsonTypeOf(value)} into Go ${where} of type ${goType}`;
  return new PatchError('malformed', `error decoding patch: ${message}`);
}

function pathOf({ op, path }: Operation): string {
  if (path === undefined) throw new PatchError('unprocessable', `${op} operation failed to decode path: missing value`);
  return path;
}

function fromOf({ op, from }: Operation): string {
  if (from === undefined) {
    throw new PatchError(
      'unprocessable',
      `${op} operation failed to decode from: operation, missing from field: missing value`,
    );
  }
  return from;
}

/** RFC 6902 wants one; the library upstream reads none as null. */
function operand({ op, value }: Operation): Json {
  if (value === undefined) {
    throw new PatchError('unprocessable', `${op} operation, missing value field: missing value`);
  }
  return value;
}
