/** The kinds of values of keywords. */
export type ValueKind =
  | 'any'
  | 'values'
  | 'text'
  | 'texts'
  | 'flag'
  | 'number'
  | 'count'
  | 'bound'
  | 'type'
  | 'format'
  | 'ref'
  | 'schema'
  | 'schemas'
  | 'schema-list'
  | 'schema-or-flag'
  | 'rules'
  | 'notes'
  | 'discriminator'
  | 'prose';

/** The treatment of a keyword: its value has this kind and an effect, or the keyword is refused for a reason. */
type Treatment = ValueKind | { readonly refused: string };

const refused = (reason: string): Treatment => ({ refused: reason });

const annotations = 'title description example examples externalDocs deprecated readOnly writeOnly xml $comment';

/**
 * Every keyword of a Schema Object in OpenAPI 3.0, OpenAPI 3.1 and Swagger 2.0, and Kubernetes' extensions. Keywords
 * outside this table would have no effect and are refused. Prose needs no effect.
 */
const treatments: Readonly<Record<string, Treatment>> = {
  ...Object.fromEntries(annotations.split(' ').map((name) => [name, 'prose' as const])),
  discriminator: 'discriminator',
  $ref: 'ref',
  type: 'type',
  format: 'format',
  nullable: 'flag',
  default: 'any',
  enum: 'values',
  const: 'any',
  multipleOf: 'number',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'bound',
  exclusiveMaximum: 'bound',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'text',
  items: 'schema',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  properties: 'schemas',
  additionalProperties: 'schema-or-flag',
  required: 'texts',
  minProperties: 'count',
  maxProperties: 'count',
  allOf: 'schema-list',
  anyOf: 'schema-list',
  oneOf: 'schema-list',
  not: 'schema',
  'x-kubernetes-group-version-kind': 'any',
  'x-kubernetes-selectable-fields': refused('selectable fields are in an overlay: resources.<plural>.selectableFields'),
  'x-kubernetes-preserve-unknown-fields': 'flag',
  'x-kubernetes-embedded-resource': 'flag',
  'x-kubernetes-int-or-string': 'flag',
  'x-kubernetes-list-type': 'text',
  'x-kubernetes-list-map-keys': 'texts',
  'x-kubernetes-map-type': 'text',
  'x-kubernetes-patch-strategy': 'text',
  'x-kubernetes-patch-merge-key': 'text',
  'x-kubernetes-validations': 'rules',
  'x-kubernetes-unions': refused('unions are written as oneOf, or as rules in x-kubernetes-validations'),
  'x-nullable': 'flag',
  patternProperties: refused('write additionalProperties, and check the names in x-kubernetes-validations'),
  propertyNames: refused('check the names in x-kubernetes-validations'),
  unevaluatedProperties: refused('write additionalProperties: false'),
  dependentRequired: refused('write anyOf, or a rule in x-kubernetes-validations'),
  dependentSchemas: refused('write anyOf, or a rule in x-kubernetes-validations'),
  dependencies: refused('write anyOf, or a rule in x-kubernetes-validations'),
  prefixItems: refused('all items of a list have one schema: items'),
  additionalItems: refused('all items of a list have one schema: items'),
  unevaluatedItems: refused('all items of a list have one schema: items'),
  contains: refused('write a rule in x-kubernetes-validations'),
  minContains: refused('write a rule in x-kubernetes-validations'),
  maxContains: refused('write a rule in x-kubernetes-validations'),
  if: refused('write anyOf, or a rule in x-kubernetes-validations'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: refused('write anyOf, or a rule in x-kubernetes-validations'),
  else: refused('write anyOf, or a rule in x-kubernetes-validations'),
  contentEncoding: refused('bytes are strings with format: byte'),
  contentMediaType: refused('nothing looks into strings'),
  contentSchema: refused('nothing looks into strings'),
  id: refused('schemas are found by their names in the document'),
  $id: refused('schemas are found by their names in the document'),
  $anchor: refused('schemas are found by their names in the document'),
  $dynamicAnchor: refused('schemas are found by their names in the document'),
  $dynamicRef: refused('write $ref'),
  $recursiveRef: refused('write $ref'),
  $defs: refused('put the schemas beside the others of the document'),
  definitions: refused('put the schemas beside the others of the document'),
  $schema: refused('the document says which version of OpenAPI it has'),
  $vocabulary: refused('there is one vocabulary'),
};

/** The settings of a resource, which `import` reads. */
export const notesKey = 'x-kubeloom-resource';

/** Reports whether a keyword's value is data, in which nothing is a keyword. */
export const isData = (keyword: string): boolean =>
  ['any', 'values', 'rules', 'notes', 'discriminator', 'prose'].includes(treatmentOf(keyword) as string);

/** Extensions other than Kubernetes' have no meaning for it and count as prose. */
export function treatmentOf(keyword: string): Treatment {
  const treatment = Object.hasOwn(treatments, keyword) ? treatments[keyword] : undefined;
  if (treatment) return treatment;
  if (keyword === notesKey) return 'notes';
  const isForeign = keyword.startsWith('x-') && !/^x-(kubernetes|kubeloom)-/.test(keyword);
  return isForeign ? 'prose' : { refused: 'there is no such keyword' };
}

/** The names of all keywords in the table. */
export const keywordNames: readonly string[] = Object.keys(treatments);

const ofNumbers = ['integer', 'number'];

/** The types of values that a keyword constrains. */
const keywordTypes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['minLength', 'maxLength', 'pattern'].map((name) => [name, ['string']])),
  ...Object.fromEntries(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((name) => [name, ofNumbers])),
  ...Object.fromEntries(['items', 'minItems', 'maxItems', 'uniqueItems'].map((name) => [name, ['array']])),
  ...Object.fromEntries(
    [
      'properties',
      'additionalProperties',
      'required',
      'minProperties',
      'maxProperties',
      'x-kubernetes-preserve-unknown-fields',
      'x-kubernetes-embedded-resource',
      'x-kubernetes-map-type',
    ].map((name) => [name, ['object']]),
  ),
};

/**
 * Returns why a keyword has no effect on values of some types; undefined if it has one, or if the types are unknown.
 */
export function typeFault(keyword: string, types: readonly string[]): string | undefined {
  const present = types.filter((type) => type !== 'null');
  const wanted = Object.hasOwn(keywordTypes, keyword) ? keywordTypes[keyword] : undefined;
  if (wanted === undefined || present.length === 0 || present.some((type) => wanted.includes(type))) return undefined;
  return `has no effect on ${present.map((type) => `${type}s`).join(' and ')}`;
}

/** Formats of numbers. Below: the formats of strings that upstream checks, without dashes. (kube-openapi strfmt) */
const numberFormats: readonly string[] = ['int32', 'int64', 'float', 'double'];
const stringFormats =
  'bsonobjectid byte cidr creditcard date datetime duration email hexcolor hostname ipv4 ipv6 isbn isbn10 isbn13 k8slongname k8sshortname mac password rgbcolor ssn uri uuid uuid3 uuid4 uuid5'.split(
    ' ',
  );
/** The formats that determine a type. */
const typeFormats: readonly string[] = ['int-or-string', 'quantity'];

/**
 * Returns why a format is unknown or has no effect on values of some types; undefined if there is nothing to refuse.
 */
export function formatFault(format: string, types: readonly string[]): string | undefined {
  if (typeFormats.includes(format)) return undefined;
  const isNumeric = numberFormats.includes(format);
  if (!isNumeric && !stringFormats.includes(format.replaceAll('-', ''))) return `there is no format ${format}`;
  const wanted = isNumeric ? ['integer', 'number'] : ['string'];
  return types.some((type) => wanted.includes(type)) ? undefined : `the format ${format} is one of ${wanted.join('s and ')}s`;
}
