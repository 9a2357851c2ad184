import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ExternalObjects, FollowedObjects } from '../../resources/lister.ts';
import { type Answer, type AnswerChannel, deserializeError, type Question } from './protocol.ts';
import type { AskedParts } from './questions.ts';

type Answers<Part> = {
  readonly [Method in keyof Part]-?: NonNullable<Part[Method]> extends (...args: infer Args) => infer Result
    ? (...args: Args) => Awaited<Result>
    : never;
};

/** The parts of the server. The thread waits for each answer, because most readers of facts cannot wait themselves. */
export type Ask = { readonly [Part in keyof AskedParts]: Answers<AskedParts[Part]> };

/** @param port sends questions to the server; their answers come through the channel */
export function newAsk(port: MessagePort, { port: answers, ready }: AnswerChannel): Ask {
  function ask(question: Question): unknown {
    Atomics.store(ready, 0, 0);
    port.postMessage(question);
    for (;;) {
      Atomics.wait(ready, 0, 0);
      const received = receiveMessageOnPort(answers);
      if (received === undefined) {
        Atomics.store(ready, 0, 0);
        continue;
      }
      const answer = received.message as Answer;
      if ('error' in answer) throw deserializeError(answer.error);
      return answer.value;
    }
  }
  const methodsOf = (part: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...args: unknown[]) =>
            ask({ kind: 'question', part, method: String(method), args }),
      },
    );
  return new Proxy({} as Ask, { get: (_, part) => methodsOf(String(part)) });
}

/** Returns the objects of the server behind which this one stands, as this server knows them at each read. */
export function askedExternalObjects({ findExternal }: Pick<Ask['objects'], 'findExternal'>): ExternalObjects {
  return {
    follow<T extends KubeObject>(resource: GroupVersionResource): FollowedObjects<T> {
      // the server decoded them as the resource's type
      const read = (range: { namespace?: string | undefined; name?: string }) =>
        findExternal({ resource, ...range, state: 'known' }) as readonly T[] | undefined;
      return {
        synced: read({}) === undefined ? new Promise(() => undefined) : Promise.resolve(),
        get: (namespace, name) => read({ namespace, name })?.[0],
        list: (namespace) => read({ namespace }) ?? [],
      };
    },
    async get(resource, namespace, name) {
      const [found] = findExternal({ resource, namespace, name, state: 'newest' }) ?? [];
      return found as KubeObject;
    },
  };
}

/** Returns allocators whose results the thread waits for. */
export const askedAllocators = ({ serviceAllocators }: Ask, families: ServiceAllocators['families']): ServiceAllocators => ({
  families,
  allocateClusterIP: async (request) => serviceAllocators.allocateClusterIP(request),
  releaseClusterIP: async (address, service) => serviceAllocators.releaseClusterIP(address, service),
  allocateNodePort: async (request) => serviceAllocators.allocateNodePort(request),
  releaseNodePorts: async (ports) => serviceAllocators.releaseNodePorts(ports),
});
