import type { PostOptions } from '../../client/webhook/client.ts';
import { isJsonBody } from '../../client/webhook/review.ts';
import { checkEventLoopBytes } from '../../machinery/event-loop/budget.ts';

/** A response without a patch has little to say. (upstream: no limit) */
const maxBytesWithoutPatch = 256 * 1024;
const maxYamlBytes = 64 * 1024;

/**
 * What bounds the work that a webhook's response makes. A large patch ends the attempt, and the write starts over on a
 * worker thread, where the webhook is called again.
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
