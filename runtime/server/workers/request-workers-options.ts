import type { AdmissionMetricsPage } from '../../admission/admission-metrics.ts';
import type { TokenGenerator } from '../../authentication/service-account/token-generator.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Listers } from '../../resources/lister.ts';
import type { ReleaseGroups } from '../groups/groups.ts';
import type { EffectsOptions } from './perform-effects.ts';
import type { WorkerData } from './protocol.ts';
import type { AskedParts } from './questions.ts';

/** The parts of the server that large writes on threads need. */
export interface RequestWorkersOptions
  extends EffectsOptions,
    Pick<AskedParts, 'authorizer' | 'ruleResolver'>,
    Pick<WorkerData, 'runtimeConfig' | 'audiences' | 'unsafeDeletion' | 'features' | 'admission'> {
  readonly listers: Listers;
  readonly tokens: TokenAuthenticator;
  readonly allowsAnonymous: () => boolean;
  readonly issueToken: TokenGenerator;
  readonly serviceAllocators: ServiceAllocators;
  readonly clock: Clock;
  readonly builtin: ReleaseGroups | ApiGroup;
  readonly groups: readonly ApiGroup[];
  readonly admissionMetrics: AdmissionMetricsPage;
  /** See ServerOptions.workerThreshold. */
  readonly threshold?: number | undefined;
}
