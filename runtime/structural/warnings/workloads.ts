import type { KubeObject, Part } from '../../machinery/object.ts';
import { warnOfClaimSpec } from './byte-amounts.ts';
import { warnOfName, warnOfTemplate } from './pods.ts';
import { none, type WarningRules } from './rules.ts';

/** Kinds that make pods. (pkg/registry/{apps,batch,core}, strategy.go of each; pkg/api/job/warnings.go) */

const namesPods = 'this is used in Pod names and hostnames';
const path = 'spec.template';

/** What was not changed was warned of before. */
const isChanged = (object: KubeObject, old: KubeObject): boolean =>
  object.metadata.generation !== old.metadata.generation;

function ofTemplate(template: Part, at: string): string[] {
  const warnings: string[] = [];
  warnOfTemplate(template, at, warnings);
  return warnings;
}

/** Deployments and ReplicaSets. */
export const replicated: WarningRules = {
  onCreate(object) {
    const warnings: string[] = [];
    warnOfName(object, namesPods, warnings);
    warnOfTemplate(object.spec?.template, path, warnings);
    return warnings;
  },
  onUpdate: (object, old) => (isChanged(object, old) ? ofTemplate(object.spec?.template, path) : none),
};

/** As the others; but what an update warns of is the template as it was, which is upstream's slip and kept. */
export const replicationControllers: WarningRules = {
  ...replicated,
  onUpdate: (object, old) => (isChanged(object, old) ? ofTemplate(old.spec?.template, path) : none),
};

const templateGeneration = (object: KubeObject): string | undefined =>
  object.metadata.annotations?.['deprecated.daemonset.template.generation'];

export const daemonSets: WarningRules = {
  onCreate: (object) => ofTemplate(object.spec?.template, path),
  onUpdate: (object, old) =>
    templateGeneration(object) === templateGeneration(old) ? none : ofTemplate(object.spec?.template, path),
};

export const podTemplates: WarningRules = {
  onCreate: (object) => ofTemplate(object.template, 'template'),
  onUpdate: (object, old) => (isChanged(object, old) ? ofTemplate(object.template, 'template') : none),
};

const keepsAll =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** @param field how upstream names the claim's spec: not at all on creation, and on update as Go does */
function ofClaims({ spec }: KubeObject, field: '' | '.Spec'): string[] {
  const warnings: string[] = [];
  for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries()) {
    warnOfClaimSpec(claim.spec, `spec.volumeClaimTemplates[${index}]${field}`, warnings);
  }
  if (spec?.revisionHistoryLimit < 0) warnings.push(keepsAll);
  return warnings;
}

export const statefulSets: WarningRules = {
  onCreate: (object) => [...ofTemplate(object.spec?.template, path), ...ofClaims(object, '')],
  onUpdate: (object, old) => [
    ...(isChanged(object, old) ? ofTemplate(object.spec?.template, path) : none),
    ...ofClaims(object, '.Spec'),
  ],
};

const tooManyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

function warnOfJob(spec: Part, at: string, warnings: string[]): void {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode === 'Indexed' && completions > 100_000 && parallelism > 10_000) {
    warnings.push(`${at}: ${tooManyIndexes}`);
  }
  warnOfTemplate(spec?.template, `${at}.template`, warnings);
}

const jobLike = (specOf: (object: KubeObject) => Part, at: string): Required<Omit<WarningRules, 'onStatusUpdate'>> => ({
  onCreate(object) {
    const warnings: string[] = [];
    warnOfName(object, namesPods, warnings);
    warnOfJob(specOf(object), at, warnings);
    return warnings;
  },
  onUpdate(object, old) {
    const warnings: string[] = [];
    if (isChanged(object, old)) warnOfJob(specOf(object), at, warnings);
    return warnings;
  },
});

export const jobs: WarningRules = jobLike(({ spec }) => spec, 'spec');

const ofSchedule = jobLike(({ spec }) => spec?.jobTemplate?.spec, 'spec.jobTemplate.spec');

/** A time zone in the schedule is refused on creation. */
const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';

export const cronJobs: WarningRules = {
  onCreate: ofSchedule.onCreate,
  onUpdate(object, old) {
    const warnings = ofSchedule.onUpdate(object, old);
    return object.spec?.schedule?.includes('TZ') ? [...warnings, zoneInSchedule] : warnings;
  },
};
