import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { theme } from '../app/theme.ts';
import type { HealthSample, Plot } from './health-samples.ts';

export interface SmallPlotProps {
  readonly plot: Plot;
  readonly samples: readonly HealthSample[];
}

const strokes = ['--accent', '--owner-2'] as const;
const height = 110;

/** One small plot over time, with its last value as text. */
export function SmallPlot({ plot, samples }: SmallPlotProps): ComponentChildren {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | undefined>(undefined);
  const last = samples.at(-1)?.values ?? {};
  const data: UPlot.AlignedData = [
    samples.map(({ time }) => time),
    ...plot.lines.map((name) => samples.map(({ values }) => values[name] ?? 0)),
  ];
  useEffect(() => {
    if (host.current === null) return;
    const opened = new UPlot(optionsOf(plot, host.current.clientWidth), data, host.current);
    drawn.current = opened;
    const observer = new ResizeObserver(([entry]) => entry && opened.setSize({ width: entry.contentRect.width, height }));
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      opened.destroy();
    };
  }, [plot, theme.value]);
  useEffect(() => drawn.current?.setData(data), [samples]);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{plot.title}</strong>
        {plot.lines.map((name, at) => (
          <span key={name} class="subtle">
            <span class={`swatch owner-${at === 0 ? 0 : 2}`} /> {plot.lines.length > 1 ? `${name} ` : ''}
            {shown(last[name] ?? 0)} {plot.unit}
          </span>
        ))}
      </figcaption>
      <div ref={host} class="plot-area" />
    </figure>
  );
}

const shown = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: value < 100 ? 1 : 0 });

const timeText = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString(undefined, { hour12: false });

function optionsOf({ lines }: Plot, width: number): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--subtle'), grid, ticks: { show: false }, font: '11px system-ui, sans-serif' };
  return {
    width,
    height,
    cursor: { show: false },
    legend: { show: false },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.15)] } },
    axes: [
      { ...axis, space: 90, size: 24, values: (_plot, splits) => splits.map(timeText) },
      { ...axis, size: 54, space: 28 },
    ],
    series: [{}, ...lines.map((_, at) => ({ stroke: colour(strokes[at] ?? '--subtle'), width: 1.5, points: { show: false } }))],
  };
}
