import { describe, expect, test } from '@jest/globals';
import { AdmissionMetricsPage } from '../../../runtime/admission/admission-metrics.ts';
import { Chain } from '../../../runtime/admission/chain.ts';
import type { Plugin } from '../../../runtime/admission/plugin.ts';
import type { Attributes, Operation } from '../../../runtime/machinery/admission.ts';
import type { ResourceDefinition } from '../../../runtime/machinery/resource.ts';

const definition = { resource: 'things' } as ResourceDefinition;
const write = (operation: Operation, subresource = ''): Attributes =>
  ({ definition, operation, subresource, reinvocation: { isNeeded: false, isRunning: false } }) as Attributes;

/** Returns a plugin that logs its calls. */
function noting(log: string[], name: string, plugin: Partial<Plugin> = {}): Plugin {
  return {
    handles: () => true,
    admit: () => void log.push(`${name} admits`),
    validate: () => void log.push(`${name} validates`),
    ...plugin,
  };
}

const chainOf = (...plugins: readonly Plugin[]): Chain =>
  new Chain(async () => plugins.map((plugin, index) => ({ name: `P${index}`, plugin })), new AdmissionMetricsPage());

describe('a chain of admission plugins', () => {
  test('asks them in their order, and waits for each one', async () => {
    const log: string[] = [];
    const slow = noting(log, 'slow', {
      admit: async () => {
        await Promise.resolve();
        log.push('slow admits');
      },
    });
    const chain = chainOf(noting(log, 'first'), slow, noting(log, 'last'));
    await chain.admit(write('CREATE'));
    await chain.validate(write('CREATE'));
    expect(log).toEqual(['first admits', 'slow admits', 'last admits', 'first validates', 'slow validates', 'last validates']);
  });

  test('waits for nothing once it knows a kind of write, unless a plugin does', async () => {
    const chain = chainOf(noting([], 'quick'));
    expect(chain.admit(write('CREATE'))).toBeInstanceOf(Promise);
    await chain.admit(write('CREATE'));
    expect(chain.admit(write('CREATE'))).toBeUndefined();
    expect(chain.admit(write('UPDATE'))).toBeInstanceOf(Promise);
  });

  test('makes and starts the plugins once, at the first write that they handle', async () => {
    const log: string[] = [];
    const plugin = noting(log, 'one', {
      handles: (operation) => operation === 'UPDATE',
      start: async () => void log.push('one starts'),
    });
    const chain = new Chain(async () => {
      log.push('made');
      return [{ name: 'one', plugin }];
    }, new AdmissionMetricsPage());
    await Promise.all([chain.admit(write('CREATE')), chain.validate(write('CREATE'))]);
    expect(log).toEqual(['made']);
    await Promise.all([chain.admit(write('UPDATE')), chain.validate(write('UPDATE', 'status'))]);
    expect(log).toEqual(['made', 'one starts', 'one admits', 'one validates']);
  });

  test('asks no further plugin after one that refuses', async () => {
    const log: string[] = [];
    const refusing = noting(log, 'refusing', {
      admit: () => {
        throw new Error('no');
      },
    });
    const chain = chainOf(refusing, noting(log, 'next'));
    await expect(async () => chain.admit(write('CREATE'))).rejects.toThrow('no');
    expect(log).toEqual([]);
  });

  test('asks all of them once more if one has changed what others may want to see', async () => {
    const log: string[] = [];
    const changing = noting(log, 'changing', {
      admit({ reinvocation }) {
        log.push(`changing admits${reinvocation.isRunning ? ' again' : ''}`);
        reinvocation.isNeeded = true;
      },
    });
    await chainOf(noting(log, 'first'), changing).admit(write('CREATE'));
    expect(log).toEqual(['first admits', 'changing admits', 'first admits', 'changing admits again']);
  });

  test('times each plugin and each step, by operation and outcome', async () => {
    const metrics = new AdmissionMetricsPage();
    const plugin = noting([], 'one', {
      validate: () => {
        throw new Error('no');
      },
    });
    const chain = new Chain(async () => [{ name: 'One', plugin }], metrics);
    await chain.admit(write('CREATE'));
    await expect(async () => chain.validate(write('CREATE'))).rejects.toThrow('no');
    const counts = metrics.render().match(/^\w+_count.*$/gm);
    const seconds = 'admission_duration_seconds_count';
    expect(counts?.sort()).toEqual([
      `apiserver_admission_controller_${seconds}{name="One",operation="CREATE",rejected="false",type="admit"} 1`,
      `apiserver_admission_controller_${seconds}{name="One",operation="CREATE",rejected="true",type="validate"} 1`,
      `apiserver_admission_step_${seconds}{operation="CREATE",rejected="false",type="admit"} 1`,
      `apiserver_admission_step_${seconds}{operation="CREATE",rejected="true",type="validate"} 1`,
    ]);
  });
});
