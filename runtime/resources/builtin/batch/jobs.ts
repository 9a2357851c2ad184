import type { Part } from '../../../machinery/object.ts';
import type { RESTStrategy } from '../../rest.ts';

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** A job finds its pods by its uid, unless its author chose a selector. (pkg/registry/batch/job/strategy.go) */
export const jobs: RESTStrategy = {
  defaultGarbageCollectionPolicy: 'OrphanDependents',
  prepareForCreate(job) {
    const spec: Part = job.spec ?? {};
    if (spec.manualSelector) return;
    const { uid, name = '' } = job.metadata;
    spec.template ??= {};
    spec.template.metadata ??= {};
    const labels = { ...spec.template.metadata.labels };
    for (const label of nameLabels) labels[label] ??= name;
    for (const label of uidLabels) labels[label] ??= uid;
    spec.template.metadata.labels = labels;
    spec.selector ??= {};
    spec.selector.matchLabels ??= {};
    spec.selector.matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
  },
};
