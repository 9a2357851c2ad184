import type { Registry } from 'prom-client';

let registry: Promise<Registry> | undefined;

/** Prometheus text about this process and its runtime: CPU, memory, file descriptors, event loop, garbage collection. Collected from the first call on. */
export async function renderProcessMetrics(): Promise<string> {
  registry ??= import('prom-client').then(({ Registry: Collector, collectDefaultMetrics }) => {
    const made = new Collector();
    collectDefaultMetrics({ register: made });
    return made;
  });
  return (await registry).metrics();
}
