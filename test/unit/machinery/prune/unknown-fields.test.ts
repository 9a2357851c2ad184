import { describe, expect, test } from '@jest/globals';
import { prunePod } from '../../../../generated/v1.35/core/v1/prune.ts';
import { StepPath } from '../../../../runtime/machinery/json/step-path.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import { expectLinear, members } from '../../../support/growth.ts';

function unknownIn(pod: unknown): string[] {
  const context = new PruneContext({ collectUnknown: true });
  prunePod(pod, context);
  return context.strictErrors;
}

describe('unknown fields', () => {
  test('are reported in document order, at every level', () => {
    const pod = {
      zero: 1,
      status: { x: 1, phase: 'Running' },
      spec: { nodeName: 'n', y: 1, containers: [{ name: 'a' }, { __proto__: null, name: 'b', z: 1 }], last: 1 },
      metadata: { annotations: {}, w: 1 },
      end: 1,
    };
    expect(unknownIn(pod)).toEqual(
      ['zero', 'status.x', 'spec.y', 'spec.containers[1].z', 'spec.last', 'metadata.w', 'end'].map((path) => `unknown field "${path}"`),
    );
  });

  test('are reported up to a hundred, the first ones', () => {
    const pod = { spec: { containers: [members(200, (i) => [`u${i}`, 1])], zone: 1 } };
    const reported = unknownIn(pod);
    expect(reported).toHaveLength(100);
    expect(reported[99]).toBe('unknown field "spec.containers[0].u99"');
  });

  test('with names of inherited members are reported like others', () => {
    const pod = JSON.parse('{"__proto__":{},"constructor":1,"spec":{"toString":1}}');
    expect(unknownIn(pod)).toEqual(['__proto__', 'constructor', 'spec.toString'].map((name) => `unknown field "${name}"`));
  });

  test('of an object that is referenced twice are reported at both places', () => {
    const container = { name: 'a', u: 1 };
    expect(unknownIn({ spec: { containers: [container, container] } })).toEqual(
      [0, 1].map((i) => `unknown field "spec.containers[${i}].u"`),
    );
  });

  test.each<[string, (n: number) => object]>([
    ['in one object', (n) => members(n, (i) => [`u${i}`, 1])],
    ['in each item of a list', (n) => ({ spec: { containers: Array.from({ length: n }, () => ({ u: 1 })) } })],
    ['after many known ones', (n) => ({ metadata: { labels: members(n, (i) => [`l${i}`, 'a']) }, u: 1 })],
  ])('take linear time, %s', (_what, podOf) => {
    expectLinear(10_000, (n) => {
      const pod = podOf(n);
      return () => unknownIn(pod);
    });
  });
});

describe('a path', () => {
  test('has names, indexes and a maximum length', () => {
    const path = new StepPath();
    expect(path.toString()).toBe('');
    for (const step of ['spec', 'ports', 0, 'name']) path.enter(step);
    expect(path.toString()).toBe('spec.ports[0].name');
    path.leave();
    path.leave();
    path.enter(1);
    expect(path.toString()).toBe('spec.ports[1]');
    path.enter('x'.repeat(5_000));
    path.enter('y');
    expect(path.toString()).toMatch(/^spec\.ports\[1\]\.x+\.\.\. \([0-9]+ bytes\)$/);
  });
});
