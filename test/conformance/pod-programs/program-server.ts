import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { PodOptions } from '../../../runtime/index.ts';
import type { ServerOptions } from '../../../runtime/options/server-options.ts';
import { type Any, WorkloadServer } from '../workloads/workload-server.ts';

export const image = 'example.com/team/program:v1';

/** A program whose first argument says what it does. */
const source = `
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer } from 'node:net';

const { env } = process;
const [what = '', ...args] = process.argv.slice(2);
const root = env.CONTAINER_ROOT ?? '';
const stay = () => setInterval(() => undefined, 1 << 30);

/** Answers a review: denies what is to be denied, labels other objects, and converts to the wanted version. */
function review({ apiVersion, kind, request }) {
  const { uid, object, objects = [], desiredAPIVersion } = request;
  if (kind === 'ConversionReview') {
    const convertedObjects = objects.map((one) => ({ ...one, apiVersion: desiredAPIVersion, converted: 'by ' + env.HOSTNAME }));
    return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } };
  }
  const { name, labels } = object.metadata;
  if (name === 'forbidden') return { apiVersion, kind, response: { uid, allowed: false, status: { message: 'not by ' + env.HOSTNAME } } };
  const patch = [{ op: 'add', path: '/metadata/labels', value: { ...labels, seen: 'yes' } }];
  return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') } };
}

function discovery(url) {
  const groupVersion = 'served.example.com/v1';
  if (url.startsWith('/apis/' + groupVersion + '/things')) return { kind: 'ThingList', apiVersion: groupVersion, metadata: {}, items: [] };
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [{ name: 'things', kind: 'Thing', namespaced: false, verbs: ['list'] }] };
}

const programs = {
  show: () => console.log(JSON.stringify({ args, env, cwd: process.cwd() })),
  exit: () => process.exit(Number(args[0])),
  kill: () => process.kill(process.pid, args[0]),
  message: () => { writeFileSync(root + args[0], args[1]); process.exit(1); },
  read: () => args.forEach((path) => console.log(path + '=' + (existsSync(root + path) ? readFileSync(root + path, 'utf8') : 'absent'))),
  write: () => { writeFileSync(root + args[0], args[1]); },
  link: () => symlinkSync(args[1], root + args[0]),
  until: () => { console.log('waiting'); process.on('SIGTERM', () => process.exit(existsSync(root + args[0]) ? 6 : 1)); stay(); },
  wrote: () => { writeFileSync(root + args[0], args[1]); console.log('staying'); stay(); },
  relink: () => { rmSync(root + args[0], { force: true }); symlinkSync(args[1], root + args[0]); process.exit(1); },
  flood: () => { for (let i = 0; i < Number(args[0]); i++) console.log('line ' + i + ' ' + 'x'.repeat(1000)); },
  errors: () => { console.log('out'); console.error('err'); },
  stay: () => { console.log('staying'); stay(); },
  graceful: () => { process.on('SIGTERM', () => { console.log('ending'); process.exit(Number(args[0] ?? 0)); }); console.log('ready'); stay(); },
  stubborn: () => { process.on('SIGTERM', () => console.log('no')); console.log('ready'); stay(); },
  children: () => {
    const child = spawn(process.execPath, [process.argv[1], 'stubborn'], { stdio: 'ignore' });
    console.log('child ' + child.pid);
    stay();
  },
  serve: () => {
    const [port, host = env.POD_ADDRESS] = args;
    createServer((request, response) => response.end(env.HOSTNAME + ' ' + request.url)).listen(Number(port), host, () => console.log('listening'));
  },
  webhook: () => {
    const folder = root + args[1];
    const options = { cert: readFileSync(folder + '/tls.crt'), key: readFileSync(folder + '/tls.key') };
    const answer = (request, response) => {
      let body = '';
      request.on('data', (chunk) => { body += chunk; });
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.method === 'GET') return response.end(JSON.stringify(discovery(request.url)));
        response.end(JSON.stringify(review(JSON.parse(body))));
      });
    };
    createSecureServer(options, answer).listen(Number(args[0]), env.POD_ADDRESS, () => console.log('listening'));
  },
  echo: () => createTcpServer((socket) => socket.pipe(socket)).listen(Number(args[0]), env.POD_ADDRESS, () => console.log('listening')),
  input: () => { process.stdin.pipe(process.stdout); },
  once: () => { if (existsSync(root + args[0])) return stay(); writeFileSync(root + args[0], ''); process.exit(3); },
};
(programs[what] ?? (() => { console.error('unknown ' + what); process.exit(9); }))();
`;

/** A server on which an image stands for a program in a temporary folder. */
export class ProgramServer extends WorkloadServer {
  readonly folder: string;

  constructor(pods: (folder: string) => PodOptions = () => ({}), options: ServerOptions = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'pod-programs-'));
    writeFileSync(join(folder, 'program.mjs'), source);
    const programs = [{ image: 'example.com/team/*', command: [process.execPath, 'program.mjs'], cwd: folder }];
    super({}, { enableAdmissionPlugins: ['ServiceAccount'], pods: { programs, ...pods(folder) }, ...options });
    this.folder = folder;
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
  }

  /** Creates a pod with one container that never restarts. */
  async create(path: string, container: object, spec: object = {}, name = 'program'): Promise<void> {
    const containers = [{ name: 'c', image, ...container }];
    await this.post(path, { metadata: { name }, spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 30, containers, ...spec } });
  }

  /** Resolves with the pod when its containers have ended. */
  ended(path: string): Promise<Any> {
    return this.until(path, (pod) => ['Succeeded', 'Failed'].includes(pod?.status?.phase));
  }

  /** Returns the log of a program that ends. */
  async logOf(path: string, container: object, spec: object = {}): Promise<string> {
    await this.create(path, container, spec);
    await this.ended(`${path}/program`);
    return (await this.text(`${path}/program/log`)).body;
  }

  /** Resolves with the log when it has a line. */
  async logLine(path: string, line: RegExp): Promise<string> {
    // a container that is about to start has no log
    await this.until(path, (pod) => ['Running', 'Succeeded', 'Failed'].includes(pod?.status?.phase));
    const { url, clientCertificate: cert, clientKey: key, caCertificate: ca } = this.running;
    return new Promise((resolve, reject) => {
      let log = '';
      const request = get(`${url}${path}/log?follow=true`, { ca, cert, key, agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => {
          log += chunk;
          if (!line.test(log)) return;
          request.destroy();
          resolve(log);
        });
        response.on('end', () => reject(new Error(`the log ended: ${log}`)));
        response.on('error', () => undefined);
      });
      request.on('error', reject);
    });
  }

  /** Returns the output of a command in a pod, and its exit code or its error. */
  async exec(path: string, ...command: string[]): Promise<{ readonly output: string; readonly result: Any }> {
    const query = ['stdout=true', 'stderr=true', ...command.map((word) => `command=${encodeURIComponent(word)}`)].join('&');
    const messages = await this.messages(`${path}/exec?${query}`, 'v4.channel.k8s.io');
    const of = (channels: readonly number[]): string =>
      messages
        .filter(([channel]) => channels.includes(channel ?? -1))
        .map((message) => message.subarray(1))
        .join('');
    return { output: of([1, 2]), result: JSON.parse(of([3])) };
  }
}

/** Reports whether a process of this machine runs. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
