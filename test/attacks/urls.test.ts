import { describeAttacks } from './harness/describe-attacks.ts';
import { urls } from './rows/urls.ts';

describeAttacks(urls);
