import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { AuthenticationError } from '../../auth/authenticator.ts';
import type { Authorizer } from '../../auth/authorizer.ts';
import type { TokenVerifier } from '../../auth/bearer-token.ts';
import type { IssueToken } from '../../auth/service-account/issuer.ts';
import type { ServiceAddressPool } from '../../resources/builtin/core/service-addresses.ts';
import { type CallAnswer, type CallChannel, fromWire, type WorkerCall } from './protocol.ts';
import type { ServerCalls, VerifiedToken } from './server-calls.ts';

/** The server, as a worker sees it: every call stands still until it is answered. */
export type RemoteServer = {
  readonly [Name in keyof ServerCalls]: (
    ...args: Parameters<ServerCalls[Name]>
  ) => Awaited<ReturnType<ServerCalls[Name]>>;
};

/** @param port to the server; it answers through `channel` */
export function remoteServer(port: MessagePort, { port: answers, ready }: CallChannel): RemoteServer {
  function call(name: string, args: readonly unknown[]): unknown {
    const asked: WorkerCall = { kind: 'call', name, args };
    Atomics.store(ready, 0, 0);
    port.postMessage(asked);
    for (;;) {
      Atomics.wait(ready, 0, 0);
      const received = receiveMessageOnPort(answers);
      if (received === undefined) {
        Atomics.store(ready, 0, 0);
        continue;
      }
      const answer = received.message as CallAnswer;
      if ('error' in answer) throw fromWire(answer.error);
      return answer.value;
    }
  }
  return new Proxy({} as RemoteServer, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(name as string, args),
  });
}

/** @param listsRules whether the server's authorizer can */
export function remoteAuthorizer(server: RemoteServer, listsRules: boolean): Authorizer {
  const authorize: Authorizer['authorize'] = (attributes) => server.authorize(attributes);
  if (!listsRules) return { authorize };
  return { authorize, rulesFor: (user, namespace) => server.rulesFor(user, namespace) as never };
}

/** @param verifiers for each of the server's, whether it knows audiences */
export function remoteVerifiers(server: RemoteServer, verifiers: readonly boolean[]): TokenVerifier[] {
  return verifiers.map((knowsAudiences, index) => ({
    verify: (token) => foundIn(server.verify(index, token)),
    ...(knowsAudiences
      ? { verifyFor: async (token, audiences) => foundIn(server.verifyFor(index, token, audiences)) }
      : {}),
  }));
}

export const remoteIssuer =
  (server: RemoteServer): IssueToken =>
  async (order) =>
    server.issueToken(order);

export function remoteServiceAddresses(server: RemoteServer): ServiceAddressPool {
  return {
    address: (family, owner, asked, { now, dryRun }) => server.serviceAddress(family, owner, asked, { now, dryRun }),
    port: (owner, asked, { now, dryRun }) => server.servicePort(owner, asked, { now, dryRun }),
  };
}

function foundIn<T>(answer: VerifiedToken<T>): T | undefined {
  if ('refused' in answer) throw new AuthenticationError(answer.refused);
  return answer.found;
}
