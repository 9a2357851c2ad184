import { describeAttacks } from './harness/describe-attacks.ts';
import { metadata } from './rows/metadata.ts';

describeAttacks(metadata);
