import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, type StatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';
import { maxDetailLength } from '../../machinery/limits.ts';
import { internalGoType } from './go-types.ts';
import { isMetaKind } from './meta-kinds.ts';

/* The errors and warnings about bodies that are not what the path expects. (apiserver pkg/endpoints/handlers/rest.go) */

/** The options of a delete, whose decoding has no words of its own. (handlers/delete.go) */
const deleteOptions = 'DeleteOptions';

/** The kind of the body is unknown. The error shows the beginning of the body. (transformDecodeError) */
export function unrecognized({ kind }: GroupVersionKind, reason: string, bytes: Uint8Array): StatusError {
  if (kind === deleteOptions) return badRequest(excerpt(reason));
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${excerpt(reason)} (${beginning(bytes)})`);
}

/** The body cannot be decoded to its kind. @param sent what the body says it is. Default: the expected kind */
export function cannotHandle(
  { kind, version }: GroupVersionKind,
  reason: string,
  sent: { readonly kind: string; readonly version: string } = { kind, version },
): StatusError {
  if (kind === deleteOptions) return badRequest(excerpt(reason, maxDetailLength));
  return badRequest(
    `${excerpt(sent.kind)} in version ${quote(excerpt(sent.version))} cannot be handled as a ${kind}: ${excerpt(reason, maxDetailLength)}`,
  );
}

/** Why a body of another kind that exists is not read. (conversion.Converter) */
export function conversionReason(type: GroupVersionKind, sent: GroupVersionKind): string {
  const version = isMetaKind(sent.kind) ? 'v1' : excerpt(sent.version);
  const target = type.kind === deleteOptions ? `v1.${deleteOptions}` : internalGoType(type);
  return `converting (${version}.${excerpt(sent.kind)}) to (${target}): unknown conversion`;
}

/** Where upstream makes the scheme of a kind. */
const schemeOf = ({ kind }: GroupVersionKind): string =>
  kind === deleteOptions ? 'pkg/apis/meta/internalversion/scheme/register.go:27' : 'pkg/api/legacyscheme/scheme.go:30';

/** Why a body of a kind that does not exist in its version is not read. (runtime.notRegisteredErr) */
export function registrationReason(type: GroupVersionKind, sent: GroupVersionKind): string {
  const version = quote(excerpt(formatGroupVersion(sent)));
  return `no kind ${quote(excerpt(sent.kind))} is registered for version ${version} in scheme ${quote(schemeOf(type))}`;
}

export const wrongVersion = (type: GroupVersionKind, sent: string): StatusError =>
  badRequest(`the API version in the data (${excerpt(sent)}) does not match the expected API version (${formatGroupVersion(type)})`);

/** In bytes. */
const shownLength = 30;

function beginning(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, shownLength));
  const text = start.toString(bytes[0] === 0x7b ? 'utf8' : 'hex');
  return bytes.length > shownLength ? `${text} ...` : text;
}

const yamlPrefixes = ['yaml: unmarshal errors:\n', 'error converting YAML to JSON: yaml: unmarshal errors:\n'];

/** More warnings than the headers of a response have room for. */
const maxLines = 1_000;

/** Adds the errors of strict decoding as warnings, one for each line of an error from YAML. (addStrictDecodingWarnings) */
export function addStrictDecodingWarnings(warn: (text: string) => void, errors: readonly string[]): void {
  for (const error of errors) {
    const prefix = yamlPrefixes.find((one) => error.startsWith(one));
    if (prefix === undefined) warn(error);
    else {
      const lines = error.slice(prefix.length).split('\n', maxLines);
      for (const line of lines) warn(line.trim());
    }
  }
}
