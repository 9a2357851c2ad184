import type { Pod, PodLogOptions } from '../../../generated/v1.35/core/v1/types.ts';
import { podLogOptions } from '../../http/options/pod-log-options.ts';
import type { Query } from '../../http/query-string.ts';
import { respondText } from '../../http/respond.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { sendLog } from '../../streaming/logs.ts';
import type { LogOptions } from '../../streaming/pod-handlers.ts';
import { requestedLog } from '../../streaming/requested-log.ts';
import { containerOf } from '../pods/container-of.ts';
import type { KubeletRequest } from './kubelet-request.ts';

export type ContainerLogs = (pod: Pod, options: LogOptions) => AsyncGenerator<string>;

/** (getContainerLogs) */
export async function sendContainerLog(
  { ctx, query, view }: KubeletRequest,
  [namespace, name, container]: readonly [string, string, string],
  logs: ContainerLogs,
): Promise<void> {
  let options: PodLogOptions;
  try {
    options = podLogOptions(withTail(query), name);
  } catch (error) {
    if (!isStatusError(error)) throw error;
    const isInvalid = error.status.code === 422;
    const message = isInvalid ? 'Invalid request.' : 'Unable to decode query.';
    return respondText(ctx, isInvalid ? 422 : 400, JSON.stringify({ message }).replace(':', ': '));
  }
  const pod = view().pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  if (pod === undefined) return respondText(ctx, 404, `pod ${quote(name)} does not exist`);
  if (containerOf(pod, container) === undefined) {
    return respondText(ctx, 404, `container ${quote(container)} not found in pod ${quote(name)}`);
  }
  const lines = logs(pod, requestedLog(ctx, container, options));
  let first: IteratorResult<string, unknown>;
  try {
    first = await lines.next();
  } catch (error) {
    return respondText(ctx, 400, messageOf(error));
  }
  await sendLog(ctx, resumed(first, lines), options.limitBytes);
}

async function* resumed(first: IteratorResult<string, unknown>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Supports `tail`, an older name of `tailLines`, which may be `all`. */
function withTail(query: Query): Query {
  const [tail] = query.get('tail') ?? [];
  if (!tail) return query;
  const others = [...query].filter(([name]) => name !== 'tailLines');
  return new Map(tail === 'all' ? others : [...others, ['tailLines', [tail]]]);
}
