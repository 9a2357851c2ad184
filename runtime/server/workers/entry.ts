import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode } from '../../machinery/compiled/program.ts';
import { disableEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { newAsk } from './ask.ts';
import { WorkerHeap } from './heap.ts';
import { openJobParts } from './job-parts.ts';
import { JobRunner } from './job-runner.ts';
import { buffersToTransfer, type Job, type WorkerData } from './protocol.ts';

/*
 * The entry point of a worker thread. It runs jobs one at a time, with the registry, the steps and the plugins of the
 * server. The server reads and stores objects for it.
 */

disableEventLoopBudget();
const port = parentPort as MessagePort;
const heap = new WorkerHeap();
const opening = openRunner(workerData as WorkerData);
void opening.then(() => {
  heap.settle();
  keepCompiledCode();
});
port.on('message', async (job: Job) => {
  const outcome = await (await opening).run(job);
  port.postMessage(outcome, 'response' in outcome.result ? buffersToTransfer(outcome.result.response.body) : []);
  heap.trim();
});

async function openRunner(data: WorkerData): Promise<JobRunner> {
  return new JobRunner(await openJobParts(newAsk(port, data.answers), data));
}
