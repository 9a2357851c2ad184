import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Runs the garbage collector of this process, synchronously. */
export const collect = runInNewContext('gc') as () => void;
