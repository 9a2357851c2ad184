import { describeAttacks } from './harness/describe-attacks.ts';
import { selectors } from './rows/selectors.ts';

describeAttacks(selectors);
