import type { Registry } from 'prom-client';

let registry: Promise<Registry> | undefined;

/**
 * Metrics of this process in the Prometheus format: CPU, memory, file descriptors, event loop, garbage collection. They
 * are collected, and their library is loaded, from the first call on, because most servers are never scraped.
 */
export async function renderProcessMetrics(): Promise<string> {
  registry ??= startCollecting();
  const text = await (await registry).metrics();
  // the library writes what Prometheus' parsers do not know
  return text.replace(/ Nan$/gm, ' NaN');
}

async function startCollecting(): Promise<Registry> {
  // of a bundled CommonJS package only the default export can be imported dynamically
  const { default: prometheus } = await import('prom-client');
  const { collectDefaultMetrics, Registry } = prometheus;
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
