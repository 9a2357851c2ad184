import { jsonTypeOf } from '../machinery/json/values.ts';
import type { Json } from '../machinery/object.ts';

/** The beginning of errors for JSON and YAML documents with an unreadable kind. (serializer/json/meta.go Interpret) */
export const kindParseError = "couldn't get version/kind; json parse error: ";

const headType = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Returns why a document that is not an object has no kind. */
export const notAnObject = (value: Json): string =>
  `${kindParseError}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${headType}`;
