import { type FieldError, forbidden, notSupported } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import { everyField, type FieldSelector } from '../../machinery/selectors/field-selector.ts';
import { everyLabel, type LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { boolParameter, int64Parameter } from '../parameters.ts';
import { firstOf, type Query } from '../query-string.ts';
import { fieldSelectorOf, labelSelectorOf } from '../selectors.ts';
import { reading, refuse } from './validation.ts';

/** metav1.ListOptions, of list, watch and deletecollection. */
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
    const watch = boolParameter(query, 'watch') ?? false;
    const resourceVersion = firstOf(query, 'resourceVersion') ?? '';
    const match = (firstOf(query, 'resourceVersionMatch') ?? '') as ListOptions['resourceVersionMatch'];
    const sendInitialEvents = boolParameter(query, 'sendInitialEvents');
    const showsState =
      watch && sendInitialEvents === undefined && match === '' && (resourceVersion === '' || resourceVersion === '0');
    const options: ListOptions = {
      labelSelector: labelSelectorOf(query),
      fieldSelector: fieldSelectorOf(query),
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
