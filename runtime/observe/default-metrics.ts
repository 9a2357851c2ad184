import { collectDefaultMetrics, Registry } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Prometheus text. */
export function renderDefaultMetrics(): Promise<string> {
  return registry.metrics();
}
