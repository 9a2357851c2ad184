import type { Duplex } from 'node:stream';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { type Counts, FlowWindow } from './flow-window.ts';
import { type ControlFrame, controlFrame, dataHead, type Frame, FrameReader, flagFin, frameTypes } from './frames.ts';
import { HeaderReader, type Headers, HeaderWriter } from './header-block.ts';
import { SpdyError, type SpdyStatus, statusCodes } from './spdy-error.ts';
import { SpdyStream, type StreamTransport } from './stream.ts';

export interface ConnectionOptions {
  readonly transport: Duplex;
  readonly role: 'client' | 'server';
  /** Accepts or refuses a stream of the other side by `reply` or `reset`. Default: refuses it. */
  readonly onStream?: (stream: SpdyStream) => void;
}

/** Bytes in the send queue above which this side stops reading, so that replies to frames do not pile up. */
const queueLimit = 256 * 1024;
/** The maximum number of open streams of the other side. */
const maxStreams = 1_000;
const defaultWindow = 64 * 1024;
/** Bytes read between window updates. */
const windowUpdateStep = defaultWindow / 2;
const initialWindowSetting = 7;
const streamIdMask = 0x7fffffff;

/** Streams over one connection, for either side. (SPDY/3.1, moby/spdystream) */
export class SpdyConnection implements StreamTransport {
  /** Resolves when the connection is closed for any reason. */
  readonly closed: Promise<void>;
  readonly windows = { areCounted: false, initial: defaultWindow };
  /** The window that all streams share. */
  readonly #window = new FlowWindow(ofSession(this.windows));
  readonly #options: ConnectionOptions;
  readonly #reader = new FrameReader();
  readonly #headerReader = new HeaderReader();
  readonly #headerWriter = new HeaderWriter();
  readonly #streams = new Map<number, SpdyStream>();
  /** Bytes read by stream since the last window update. */
  readonly #unreported = new Map<number, number>();
  /** Orders frames with headers: they are written in the order in which their headers are compressed. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Resolves when there is room for more; undefined if nothing waits. */
  #room: Promise<void> | undefined;
  #nextId: number;
  #lastReceived = 0;
  /** The other side announced its end: this side opens and accepts no more streams. */
  #isGoingAway = false;
  #isGone = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    this.closed = this.#run();
  }

  /** Resolves at once. Data waits until the other side accepts the stream. */
  async open(headers: Headers): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = new SpdyStream({ id, headers, isOwn: true }, this);
    this.#streams.set(id, stream);
    await this.#writeHeaders(headers, (block) => controlFrame('synStream', [id, 0], Buffer.concat([slot, block])));
    return stream;
  }

  /** Ends all streams. No more can be opened. */
  close(): void {
    if (!this.#isGoingAway) this.#write(controlFrame('goAway', [this.#lastReceived, 0]));
    this.#isGoingAway = true;
    void this.#writing.then(() => this.#options.transport.end());
  }

  reply({ id }: SpdyStream, headers: Headers): void {
    // a closed connection has ended its streams already
    this.#writeHeaders(headers, (block) => controlFrame('synReply', [id], block)).catch(() => undefined);
  }

  async data({ id }: SpdyStream, data: Buffer, isFinal: boolean): Promise<void> {
    // wait for the frame that opened or accepted the stream
    await this.#writing;
    let rest = data;
    do {
      const size = rest.length === 0 ? 0 : await this.#window.take(rest.length);
      const part = rest.subarray(0, size);
      rest = rest.subarray(size);
      this.#write(dataHead(id, size, isFinal && rest.length === 0));
      this.#write(part);
      // a loop, because all streams wait for the same room
      while (this.#options.transport.writableNeedDrain) await this.#drained();
    } while (rest.length > 0);
  }

  reset({ id }: SpdyStream, status: SpdyStatus): void {
    this.#reset(id, status);
  }

  consumed({ id }: SpdyStream, bytes: number): void {
    this.#report(id, bytes);
    this.#report(session, bytes);
  }

  #report(id: number, bytes: number): void {
    const sum = (this.#unreported.get(id) ?? 0) + bytes;
    const isEnough = sum >= windowUpdateStep;
    if (isEnough) this.#write(controlFrame('windowUpdate', [id, sum]));
    this.#unreported.set(id, isEnough ? 0 : sum);
  }

  forget({ id }: SpdyStream): void {
    this.#streams.delete(id);
    this.#unreported.delete(id);
  }

  async #run(): Promise<void> {
    const { transport } = this.#options;
    let reason: SpdyError | undefined = new SpdyError('cancel', 'the connection is closed');
    try {
      for await (const chunk of transport.iterator({ destroyOnReturn: false })) {
        await this.#receiveAll(chunk);
        if (this.#isGone) break;
      }
      if (this.#isGone) reason = undefined;
    } catch (error) {
      if (error instanceof SpdyError) reason = error;
    } finally {
      this.#isGoingAway = true;
      this.#window.close();
      for (const stream of this.#streams.values()) stream.lost(reason);
      await this.#writing;
      this.#headerReader.close();
      this.#headerWriter.close();
      await endOf(transport);
    }
  }

  /** Writes the replies to all frames of a chunk at once. */
  async #receiveAll(chunk: Buffer): Promise<void> {
    const { transport } = this.#options;
    const slice = new TimeSlice();
    transport.cork();
    for (const frame of this.#reader.push(chunk)) {
      const received = this.#receive(frame);
      const isFull = transport.writableLength > queueLimit;
      if (received === undefined && !isFull && !slice.isOver) continue;
      transport.uncork();
      await received;
      if (isFull) await this.#drained();
      else if (slice.isOver) await slice.next();
      transport.cork();
    }
    transport.uncork();
  }

  #receive(frame: Frame): Promise<void> | void {
    if (frame.kind === 'data') return this.#streams.get(frame.streamId)?.received(frame.data, frame.isFinal);
    const { type, payload } = frame;
    switch (type) {
      case frameTypes.synStream:
        return this.#opened(frame);
      case frameTypes.synReply:
        return this.#replied(frame);
      case frameTypes.headers:
        return this.#readHeaders(frame, 4).then(() => undefined);
      case frameTypes.rstStream:
        return this.#streams.get(streamIdOf(frame))?.lost(resetError(wordAt(payload, 4)));
      case frameTypes.ping:
        return this.#pinged(wordAt(payload, 0));
      case frameTypes.settings:
        return this.#set(payload);
      case frameTypes.windowUpdate:
        return this.#widen(streamIdOf(frame), wordAt(payload, 4) & streamIdMask);
      case frameTypes.goAway:
        this.#isGone = true;
        return;
      default:
    }
  }

  async #opened(frame: ControlFrame): Promise<void> {
    const id = streamIdOf(frame);
    const headers = await this.#readHeaders(frame, 10);
    if (this.#isGoingAway) return;
    const isOdd = id % 2 === 1;
    if (id <= this.#lastReceived || isOdd !== (this.#options.role === 'server')) return this.#reset(id, 'protocolError');
    this.#lastReceived = id;
    const { onStream } = this.#options;
    if (onStream === undefined || this.#streams.size >= maxStreams) return this.#reset(id, 'refusedStream');
    const stream = new SpdyStream({ id, headers, isOwn: false }, this);
    this.#streams.set(id, stream);
    if ((frame.flags & flagFin) !== 0) stream.finished();
    onStream(stream);
  }

  async #replied(frame: ControlFrame): Promise<void> {
    await this.#readHeaders(frame, 4);
    const stream = this.#streams.get(streamIdOf(frame));
    stream?.accepted();
    if ((frame.flags & flagFin) !== 0) stream?.finished();
  }

  #pinged(id: number): void {
    const isAnswer = (id % 2 === 1) === (this.#options.role === 'client');
    if (!isAnswer) this.#write(controlFrame('ping', [id]));
  }

  #widen(id: number, bytes: number): void {
    this.windows.areCounted = true;
    if (id === session) this.#window.widen(bytes);
    else this.#streams.get(id)?.widen(bytes);
  }

  #set(payload: Buffer): void {
    const count = wordAt(payload, 0);
    for (let at = 4; at + 8 <= payload.length && at < 4 + 8 * count; at += 8) {
      if (payload.readUIntBE(at + 1, 3) !== initialWindowSetting) continue;
      this.windows.areCounted = true;
      this.windows.initial = wordAt(payload, at + 4) & streamIdMask;
      for (const stream of this.#streams.values()) stream.widen(0);
    }
  }

  /** Reads all headers, also of ignored frames: the decompressor's state depends on each block. */
  #readHeaders({ payload }: ControlFrame, from: number): Promise<Headers> {
    if (payload.length < from) throw new SpdyError('protocolError', 'a frame is truncated');
    return this.#headerReader.read(payload.subarray(from));
  }

  #writeHeaders(headers: Headers, frame: (block: Buffer) => Buffer): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.#isGoingAway) throw new SpdyError('cancel', 'the connection is closed');
      this.#write(frame(await this.#headerWriter.write(headers)));
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #reset(id: number, status: SpdyStatus): void {
    void this.#writing.then(() => this.#write(controlFrame('rstStream', [id, statusCodes[status]])));
  }

  /** Reports whether there is room for more. */
  #write(bytes: Buffer): boolean {
    const { transport } = this.#options;
    return transport.writable ? transport.write(bytes) : true;
  }

  /** Resolves when everything is sent, or the connection is closed. */
  #drained(): Promise<void> {
    const { transport } = this.#options;
    this.#room ??= new Promise<void>((resolve) => {
      const done = (): void => {
        transport.off('drain', done).off('close', done);
        this.#room = undefined;
        resolve();
      };
      transport.on('drain', done).on('close', done);
      if (transport.destroyed) done();
    });
    return this.#room;
  }
}

/** Milliseconds for the other side to read the rest. */
const endTimeout = 1_000;

/** Sends the remaining bytes, if the other side reads them. */
async function endOf(transport: Duplex): Promise<void> {
  const timer = setTimeout(() => transport.destroy(), endTimeout);
  await new Promise<void>((resolve) => {
    if (transport.destroyed) resolve();
    else transport.once('close', resolve).end(() => transport.destroy());
  });
  clearTimeout(timer);
}

/** The stream ID in a WINDOW_UPDATE of the whole connection. */
const session = 0;

const ofSession = (windows: { readonly areCounted: boolean }): Counts => ({
  get areCounted() {
    return windows.areCounted;
  },
  initial: defaultWindow,
});

/** The empty priority and credential slot of a stream. */
const slot = Buffer.alloc(2);

const streamIdOf = ({ payload }: ControlFrame): number => wordAt(payload, 0) & streamIdMask;

/** @throws SpdyError */
function wordAt(payload: Buffer, at: number): number {
  if (payload.length < at + 4) throw new SpdyError('protocolError', 'a frame is truncated');
  return payload.readUInt32BE(at);
}

function resetError(code: number): SpdyError {
  const names = Object.keys(statusCodes) as SpdyStatus[];
  const status = names.find((name) => statusCodes[name] === code) ?? 'internalError';
  return new SpdyError(status, `the other side has reset the stream: ${status}`);
}
