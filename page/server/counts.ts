import { signal } from '@preact/signals';
import { readMetrics } from './metrics.ts';
import { ApiError } from './request.ts';

/** The number of objects by `resource.group`. Undefined for users who may not read metrics. */
export const counts = signal<ReadonlyMap<string, number> | undefined>(new Map());

export const countKey = (group: string, resource: string): string => `${resource}.${group}`;

const metric = 'apiserver_resource_objects';

/** Reads how many objects there are of each resource. */
export async function readCounts(): Promise<void> {
  try {
    const metrics = await readMetrics([metric]);
    counts.value = new Map(
      metrics.samples(metric).map(({ labels, value }) => [countKey(labels.group ?? '', labels.resource ?? ''), value]),
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) counts.value = undefined;
    else if (!(error instanceof TypeError)) throw error;
  }
}
