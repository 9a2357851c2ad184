import { collectDefaultMetrics, Registry } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

/** Returns text in the Prometheus format. */
export function renderDefaultMetrics(): Promise<string> {
  return registry.metrics();
}
