import { defined } from '../machinery/json/defined.ts';
import { privilegedGroup } from '../machinery/user-info.ts';
import type { Writer } from './rest.ts';

/**
 * Returns the server itself as a writer, like upstream's loopback client. Request limits do not apply to its writes.
 */
export function loopbackWriter(fieldManager?: string): Writer {
  return {
    user: { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} },
    dryRun: false,
    internal: true,
    ...defined({ fieldManager }),
    warn: () => undefined,
  };
}
