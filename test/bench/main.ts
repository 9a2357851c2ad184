import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from './report.ts';
import { create } from './scenarios/create.ts';
import { fill, podCount, read } from './scenarios/read.ts';
import { start } from './scenarios/start.ts';
import { watch } from './scenarios/watch.ts';
import { startKubeloom, startLimit } from './target.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? ['start', 'read', 'create', 'watch'];
const report = new Report();

if (chosen.includes('start')) await start(report);
const server = await startKubeloom(['--storage=lmdb']);
const limit = await startLimit(server, {
  cert: join(server.certDir, 'apiserver.crt'),
  key: join(server.certDir, 'apiserver.key'),
});
try {
  if (chosen.includes('read')) {
    await fill(server, podCount);
    report.row(`resident with ${podCount} pods`, `${Math.round(server.rss())} MiB`, '', '');
    await read(report, server, limit);
  }
  if (chosen.includes('create')) await create(report, server, limit);
  if (chosen.includes('watch')) await watch(report, server, limit);
} finally {
  await limit.close();
  await server.close();
}
report.print();
