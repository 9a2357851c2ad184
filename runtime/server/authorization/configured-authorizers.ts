import { type Authorizer, alwaysAllow } from '../../authorization/authorizer.ts';
import { alwaysDeny, privilegedGroups } from '../../authorization/builtin.ts';
import type { AuthorizationConfiguration, AuthorizerConfiguration } from '../../authorization/configuration/authorization-configuration.ts';
import { Graph } from '../../authorization/node/graph.ts';
import { nodeAuthorizer } from '../../authorization/node/node-authorizer.ts';
import { followNodes } from '../../authorization/node/node-informers.ts';
import { clusterRoles } from '../../authorization/rbac/bootstrap-policy/cluster-roles.ts';
import { type Release, releaseOf, rulesOf } from '../../authorization/rbac/bootstrap-policy/rules.ts';
import { CompiledRules, requestedResource } from '../../authorization/rbac/compiled-rules.ts';
import type { Policy } from '../../authorization/rbac/policy.ts';
import { RBACAuthorizer } from '../../authorization/rbac/rbac-authorizer.ts';
import { unionAuthorizer } from '../../authorization/union.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { openWebhookAuthorizer } from './webhook.ts';

/** The authorizers of one configuration. A change of the file replaces them. */
export interface ConfiguredAuthorizers {
  readonly authorizer: Authorizer;
  /** The types without Webhook. */
  readonly types: readonly string[];
  close(): void;
}

interface AuthorizerBuilderOptions {
  readonly clock: Clock;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  /** Default: the gates of the release. */
  readonly features?: Release['gates'];
}

/** Builds the authorizers that a configuration names. They share RBAC's policy and the graph of nodes. */
export class AuthorizerBuilder {
  readonly #policy: Policy;
  readonly #graph = new Graph();
  readonly #options: AuthorizerBuilderOptions;

  constructor(policy: Policy, options: AuthorizerBuilderOptions) {
    this.#policy = policy;
    this.#options = options;
  }

  /** Follows the objects that the Node authorizer's decisions depend on. Returns a function that ends that. */
  followNodes(stores: ResourceStores): Promise<() => void> {
    return followNodes(stores, this.#graph);
  }

  /** Builds the authorizers of a configuration. system:masters may always do everything. (newForConfig) */
  async build({ authorizers = [] }: AuthorizationConfiguration): Promise<ConfiguredAuthorizers> {
    const closers: (() => void)[] = [];
    const close = (): void => {
      for (const closer of closers) closer();
    };
    try {
      const built = [];
      for (const configured of authorizers) built.push(await this.#one(configured, closers));
      const types = authorizers.flatMap(({ type = '' }) => (type === 'Webhook' ? [] : [type]));
      // the following authorizers would never decide
      if (types[0] === 'AlwaysAllow') return { authorizer: alwaysAllow, types, close };
      return { authorizer: unionAuthorizer([privilegedGroups, ...built]), types, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #one(configured: AuthorizerConfiguration, closers: (() => void)[]): Promise<Authorizer> {
    switch (configured.type) {
      case 'AlwaysAllow':
        return alwaysAllow;
      case 'AlwaysDeny':
        return alwaysDeny;
      case 'RBAC':
        return new RBACAuthorizer(this.#policy);
      case 'Node': {
        const release = releaseOf(this.#options.minor, this.#options.features);
        return nodeAuthorizer(this.#graph, nodeRules(release), release.gates);
      }
      case 'Webhook': {
        const webhook = await openWebhookAuthorizer(configured, this.#options.clock);
        closers.push(webhook.close);
        return webhook.authorizer;
      }
      default:
        throw new Error(`authorizer ${configured.type} is not supported by this server`);
    }
  }
}

/** (bootstrappolicy.NodeRules) */
function nodeRules(release: Release): Parameters<typeof nodeAuthorizer>[1] {
  const rules = new CompiledRules(rulesOf(clusterRoles['system:node'] ?? [], release));
  return (attributes) => rules.allows(attributes, requestedResource(attributes));
}
