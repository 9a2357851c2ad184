import { describeAttacks } from './harness/describe-attacks.ts';
import { webhookPatches } from './rows/webhook-patches.ts';

describeAttacks(webhookPatches);
