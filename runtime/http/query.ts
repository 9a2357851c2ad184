import {
  type FieldError,
  forbidden,
  invalid as invalidField,
  notSupported,
  required,
} from '../machinery/field-error.ts';
import { FieldPath } from '../machinery/field-path.ts';
import { managerNameErrors } from '../machinery/manager-name.ts';
import { type FieldSelector, parseFieldSelector } from '../machinery/selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../machinery/selectors/label-selector.ts';
import { isSelectorError } from '../machinery/selectors/selector-error.ts';
import { badRequest, invalid } from '../machinery/status.ts';
import { boolParameter, int64Parameter, isParameterError } from './parameters.ts';
import { firstOf, type Query } from './query-string.ts';

/*
 * The query parameters of the verbs. Values that are not of their type are 400, values that are not allowed are 422, as
 * upstream. (apimachinery meta/v1/conversion.go and meta/v1/validation, meta/internalversion/validation)
 */

export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** "" when absent, as all strings here. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** Seconds. */
  readonly timeoutSeconds?: number;
  /** 0 for no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents?: boolean;
}

export interface GetOptions {
  readonly resourceVersion: string;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** "" when absent. */
  readonly fieldManager: string;
  /** Warn where the client says nothing. */
  readonly fieldValidation: FieldValidation;
}

export type CreateOptions = WriteOptions;
export type UpdateOptions = WriteOptions;

export interface PatchOptions extends WriteOptions {
  readonly force?: boolean;
}

export type DeletionPropagation = 'Orphan' | 'Background' | 'Foreground';

/** metav1.DeleteOptions, from the query or from the body. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface TableOptions {
  readonly includeObject: 'None' | 'Metadata' | 'Object';
}

const metaGroup = 'meta.k8s.io';

/** Runs a reader of parameters; what cannot be read is a BadRequest. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isParameterError(error) || isSelectorError(error)) throw badRequest(error.message);
    throw error;
  }
}

function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
}

const everyLabel = parseLabelSelector('');
const everyField = parseFieldSelector('');
const noListOptions: ListOptions = {
  labelSelector: everyLabel,
  fieldSelector: everyField,
  watch: false,
  allowWatchBookmarks: false,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continue: '',
};

/**
 * Options of list, watch and deletecollection. Watches from no version, or from any, ask for the state first.
 * (apimachinery meta/internalversion/defaults.go)
 *
 * @throws StatusError 400, 422
 */
export function parseListOptions(query: Query): ListOptions {
  if (query.size === 0) return noListOptions;
  return reading(() => {
    const timeoutSeconds = int64Parameter(query, 'timeoutSeconds');
    const limit = int64Parameter(query, 'limit') ?? 0;
    const labels = firstOf(query, 'labelSelector') ?? '';
    const fields = firstOf(query, 'fieldSelector') ?? '';
    const watch = boolParameter(query, 'watch') ?? false;
    const resourceVersion = firstOf(query, 'resourceVersion') ?? '';
    const match = (firstOf(query, 'resourceVersionMatch') ?? '') as ListOptions['resourceVersionMatch'];
    const sendInitialEvents = boolParameter(query, 'sendInitialEvents');
    const showsState =
      watch && sendInitialEvents === undefined && match === '' && (resourceVersion === '' || resourceVersion === '0');
    const options: ListOptions = {
      labelSelector: labels === '' ? everyLabel : parseLabelSelector(labels),
      fieldSelector: fields === '' ? everyField : parseFieldSelector(fields),
      watch,
      allowWatchBookmarks: boolParameter(query, 'allowWatchBookmarks') ?? false,
      resourceVersion,
      resourceVersionMatch: showsState ? 'NotOlderThan' : match,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      limit,
      continue: firstOf(query, 'continue') ?? '',
      ...(showsState ? { sendInitialEvents: true } : sendInitialEvents === undefined ? {} : { sendInitialEvents }),
    };
    refuse('ListOptions', options.watch ? watchErrors(options) : listErrors(options));
    return options;
  });
}

const matchPath = FieldPath.of('resourceVersionMatch');

function listErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (options.continue !== '') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(matchPath, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden(FieldPath.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(matchPath, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined) {
      errors.push(
        forbidden(matchPath, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(matchPath, match, ['NotOlderThan']));
    if (options.continue !== '') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}

/** @throws StatusError 400 */
export function parseGetOptions(query: Query): GetOptions {
  if (boolParameter(query, 'export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: firstOf(query, 'resourceVersion') ?? '' };
}

/** @throws StatusError 422 */
export function parseCreateOptions(query: Query): CreateOptions {
  return writeOptions(query, 'CreateOptions', []);
}

/** @throws StatusError 422 */
export function parseUpdateOptions(query: Query): UpdateOptions {
  return writeOptions(query, 'UpdateOptions', []);
}

/**
 * @param apply the body is an apply configuration: a field manager must be named, and `force` may be given
 * @throws StatusError 422
 */
export function parsePatchOptions(query: Query, apply: boolean): PatchOptions {
  const force = boolParameter(query, 'force');
  const errors: FieldError[] = [];
  if (apply && !firstOf(query, 'fieldManager')) {
    errors.push(required(FieldPath.of('fieldManager'), 'is required for apply patch'));
  }
  if (!apply && force !== undefined) {
    errors.push(forbidden(FieldPath.of('force'), 'may not be specified for non-apply patch'));
  }
  const options = writeOptions(query, 'PatchOptions', errors);
  return force === undefined ? options : { ...options, force };
}

const noWriteOptions: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };

function writeOptions(query: Query, kind: string, errors: FieldError[]): WriteOptions {
  if (query.size === 0 && errors.length === 0) return noWriteOptions;
  const fieldManager = firstOf(query, 'fieldManager') ?? '';
  const dryRun = query.get('dryRun') ?? [];
  const fieldValidation = firstOf(query, 'fieldValidation') ?? '';
  errors.push(...managerNameErrors(fieldManager, FieldPath.of('fieldManager')), ...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    errors.push(notSupported(FieldPath.of('fieldValidation'), fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  refuse(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
  };
}

function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported(FieldPath.of('dryRun'), dryRun, ['All'])];
}

/** Delete options of a request without a body. @throws StatusError 400 */
export function parseDeleteOptions(query: Query): DeleteOptions {
  if (query.size === 0) return {};
  return reading(() => {
    const gracePeriodSeconds = int64Parameter(query, 'gracePeriodSeconds');
    const orphanDependents = boolParameter(query, 'orphanDependents');
    const propagationPolicy = firstOf(query, 'propagationPolicy');
    const dryRun = query.get('dryRun');
    const ignore = boolParameter(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
    const uid = firstOf(query, 'uid');
    const resourceVersion = firstOf(query, 'resourceVersion');
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    return {
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(orphanDependents === undefined ? {} : { orphanDependents }),
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(ignore === undefined ? {} : { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
      ...(uid || resourceVersion ? { preconditions } : {}),
    };
  });
}

/** Refuses delete options that may not stand, from the query or the body. @throws StatusError 422 */
export function validateDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const path = FieldPath.of('propagationPolicy');
  const policy = options.propagationPolicy;
  if (options.orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalidField(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(notSupported(path, policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  errors.push(...dryRunErrors(options.dryRun ?? []));
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) errors.push(...unsafeDeleteErrors(options));
  refuse('DeleteOptions', errors);
}

/** Deleting what cannot be read goes with no other wish. (ValidateIgnoreStoreReadError) */
function unsafeDeleteErrors(options: DeleteOptions): FieldError[] {
  const path = FieldPath.of('ignoreStoreReadErrorWithClusterBreakingPotential');
  const beside = (name: string): FieldError => invalidField(path, true, `cannot be set together with .${name}`);
  return [
    ...((options.dryRun?.length ?? 0) > 0 ? [beside('dryRun')] : []),
    ...(options.propagationPolicy === undefined ? [] : [beside('propagationPolicy')]),
    ...(options.orphanDependents === undefined ? [] : [beside('orphanDependents')]),
    ...(options.gracePeriodSeconds === undefined ? [] : [beside('gracePeriodSeconds')]),
    ...(options.preconditions === undefined ? [] : [beside('preconditions')]),
  ];
}

/** @throws StatusError 400 */
export function parseTableOptions(query: Query): TableOptions {
  const value = firstOf(query, 'includeObject') ?? '';
  if (value === '') return { includeObject: 'Metadata' };
  if (value !== 'None' && value !== 'Metadata' && value !== 'Object') {
    const quoted = JSON.stringify(value);
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return { includeObject: value };
}
