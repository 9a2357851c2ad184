/** What each room may import besides itself and machinery; `*` is everything. ARCHITECTURE.md has the same table. */
export const floors: Record<string, readonly string[]> = {
  machinery: [],
  generated: ['structural', 'client', 'kinds'],
  observe: [],
  structural: [],
  cel: [],
  codec: [],
  client: ['codec'],
  patch: ['structural'],
  storage: ['codec', 'observe'],
  http: ['codec', 'observe'],
  auth: ['cel', 'observe'],
  flowcontrol: ['observe'],
  resources: ['structural', 'patch', 'storage', 'observe', 'codec', 'auth'],
  kinds: ['structural', 'storage', 'auth', 'resources'],
  controllers: ['resources', 'storage', 'observe'],
  filters: ['http', 'auth', 'flowcontrol', 'observe'],
  endpoints: ['http', 'codec', 'patch', 'structural', 'resources', 'storage', 'auth', 'observe'],
  extensions: ['http', 'codec', 'structural', 'cel', 'patch', 'storage', 'resources', 'controllers', 'observe'],
  server: ['*'],
  cli: ['server', 'storage'],
};

/** What each folder of codegen may import besides itself. `cli.ts` beside them imports the commands. */
export const codegenFloors: Record<string, readonly string[]> = {
  model: [],
  load: ['model'],
  print: ['model'],
  import: ['model', 'load'],
  emit: ['model', 'load', 'print'],
  describe: ['load', 'emit'],
  commands: ['model', 'load', 'import', 'emit'],
};
