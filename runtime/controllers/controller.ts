import type { QuotaAccountant } from '../admission/quota/accountant.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { KindFeatures } from '../kinds/features.ts';
import type { Logger } from '../machinery/logger.ts';
import { authenticatedGroup, serviceAccountGroups, serviceAccountUserName } from '../machinery/user-info.ts';
import type { Writer } from '../resources/rest.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { SigningOptions } from './certificates/signing-authorities.ts';
import type { SharedInformers } from './informers/shared-informers.ts';
import type { RemoteResources } from './remote-resources.ts';
import type { SchemaResolver } from './validating-admission-policy-status/expression-warnings.ts';

/** A loop that moves objects towards their desired state, from `start` until `close`. */
export interface Controller {
  /** Resolves when the controller has synced: it has seen every object that exists. */
  start(): Promise<void>;
  /** Resolves when no work is under way. */
  close(): Promise<void>;
  /** Whether nothing is left to do until something is written. Absent: there never is for long. */
  readonly isIdle?: boolean;
}

export interface ControllerContext {
  readonly stores: ResourceStores;
  /** Closed when the controllers are. */
  readonly informers: SharedInformers;
  /** Absent if no other server serves resources. */
  readonly remoteResources?: RemoteResources | undefined;
  readonly logger: Logger;
  /** The CA bundle that verifies the server's certificate, as PEM. */
  readonly rootCertificates: string;
  /** Makes the token of a Secret for a service account. */
  readonly issueLegacyToken: (
    account: { readonly namespace: string; readonly name: string; readonly uid: string },
    secret: string,
  ) => Promise<string>;
  readonly authorizer: Authorizer;
  readonly signing: SigningOptions;
  readonly quota: QuotaAccountant;
  readonly resolveSchema: SchemaResolver;
  readonly features?: KindFeatures;
}

/** What controllers of workloads need. */
export type WorkloadContext = Pick<ControllerContext, 'stores' | 'informers' | 'logger' | 'features'>;

/** Writes as a service account of kube-system: each controller has its own, and all share one field manager. */
export function writerOfController(serviceAccount: string): Writer {
  return {
    user: {
      name: serviceAccountUserName('kube-system', serviceAccount),
      uid: '',
      groups: [...serviceAccountGroups('kube-system'), authenticatedGroup],
      extra: {},
    },
    dryRun: false,
    internal: true,
    isAdmitted: true,
    onlyAsLeader: true,
    fieldManager: 'kube-controller-manager',
    warn: () => undefined,
  };
}
