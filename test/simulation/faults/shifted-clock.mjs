import { isMainThread } from 'node:worker_threads';

// Loaded before a server. Its wall clock jumps by the milliseconds that its parent sends, and it ends with its parent.
// Timers and the system's own clock, which TLS uses, are unchanged.
if (isMainThread && process.send) {
  const RealDate = globalThis.Date;
  let shift = 0;
  const now = () => RealDate.now() + shift;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: () => new globalThis.Date().toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  process.on('message', (ms) => {
    shift += ms;
  });
  process.on('disconnect', () => process.exit());
  process.channel.unref();
}
