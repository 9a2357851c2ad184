import { describeAttacks } from './harness/describe-attacks.ts';
import { expressions } from './rows/expressions.ts';

describeAttacks(expressions);
