import { describeAttacks } from './harness/describe-attacks.ts';
import { patterns } from './rows/patterns.ts';

describeAttacks(patterns);
