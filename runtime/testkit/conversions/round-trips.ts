import { formatGroupResource, formatGroupVersion } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { defined } from '../../machinery/json/defined.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { fromUnstructured, type Json, type JsonObject, type KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { changeText } from '../history/change-text.ts';
import { fieldChanges } from '../history/field-changes.ts';
import type { Chance } from './random-text.ts';
import { type MemberChoice, RandomValues } from './random-values.ts';

/** A version and the storage version, with the conversion between them. */
export interface VersionPair {
  readonly version: ResourceDefinition;
  readonly stored: ResourceDefinition;
}

/** A failure of a conversion. */
export interface ConversionFault {
  /** The path of conversions: `v1 -> v1beta1 -> v1`. */
  readonly way: string;
  /** The change, `.spec.height: 4 -> 5`, or the message of an exception. */
  readonly what: string;
  /** The smallest object found that fails. */
  readonly object: JsonObject;
}

interface Way {
  readonly text: string;
  /** The version of the objects. */
  readonly definition: ResourceDefinition;
  /** The objects lack required members. Only exceptions count, because defaults add members. */
  readonly isOfParts?: boolean;
  convert(object: KubeObject): KubeObject;
}

/** The maximum attempts to make a valid object. Each attempt is simpler. */
const attempts = 40;
const longestValue = 200;

/**
 * Converts random objects of both versions to the other version and back. Returns each fault once, by the first field
 * of the schema that shows it.
 *
 * @throws Error if no valid object is found for a schema
 */
export function roundTripFaults(pair: VersionPair, chance: Chance, runs: number): readonly ConversionFault[] {
  const found = new Map<string, ConversionFault>();
  const values = new RandomValues(chance);
  for (const way of waysOf(pair)) {
    for (let run = 0; run < runs; run++) note(way, validObject(way.definition, values));
    if ([...found.values()].some((fault) => fault.way === way.text)) continue;
    // a server-side apply converts partial objects
    for (let run = 0; run < runs; run++) {
      const parts = { ...way, text: `${way.text}, of parts of objects`, isOfParts: true };
      note(parts, objectOf(way.definition, values, { required: false, optional: 0.4 }));
    }
  }
  return [...found.values()];

  function note(way: Way, object: KubeObject): void {
    for (const what of faultsOf(way, object)) {
      const key = `${way.text} ${placeOf(what)}`;
      if (found.has(key)) continue;
      const shows = (smaller: KubeObject): string | undefined => {
        if (!way.isOfParts && errorsOf(way.definition, smaller).length > 0) return undefined;
        return faultsOf(way, smaller).find((other) => placeOf(other) === placeOf(what));
      };
      const smallest = shrunk(object, shows);
      found.set(key, { way: way.text, what: shows(smallest) ?? what, object: contentOf(smallest) });
    }
  }
}

function waysOf({ version, stored }: VersionPair): readonly Way[] {
  const { conversion } = version;
  return [
    {
      text: `${version.version} -> ${stored.version} -> ${version.version}`,
      definition: version,
      convert: (object) => conversion.fromStorage(conversion.toStorage(object)),
    },
    {
      text: `${stored.version} -> ${version.version} -> ${stored.version}`,
      definition: stored,
      convert: (object) => conversion.toStorage(conversion.fromStorage(object)),
    },
  ];
}

function faultsOf(way: Way, object: KubeObject): string[] {
  try {
    const converted = way.convert(cloneJson(object));
    if (way.isOfParts) return [];
    const [before, after] = [plain(object), plain(converted)];
    return fieldChanges(before, after).map((change) => changeText(change, longestValue));
  } catch (error) {
    return [messageOf(error)];
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the field of a change without indexes, or the message of an exception without values. */
const placeOf = (what: string): string => what.replace(/: .*/s, '').replace(/\[[^\]]*\]/g, '[*]');

const plain = (object: KubeObject): JsonObject => JSON.parse(JSON.stringify(object)) as JsonObject;

const contentOf = (object: KubeObject): JsonObject => {
  const { apiVersion: _, kind: __, metadata: ___, ...content } = plain(object);
  return content;
};

function objectOf(definition: ResourceDefinition, values: RandomValues, choice: MemberChoice): KubeObject {
  const { schema } = definition.type;
  if (schema === undefined) throw new Error(`${formatGroupResource(definition)} has no schema`);
  const metadata = {
    name: 'a',
    ...(definition.namespaced && { namespace: 'default' }),
    uid: '123e4567-e89b-12d3-a456-426614174000',
    labels: { app: 'a' },
    annotations: { 'example.com/note': 'a' },
  };
  const { kind } = definition;
  return fromUnstructured({
    apiVersion: formatGroupVersion(definition),
    kind,
    metadata,
    ...values.content(schema, choice),
  });
}

/** @throws Error if no attempt is valid */
function validObject(definition: ResourceDefinition, values: RandomValues): KubeObject {
  let errors: readonly FieldError[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const object = objectOf(definition, values, { required: true, optional: 0.7 * (1 - attempt / (attempts - 1)) });
    definition.type.setDefaults(object);
    errors = errorsOf(definition, object);
    if (errors.length === 0) return object;
  }
  const kind = `${definition.kind} of ${formatGroupVersion(definition)}`;
  throw new Error(`no random ${kind} is valid: ${errors.map(fieldErrorMessage).join(', ')}`);
}

function errorsOf({ type }: ResourceDefinition, object: KubeObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  type.validate(object, Field.at(FieldPath.root, errors));
  return errors;
}

/** Returns an object with the same fault, without each member and item that can be left out one after the other. */
function shrunk(object: KubeObject, shows: (object: KubeObject) => string | undefined): KubeObject {
  let smallest = object;
  for (let isSmaller = true; isSmaller; ) {
    const next = smallerOnes(contentOf(smallest))
      .filter(isJsonObject)
      .map((content): KubeObject => ({ ...headOf(smallest), ...content }))
      .find((smaller) => shows(smaller) !== undefined);
    isSmaller = next !== undefined;
    smallest = next ?? smallest;
  }
  return smallest;
}

const headOf = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ ...defined({ apiVersion, kind }), metadata });

/** Returns variants of a value, each with one member or item removed or smaller. */
function smallerOnes(value: Json): Json[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => [value.toSpliced(at, 1), ...smallerOnes(item).map((smaller) => value.with(at, smaller))]);
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...others } = value;
    return [others, ...smallerOnes(member).map((smaller) => ({ ...value, [name]: smaller }))];
  });
}
