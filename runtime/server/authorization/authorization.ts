import type { Authorizer } from '../../authorization/authorizer.ts';
import { Policy } from '../../authorization/rbac/policy.ts';
import { followPolicy } from '../../authorization/rbac/policy-informers.ts';
import { reservedGroup } from '../../authorization/reserved-group.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { AuthorizerBuilder } from './configured-authorizers.ts';
import { type AuthorizersOptions, type OpenAuthorizers, openAuthorizers } from './open-authorizers.ts';

export interface ServerAuthorizationOptions extends AuthorizersOptions {
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  /** Default: the gates of the release. */
  readonly features?: FeatureGates;
  /** A policy with the existing roles and bindings. Default: they are read. */
  readonly policy?: Policy | undefined;
}

/** All authorizers of a server. (kubernetes pkg/kubeapiserver/authorizer) */
export class ServerAuthorization {
  /** The roles and bindings of RBAC, empty until `follow`. Every mode checks escalation with it. */
  readonly policy: Policy;
  /** Authorizes by the current configuration. */
  readonly authorizer: Authorizer;
  readonly #hasPolicy: boolean;
  readonly #builder: AuthorizerBuilder;
  readonly #opened: OpenAuthorizers;

  private constructor(
    { options, policy: given }: ServerAuthorizationOptions,
    policy: Policy,
    builder: AuthorizerBuilder,
    opened: OpenAuthorizers,
  ) {
    this.policy = policy;
    this.#hasPolicy = given !== undefined;
    this.#builder = builder;
    this.#opened = opened;
    this.authorizer = serverAuthorizer(options, opened.authorizer);
  }

  /** @throws OptionError for an invalid option or file */
  static async open(options: ServerAuthorizationOptions): Promise<ServerAuthorization> {
    const policy = options.policy ?? new Policy();
    const builder = new AuthorizerBuilder(policy, options);
    return new ServerAuthorization(options, policy, builder, await openAuthorizers(options, builder));
  }

  /**
   * Follows the objects that decisions depend on.
   *
   * @returns a function that ends that
   */
  async follow(stores: ResourceStores): Promise<() => void> {
    const stops = await Promise.all([
      followPolicy(stores, this.policy, this.#hasPolicy),
      ...(this.#opened.types.includes('Node') ? [this.#builder.followNodes(stores)] : []),
    ]);
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Reads the file again if it may have changed. */
  async refresh(): Promise<void> {
    await this.#opened.refresh?.();
  }

  close(): void {
    this.#opened.close();
  }
}

/** Returns the program's authorizer or the configured one. Only administrators control a server through its test group. */
function serverAuthorizer({ authorizer, testControls }: ServerOptions, configured: Authorizer): Authorizer {
  const decides = authorizer ?? configured;
  return testControls ? reservedGroup(testGroupName, decides) : decides;
}
