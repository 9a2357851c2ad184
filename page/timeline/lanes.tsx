import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../app/theme.ts';
import { type AxisKind, marksOf, moved, placeOf, type Span, zoomed } from './axis.ts';
import type { Moment } from './timeline.ts';

export interface LanesProps {
  readonly moments: readonly Moment[];
  readonly clients: readonly string[];
  readonly kind: AxisKind;
  readonly span: Span;
  readonly chosen: Moment | undefined;
  /** The writes that stand out, by revision. */
  readonly struggling: ReadonlySet<number>;
  onSpan(span: Span): void;
  onChoose(moment: Moment): void;
}

export const labelWidth = 200;
const laneHeight = 34;
const axisHeight = 24;

/** The colours of the current theme. */
function colours(): Record<'text' | 'subtle' | 'line' | 'accent' | 'bad' | 'raised' | 'back' | 'waiting' | 'soft', string> {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of('text'),
    subtle: of('subtle'),
    line: of('line'),
    accent: of('accent'),
    bad: of('bad'),
    raised: of('raised'),
    back: of('back'),
    waiting: of('owner-2'),
    soft: of('accent-soft'),
  };
}

/** The moments of each client on one axis. Requests are grey, failures red, writes diamonds, events ticks. */
export function Lanes(props: LanesProps): ComponentChildren {
  const { clients, moments } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const height = axisHeight + Math.max(1, clients.length) * laneHeight;
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === null) return;
    const redraw = (): void => draw(drawn, latest.current);
    redraw();
    const observer = new ResizeObserver(redraw);
    observer.observe(drawn);
    return () => observer.disconnect();
  }, [props.moments, props.span, props.chosen, props.kind, props.struggling, theme.value]);
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === null) return;
    const zoom = (event: WheelEvent): void => {
      event.preventDefault();
      const { span, onSpan } = latest.current;
      const perPixel = (span.to - span.from) / (drawn.clientWidth - labelWidth);
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) onSpan(moved(span, (event.deltaX || event.deltaY) * perPixel));
      else onSpan(zoomed(span, event.deltaY > 0 ? 1.2 : 1 / 1.2, span.from + (event.offsetX - labelWidth) * perPixel));
    };
    drawn.addEventListener('wheel', zoom, { passive: false });
    return () => drawn.removeEventListener('wheel', zoom);
  }, []);
  return (
    <canvas
      ref={canvas}
      class="lanes"
      role="img"
      aria-label={`${moments.length} moments of ${clients.length} clients; the list below has them as text`}
      style={{ height: `${height}px` }}
      onClick={(event) => {
        const found = canvas.current && nearest(canvas.current, latest.current, event.offsetX, event.offsetY);
        if (found) latest.current.onChoose(found);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.buttons !== 1 || canvas.current === null) return;
        const { span, onSpan } = latest.current;
        onSpan(moved(span, (-event.movementX * (span.to - span.from)) / (canvas.current.clientWidth - labelWidth)));
      }}
    />
  );
}

function scaleOf(drawn: HTMLCanvasElement, { span }: LanesProps): (at: number) => number {
  const width = drawn.clientWidth - labelWidth;
  return (at) => labelWidth + ((at - span.from) / (span.to - span.from)) * width;
}

function nearest(drawn: HTMLCanvasElement, props: LanesProps, x: number, y: number): Moment | undefined {
  const client = props.clients[Math.floor((y - axisHeight) / laneHeight)];
  const scale = scaleOf(drawn, props);
  let best: Moment | undefined;
  let distance = 14;
  props.moments.forEach((moment, at) => {
    if (moment.client !== client) return;
    const away = Math.abs(scale(placeOf(props.kind, moment, at)) - x) + (moment.what === 'write' ? 0 : 2);
    if (away < distance) [best, distance] = [moment, away];
  });
  return best;
}

function draw(drawn: HTMLCanvasElement, props: LanesProps): void {
  const pen = drawn.getContext('2d');
  if (pen === null) return;
  const { clients, moments, kind, span, chosen, struggling } = props;
  const [width, height] = [drawn.clientWidth, drawn.clientHeight];
  drawn.width = width * devicePixelRatio;
  drawn.height = height * devicePixelRatio;
  pen.scale(devicePixelRatio, devicePixelRatio);
  const paint = colours();
  const scale = scaleOf(drawn, props);
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  for (const [at, text] of marksOf(kind, span, width - labelWidth)) {
    pen.fillStyle = paint.line;
    pen.fillRect(scale(at), axisHeight, 1, height);
    pen.fillStyle = paint.subtle;
    pen.fillText(text, scale(at) + 4, axisHeight / 2);
  }
  const lanes = new Map(clients.map((client, at) => [client, axisHeight + at * laneHeight + laneHeight / 2]));
  for (const y of lanes.values()) {
    pen.fillStyle = paint.line;
    pen.fillRect(0, y + laneHeight / 2 - 1, width, 1);
  }
  pen.save();
  pen.beginPath();
  pen.rect(labelWidth, axisHeight, width, height);
  pen.clip();
  // the earlier ones of a place lie below; writes are on top of all
  for (const top of [false, true]) {
    moments.forEach((moment, at) => {
      if ((moment.what === 'write') !== top) return;
      const x = scale(placeOf(kind, moment, at));
      const y = lanes.get(moment.client);
      if (y === undefined || x > width + 4) return;
      mark(pen, paint, moment, x, y, kind === 'time' ? scale : undefined);
      if (moment.what === 'write' && struggling.has(moment.write.change.revision)) ring(pen, paint.bad, x, y, 8);
      if (moment === chosen) ring(pen, paint.text, x, y, 11);
    });
  }
  pen.restore();
  pen.fillStyle = paint.raised;
  pen.fillRect(0, axisHeight, labelWidth - 1, height);
  for (const [client, y] of lanes) {
    pen.fillStyle = paint.text;
    pen.fillText(shortened(pen, client, labelWidth - 28), 16, y);
  }
}

function shortened(pen: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text;
  while (shown.length > 1 && pen.measureText(shown === text ? text : `${shown}…`).width > width) shown = shown.slice(0, -1);
  return shown === text ? text : `${shown}…`;
}

function mark(
  pen: CanvasRenderingContext2D,
  paint: ReturnType<typeof colours>,
  moment: Moment,
  x: number,
  y: number,
  scale: ((at: number) => number) | undefined,
): void {
  if (moment.what === 'event') {
    if (x < labelWidth - 4) return;
    pen.fillStyle = paint.waiting;
    pen.fillRect(x - 0.75, y + 5, 1.5, 8);
    return;
  }
  if (moment.what === 'write') {
    if (x < labelWidth - 8) return;
    pen.fillStyle = paint.accent;
    pen.beginPath();
    for (const [dx, dy] of [
      [0, -6],
      [6, 0],
      [0, 6],
      [-6, 0],
    ] as const)
      pen.lineTo(x + dx, y + dy);
    pen.fill();
    if (moment.write.request?.faults) fault(pen, paint.bad, x, y);
    return;
  }
  const { request } = moment;
  const end = scale === undefined ? x : scale(request.end ?? Number.MAX_SAFE_INTEGER);
  if (end < labelWidth - 4) return;
  const isBad = request.code === undefined ? request.end !== undefined && request.verb !== 'watch' : request.code >= 400;
  pen.fillStyle = isBad ? paint.bad : paint.subtle;
  if (request.verb === 'watch') pen.fillRect(x, y + 8, Math.max(2, Math.min(end, 20_000) - x), 2);
  else pen.fillRect(x - 1, y - 5, Math.max(2, Math.min(end - x, 20_000)), 10);
  if (request.faults) fault(pen, paint.bad, x, y);
}

function fault(pen: CanvasRenderingContext2D, colour: string, x: number, y: number): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y - 8);
  pen.lineTo(x - 5, y - 16);
  pen.lineTo(x + 5, y - 16);
  pen.fill();
}

function ring(pen: CanvasRenderingContext2D, colour: string, x: number, y: number, radius: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}
