import { expect, test } from '@jest/globals';
import { describeSimulation } from '../../support/kubectl-simulation.ts';

const labelled = (name: string, spec: string, kind: string): string => `
apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}}
spec:
  ${spec}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "app:1"}]}
`;

describeSimulation('kubectl with workloads that move', {
  simulate: { nodes: 2 },
  tests: (user) => {
    const imagesOf = async (app: string): Promise<string[]> => {
      const { items } = await user.get(`pods --selector app=${app}`);
      return items.map(({ spec }: { spec: { containers: { image: string }[] } }) => spec.containers[0].image);
    };

    test('rolls a deployment out and back, and pauses', async () => {
      await user.ok('create deployment web --image nginx:1 --replicas 3');
      expect(await user.rolledOut('deployment/web')).toMatch(/deployment "web" successfully rolled out\n$/);
      await user.ok('set image deployment/web nginx=nginx:2');
      await user.rolledOut('deployment/web');
      expect(await imagesOf('web')).toEqual(['nginx:2', 'nginx:2', 'nginx:2']);
      expect(await user.ok('rollout undo deployment/web')).toBe('deployment.apps/web rolled back\n');
      await user.rolledOut('deployment/web');
      expect(await imagesOf('web')).toEqual(['nginx:1', 'nginx:1', 'nginx:1']);

      await user.ok('rollout pause deployment/web');
      await user.ok('set image deployment/web nginx=nginx:3');
      expect(await user.ok('rollout status deployment/web --watch=false')).toBe(
        'Waiting for deployment "web" rollout to finish: 0 out of 3 new replicas have been updated...\n',
      );
      await user.ok('rollout resume deployment/web');
      await user.rolledOut('deployment/web');
      expect(await user.ok('rollout history deployment/web')).toBe(
        'deployment.apps/web \nREVISION  CHANGE-CAUSE\n2         <none>\n3         <none>\n4         <none>\n\n',
      );
      expect(await user.ok('rollout history deployment/web --revision 2')).toContain('Image:\tnginx:2\n');
      await user.ok('rollout restart deployment/web');
      await user.rolledOut('deployment/web');
      await user.ok('rollout undo deployment/web --to-revision 2');
      await user.rolledOut('deployment/web');
      expect(await imagesOf('web')).toEqual(['nginx:2', 'nginx:2', 'nginx:2']);
    });

    test('waits for conditions and counts of what it scales', async () => {
      await user.ok('create deployment wide --image nginx --replicas 1');
      await user.ok('wait deployment/wide --for condition=Available --timeout 30s');
      await user.ok('scale deployment/wide --replicas 5');
      await user.ok('wait deployment/wide --for jsonpath={.status.readyReplicas}=5 --timeout 30s');
      expect(await user.ok('get deployment wide --no-headers')).toMatch(/^wide +5\/5 +5 +5 +\d+s\n$/);
      await user.ok('scale deployment/wide --replicas 0');
      await user.ok('wait pods --selector app=wide --for delete --timeout 30s');
      const events = await user.ok('events --for deployment/wide --no-headers');
      expect(events.match(/Scaled .*/g)).toEqual([
        expect.stringMatching(/^Scaled up replica set wide-\w+ from 0 to 1$/),
        expect.stringMatching(/^Scaled up replica set wide-\w+ from 1 to 5$/),
        expect.stringMatching(/^Scaled down replica set wide-\w+ from 5 to 0$/),
      ]);
    });

    test.each([
      ['statefulset', 'StatefulSet', 'replicas: 3\n  serviceName: x', 'partitioned roll out complete: 3 new pods', 3],
      ['daemonset', 'DaemonSet', 'minReadySeconds: 0', 'daemon set "daemonset" successfully rolled out', 2],
    ])('rolls a %s out and back', async (name, kind, spec, done, count) => {
      const what = `${name}/${name}`;
      await user.apply(labelled(name, spec, kind));
      await user.rolledOut(what);
      await user.ok(`set image ${what} main=app:2`);
      expect(await user.rolledOut(what)).toContain(done);
      expect(await imagesOf(name)).toEqual(Array(count).fill('app:2'));
      await user.ok(`rollout undo ${what}`);
      await user.rolledOut(what);
      expect(await imagesOf(name)).toEqual(Array(count).fill('app:1'));
      expect((await user.ok(`rollout history ${what}`)).trim().split('\n').slice(2)).toEqual(['2         <none>', '3         <none>']);
    });

    test('jobs end, and cron jobs are their templates', async () => {
      await user.ok('create job once --image busybox -- echo done');
      await user.ok('wait job/once --for condition=Complete --timeout 30s');
      expect(await user.ok('logs job/once')).toBe('done\n');
      await user.ok('create cronjob often --image busybox --schedule @yearly -- echo often');
      await user.ok('create job now --from cronjob/often');
      await user.ok('wait job/now --for condition=Complete --timeout 30s');
      expect(await user.ok('logs job/now')).toBe('often\n');
    });

    test('an exposed deployment has endpoints, and deletes its pods', async () => {
      await user.ok('create deployment served --image nginx --replicas 2 --port 80');
      await user.ok('expose deployment served');
      await user.rolledOut('deployment/served');
      await user.ok(
        'wait endpointslice --selector kubernetes.io/service-name=served --timeout 30s',
        '--for=jsonpath={.endpoints[1].conditions.ready}=true',
      );
      expect(await user.ok('describe service served')).toMatch(/^Endpoints: +10\.[\d.]+:80,10\.[\d.]+:80$/m);
      await user.ok('delete deployment served --cascade=foreground --timeout 30s');
      expect((await user.get('pods --selector app=served')).items).toEqual([]);
    });
  },
});
