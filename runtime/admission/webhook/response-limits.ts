import type { PostOptions } from '../../client/webhook/client.ts';
import { isJsonBody } from '../../client/webhook/review.ts';
import { checkEventLoopBytes } from '../../machinery/event-loop/budget.ts';

/** The size limit of a response without a patch, which is short. (upstream: no limit) */
const maxBytesWithoutPatch = 256 * 1024;
const maxYamlBytes = 64 * 1024;

/**
 * Returns limits for the work that a webhook's response causes. A large patch ends the attempt. The write then starts
 * over on a worker thread, where the webhook is called again.
 */
export const responseLimits = (mayPatch: boolean): Pick<PostOptions, 'maxResponseBytes' | 'inspect'> => ({
  ...(!mayPatch && { maxResponseBytes: maxBytesWithoutPatch }),
  inspect(body) {
    if (body.length > maxYamlBytes && !isJsonBody(body)) {
      throw new Error(`a response that is not JSON may have ${maxYamlBytes} bytes`);
    }
    if (mayPatch) checkEventLoopBytes(body.length);
  },
});
