import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { builtinGroup } from '../groups/groups.ts';
import { newStorageCodec } from '../storage/storage-codec.ts';
import type { CodecRequest, CodecResult, CodecWorkerData } from './codec-thread.ts';
import { buffersToTransfer } from './protocol.ts';

/* The entry point of the thread that encodes and decodes large stored values. */

const port = parentPort as MessagePort;
const { builtin, mediaType, customAsCbor } = workerData as CodecWorkerData;
const opening = builtinGroup(builtin).then(({ catalog }) =>
  newStorageCodec({ mediaType, builtin: catalog, features: { CBORServingAndStorage: customAsCbor } }),
);

port.on('message', async ({ id, operation, value }: CodecRequest) => {
  const result = await run(operation, value).catch(failed);
  const message: CodecResult = { id, ...result };
  port.postMessage(message, 'value' in result ? buffersToTransfer(result.value) : []);
});

async function run(operation: CodecRequest['operation'], value: Uint8Array): Promise<{ readonly value: Uint8Array }> {
  const codec = await opening;
  return { value: await codec[operation](value) };
}

const failed = (error: unknown): Omit<Extract<CodecResult, { error: string }>, 'id'> => ({
  error: error instanceof Error ? error.message : String(error),
  isDecodeError: isDecodeError(error),
});
