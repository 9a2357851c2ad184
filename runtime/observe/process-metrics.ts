/**
 * Metrics of this process in the Prometheus format: CPU, memory, file descriptors, event loop, garbage collection. They
 * are collected from the first call on, because most servers are never scraped.
 */
export async function renderProcessMetrics(): Promise<string> {
  const { renderDefaultMetrics } = await import('./default-metrics.ts');
  return renderDefaultMetrics();
}
