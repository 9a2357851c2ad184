import { beforeAll, expect, test } from '@jest/globals';
import { serviceObject, sliceObject } from '../../../support/network-objects.ts';
import { clientPod, containerPod, SimulatedContainers } from '../../../support/simulated-containers.ts';

let containers: SimulatedContainers;

beforeAll(() => {
  containers = new SimulatedContainers(
    clientPod(),
    containerPod('web', '10.128.0.2', { image: 'agnhost', args: ['netexec', '--http-port=80'] }),
    serviceObject('web', { clusterIP: '10.0.0.5', ports: [{ name: 'http', port: 80 }] }),
    sliceObject('web', ['10.128.0.2'], [{ name: 'http', port: 80 }]),
    serviceObject('empty', { clusterIP: '10.0.0.6' }),
    serviceObject('db', { clusterIP: 'None' }),
    sliceObject('db', [{ addresses: ['10.128.0.2'], hostname: 'db-0' }]),
  );
});

const domain = 'default.svc.cluster.local';

test.each<[script: string, stdout: string, stderr: string, code: number]>([
  ['wget -qO- http://web/hostname', 'web', '', 0],
  ['wget -O - web/hostname', 'web', 'Connecting to web (10.0.0.5:80)\nwriting to stdout\nwritten to stdout\n', 0],
  ['wget -q -O /dev/null http://web; echo $?', '0\n', '', 0],
  ['wget -q http://web/hostname && cat hostname', 'web', '', 0],
  ['wget --spider -q web', '', '', 0],
  ['wget -qO- http://none/', '', "wget: bad address 'none'\n", 1],
  ['wget -qO- http://empty/', '', "wget: can't connect to remote host (10.0.0.6): Connection refused\n", 1],
  ['wget -qO- http://10.128.7.7/', '', "wget: can't connect to remote host (10.128.7.7): No route to host\n", 1],
  ["wget -qO- 'http://web/echo?code=404'", '', 'wget: server returned error: HTTP/1.1 404 Not Found\n', 1],
  ['wget -qO- https://web/', '', 'wget: not an http or ftp url: https://web/\n', 1],
  ['curl -s http://web/hostname', 'web', '', 0],
  [`curl -s http://web.${domain}./hostname`, 'web', '', 0],
  ['curl -s web.default:80/hostname', 'web', '', 0],
  ['curl http://none', '', 'curl: (6) Could not resolve host: none\n', 6],
  ['curl -s http://none', '', '', 6],
  ['curl -sS http://empty', '', "curl: (7) Failed to connect to empty port 80 after 0 ms: Couldn't connect to server\n", 7],
  ["curl -fsS 'http://web/echo?code=500'", '', 'curl: (22) The requested URL returned error: 500\n', 22],
  ['curl -s -o /dev/null -w "%{http_code}" http://web/', '200', '', 0],
  ['curl -s -w "%{http_code}" http://none', '000', '', 6],
  ['curl -sI http://web/hostname | head -n 1', 'HTTP/1.1 200 OK\r\n', '', 0],
  ["curl -s -X POST -d 'msg=a' http://web/echo", 'a', '', 0],
  ['nc -z web 80', '', '', 0],
  ['nc -zv web 80', '', 'web (10.0.0.5:80) open\n', 0],
  ['nc -zv empty 80', '', 'nc: empty (10.0.0.6:80): Connection refused\n', 1],
  ['nc -z none 80', '', "nc: bad address 'none'\n", 1],
  ['printf "GET /hostname HTTP/1.0\\r\\n\\r\\n" | nc web 80 | tail -n 1', 'web', '', 0],
  ['(echo hello | nc -l -p 90) & sleep 1; nc 10.128.0.9 90 </dev/null', 'hello\n', '', 0],
  ['nc -lk -p 91 -e cat & sleep 1; echo a | nc localhost 91; echo b | nc localhost 91', 'a\nb\n', '', 0],
  ['nslookup web', `Server:\t\t10.0.0.10\nAddress:\t10.0.0.10#53\n\nName:\tweb.${domain}\nAddress: 10.0.0.5\n\n`, '', 0],
  ['nslookup none', "Server:\t\t10.0.0.10\nAddress:\t10.0.0.10#53\n\n** server can't find none: NXDOMAIN\n\n", '', 1],
  ['nslookup web 10.9.9.9', ';; connection timed out; no servers could be reached\n\n', '', 1],
  ['nslookup 10.0.0.5', `Server:\t\t10.0.0.10\nAddress:\t10.0.0.10#53\n\n5.0.0.10.in-addr.arpa\tname = web.${domain}.\n\n`, '', 0],
  [`dig +short web.${domain}`, '10.0.0.5\n', '', 0],
  ['dig +short web', '', '', 0],
  ['dig +short +search web', '10.0.0.5\n', '', 0],
  ['dig +notcp +noall +answer +search db-0.db A', `db-0.db.${domain}.\t\t30\tIN\tA\t10.128.0.2\n`, '', 0],
  [`dig +short SRV _http._tcp.web.${domain}`, `0 100 80 web.${domain}.\n`, '', 0],
  ['dig +short -x 10.0.0.5', `web.${domain}.\n`, '', 0],
  [`dig none.${domain} | grep -o 'status: [A-Z]*'`, 'status: NXDOMAIN\n', '', 0],
  ['host web', `web.${domain} has address 10.0.0.5\n`, '', 0],
  ['host none', 'Host none not found: 3(NXDOMAIN)\n', '', 1],
  ['getent hosts web', `10.0.0.5        web.${domain}\n`, '', 0],
  ['getent hosts client', '10.128.0.9      client\n', '', 0],
  ['getent hosts none; echo $?', '2\n', '', 0],
  [
    'ping -c 1 10.128.0.2',
    'PING 10.128.0.2 (10.128.0.2): 56 data bytes\n64 bytes from 10.128.0.2: seq=0 ttl=63 time=0.100 ms\n\n' +
      '--- 10.128.0.2 ping statistics ---\n1 packets transmitted, 1 packets received, 0% packet loss\nround-trip min/avg/max = 0.100/0.100/0.100 ms\n',
    '',
    0,
  ],
  ['ping -q -c 2 10.128.7.7 | tail -n 1', '2 packets transmitted, 0 packets received, 100% packet loss\n', '', 0],
  ['ping -c 1 none', '', "ping: bad address 'none'\n", 1],
  ['agnhost connect web:80', '', '', 0],
  ['agnhost connect --timeout=3s empty:80', '', 'REFUSED\n', 1],
  ['agnhost connect --protocol udp 10.128.0.2:8081 --udp-data "echo a"', '', '', 0],
  ['agnhost connect none:80', '', 'DNS: lookup none: no such host\n', 1],
])('%s', async (script, ...want) => {
  expect(await containers.sh(script)).toEqual(want);
});
