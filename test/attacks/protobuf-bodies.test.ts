import { describeAttacks } from './harness/describe-attacks.ts';
import { protobufBodies } from './rows/protobuf-bodies.ts';

describeAttacks(protobufBodies);
