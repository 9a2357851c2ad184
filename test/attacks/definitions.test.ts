import { describeAttacks } from './harness/describe-attacks.ts';
import { definitions } from './rows/definitions.ts';

describeAttacks(definitions);
