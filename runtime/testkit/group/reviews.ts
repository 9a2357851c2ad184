import type {
  ClockAdvance,
  RequestLogReview,
  RequestLogReviewSpec,
  RequestRecord as ReviewedRequest,
  SettledReview,
  SnapshotRestore,
} from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import type { ResourceStrategy } from '../../machinery/api-group.ts';
import { readDuration } from '../../machinery/go/duration.ts';
import { microTimeText } from '../../machinery/scalars/time.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, invalid, notFound } from '../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RestoredWatches } from '../../storage/object-store/contract.ts';
import type { RequestFilter } from '../requests/request-filter.ts';
import type { RequestMatch } from '../requests/request-match.ts';
import type { RequestRecord } from '../requests/request-record.ts';
import { validateCodes, validateMatch, validateServed } from '../requests/validation.ts';
import { isNotSettledError } from '../settling/settled.ts';
import { requireAvailable } from './available.ts';
import { fresh, type SnapshotTable } from './snapshots.ts';
import type { CurrentControls } from './test-controls.ts';

/** The kinds that are not stored. Each acts or responds at once. A dry run does nothing. */
export const reviews = (controls: CurrentControls, snapshots: SnapshotTable) => ({
  clockadvances: clockAdvances(controls),
  requestlogreviews: requestLogReviews(controls),
  settledreviews: settledReviews(controls),
  snapshotrestores: snapshotRestores(controls, snapshots),
});

const clockAdvances = (controls: CurrentControls): ResourceStrategy<ClockAdvance> => ({
  validate: ({ spec }) => durationErrors(spec.duration, FieldPath.of('spec', 'duration')),
  async create(advance, { dryRun }) {
    if (dryRun) return advance;
    const { clock } = controls();
    await requireAvailable(() => clock.advance(advance.spec.duration));
    return { ...advance, status: { now: microTimeText(clock.now()) } };
  },
});

const requestLogReviews = (controls: CurrentControls): ResourceStrategy<RequestLogReview> => ({
  validate({ spec: { match = {}, codes } = {} }) {
    const errors = new FieldErrors();
    const field = Field.at(FieldPath.of('spec'), errors);
    validateMatch(match as RequestMatch, field.child('match'));
    validateServed(match as RequestMatch, field.child('match'), controls().served);
    validateCodes(codes, field.child('codes'));
    return errors;
  },
  create: (review) => ({
    ...review,
    status: {
      items: controls()
        .requests(filterOf(review.spec ?? {}))
        .map(reviewed),
    },
  }),
});

function filterOf({ match = {}, codes: code, running, since }: RequestLogReviewSpec): RequestFilter {
  return {
    verb: match.verbs as RequestMatch['verbs'],
    apiGroup: match.apiGroups,
    resource: match.resources,
    namespace: match.namespaces,
    name: match.names,
    user: match.users,
    group: match.groups,
    userAgent: match.userAgents,
    nonResourceURL: match.nonResourceURLs,
    code: code as RequestFilter['code'],
    running,
    since,
  };
}

const reviewed = ({ groups, time, ...record }: RequestRecord): ReviewedRequest => ({
  ...record,
  groups: [...groups],
  time: microTimeText(Date.parse(time)),
});

const settledReviews = (controls: CurrentControls): ResourceStrategy<SettledReview> => ({
  validate: ({ spec: { quiet, timeout } = {} }) => [
    ...durationErrors(quiet, FieldPath.of('spec', 'quiet')),
    ...durationErrors(timeout, FieldPath.of('spec', 'timeout')),
  ],
  async create(review, { dryRun }) {
    if (dryRun) return review;
    try {
      await controls().settled(review.spec);
      return { ...review, status: { settled: true } };
    } catch (error) {
      if (isNotSettledError(error)) return { ...review, status: { settled: false, reason: error.reason } };
      throw error;
    }
  },
});

const snapshotRestores = (controls: CurrentControls, snapshots: SnapshotTable): ResourceStrategy<SnapshotRestore> => ({
  validate({ spec: { snapshot = '' } = {} }) {
    const isKnown = snapshot === '' || snapshot === fresh || snapshots.get(snapshot) !== undefined;
    return isKnown ? [] : [notFound(FieldPath.of('spec', 'snapshot'), snapshot)];
  },
  async create(restore, { dryRun }) {
    if (dryRun) return restore;
    const server = controls();
    const { snapshot: name = '', watches } = restore.spec ?? {};
    const snapshot = snapshots.get(name);
    const options = watches === undefined ? {} : { watches: watches as RestoredWatches };
    await requireAvailable(() => (snapshot ? server.restore(snapshot, options) : server.reset(options)));
    return { ...restore, status: { revision: server.revision() } };
  },
});

/** The clock has whole milliseconds. */
function durationErrors(text: string | undefined, path: FieldPath): FieldError[] {
  if (text === undefined) return [];
  const duration = readDuration(text);
  if (typeof duration === 'string') return [invalid(path, text, duration)];
  if (duration < 0n) return [invalid(path, text, 'must be greater than or equal to 0')];
  return duration % 1_000_000n === 0n ? [] : [invalid(path, text, 'must be a multiple of 1ms')];
}
