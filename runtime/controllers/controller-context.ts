import type { QuotaAccountant } from '../admission/quota/accountant.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { KindFeatures } from '../kinds/features.ts';
import type { Logger } from '../machinery/logger.ts';
import type { SharedInformers } from '../reconcile/informers/shared-informers.ts';
import type { RemoteResources } from '../reconcile/remote-resources.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { SigningOptions } from './certificates/signing-authorities.ts';
import type { SchemaResolver } from './validating-admission-policy-status/expression-warnings.ts';

export interface ControllerContext {
  readonly stores: ResourceStores;
  /** Informers, closed with the controllers. */
  readonly informers: SharedInformers;
  /** Absent if no other server serves resources. */
  readonly remoteResources?: RemoteResources | undefined;
  readonly logger: Logger;
  /** The CA bundle that verifies the server's certificate, as PEM. */
  readonly rootCertificates: string;
  /** Signs the token of a Secret for a service account. */
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

/** The part of the context that workload controllers need. */
export type WorkloadContext = Pick<ControllerContext, 'stores' | 'informers' | 'logger' | 'features'>;
