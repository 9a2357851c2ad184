import { privilegedGroup } from '../machinery/user-info.ts';
import type { Writer } from './rest.ts';

/** The server itself as a writer of objects, as upstream's loopback client. Its writes are not bound by request limits. */
export function loopbackWriter(fieldManager?: string): Writer {
  return {
    user: { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} },
    dryRun: false,
    internal: true,
    ...(fieldManager === undefined ? {} : { fieldManager }),
    warn: () => undefined,
  };
}
