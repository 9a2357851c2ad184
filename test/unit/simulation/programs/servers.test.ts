import { beforeAll, expect, test } from '@jest/globals';
import { clientPod, containerPod, SimulatedContainers } from '../../../support/simulated-containers.ts';

const agnhost = (...args: string[]) => ({ image: 'registry.k8s.io/e2e-test-images/agnhost:2.56', args });
const get = (path: string, port = 8080): string => `curl -s 'http://10.128.0.2:${port}${path}'`;

/** Runs a script beside a pod `web` at 10.128.0.2. */
const beside = (container: object, script: string) =>
  new SimulatedContainers(clientPod(), containerPod('web', '10.128.0.2', container)).sh(script);

// the programs are loaded before time counts
beforeAll(async () => void (await beside(agnhost('netexec'), get('/'))));

test.each<[string, object, string, string]>([
  ['netexec', agnhost('netexec'), get('/hostname'), 'web'],
  ['netexec', agnhost('netexec'), get('/hostName'), 'web'],
  ['netexec', agnhost('netexec', '--http-port=80'), get('/hostname', 80), 'web'],
  ['netexec', agnhost('netexec', '--http-port', '80'), get('/serverport', 80), '80'],
  ['netexec', agnhost('netexec'), `${get('/clientip')} | cut -d: -f1`, '10.128.0.9\n'],
  ['netexec', agnhost('netexec'), get('/echo?msg=hello%20you'), 'hello you'],
  ['netexec', agnhost('netexec'), `${get('/echo?msg=no&code=418')} -w ' %{http_code}'`, 'no 418'],
  ['netexec', agnhost('netexec'), get('/echo?code=x'), 'argument \'code\' must be an integer or empty, got "x"\n'],
  ['netexec', agnhost('netexec'), `curl -s -d msg=form 'http://10.128.0.2:8080/echo?msg=query'`, 'form'],
  ['netexec', agnhost('netexec'), `curl -s -o /dev/null -w '%{http_code}' http://10.128.0.2:8080/healthz`, '200'],
  [
    'netexec without UDP',
    agnhost('netexec', '--udp-port=-1'),
    `curl -s -o /dev/null -w '%{http_code}' http://10.128.0.2:8080/healthz`,
    '412',
  ],
  ['netexec', agnhost('netexec'), get('/readyz'), 'ok'],
  ['netexec', agnhost('netexec'), `curl -s -H 'X-Colour: red' 'http://10.128.0.2:8080/header?key=x-colour'`, 'red'],
  ['netexec', agnhost('netexec'), `curl -sL 'http://10.128.0.2:8080/redirect?location=/echo%3Fmsg=there'`, 'there'],
  ['netexec', agnhost('netexec'), `curl -s -o /dev/null -w '%{http_code}' 'http://10.128.0.2:8080/redirect?location=/x&code=307'`, '307'],
  ['netexec', agnhost('netexec'), get('/shell?cmd=echo%20a;%20hostname'), '{"output":"a\\nweb\\n"}'],
  ['netexec', agnhost('netexec'), get('/shell?shellCommand=exit%203'), '{"error":"exit status 3"}'],
  [
    'netexec',
    agnhost('netexec'),
    `echo content > /f; curl -s -X POST -H 'Content-Type: multipart/form-data; boundary=b' --data-binary '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nabc\r\n--b--' http://10.128.0.2:8080/upload | cut -c1-25`,
    '{"output":"/uploads/uploa\n',
  ],
  ['netexec --http-override', agnhost('netexec', '--http-override=/echo?code=200&msg=always'), get('/hostname'), 'always'],
  ['netexec over UDP', agnhost('netexec'), 'echo hostName | nc -u -w 1 10.128.0.2 8081', 'web'],
  ['netexec over UDP', agnhost('netexec'), 'echo echo Again | nc -u 10.128.0.2 8081', 'again'],
  ['netexec over UDP', agnhost('netexec'), 'echo clientip | nc -u 10.128.0.2 8081 | cut -d: -f1', '10.128.0.9\n'],
  ['netexec /dial', agnhost('netexec'), get('/dial?host=10.128.0.2&port=8080&request=hostname&tries=2'), '{"responses":["web","web"]}'],
  ['netexec /dial', agnhost('netexec'), get('/dial?host=10.128.0.2&port=8081&request=hostname&protocol=udp'), '{"responses":["web"]}'],
  [
    'netexec /dial',
    agnhost('netexec'),
    get('/dial?host=10.128.0.2&port=1&request=hostname'),
    '{"errors":["Get \\"http://10.128.0.2:1/hostname\\": dial tcp 10.128.0.2:1: connect: connection refused"]}',
  ],
  ['netexec /dial', agnhost('netexec'), get('/dial?host=10.128.0.2&port=1'), 'request parameter not specified. <nil>\n'],
  ['porter', { ...agnhost('porter'), env: [{ name: 'SERVE_PORT_80', value: 'foo' }] }, get('/x', 80), 'foo'],
  [
    'porter --json-response',
    { ...agnhost('porter', '--json-response'), env: [{ name: 'SERVE_PORT_80', value: 'foo' }] },
    get('/', 80),
    '{"Method":"GET","Body":"foo"}',
  ],
  ['serve-hostname', agnhost('serve-hostname'), get('/', 9376), 'web'],
  ['serve-hostname --tcp', agnhost('serve-hostname', '--tcp', '--http=false', '--port=90'), 'nc 10.128.0.2 90 </dev/null', 'web'],
  ['liveness', agnhost('liveness'), get('/healthz'), 'ok'],
  ['test-webserver', agnhost('test-webserver'), get('/etc/hostname', 80), 'web\n'],
  ['test-webserver', agnhost('test-webserver'), get('/none', 80), '404 page not found\n'],
  [
    'guestbook',
    agnhost('guestbook', '--http-port=6379'),
    `${get('/set?key=a&value=b', 6379)}; ${get('/get?key=a', 6379)}`,
    '{"message":"Updated"}{"data":"b"}',
  ],
  ['grpc-health-checking', agnhost('grpc-health-checking'), `${get('/make-not-serving')} | grep -c s`, '1\n'],
  ['tcp-reset', agnhost('tcp-reset'), `curl -s ${'http://10.128.0.2:8080'}; echo $?`, '52\n'],
  ['nginx', { image: 'nginx:1.27' }, `${get('/', 80)} | grep title`, '<title>Welcome to nginx!</title>\n'],
  ['nginx', { image: 'nginx:1.27' }, `curl -s -o /dev/null -w '%{http_code}' http://10.128.0.2/none`, '404'],
  ['httpd', { image: 'registry.k8s.io/e2e-test-images/httpd:2.4.38-4' }, get('/', 80), '<html><body><h1>It works!</h1></body></html>\n'],
  ['pause', { image: 'registry.k8s.io/pause:3.10', ports: [{ containerPort: 80 }] }, `${get('/', 80)}; echo $?`, '7\n'],
  ['a program that nobody knows', { image: 'web', ports: [{ containerPort: 80 }] }, get('/', 80), 'simulated pod default/web, port 80\n'],
])('%s %#', async (_, container, script, want) => {
  const [stdout] = await beside(container, script);
  expect(stdout).toBe(want);
});

test('liveness is healthy for ten seconds', async () => {
  const containers = new SimulatedContainers(clientPod(), containerPod('web', '10.128.0.2', agnhost('liveness')));
  containers.clock.advance(11_000);
  expect((await containers.sh(`${get('/healthz')} -w ' %{http_code}'`))[0]).toMatch(/^error: 11(?:\.\d)? 500$/);
});

test.each([
  ['/exit?code=3', 3],
  ['/shutdown', 0],
])('%s ends netexec with %d', async (path, want) => {
  const containers = new SimulatedContainers(clientPod(), containerPod('web', '10.128.0.2', agnhost('netexec')));
  const running = containers.sh(get(path));
  while (containers.ended.size === 0) {
    containers.clock.advance(1);
    await new Promise(setImmediate);
  }
  await running;
  expect([...containers.ended]).toEqual([['containerd://web/c', want]]);
});

test('a replica of the guestbook has what its primary has', async () => {
  const containers = new SimulatedContainers(
    clientPod(),
    containerPod('primary', '10.128.0.2', agnhost('guestbook', '--http-port=6379')),
    containerPod('replica', '10.128.0.3', agnhost('guestbook', '--replicaof=10.128.0.2', '--http-port=6379')),
  );
  const url = (host: string, path: string): string => `curl -s 'http://${host}:6379${path}'`;
  await containers.sh(url('10.128.0.2', '/set?key=a&value=1'));
  // the replica registers after its start
  await containers.sh(`${url('10.128.0.3', '/get')}; ${url('10.128.0.3', '/get')}`);
  await containers.sh(url('10.128.0.2', '/set?key=b&value=2'));
  expect((await containers.sh(url('10.128.0.3', '/get')))[0]).toBe('{"data":{"a":"1","b":"2"}}');
});
