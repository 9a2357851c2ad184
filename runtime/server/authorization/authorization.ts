import { type Authorizer, alwaysAllow } from '../../authorization/authorizer.ts';
import { alwaysDeny, privilegedGroups } from '../../authorization/builtin.ts';
import type { AuthorizationConfiguration, AuthorizerConfiguration } from '../../authorization/configuration/authorization-configuration.ts';
import { loadAuthorizationConfiguration } from '../../authorization/configuration/load.ts';
import { Graph } from '../../authorization/node/graph.ts';
import { nodeAuthorizer } from '../../authorization/node/node-authorizer.ts';
import { followNodes } from '../../authorization/node/node-informers.ts';
import { clusterRoles } from '../../authorization/rbac/bootstrap-policy/cluster-roles.ts';
import { releaseOf, rulesOf } from '../../authorization/rbac/bootstrap-policy/rules.ts';
import { CompiledRules, requestedResource } from '../../authorization/rbac/compiled-rules.ts';
import { Policy } from '../../authorization/rbac/policy.ts';
import { followPolicy } from '../../authorization/rbac/policy-informers.ts';
import { RBACAuthorizer } from '../../authorization/rbac/rbac-authorizer.ts';
import { reservedGroup } from '../../authorization/reserved-group.ts';
import { unionAuthorizer } from '../../authorization/union.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import { DynamicFile } from '../../machinery/files/dynamic-file.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { delegatesAuthorization } from '../delegated/config.ts';
import type { DelegatedRequests } from '../delegated/delegated-metrics.ts';
import { configurationFromFlags, usesConfigurationFile } from './configuration.ts';
import { openWebhookAuthorizer } from './webhook.ts';

export interface ServerAuthorizationOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  /** Default: the gates of the release. */
  readonly features?: FeatureGates;
  /** Metrics of requests to a delegate. Default: not measured. */
  readonly metrics?: DelegatedRequests;
  /** A policy with the existing roles and bindings. Default: they are read. */
  readonly policy?: Policy | undefined;
}

/** The authorizers of one configuration. A change of the file replaces them. */
interface Configured {
  readonly authorizer: Authorizer;
  /** The types without Webhook. */
  readonly types: readonly string[];
  close(): void;
}

/** Milliseconds for which replaced webhooks stay open for requests in progress. */
const replacedWebhookTime = 60_000;

/** All authorizers of a server. (kubernetes pkg/kubeapiserver/authorizer) */
export class ServerAuthorization {
  /** The roles and bindings of RBAC, empty until `follow`. Every mode checks escalation with it. */
  readonly policy: Policy;
  readonly #graph = new Graph();
  readonly #options: ServerAuthorizationOptions;
  #configured: Configured = { authorizer: alwaysDeny, types: [], close: () => undefined };
  #file: DynamicFile<Configured> | undefined;
  #authorizer: Authorizer = alwaysDeny;

  private constructor(options: ServerAuthorizationOptions) {
    this.#options = options;
    this.policy = options.policy ?? new Policy();
  }

  /** @throws OptionError for an invalid option or file */
  static async open(options: ServerAuthorizationOptions): Promise<ServerAuthorization> {
    const authorization = new ServerAuthorization(options);
    await authorization.#open(options.options);
    return authorization;
  }

  /** Authorizes by the current configuration. */
  get authorizer(): Authorizer {
    return this.#authorizer;
  }

  /**
   * Follows the objects that decisions depend on.
   *
   * @returns a function that ends that
   */
  async follow(stores: ResourceStores): Promise<() => void> {
    const stops = await Promise.all([
      followPolicy(stores, this.policy, this.#options.policy !== undefined),
      ...(this.#configured.types.includes('Node') ? [followNodes(stores, this.#graph)] : []),
    ]);
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Reads the file again if it may have changed. */
  async refresh(): Promise<void> {
    await this.#file?.refresh();
  }

  close(): void {
    this.#file?.close();
    this.#configured.close();
  }

  async #open(options: ServerOptions): Promise<void> {
    if (delegatesAuthorization(options)) await this.#openDelegated(options);
    else if (usesConfigurationFile(options)) await this.#openFile(options.authorizationConfig ?? '');
    else {
      this.#configured = await orOptionError(() => this.#configure(configurationFromFlags(options)));
      this.#authorizer = this.#configured.authorizer;
    }
    if (options.authorizer !== undefined) this.#authorizer = options.authorizer;
    if (options.testControls) this.#authorizer = reservedGroup(testGroupName, this.#authorizer);
  }

  async #openDelegated(options: ServerOptions): Promise<void> {
    const { openDelegatedAuthorizer } = await import('../delegated/authorizer.ts');
    const delegated = await orOptionError(() => openDelegatedAuthorizer({ ...this.#options, options }));
    this.#configured = { ...delegated, types: [] };
    this.#authorizer = delegated.authorizer;
  }

  async #openFile(path: string): Promise<void> {
    const { clock, logger } = this.#options;
    // types that were configured at the start must stay
    let required: readonly string[] = [];
    const file = await orOptionError(
      () =>
        DynamicFile.open({
          path,
          clock,
          parse: async (text) => this.#configure(loadAuthorizationConfiguration(text, required)),
          onError: (err) => logger.error({ err, path }, '--authorization-config cannot be read again'),
        }),
      '--authorization-config: ',
    );
    this.#configured = file.value;
    required = file.value.types;
    file.onChange((configured) => {
      clock.after(replacedWebhookTime, this.#configured.close);
      this.#configured = configured;
      logger.info({ path }, 'authorization configuration read again');
    });
    this.#file = file;
    this.#authorizer = {
      authorize: (attributes) => this.#configured.authorizer.authorize(attributes),
      rulesFor: (user, namespace) =>
        this.#configured.authorizer.rulesFor?.(user, namespace) ?? {
          resourceRules: [],
          nonResourceRules: [],
          incomplete: true,
        },
    };
  }

  /** Builds the authorizers of a configuration. system:masters may always do everything. (newForConfig) */
  async #configure({ authorizers = [] }: AuthorizationConfiguration): Promise<Configured> {
    const closers: (() => void)[] = [];
    const close = (): void => {
      for (const closer of closers) closer();
    };
    try {
      const built = [];
      for (const configured of authorizers) built.push(await this.#build(configured, closers));
      const types = authorizers.flatMap(({ type = '' }) => (type === 'Webhook' ? [] : [type]));
      // the following authorizers would never decide
      if (types[0] === 'AlwaysAllow') return { authorizer: alwaysAllow, types, close };
      return { authorizer: unionAuthorizer([privilegedGroups, ...built]), types, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #build(configured: AuthorizerConfiguration, closers: (() => void)[]): Promise<Authorizer> {
    switch (configured.type) {
      case 'AlwaysAllow':
        return alwaysAllow;
      case 'AlwaysDeny':
        return alwaysDeny;
      case 'RBAC':
        return new RBACAuthorizer(this.policy);
      case 'Node':
        return nodeAuthorizer(this.#graph, nodeRules(this.#options));
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
function nodeRules({ minor, features }: ServerAuthorizationOptions): Parameters<typeof nodeAuthorizer>[1] {
  const rules = new CompiledRules(rulesOf(clusterRoles['system:node'] ?? [], releaseOf(minor, features)));
  return (attributes) => rules.allows(attributes, requestedResource(attributes));
}

async function orOptionError<T>(open: () => Promise<T>, prefix = ''): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(`${prefix}${messageOf(error)}`);
  }
}
