import { compareScene, type Difference } from './compare.ts';
import { signatureOf } from './report.ts';
import type { Scene } from './scenes.ts';
import type { ServerPair } from './server-pair.ts';

/** How many smaller scenes are tried for one difference. */
const maxAttempts = 200;

/** Returns the smallest scene found that has the same difference. */
export async function shrunk(pair: ServerPair, found: readonly Difference[]): Promise<readonly Difference[]> {
  const wanted = signatureOf(found[0]);
  let best = found;
  let attempts = 0;
  const isStillThere = async (scene: Scene): Promise<boolean> => {
    if (attempts++ >= maxAttempts) return false;
    const { differences } = await compareScene(pair, scene);
    if (differences.length === 0 || signatureOf(differences[0]) !== wanted) return false;
    best = differences;
    return true;
  };
  const { scene, at } = found[0];
  let requests = scene.requests.slice(0, at + 1);
  for (let index = requests.length - 2; index >= 0; index--) {
    const fewer = requests.filter((_, other) => other !== index);
    if (await isStillThere({ ...scene, requests: fewer })) requests = fewer;
  }
  for (let index = requests.length - 1; index >= 0; index--) {
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false;
      for (const body of smaller(requests[index].body)) {
        const changed = requests.with(index, { ...requests[index], body });
        if (!(await isStillThere({ ...scene, requests: changed }))) continue;
        requests = changed;
        isSmaller = true;
        break;
      }
    }
  }
  return best;
}

/** Copies of a value without one of its members or items, the outer ones first. */
function* smaller(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const without = (key: string): unknown =>
    Array.isArray(value)
      ? value.filter((_, index) => String(index) !== key)
      : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  for (const key of Object.keys(value)) yield without(key);
  for (const [key, member] of Object.entries(value)) {
    for (const inner of smaller(member)) yield Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
  }
}
