import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { AuthenticationError } from '../../authentication/authenticator.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ExternalObjects, FollowedObjects } from '../../resources/lister.ts';
import type { PlannedEffects } from './planned-effects.ts';
import { type Answer, type AnswerChannel, deserializeError, type Question } from './protocol.ts';
import type { Questions } from './questions.ts';

/** Asks the server. The thread waits for the answer, because most readers of facts cannot wait themselves. */
export type Ask = {
  readonly [Name in keyof Questions]: (...args: Parameters<Questions[Name]>) => Awaited<ReturnType<Questions[Name]>>;
};

/** @param port sends questions to the server; their answers come through the channel */
export function newAsk(port: MessagePort, { port: answers, ready }: AnswerChannel): Ask {
  function ask(name: string, args: readonly unknown[]): unknown {
    const question: Question = { kind: 'question', name, args };
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
  return new Proxy({} as Ask, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        ask(name as string, args),
  });
}

/** @param listsRules whether the server's authorizer implements `rulesFor` */
export function askedAuthorizer({ authorize, rulesFor }: Ask, listsRules: boolean): Authorizer {
  return listsRules ? { authorize, rulesFor } : { authorize };
}

export const askedTokens = ({ authenticateToken }: Ask): TokenAuthenticator => ({
  authenticateToken(token, audiences) {
    const answer = authenticateToken(token, audiences);
    if ('error' in answer) throw new AuthenticationError(answer.error);
    return answer.value;
  },
});

/** Allocates at once, and plans releases. The server takes back the allocations of a write that was not stored. */
export const askedAllocators = (ask: Ask, effects: PlannedEffects, families: ServiceAllocators['families']): ServiceAllocators => ({
  families,
  allocateClusterIP: async (request) => ask.allocateClusterIP(request),
  allocateNodePort: async (request) => ask.allocateNodePort(request),
  releaseClusterIP: async (address, service) => effects.add({ kind: 'releaseClusterIP', address, service }),
  releaseNodePorts: async (ports) => effects.add({ kind: 'releaseNodePorts', ports }),
});

/** Returns the objects of the server behind which this one stands, as this server knows them at each read. */
export function askedExternalObjects(ask: Pick<Ask, 'externalObjects' | 'externalObject'>): ExternalObjects {
  return {
    follow<T extends KubeObject>(resource: GroupVersionResource): FollowedObjects<T> {
      // the server decoded them as the resource's type
      const read = (range: { namespace?: string | undefined; name?: string }) =>
        ask.externalObjects({ resource, ...range }) as readonly T[] | undefined;
      return {
        synced: read({}) === undefined ? new Promise(() => undefined) : Promise.resolve(),
        get: (namespace, name) => read({ namespace, name })?.[0],
        list: (namespace) => read({ namespace }) ?? [],
      };
    },
    get: async (resource, namespace, name) => ask.externalObject(resource, namespace, name),
  };
}
