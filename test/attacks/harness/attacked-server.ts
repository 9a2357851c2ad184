import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { mainThreadRan } from '../../bench/processor.ts';
import { RawConnection } from '../../bench/raw-client.ts';
import { startKubeloom, type Target } from '../../bench/target.ts';
import { envelope, field, named } from '../builders/protobuf.ts';
import { configMaps, dry, pods } from '../builders/targets.ts';
import { type Attack, type Attacks, bytesOf, type Request } from './attack.ts';
import { type AttackResponse, bytesOfRequest, exchange, noResponse } from './exchange.ts';
import { PatchingHooks } from './patching-hooks.ts';

/** The timeout of a row in milliseconds, after which the server counts as stuck. */
const patience = 20_000;

export interface Outcome {
  readonly response: AttackResponse;
  /** There was neither a response nor an end in time, or the process died. Another server was started. */
  readonly isStuck: boolean;
  /**
   * The longest delay of the event loop in milliseconds, and at most the CPU time of its thread: delays by other
   * programs do not count.
   */
  readonly delay: number;
  /** The longest time that GET /readyz took on another connection, in milliseconds. */
  readonly waited: number;
  /** Bytes sent, and the maximum growth of resident memory meanwhile. */
  readonly sent: number;
  readonly grown: number;
}

/** The resources of an idle server. */
export interface Holding {
  /** Resident bytes after a garbage collection. */
  readonly memory: number;
  readonly descriptors: number;
}

/** A server process under attack. */
export class AttackedServer {
  readonly #attacks: Omit<Attacks, 'rows'>;
  readonly #hooks: PatchingHooks;
  #target: Target;
  #mouse: Mouse;
  #before: Holding = { memory: 0, descriptors: 0 };

  private constructor(attacks: Omit<Attacks, 'rows'>, hooks: PatchingHooks, target: Target, mouse: Mouse) {
    this.#attacks = attacks;
    this.#hooks = hooks;
    this.#target = target;
    this.#mouse = mouse;
  }

  /** Starts a server from dist/, in memory, with everything that the attacks need. */
  static async open(attacks: Omit<Attacks, 'rows'>): Promise<AttackedServer> {
    const target = await start(attacks);
    const hooks = await PatchingHooks.open(attacks.hooks ?? []);
    const server = new AttackedServer(attacks, hooks, target, await Mouse.beside(target));
    await server.#prepare();
    return server;
  }

  get pid(): number {
    return this.#target.pid;
  }

  /** The resources before the first row. */
  get before(): Holding {
    return this.#before;
  }

  async close(): Promise<void> {
    await this.#end();
    await this.#hooks.close();
  }

  #end(): Promise<void> {
    this.#mouse.leave();
    return this.#target.close();
  }

  async attack({ send, streams }: Attack): Promise<Outcome> {
    const sent = send();
    const { pid, credentials } = this.#target;
    await this.#target.ask('delay-start');
    resetMostResident(pid);
    const residentBefore = resident(pid, 'VmRSS');
    const ranBefore = mainThreadRan(pid);
    this.#mouse.forget();
    const limit = AbortSignal.timeout(patience);
    const late = new Promise<'late'>((resolve) => limit.addEventListener('abort', () => resolve('late')));
    const response = await exchange(credentials, sent, streams, limit).catch(() => noResponse);
    const delay = await Promise.race([this.#target.ask('delay-stop'), this.#mouse.whenCut, late]);
    const isStuck = typeof delay === 'string' || limit.aborted;
    const outcome = {
      response,
      isStuck,
      sent: bytesOf(sent),
      waited: this.#mouse.waited,
      delay: isStuck ? patience : Math.min(delay.max, mainThreadRan(pid) - ranBefore),
      grown: isStuck ? 0 : resident(pid, 'VmHWM') - residentBefore,
    };
    if (isStuck) await this.#restart();
    return outcome;
  }

  async holding(): Promise<Holding> {
    const { rss } = await this.#target.ask('memory');
    return { memory: rss, descriptors: readdirSync(`/proc/${this.#target.pid}/fd`).length };
  }

  async #restart(): Promise<void> {
    try {
      process.kill(this.#target.pid, 'SIGKILL');
    } catch {
      // the process died
    }
    await this.#end();
    this.#target = await start(this.#attacks);
    this.#mouse = await Mouse.beside(this.#target);
    await this.#prepare();
  }

  async #prepare(): Promise<void> {
    const { setup = [], serves = [], objects = [] } = this.#attacks;
    for (const request of setup) await this.#must(request);
    const deadline = performance.now() + patience;
    for (const path of serves) {
      while ((await exchange(this.#target.credentials, { method: 'GET', path })).status !== 200) {
        if (performance.now() > deadline) throw new Error(`${path} is not served`);
        await setTimeout(20);
      }
    }
    for (const request of this.#hooks.setup) await this.#must(request);
    await this.#store(objects);
    for (const request of warmUp) await this.#must(request);
    this.#before = await this.holding();
  }

  /** Uses one connection, because thousands of handshakes would take longer than the rows. */
  async #store(objects: readonly Request[]): Promise<void> {
    const [connection] = await this.#target.open(1);
    for (const object of objects) {
      const { status, body } = await connection.send(bytesOfRequest(object), true);
      if (status !== 201) throw new Error(`${object.method} ${object.path}: ${status} ${body}`);
    }
    connection.close();
  }

  async #must(request: Request): Promise<void> {
    const { status, body } = await exchange(this.#target.credentials, request);
    if (status >= 300 || status === 0) throw new Error(`${request.method} ${request.path}: ${status} ${body}`);
  }
}

/** History is compacted soon, because it uses memory. Pods are stored as sent. */
const plain = ['--storage=memory', '--compaction-window=2s', '--disable-admission-plugins=ServiceAccount', '--runtime-config=api/all=true'];

const start = ({ flags = [] }: Omit<Attacks, 'rows'>): Promise<Target> => startKubeloom([...plain, ...flags], { isMeasured: true });

/** A Pod with 200 KB of annotations, in protobuf. */
function largePod(): Buffer {
  const annotation = field(12, Buffer.concat([field(1, 'a'), field(2, 'a'.repeat(200_000))]));
  const container = Buffer.concat([field(1, 'main'), field(2, 'busybox')]);
  return envelope(Buffer.concat([named('warm', annotation), field(2, field(2, container))]), 'v1', 'Pod');
}

const large = (path: string, type: string, body: string | Uint8Array): Request[] =>
  new Array<Request>(4).fill({ method: 'POST', path: dry(path), headers: { 'content-type': type }, body });

const largeConfigMap = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "warm"}, "data": {"a": "${'a'.repeat(900_000)}"}}`;

/** Large valid bodies in each encoding. They start the worker thread and load its code before the rows are measured. */
const warmUp: readonly Request[] = [
  ...large(configMaps.path, 'application/json', largeConfigMap),
  ...large(configMaps.path, 'application/yaml', largeConfigMap),
  ...large(pods.path, 'application/vnd.kubernetes.protobuf', largePod()),
];

/** A small client that requests /readyz continuously. */
class Mouse {
  /** Resolves when its connection fails, which means that the server died. */
  readonly whenCut: Promise<'cut'>;
  readonly #connection: RawConnection;
  #isThere = true;
  #asked = performance.now();
  #longest = 0;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
    this.whenCut = new Promise((resolve) => {
      this.#run().catch(() => this.#isThere && resolve('cut'));
    });
  }

  static async beside(target: Target): Promise<Mouse> {
    const [connection] = await target.open(1);
    return new Mouse(connection);
  }

  /** The longest response time since the last reset, in milliseconds. */
  get waited(): number {
    return Math.max(this.#longest, performance.now() - this.#asked);
  }

  forget(): void {
    this.#longest = 0;
    this.#asked = performance.now();
  }

  leave(): void {
    this.#isThere = false;
    this.#connection.close();
  }

  async #run(): Promise<void> {
    const request = RawConnection.request('GET', '/readyz');
    while (this.#isThere) {
      this.#asked = performance.now();
      const { status } = await this.#connection.send(request);
      if (status !== 200) throw new Error(`/readyz responded ${status}`);
      this.#longest = Math.max(this.#longest, performance.now() - this.#asked);
      await setTimeout(5);
    }
  }
}

/** Resets VmHWM to the current resident memory. (proc(5), clear_refs) */
function resetMostResident(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function resident(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}
