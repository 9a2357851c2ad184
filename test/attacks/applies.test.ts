import { describeAttacks } from './harness/describe-attacks.ts';
import { applies } from './rows/applies.ts';

describeAttacks(applies);
