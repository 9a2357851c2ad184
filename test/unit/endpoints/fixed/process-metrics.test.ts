import { expect, test } from '@jest/globals';
import { renderProcessMetrics } from '../../../../runtime/endpoints/fixed/process-metrics.ts';

const gauges = ['process_start_time_seconds', 'process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'];
const counters = ['process_cpu_seconds_total', 'process_cpu_user_seconds_total', 'process_cpu_system_seconds_total'];
const fromProc = ['process_open_fds', 'process_max_fds', 'process_virtual_memory_bytes'];

test('the metrics of a process have the types and positive values', async () => {
  const text = await renderProcessMetrics();
  const names = [...gauges, ...counters, ...(process.platform === 'linux' ? fromProc : [])];
  const rows = names.map((name) => {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];
    const value = Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return [name, type, value > 0];
  });
  expect(rows).toEqual(names.map((name) => [name, counters.includes(name) ? 'counter' : 'gauge', true]));
});

test('collections of garbage and delays of the event loop are observed between two calls', async () => {
  await renderProcessMetrics();
  // allocates until V8 has collected and the observer has been called
  let text = '';
  while (!/^nodejs_gc_duration_seconds_count\{kind="\w+"\} [1-9]/m.test(text) || !/^nodejs_eventloop_lag_p99_seconds \S/m.test(text)) {
    Array.from({ length: 100_000 }, (_, at) => ({ at }));
    await new Promise((resolve) => setTimeout(resolve, 1));
    text += await renderProcessMetrics();
  }
  expect(text).toMatch(/^nodejs_gc_duration_seconds_bucket\{kind="\w+",le="\+Inf"\} [1-9]/m);
});
