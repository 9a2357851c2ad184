import { anything, either, exactly, flag, listOf, mapOf, number, oneOf, type Shape, type ShapeFault, text } from './shapes.ts';

/* The shape of an OverlayDocument, as data. */

const texts = listOf(text);
const custom = exactly({ custom: text }, 'custom');

const writeRules = exactly({
  createOnUpdate: flag,
  unconditionalUpdate: flag,
  generation: flag,
  statusFields: texts,
  nameRule: oneOf(
    'dns-subdomain',
    'long-name',
    'dns-label',
    'dns1035-label',
    'path-segment',
    'path-segment-name',
    'config-map-key',
    'group-resource',
    'ip-address',
  ),
  nameUncheckedOnUpdate: flag,
  defaultGracePeriodSeconds: number,
  initialStatus: mapOf(anything),
  annotationsCount: flag,
  labelsCount: flag,
  emptyCounts: flag,
  statusCreates: flag,
  metadataValidatedLast: flag,
  openStatus: oneOf('create', 'always'),
  statusKeepsMetadata: texts,
  resetFields: mapOf(texts),
  qualifiedFinalizers: flag,
  storagePreconditions: flag,
  hiddenAnnotations: texts,
});

const column = exactly(
  {
    name: text,
    type: oneOf('string', 'integer', 'number', 'boolean', 'date'),
    priority: number,
    undeclared: flag,
    path: text,
    none: either('a string or a number', text, number),
    custom: text,
    description: text,
    format: text,
  },
  'name',
);

const conversion = either(
  '{ strategy: Converter }, or { custom: <function> }',
  custom,
  exactly({ strategy: oneOf('Converter') }, 'strategy'),
);

const selectableFields: Shape = (value, pointer) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? mapOf(either('a path', text, exactly({ path: text, absent: text }, 'path'), custom))(value, pointer)
    : [{ pointer, message: 'is a map of labels to paths, as { spec.model: spec.model }' }];

const resource = exactly({
  shortNames: texts,
  categories: texts,
  singular: text,
  stored: flag,
  storageGroup: text,
  storageVersion: text,
  writeRules,
  columns: listOf(column),
  rowConditions: text,
  rowOrder: text,
  selectableFields,
  unsupportedFieldLabel: text,
  selectableByNamespace: flag,
  resourcePrefix: text,
  scale: exactly({ specReplicas: text, statusReplicas: text, selector: text }, 'specReplicas', 'statusReplicas'),
  conversion,
  deprecated: exactly({ in: text, unavailable: text, use: text }, 'in'),
});

const condition = mapOf(anything);
const defaultRule = either(
  'a default: { field, value }, { field, from } or { custom }',
  exactly({ field: text, value: anything, when: condition }, 'field', 'value'),
  exactly({ field: text, from: text, when: condition }, 'field', 'from'),
  custom,
);
const checks = 'required forbidden enum min max minLength maxLength maxItems minItems pattern format unique custom'.split(' ');
const rule = exactly(
  {
    field: text,
    when: condition,
    message: text,
    check: oneOf(...checks),
    values: texts,
    value: anything,
    keys: texts,
    name: text,
    on: oneOf('update'),
  },
  'check',
);

const type = exactly({ defaults: listOf(defaultRule), rules: listOf(rule), ownLimits: flag, openEnums: texts, keptEmpty: texts });

const orNull =
  (shape: Shape): Shape =>
  (value, pointer) =>
    value === null ? [] : shape(value, pointer);

const overlay = exactly({
  writeRules,
  validatedByStrategies: flag,
  types: mapOf(orNull(type)),
  resources: mapOf(orNull(resource)),
  releases: mapOf(mapOf(exactly({ storageVersion: text, conversion }))),
});

/** Returns the faults in the settings of an overlay. */
export const overlayFaults = (value: unknown): readonly ShapeFault[] => orNull(overlay)(value, []);

const verb = oneOf('create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch');

/** The settings of a resource in `x-kubeloom-resource`. */
export const resourceNotes = exactly({
  plural: text,
  scope: oneOf('Namespaced', 'Cluster'),
  subresources: listOf(oneOf('status', 'scale')),
  verbs: listOf(verb),
});
