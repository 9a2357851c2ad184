import { jsonTypeOf } from '../machinery/json/values.ts';
import type { Json } from '../machinery/object.ts';

/** Begins the errors of documents in JSON and YAML whose kind cannot be read. (serializer/json/meta.go Interpret) */
export const kindParseError = "couldn't get version/kind; json parse error: ";

const headType = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Why a document that is no object has no kind. */
export const notAnObject = (value: Json): string =>
  `${kindParseError}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${headType}`;
