import { badRequest } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { everyField, type FieldSelector } from '../../machinery/selectors/field-selector.ts';
import { everyLabel, type LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { type FieldError, forbidden, notSupported } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { boolParameter, int64Parameter } from '../parameters.ts';
import { type Query, queryValue } from '../query-string.ts';
import { fieldSelectorOf, labelSelectorOf } from '../selectors.ts';
import { decodeParameters, throwIfInvalid } from './validation.ts';

/** metav1.GetOptions. */
export interface GetOptions {
  /** "" if absent. */
  readonly resourceVersion: string;
  /** Whether the object is read at exactly this revision. Default: false. */
  readonly isExact?: boolean;
}

/** @throws StatusError 400 */
export function parseGetOptions(query: Query): GetOptions {
  if (boolParameter(query, 'export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return { resourceVersion: queryValue(query, 'resourceVersion') ?? '' };
}

/**
 * Parses the options of a get from a server that keeps all revisions. They may include resourceVersionMatch, which
 * metav1.GetOptions lacks, with the rules of ListOptions.
 *
 * @throws StatusError 400, 422
 */
export function parseExactGetOptions(query: Query): GetOptions {
  const { resourceVersion } = parseGetOptions(query);
  const match = queryValue(query, 'resourceVersionMatch') ?? '';
  throwIfInvalid('GetOptions', matchErrors(resourceVersion, match));
  return { resourceVersion, isExact: match === 'Exact' };
}

/** metav1.ListOptions, for list, watch and deletecollection. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** "" if absent, like all strings here. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** Seconds. */
  readonly timeoutSeconds?: number;
  /** 0 for no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents?: boolean;
}

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
 * Parses the options of list, watch and deletecollection. A watch without a resourceVersion, or from "0", gets initial
 * events by default. (apimachinery meta/internalversion/defaults.go)
 *
 * @throws StatusError 400, 422
 */
export function parseListOptions(query: Query): ListOptions {
  if (query.size === 0) return noListOptions;
  return decodeParameters(() => {
    const timeoutSeconds = int64Parameter(query, 'timeoutSeconds');
    const limit = int64Parameter(query, 'limit') ?? 0;
    const watch = boolParameter(query, 'watch') ?? false;
    const resourceVersion = queryValue(query, 'resourceVersion') ?? '';
    const match = (queryValue(query, 'resourceVersionMatch') ?? '') as ListOptions['resourceVersionMatch'];
    const sendInitialEvents = boolParameter(query, 'sendInitialEvents');
    const sendsInitialEvents =
      watch && sendInitialEvents === undefined && match === '' && (resourceVersion === '' || resourceVersion === '0');
    const options: ListOptions = {
      labelSelector: labelSelectorOf(query),
      fieldSelector: fieldSelectorOf(query),
      watch,
      allowWatchBookmarks: boolParameter(query, 'allowWatchBookmarks') ?? false,
      resourceVersion,
      resourceVersionMatch: sendsInitialEvents ? 'NotOlderThan' : match,
      ...defined({ timeoutSeconds }),
      limit,
      continue: queryValue(query, 'continue') ?? '',
      ...(sendsInitialEvents ? { sendInitialEvents: true } : sendInitialEvents === undefined ? {} : { sendInitialEvents }),
    };
    throwIfInvalid('ListOptions', options.watch ? watchErrors(options) : listErrors(options));
    return options;
  });
}

const matchPath = FieldPath.of('resourceVersionMatch');

function listErrors(options: ListOptions): FieldError[] {
  const errors = matchErrors(options.resourceVersion, options.resourceVersionMatch, options.continue);
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden(FieldPath.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

/** (apimachinery meta/internalversion/validation) */
function matchErrors(resourceVersion: string, match: string, continueToken = ''): FieldError[] {
  if (match === '') return [];
  const errors: FieldError[] = [];
  if (resourceVersion === '') {
    errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (continueToken !== '') {
    errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported(matchPath, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    errors.push(forbidden(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
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
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(matchPath, match, ['NotOlderThan']));
    if (options.continue !== '') {
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}

/** metav1.TableOptions. */
export interface TableOptions {
  /** The part of its object that a row contains. */
  readonly includeObject: 'None' | 'Metadata' | 'Object';
}

/** @throws StatusError 400 */
export function parseTableOptions(query: Query): TableOptions {
  const value = queryValue(query, 'includeObject') ?? '';
  if (value === '') return { includeObject: 'Metadata' };
  if (value !== 'None' && value !== 'Metadata' && value !== 'Object') {
    const quoted = JSON.stringify(value);
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return { includeObject: value };
}
