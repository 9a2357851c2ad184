// Loaded into a measured server before its own code. Responds to questions of the parent process.
//   memory        collects garbage, then { rss, anonymous, mapped } in bytes
//   held          collects garbage, then the resources: { heapUsed, external, rss, descriptors, activeResources, 'active X' }
//   delay-start   starts to measure the delay of timers
//   delay-stop    { p50, p99, max } in milliseconds
//   profile-start starts to sample the processor and all allocations
//   profile-stop PATH  writes PATH.cpuprofile and PATH.heapprofile
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
const milliseconds = (value) => value / 1e6;
const turns = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function resident() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { rss: bytes('VmRSS'), anonymous: bytes('RssAnon'), mapped: bytes('RssFile') };
}

async function collected() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await turns(50);
  }
}

const answers = {
  async memory() {
    await collected();
    return { ...resident(), ...process.memoryUsage() };
  },
  async held() {
    await collected();
    const { heapUsed, external, rss } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const counts = {};
    for (const name of resources) counts[`active ${name}`] = (counts[`active ${name}`] ?? 0) + 1;
    const descriptors = readdirSync('/proc/self/fd').length;
    return { heapUsed, external, rss, descriptors, activeResources: resources.length, ...counts };
  },
  resident: async () => resident(),
  async 'delay-start'() {
    delay.reset();
    delay.enable();
    return {};
  },
  async 'delay-stop'() {
    // the next turn of the event loop records the last delay
    await turns(3);
    delay.disable();
    return {
      p50: milliseconds(delay.percentile(50)),
      p99: milliseconds(delay.percentile(99)),
      max: milliseconds(delay.max),
    };
  },
  async 'profile-start'() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: 16384,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await session.post('Profiler.start');
    return {};
  },
  async 'profile-stop'(path) {
    const processor = await session.post('Profiler.stop');
    const heap = await session.post('HeapProfiler.stopSampling');
    writeFileSync(`${path}.cpuprofile`, JSON.stringify(processor.profile));
    writeFileSync(`${path}.heapprofile`, JSON.stringify(heap.profile));
    session.disconnect();
    return {};
  },
};
const session = new Session();

process.on('message', async (message) => {
  const [question, argument] = message.split(' ');
  process.send(await answers[question](argument));
});
// an aborted measurement must leave no server behind
process.on('disconnect', () => process.exit());
process.channel?.unref();
