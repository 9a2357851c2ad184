// Loaded into a measured server before its own code: answers questions of the process that started it.
//   memory        collects garbage, then { rss, anonymous, mapped } in bytes
//   delay-start   begins to note how late timers are
//   delay-stop    { p50, p99, max } in milliseconds
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
const milliseconds = (value) => value / 1e6;
const turns = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function resident() {
  const status = readFileSync('/proc/self/status', 'utf8');
  const bytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { rss: bytes('VmRSS'), anonymous: bytes('RssAnon'), mapped: bytes('RssFile') };
}

const answers = {
  async memory() {
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      await turns(50);
    }
    return { ...resident(), ...process.memoryUsage() };
  },
  resident: async () => resident(),
  async 'delay-start'() {
    delay.reset();
    delay.enable();
    return {};
  },
  async 'delay-stop'() {
    // what held the loop until now is noted at the next turn
    await turns(3);
    delay.disable();
    return {
      p50: milliseconds(delay.percentile(50)),
      p99: milliseconds(delay.percentile(99)),
      max: milliseconds(delay.max),
    };
  },
};

process.on('message', async (question) => process.send(await answers[question]()));
process.channel?.unref();
