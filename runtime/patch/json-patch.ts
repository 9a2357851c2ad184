import { excerpt } from '../machinery/errors/excerpt.ts';
import { quote } from '../machinery/go/quote.ts';
import { equalJson } from '../machinery/json/equality.ts';
import { isJsonObject, jsonTypeOf, memberOf } from '../machinery/json/values.ts';
import { maxReportedErrors } from '../machinery/limits.ts';
import type { Json } from '../machinery/object.ts';
import { JsonPatchDocument } from './json-patch-document.ts';
import { PatchError } from './patch-error.ts';
import { isWrittenAs } from './scalar-texts.ts';

/** (apiserver pkg/endpoints/handlers/patch.go maxJSONPatchOperations) */
const maxOperations = 10_000;
/** The most bytes of JSON that the `copy` operations of a patch may add. (server.Config.JSONPatchMaxCopyBytes) */
const maxCopiedBytes = 3 * 1024 * 1024;

const knownFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** Returns the first operations of the patch in the form of `scalarTexts`. */
export type TestTexts = (count: number) => Json;

interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json | undefined;
}

/**
 * Applies a JSON patch (RFC 6902) with the semantics of evanphx/json-patch v4, Kubernetes' library: negative indexes
 * count from the end, `replace` adds an absent member, an absent value is null, text before the first slash of a path
 * is ignored, and only `replace` and `test` reach the whole document. The document is not changed. The result may share
 * parts with it and with the patch.
 *
 * @param textsOf the texts that `test` compares until an operation changes the document. Default: compares values
 * @param strict requires the right types of operations' fields before the first operation runs; otherwise an
 *   operation with a wrong type fails in its turn
 * @throws PatchError `malformed` if this is not a patch, `too-large` for more than 10,000 operations, `unprocessable`
 *   if the patch does not match the document or a `test` fails
 */
export function applyJsonPatch(document: Json, patch: Json, textsOf?: TestTexts, strict = true): Json {
  const operations = parseOperations(patch, strict);
  const target = new JsonPatchDocument(document, maxCopiedBytes);
  const firstWrite = operations.findIndex(({ op }) => op !== 'test');
  const tests = firstWrite < 0 ? operations.length : firstWrite;
  const texts = tests > 0 ? textsOf?.(tests) : undefined;
  for (const [i, operation] of operations.entries()) {
    switch (operation.op) {
      case 'add':
        target.add(pathOf(operation), operation.value ?? null, 'add');
        break;
      case 'remove':
        target.remove(pathOf(operation));
        break;
      case 'replace':
        target.replace(pathOf(operation), operation.value ?? null);
        break;
      case 'move':
        target.move(fromOf(operation), pathOf(operation));
        break;
      case 'copy':
        target.copy(fromOf(operation), pathOf(operation));
        break;
      case 'test': {
        const path = pathOf(operation);
        const found = target.get(path) ?? null;
        const isUntouched = texts !== undefined && i < tests;
        const isEqual = isUntouched ? isWrittenAs(found, textsAt(texts, i)) : equalJson(found, operation.value ?? null);
        if (!isEqual) {
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

/**
 * Checks that a value is a patch, without applying it.
 *
 * @throws PatchError `malformed`, `too-large`
 */
export function requireJsonPatch(patch: Json, strict = true): asserts patch is Json[] | null {
  parseOperations(patch, strict);
}

/** Returns the unknown fields of operations, as strict field validation reports them. */
export function unknownJsonPatchFields(patch: Json): string[] {
  const errors: string[] = [];
  for (const [i, operation] of (Array.isArray(patch) ? patch : []).entries()) {
    for (const key of isJsonObject(operation) ? Object.keys(operation) : []) {
      if (knownFields.has(key)) continue;
      errors.push(`json patch unknown field ${quote(excerpt(`[${i}].${key}`))}`);
      if (errors.length === maxReportedErrors) return errors;
    }
  }
  return errors;
}

function parseOperations(patch: Json, strict: boolean): Operation[] {
  if (patch === null) return [];
  const prefix = strict ? 'error decoding patch: ' : '';
  if (!Array.isArray(patch)) throw unmarshalError(patch, `value of type ${strict ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`, prefix);
  if (patch.length > maxOperations) {
    throw new PatchError('too-large', `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`);
  }
  return patch.map((operation) => {
    if (operation === null) return { op: 'unknown', path: undefined, from: undefined, value: undefined };
    if (!isJsonObject(operation))
      throw unmarshalError(operation, `value of type ${strict ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`, prefix);
    const text = (name: string): string | undefined => {
      const value = memberOf(operation, name);
      if (typeof value === 'string') return value;
      if (value === undefined || value === null || !strict) return undefined;
      throw unmarshalError(value, `struct field jsonPatchOp.${name} of type string`, prefix);
    };
    return { op: text('op') ?? 'unknown', path: text('path'), from: text('from'), value: memberOf(operation, 'value') };
  });
}

function unmarshalError(value: Json, target: string, prefix: string): PatchError {
  return new PatchError('malformed', `${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go ${target}`);
}

/** Returns the text of the value of an operation. */
function textsAt(texts: Json, index: number): Json | undefined {
  const operation = Array.isArray(texts) ? texts[index] : null;
  return isJsonObject(operation) ? memberOf(operation, 'value') : undefined;
}

function pathOf({ op, path }: Operation): string {
  if (path === undefined) throw new PatchError('unprocessable', `${op} operation failed to decode path: missing value`);
  return path;
}

function fromOf({ op, from }: Operation): string {
  if (from === undefined) {
    throw new PatchError('unprocessable', `${op} operation failed to decode from: operation, missing from field: missing value`);
  }
  return from;
}
