import { exemptGroup } from '../../admission/exempt-group.ts';
import { LocalRateLimiters } from '../../admission/rate-limiters.ts';
import type { Admission } from '../../machinery/admission.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import { newAdmissionChain } from '../admission.ts';
import { part } from '../assembly/part.ts';
import { config } from './inputs.ts';
import { metrics, pluginInitializer } from './shared-state.ts';

/** The chain of admission plugins. */
export const admissionChain = part('admissionChain', {
  needs: { config, metrics, pluginInitializer },
  open: ({ config, metrics, pluginInitializer }) => newAdmissionChain(config.admission, pluginInitializer, metrics.admission),
});

/** Admits writes. Writes to the group of the test controls skip the plugins. */
export const admission = part('admission', {
  needs: { config, admissionChain },
  open: ({ config: { testGroup }, admissionChain }): Admission =>
    testGroup === undefined ? admissionChain : exemptGroup(testGroupName, admissionChain),
});

export const rateLimiters = part('rateLimiters', {
  needs: { config },
  open: ({ config: { clock } }) => new LocalRateLimiters(clock),
});
