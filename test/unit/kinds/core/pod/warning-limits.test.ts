import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { builtinWarnings } from '../../../../../runtime/kinds/strategies.ts';
import { expectLinear, workOn } from '../../../../support/growth.ts';
import type { TestObject, TestValue } from '../../../../support/test-object.ts';

/** Returns a pod's warnings. The server finds pairs without comparing all of them; these tests compare all. */
const ofPod = (spec: TestValue): readonly string[] =>
  builtinWarnings['/pods'].warningsOnCreate?.({ metadata: { name: 'web' }, spec } as TestObject) ?? [];

const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

describe('paths in a volume', () => {
  const volumeOf = (paths: readonly string[]): TestValue => ({
    volumes: [{ name: 'v', secret: { secretName: 's', items: paths.map((path, i) => ({ key: `k${i}`, path })) } }],
  });
  const plain = (path: string): string => path.replace(/\/+$/, '');
  const clash = (a: string, b: string): boolean => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);

  test('each is reported with the earlier ones that it overlaps, in their order', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'a-b', 'a.', '..', 'é'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(fc.oneof(path, fc.constantFrom('', 'a/', 'a//', '/')), { maxLength: 12 }), (given) => {
        const paths = given.map(plain);
        const want = paths.flatMap((one, index) =>
          paths
            .slice(0, index)
            .filter((other) => one !== '' && other !== '' && clash(one, other))
            .map((other) => `volume "v" (Secret "s"): overlapping paths: "${one}" with "${other}"`),
        );
        expect(ofPod(volumeOf(given))).toEqual(want);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (n: number) => string[]]>([
    ['that do not overlap', (n) => many(n, (i) => `p/${i}`)],
    ['that are all equal', (n) => many(n, () => 'p')],
    ['that contain all earlier ones', (n) => [...many(n / 2, (i) => `p/${i}`), ...many(n / 2, () => 'p')]],
    ['that are nested', (n) => many(Math.sqrt(20 * n), (i) => 'a/'.repeat(i + 1))],
    ['of slashes', (n) => [`${'/'.repeat(40 * n)}a`, 'b']],
  ])('thousands %s take linear time', (_what, make) => {
    expectLinear(
      4_000,
      workOn((n) => volumeOf(make(n)), ofPod),
    );
  });
});

describe('ports of a pod', () => {
  interface Port {
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly hostIP?: string;
  }
  const podOf = (ports: readonly Port[]): TestValue => ({
    containers: [{ name: 'c', ports: ports.map((port) => ({ protocol: 'TCP', ...port })) }],
  });
  const at = (index: number): string => `spec.containers[0].ports[${index}]`;

  function clashOf(port: Port, other: Port): string | undefined {
    const [{ hostPort: a = 0, hostIP: x = '' }, { hostPort: b = 0, hostIP: y = '' }] = [port, other];
    if (port.containerPort !== other.containerPort) return undefined;
    if (a === b && x === y) return 'duplicate';
    if (a === 0 || b === 0) return 'overlapping';
    return a === b && (x === '' || y === '') ? 'dangerously ambiguous' : undefined;
  }

  test('each is reported with the earlier ones that it conflicts with, in their order', () => {
    const port: fc.Arbitrary<Port> = fc.record({
      containerPort: fc.constantFrom(80, 81),
      hostPort: fc.constantFrom(0, 1, 2),
      hostIP: fc.constantFrom('', '1.1.1.1', '2.2.2.2'),
    });
    fc.assert(
      fc.property(fc.array(port, { maxLength: 10 }), (ports) => {
        const want = ports.flatMap((one, index) =>
          ports.slice(0, index).flatMap((other, earlier) => {
            const how = clashOf(one, other);
            return how === undefined ? [] : [`${at(index)}: ${how} port definition with ${at(earlier)}`];
          }),
        );
        const found = ofPod(podOf(ports)).filter((text) => text.includes(' port definition with '));
        expect(found).toEqual(want);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (i: number) => Port]>([
    ['of one number and many of the host', (i) => ({ containerPort: 80, hostPort: i + 1 })],
    ['of one number and many addresses', (i) => ({ containerPort: 80, hostPort: 1, hostIP: `1.1.${i >> 8}.${i & 255}` })],
    ['that are all equal', () => ({ containerPort: 80 })],
    ['of many numbers', (i) => ({ containerPort: i + 1 })],
  ])('thousands %s take linear time', (_what, make) => {
    expectLinear(
      4_000,
      workOn((n) => podOf(many(n, make)), ofPod),
    );
  });
});
