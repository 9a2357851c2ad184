import type { Authorizer } from '../authorization/authorizer.ts';
import type { AnyConverter, ApiGroup, ResourceStrategy } from '../machinery/api-group.ts';
import type { Clock } from '../machinery/clock.ts';
import {
  boolean,
  callback,
  checked,
  either,
  implemented,
  listOf,
  mapOf,
  type OptionType,
  object,
  oneOf,
  text,
  whole,
} from '../machinery/options/option-type.ts';
import type { TableColumn } from '../machinery/resource.ts';
import { type PodOptions, podIsolation, podProgram } from './pod-programs.ts';
import { maxNodes, type SimulationOptions } from './simulated-cluster.ts';

/* Checks of option values that are more than texts and numbers. */

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const column = object<TableColumn<object>>(
  {
    name: text,
    type: oneOf('string', 'integer', 'number', 'boolean', 'date'),
    format: text,
    description: text,
    field: oneOf('name', 'creationTimestamp'),
    priority: whole(0),
    undeclared: boolean,
    cell: callback,
  },
  'name',
  'type',
  'cell',
);

const strategy = implemented<ResourceStrategy>({
  create: callback,
  prepareForCreate: callback,
  prepareForUpdate: callback,
  validate: callback,
  validateUpdate: callback,
  warnings: callback,
  table: listOf(column),
});

const converter = implemented<AnyConverter>({ toStorage: callback, fromStorage: callback }, 'toStorage', 'fromStorage');

const catalog: OptionType<ApiGroup['catalog']> = checked(
  'the catalog of a generated module',
  (value) => isRecord(value) && Array.isArray(value.groupVersions),
);

export const apiGroup = object<ApiGroup>(
  { catalog, strategies: mapOf(strategy), conversions: mapOf(mapOf(converter)), module: text },
  'catalog',
  'strategies',
);

export const clock = implemented<Clock>({ now: callback, after: callback }, 'now', 'after');

export const podOptions = implemented<PodOptions>({
  exec: callback,
  attach: callback,
  logs: callback,
  portForward: callback,
  programs: either(text, listOf(podProgram)),
  isolation: podIsolation,
});

export const authorizer = implemented<Authorizer>({ authorize: callback, rulesFor: callback }, 'authorize');

export const simulatedCluster = object<SimulationOptions>({
  nodes: whole(0, maxNodes),
  nodeCapacity: mapOf(text),
  stages: listOf(text),
  stageObjects: boolean,
  forwardToLocalhost: boolean,
});

/** Checks only the type. The reader of fixtures checks the objects. */
export const fixture: OptionType<string | Readonly<Record<string, unknown>>> = either(
  text,
  checked<Readonly<Record<string, unknown>>>('an object', isRecord),
);

/** A text that the server checks later, with the error of kube-apiserver's flag. */
export const flagText = <T extends string>(): OptionType<T> => checked('a text', (value) => typeof value === 'string');

/** A whole number that the server checks later, with the error of kube-apiserver's flag. */
export const flagWhole = whole(Number.MIN_SAFE_INTEGER);

/** A number of bytes, or Infinity for no limit. */
export const bytesOrNone = either(
  whole(),
  checked<number>('Infinity', (value) => value === Number.POSITIVE_INFINITY),
);
