import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import type { RateLimiters } from '../../admission/rate-limiters.ts';
import { AuthenticationError } from '../../authentication/authenticator.ts';
import type { TokenGenerator } from '../../authentication/service-account/token-generator.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { AuthorizationRuleResolver } from '../../authorization/rbac/rule-resolver.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import { deserializeError, type RpcCall, type RpcChannel, type RpcResult } from './protocol.ts';
import type { RpcHandlers } from './rpc-handlers.ts';

/** The server's RPC handlers from the view of a worker. Every call blocks the thread until its result arrives. */
export type RpcClient = {
  readonly [Name in keyof RpcHandlers]: (...args: Parameters<RpcHandlers[Name]>) => Awaited<ReturnType<RpcHandlers[Name]>>;
};

/** @param port sends calls to the server; their results come through the channel */
export function createRpcClient(port: MessagePort, { port: results, ready }: RpcChannel): RpcClient {
  function call(name: string, args: readonly unknown[]): unknown {
    const rpcCall: RpcCall = { kind: 'call', name, args };
    Atomics.store(ready, 0, 0);
    port.postMessage(rpcCall);
    for (;;) {
      Atomics.wait(ready, 0, 0);
      const received = receiveMessageOnPort(results);
      if (received === undefined) {
        Atomics.store(ready, 0, 0);
        continue;
      }
      const result = received.message as RpcResult;
      if ('error' in result) throw deserializeError(result.error);
      return result.value;
    }
  }
  return new Proxy({} as RpcClient, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(name as string, args),
  });
}

/** @param listsRules whether the server's authorizer implements `rulesFor` */
export function remoteAuthorizer(rpc: RpcClient, listsRules: boolean): Authorizer {
  const authorize: Authorizer['authorize'] = (attributes) => rpc.authorize(attributes);
  if (!listsRules) return { authorize };
  return { authorize, rulesFor: (user, namespace) => rpc.rulesFor(user, namespace) };
}

export const remoteRuleResolver = (rpc: RpcClient): AuthorizationRuleResolver => ({
  roleReferenceRules: (roleRef, namespace) => rpc.roleReferenceRules(roleRef, namespace),
  rulesFor: (user, namespace) => rpc.resolveRules(user, namespace),
});

export const remoteTokenAuthenticator = (rpc: RpcClient): TokenAuthenticator => ({
  authenticateToken(token, audiences) {
    const result = rpc.authenticateToken(token, audiences);
    if ('error' in result) throw new AuthenticationError(result.error);
    return result.value;
  },
});

export const remoteQuotaReservations = (rpc: RpcClient): QuotaReservations => ({
  open: async () => undefined,
  reserve: (request) => rpc.reserveQuota(request),
  settle: (reservation, stored) => rpc.settleQuota(reservation, stored),
});

export const remoteIssuer =
  (rpc: RpcClient): TokenGenerator =>
  async (order) =>
    rpc.issueToken(order);

export const remoteRateLimiters = (rpc: RpcClient): RateLimiters => ({
  tryAccept: (limit, key) => rpc.tryAccept(limit, key),
});

export const remoteServiceAllocators = (rpc: RpcClient, families: ServiceAllocators['families']): ServiceAllocators => ({
  families,
  allocateClusterIP: async (request) => rpc.allocateClusterIP(request),
  releaseClusterIP: async (address, service) => rpc.releaseClusterIP(address, service),
  allocateNodePort: async (request) => rpc.allocateNodePort(request),
  releaseNodePorts: async (ports) => rpc.releaseNodePorts(ports),
});
