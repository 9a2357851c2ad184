import { excerpt } from '../machinery/errors/excerpt.ts';
import { badRequest, invalid, type StatusError } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import { formatGroupVersion, type GroupVersionKind } from '../machinery/gvk.ts';
import { maxDetailLength } from '../machinery/limits.ts';
import { invalid as invalidField } from '../machinery/validation/field-error.ts';
import { FieldPath } from '../machinery/validation/field-path.ts';
import { internalGoType } from './go-types.ts';

/** What clients are told of bodies that are not of the kind asked for. (apiserver pkg/endpoints/handlers/rest.go) */

/** A body whose kind cannot be told; what it begins with is shown. (transformDecodeError) */
export function unrecognized({ kind }: GroupVersionKind, why: string, bytes: Uint8Array): StatusError {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${excerpt(why)} (${beginning(bytes)})`,
  );
}

/** A body that says what it is, and cannot be read as that. `sent`: as it says, where that differs. */
export function cannotHandle(
  { kind, version }: GroupVersionKind,
  why: string,
  sent: { readonly kind: string; readonly version: string } = { kind, version },
): StatusError {
  return badRequest(
    `${excerpt(sent.kind)} in version ${quote(excerpt(sent.version))} cannot be handled as a ${kind}: ${excerpt(why, maxDetailLength)}`,
  );
}

/** A kind that exists, and another than the path holds. (conversion.Converter) */
export function cannotConvert(type: GroupVersionKind, sent: GroupVersionKind): StatusError {
  const why = `converting (${excerpt(sent.version)}.${excerpt(sent.kind)}) to (${internalGoType(type)}): unknown conversion`;
  return cannotHandle(type, why, sent);
}

/** A kind that does not exist at the version it names. (runtime.notRegisteredErr) */
export function notRegistered(type: GroupVersionKind, sent: GroupVersionKind): StatusError {
  const why = `no kind ${quote(excerpt(sent.kind))} is registered for version ${quote(excerpt(formatGroupVersion(sent)))} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  return cannotHandle(type, why, sent);
}

export const wrongVersion = (type: GroupVersionKind, sent: string): StatusError =>
  badRequest(
    `the API version in the data (${excerpt(sent)}) does not match the expected API version (${formatGroupVersion(type)})`,
  );

/** A custom resource that says it is another kind: its own validation finds out. (customResourceValidator) */
export function wrongKind(type: GroupVersionKind, sent: string, name: unknown): StatusError {
  const error = invalidField(FieldPath.of('kind'), excerpt(sent), `must be ${type.kind}`);
  return invalid({ group: type.group, kind: excerpt(sent) }, typeof name === 'string' ? excerpt(name) : '', [error]);
}

const shown = 30;

function beginning(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, shown));
  const text = start.toString(bytes[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > shown ? `${text} ...` : text;
}
