import { KubeConfig } from '@kubernetes/client-node';
import { Operator } from './operator.ts';

const config = new KubeConfig();
config.loadFromDefault();
const operator = new Operator(config);
await operator.start();
process.once('SIGTERM', () => void operator.stop());
