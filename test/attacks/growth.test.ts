import { describeAttacks } from './harness/describe-attacks.ts';
import { growth } from './rows/growth.ts';

describeAttacks(growth);
