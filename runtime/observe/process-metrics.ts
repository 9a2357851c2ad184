/**
 * Prometheus text about this process and its runtime: CPU, memory, file descriptors, event loop, garbage collection.
 * Collected from the first call on; most servers are never asked.
 */
export async function renderProcessMetrics(): Promise<string> {
  const { renderDefaultMetrics } = await import('./default-metrics.ts');
  return renderDefaultMetrics();
}
