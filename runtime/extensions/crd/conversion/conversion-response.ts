import { DecodeError } from '../../../machinery/errors/decode-error.ts';
import { isJsonObject, jsonTypeOf } from '../../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../../machinery/object.ts';

/** The response of a ConversionReview, as Go decodes it. */
export interface ConversionResponse {
  readonly uid: string;
  /** The objects of the webhook's response, unchecked. */
  readonly convertedObjects: readonly Json[];
  readonly status: string;
  readonly message: string;
}

/**
 * Decodes the response of a review; undefined if there is none.
 *
 * @throws DecodeError in Go's words
 */
export function decodeConversionResponse(review: JsonObject, version: string): ConversionResponse | undefined {
  const type = `${version}.ConversionResponse`;
  const response = objectAt(review.response, 'ConversionReview.response', type);
  if (response === undefined) return undefined;
  const result = objectAt(response.result, 'ConversionResponse.response.result', 'v1.Status') ?? {};
  return {
    uid: textAt(response.uid, 'ConversionResponse.response.uid', 'types.UID'),
    convertedObjects: listAt(response.convertedObjects),
    status: textAt(result.status, 'Status.response.result.status', 'string'),
    message: textAt(result.message, 'Status.response.result.message', 'string'),
  };
}

function objectAt(value: Json | undefined, field: string, type: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw mismatch(value, field, type);
  return value;
}

function textAt(value: Json | undefined, field: string, type: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw mismatch(value, field, type);
  return value;
}

function listAt(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  const field = 'ConversionResponse.response.convertedObjects';
  if (!Array.isArray(value)) throw mismatch(value, field, '[]runtime.RawExtension');
  return value;
}

const mismatch = (value: Json, field: string, type: string): DecodeError =>
  new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${field} of type ${type}`);
