import { expect, test } from '@jest/globals';
import { describeSimulation } from '../../support/kubectl-simulation.ts';

const workloads = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: nginx}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: main, image: nginx}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 4, selector: {matchLabels: {app: web}}}
`;

describeSimulation('kubectl with nodes', {
  simulate: { nodes: 2 },
  tests: (user) => {
    const node = 'kubeloom-node-1';
    const nodesOf = async (app: string): Promise<string[]> => {
      const { items } = await user.get(`pods --selector app=${app}`);
      return items.map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName);
    };

    test('a drained node keeps the pods of daemons only, and budgets are respected', async () => {
      await user.apply(workloads);
      await user.rolledOut('deployment/web');
      await user.rolledOut('daemonset/agent');
      expect((await nodesOf('web')).filter((name) => name === node)).toHaveLength(2);
      await user.ok('wait pdb/web --for jsonpath={.status.currentHealthy}=4 --timeout 30s');

      await user.ok(`cordon ${node}`);
      expect(await user.ok('get nodes --no-headers')).toMatch(new RegExp(`^${node} +Ready,SchedulingDisabled `, 'm'));
      const [pod] = (await user.get('pods --selector app=web')).items;
      expect(await user.evict(pod.metadata.name)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Cannot evict pod as it would violate the pod's disruption budget."),
      });
      await user.ok('patch pdb web --type merge --patch', '{"spec":{"minAvailable":2}}');
      await user.ok('wait pdb/web --for jsonpath={.status.disruptionsAllowed}=2 --timeout 30s');
      expect(await user.ok(`drain ${node} --ignore-daemonsets --timeout 30s`)).toContain(`node/${node} drained\n`);
      await user.ok('wait deployment/web --for jsonpath={.status.readyReplicas}=4 --timeout 30s');
      expect(await nodesOf('web')).toEqual(Array(4).fill('kubeloom-node-0'));
      expect((await nodesOf('agent')).sort()).toEqual(['kubeloom-node-0', node]);

      await user.ok(`uncordon ${node}`);
      await user.ok('rollout restart deployment/web');
      await user.rolledOut('deployment/web');
      expect(await nodesOf('web')).toContain(node);
      await user.ok('delete deployment/web daemonset/agent pdb/web --timeout 30s');
    });

    test('a taint that is not tolerated keeps pods away, and evicts them', async () => {
      await user.ok(`taint nodes ${node} reserved=yes:NoSchedule`);
      await user.ok('create deployment spread --image nginx --replicas 3');
      await user.rolledOut('deployment/spread');
      expect(await nodesOf('spread')).toEqual(Array(3).fill('kubeloom-node-0'));
      await user.ok(`taint nodes ${node} reserved-`);
      await user.ok('taint nodes kubeloom-node-0 gone=yes:NoExecute');
      await user.ok('wait pods --selector app=spread --for jsonpath={.spec.nodeName}=kubeloom-node-1 --timeout 30s');
      await user.ok('taint nodes kubeloom-node-0 gone-');
      await user.ok('delete deployment spread');
    });
  },
});
