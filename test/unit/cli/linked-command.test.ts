import { describe, expect, test } from '@jest/globals';
import { commandLine } from '../../../runtime/cli/linked-command.ts';

describe('the command of a process', () => {
  test.each([
    [true, '/assets/kube-apiserver', ['--etcd-servers=x'], ['kube-apiserver', '--etcd-servers=x']],
    [true, 'etcd', [], ['etcd']],
    [true, 'etcd.exe', ['--help'], ['etcd', '--help']],
    [true, '/usr/bin/kubeloom', ['serve'], ['serve']],
    [false, '/assets/etcd', ['serve'], ['serve']],
  ])('in an executable: %s, started as %s with %j', (executable, name, args, want) => {
    expect(commandLine(name, args, executable)).toEqual(want);
  });
});
