import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bodies, measureRow, measureWatches, type Subject, subjectOf } from './kind-costs.ts';
import { kindRows, prepareKinds } from './kind-rows.ts';
import { printAllocations, printProcessor } from './samples.ts';
import { root, startKubeloom } from './target.ts';

/*
 * Profiles the server during one row of the kinds, in a young process or a warm one:
 *
 *     node profile.ts --scenario=pod-create --phase=warm
 *
 * Keeps a profile of the processor and samples of all allocations, for the browser's developer tools, and prints the top of both.
 */

const folder = join(root, 'node_modules/.cache/kubeloom-bench');
const watches = 'watches';

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const names = [...kindRows.map(({ name }) => slug(name)), watches];
const { values } = parseArgs({ options: { scenario: { type: 'string', default: '' }, phase: { type: 'string', default: 'warm' } } });
if (!names.includes(values.scenario)) throw new Error(`SCENARIO is one of ${names.join(', ')}; not ${JSON.stringify(values.scenario)}`);

const server = await startKubeloom(['--storage=memory'], { isMeasured: true });
const subject = subjectOf(server);
const bodies: Bodies = new Map();
try {
  await prepareKinds(server.credentials);
  if (values.phase === 'warm') for (const name of names) await measure(subject, name);
  for (const name of names) {
    if (name === values.scenario) break;
    await measure(subject, name);
  }
  mkdirSync(folder, { recursive: true });
  await server.ask('profile-start');
  await measure(subject, values.scenario);
  await server.ask(`profile-stop ${join(folder, `${values.scenario}-${values.phase}`)}`);
} finally {
  await server.close();
}
const file = join(folder, `${values.scenario}-${values.phase}`);
printProcessor(`${file}.cpuprofile`);
printAllocations(`${file}.heapprofile`);

async function measure(to: Subject, name: string): Promise<void> {
  const row = kindRows.find((each) => slug(each.name) === name);
  if (row === undefined) await measureWatches(to, bodies);
  else await measureRow(to, row, bodies);
}
