import { describeAttacks } from './harness/describe-attacks.ts';
import { streams } from './rows/streams.ts';

describeAttacks(streams);
