import { describeAttacks } from './harness/describe-attacks.ts';
import { sizes } from './rows/sizes.ts';

describeAttacks(sizes);
