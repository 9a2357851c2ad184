/** A room of the runtime: a folder of runtime/, or all of generated/. */
export interface Room {
  /** One line for ARCHITECTURE.md. */
  readonly about: string;
  /** What it may import, besides itself, machinery, and the types of generated groups. `*` is everything. */
  readonly below: readonly string[];
}

/** Rooms that are read, used and left out together. */
export interface RoomGroup {
  readonly name: string;
  readonly about: string;
  readonly rooms: Readonly<Record<string, Room>>;
}

/**
 * The floors of the house. The rooms of the first group are the API server: it runs without all others, which it loads when options
 * ask for them. ARCHITECTURE.md shows this table; `make floors` writes it there.
 */
export const groups: readonly RoomGroup[] = [
  {
    name: 'API server',
    about: 'kube-apiserver. It serves without the rooms of the other groups, and loads them only when options ask for them.',
    rooms: {
      machinery: {
        about: 'the leaf: objects, names, errors, selectors, scalars, clocks, files, metrics, and the contracts between rooms',
        below: [],
      },
      structural: { about: 'formats and schemas: pruning, defaulting and validating what a schema describes', below: [] },
      cel: { about: 'expressions: parsed, checked, costed, and compiled to closures', below: [] },
      codec: { about: 'JSON, YAML, CBOR, protobuf, tables and watch frames', below: [] },
      patch: { about: 'JSON, merge and strategic merge patch, and server-side apply', below: [] },
      storage: {
        about: 'engines (memory, lmdb, etcd), MVCC, the watch cache, encryption, and the object store over all of these',
        below: ['codec'],
      },
      http: { about: 'what filters and endpoints share: state, options of verbs, body, negotiation, responses, streams', below: ['codec'] },
      client: {
        about: 'requests to other servers: what generated clients share, connections (transport), webhooks and proxies',
        below: ['codec', 'http', 'structural'],
      },
      resources: {
        about: 'what creating, changing and deleting an object means; the registry, listers and informers',
        below: ['codec', 'patch', 'storage', 'structural'],
      },
      streaming: { about: 'exec, attach, port-forward and logs, and the connections to kubelets', below: ['client', 'http'] },
      audit: { about: 'what is recorded of requests: the policy, events, log and webhook', below: ['client', 'codec'] },
      authentication: {
        about: 'who is asking: certificates, front proxies, tokens, service accounts',
        below: ['cel', 'client', 'codec', 'resources', 'storage'],
      },
      authorization: { about: 'and may they: RBAC, nodes, webhooks', below: ['cel', 'client', 'codec', 'resources'] },
      flowcontrol: {
        about: 'priority and fairness: classification, queues, seats, and the objects that configure them',
        below: ['resources', 'storage'],
      },
      reconcile: {
        about: 'what controllers are made of: shared informers, work queues, recorders of events, leader election',
        below: ['resources', 'storage'],
      },
      kinds: {
        about: 'the built-in kinds, a folder a group: validation, defaults, warnings, columns, conversions, strategies',
        below: ['authentication', 'authorization', 'cel', 'client', 'codec', 'resources', 'storage', 'structural'],
      },
      generated: { about: 'what codegen writes of the schemas of each release', below: ['client', 'kinds', 'structural'] },
      admission: {
        about: 'what may refuse or change a write: the chain, its plugins, policies, webhooks and quotas',
        below: ['authorization', 'cel', 'client', 'codec', 'kinds', 'patch', 'resources', 'storage'],
      },
      filters: {
        about: 'one middleware a file',
        below: ['audit', 'authentication', 'authorization', 'flowcontrol', 'http'],
      },
      endpoints: {
        about: 'dispatch, verbs, watches, subresources, discovery, and fixed paths such as /healthz and /metrics',
        below: [
          'authentication',
          'authorization',
          'cel',
          'client',
          'codec',
          'flowcontrol',
          'http',
          'patch',
          'resources',
          'storage',
          'streaming',
        ],
      },
      extensions: {
        about: 'CustomResourceDefinitions, and APIServices whose requests other servers answer',
        below: ['cel', 'client', 'codec', 'http', 'reconcile', 'resources', 'storage', 'structural'],
      },
      controlplane: {
        about: "kube-apiserver's own controllers: system namespaces, the service kubernetes, leases, repairs",
        below: ['kinds', 'reconcile', 'resources', 'storage'],
      },
      options: {
        about: 'the options of a server: a row each, from which type, checks, flag, help and docs/options.md come',
        below: ['authorization', 'client', 'kinds', 'reconcile', 'streaming'],
      },
      serving: {
        about: 'connections, TLS, certificates, the order of the filters, graceful shutdown',
        below: ['authentication', 'authorization', 'filters', 'http', 'options', 'resources'],
      },
      server: {
        about: 'puts all of it together: the list of parts, the worker threads, forks',
        below: ['*'],
      },
    },
  },
  {
    name: 'Cluster',
    about: 'kube-controller-manager, kube-scheduler and nodes, for servers that stand for a whole cluster.',
    rooms: {
      controllers: {
        about: 'the controllers of kube-controller-manager',
        below: ['admission', 'authorization', 'cel', 'kinds', 'patch', 'reconcile', 'resources', 'storage'],
      },
      simulation: {
        about: 'nodes that exist in the API only: their kubelets, pods and volumes, the programs of containers, the scheduler, and stages',
        below: [
          'cel',
          'client',
          'codec',
          'controllers',
          'http',
          'kinds',
          'options',
          'patch',
          'reconcile',
          'resources',
          'storage',
          'streaming',
        ],
      },
    },
  },
  {
    name: 'Tests',
    about: 'What tests steer and see of a server.',
    rooms: {
      testkit: {
        about: 'clocks, chance, the log of requests, faults, snapshots, recordings, fixtures, history, and testing.kubeloom.dev',
        below: ['client', 'codec', 'http', 'options', 'resources', 'storage'],
      },
      frameworks: { about: 'servers for the tests of Jest and Vitest', below: ['generated', 'options', 'server', 'testkit'] },
    },
  },
  {
    name: 'Page',
    about: 'What a browser shows of a server, and who may open it. Loaded with the option ui.',
    rooms: {
      page: {
        about: 'links, sessions and files of the page, the checks of its requests, and the log of what happened',
        below: ['authentication', 'http', 'storage'],
      },
    },
  },
  {
    name: 'Command',
    about: '`kubeloom`: its flags, and tools for stores, snapshots and histories.',
    rooms: {
      cli: {
        about: 'commands and flags',
        below: ['client', 'extensions', 'options', 'server', 'serving', 'storage', 'testkit'],
      },
    },
  },
];

/** What each room of the runtime may import. */
export const floors: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  groups.flatMap(({ rooms }) => Object.entries(rooms).map(([name, { below }]) => [name, below])),
);

/** The imports that each folder of codegen may have besides itself. `cli.ts` beside them imports the commands. */
export const codegenFloors: Readonly<Record<string, readonly string[]>> = {
  model: [],
  load: ['model'],
  print: ['model'],
  output: [],
  import: ['model', 'load', 'output'],
  emit: ['model', 'load', 'print', 'output'],
  describe: ['load', 'emit'],
  commands: ['model', 'load', 'output', 'import', 'emit'],
};
